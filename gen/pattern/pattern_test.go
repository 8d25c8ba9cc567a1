package pattern_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/mcpgen/mcpgen/gen/pattern"
)

func TestTranslate(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, es, want string }{
		{"nothing", ``, ``},
		{"literals", `^[a-z]+$`, `^[a-z]+$`},
		{"classes of ECMAScript", `\d\w\D\W`, `[0-9][0-9A-Za-z_][\D][\W]`},
		{"a dot", `a.b`, `a[^\n\r\x{2028}\x{2029}]b`},
		{"groups", `(a|(?:b)|(?<name>c))?`, `(?:a|(?:b)|(?:c))?`},
		{"braces that are characters", `a{,2}{x}`, `a\{,2\}\{x\}`},
		{"zeros before a number", `a{002,0100}?`, `a{2,100}`},
		{"a bracket in a class", `[[:alpha:]]`, `[\[:alpha:]\]`},
		{"an empty class", `[]`, `[^\x{0}-\x{10FFFF}]`},
		{"a full class", `[^]`, `[\x{0}-\x{10FFFF}]`},
		{"a hyphen at an end", `[a-][-b][^-]`, `[a\-][\-b][^\-]`},
		{"escapes", `\/\-\.\x41\u00e9\cJ\0\t\\`, `/-\.Aé` + "\n\x00\t" + `\\`},
		{"a surrogate pair", `\uD83D\uDE00`, `😀`},
		{"backspace in a class", `[\b]`, `[\x{8}]`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if got, err := pattern.Translate(tt.es); err != nil || got != tt.want {
				t.Errorf("Translate(%q) = %q, %v, want %q", tt.es, got, err, tt.want)
			}
		})
	}
}

func TestUntranslatable(t *testing.T) {
	t.Parallel()
	tests := []struct{ es, want string }{
		{`(?=a)`, `Go's regexp cannot look around: (?=`},
		{`a(?!b)`, `Go's regexp cannot look around: (?!`},
		{`(?<=a)b`, `Go's regexp cannot look around: (?<=`},
		{`(?<!a)b`, `Go's regexp cannot look around: (?<!`},
		{`(a)\1`, `Go's regexp cannot refer to groups: \1`},
		{`(?<n>a)\k<n>`, `escape \k: read in different ways`},
		{`\p{L}`, `escape \p: read in different ways`},
		{`\01`, `escape \0: read in different ways`},
		{`(?i:a)`, `a group with modifiers`},
		{`(?<>a)`, `malformed group name ""`},
		{`(a`, `missing ')'`},
		{`a)`, `unmatched ')'`},
		{`[a`, `it ends in the middle`},
		{`a\`, `it ends in the middle`},
		{`*a`, `nothing to repeat before '*'`},
		{`{2}`, `nothing to repeat before '{'`},
		{`a**`, `a repetition is repeated`},
		{`a{2}{3}`, `a repetition is repeated`},
		{`^*`, `an assertion is repeated`},
		{`[z-a]`, `a range ends before it begins`},
		{`[\d-x]`, `a range begins with a set of characters`},
		{`[x-\d]`, `a range ends with a set of characters`},
		{`\u00`, `want 4 hexadecimal digits`},
		{`\uD83D`, `half of a surrogate pair`},
		{`a{1001}`, "beyond the limits of Go's regexp: error parsing regexp: invalid repeat count: `{1001}`"},
		{strings.Repeat("(", 2000), `groups nest deeper than 1000 levels`},
	}
	for _, tt := range tests {
		if got, err := pattern.Translate(tt.es); err == nil || err.Error() != tt.want {
			t.Errorf("Translate(%.40q) = %q, %v, want %s", tt.es, got, err, tt.want)
		}
	}
}

// Texts that the two languages would treat differently, were they not translated.
func TestMatches(t *testing.T) {
	t.Parallel()
	tests := []struct {
		es, text string
		want     bool
	}{
		{`^\s$`, "\u00a0", true},
		{`^\s$`, "\ufeff", true},
		{`^\s$`, "\u0085", false},
		{`^\S$`, "\u2003", false},
		{`^[\S]$`, "x", true},
		{`^[^\s]$`, "\u3000", false},
		{`^.$`, "\r", false},
		{`^.$`, "\u2028", false},
		{`^a$`, "a\n", false},
		{`^[\w-]+$`, "a-b_c", true},
		{`^\$`, "$", true},
		{`[^]`, "\n", true},
		{`[]`, "a", false},
	}
	for _, tt := range tests {
		re, err := pattern.Translate(tt.es)
		if err != nil {
			t.Errorf("Translate(%q): %v", tt.es, err)
			continue
		}
		if got := regexp.MustCompile(re).MatchString(tt.text); got != tt.want {
			t.Errorf("%q in %q: %v, want %v (as %s)", tt.es, tt.text, got, tt.want, re)
		}
	}
}

// FuzzTranslate: what is translated compiles and says the same once more.
func FuzzTranslate(f *testing.F) {
	for _, seed := range []string{`^[a-z]+$`, `(?<a>b|c){2,}?`, `[^\s\]-]\u{1}`, `\uD83D\uDE00|[]`, `a{,1}\cA`} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, es string) {
		re, err := pattern.Translate(es)
		if err != nil {
			return
		}
		if _, err := regexp.Compile(re); err != nil {
			t.Fatalf("Translate(%q) = %q: %v", es, re, err)
		}
	})
}

// TestClassCharacters puts each character of ASCII into a class, behind others that could give
// it a meaning: it matches itself alone.
func TestClassCharacters(t *testing.T) {
	t.Parallel()
	for r := range rune(0x80) {
		translated, err := pattern.Translate(fmt.Sprintf(`^[\x5b\x%02x\x5d]$`, r))
		if err != nil {
			t.Fatalf("%q: %v", r, err)
		}
		re := regexp.MustCompile(translated)
		for other := range rune(0x80) {
			want := other == r || other == '[' || other == ']'
			if got := re.MatchString(string(other)); got != want {
				t.Errorf("%s matches %q: %t, want %t", translated, other, got, want)
			}
		}
	}
}
