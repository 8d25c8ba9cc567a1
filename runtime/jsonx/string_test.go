package jsonx

import (
	"encoding/json"
	"math/rand/v2"
	"strings"
	"testing"
)

// TestStrings compares strings of up to some blocks, with few characters that are special
// among them, with encoding/json: what they are read as and written as.
func TestStrings(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(7, 8))
	for range 5_000 {
		text := []byte(strings.Repeat("plain \x7f", 400))[:r.IntN(2_800)]
		for range r.IntN(4) {
			text = append(text[:r.IntN(len(text)+1)], []string{`"`, `\`, "\n", "\x00", "\x1f", "é", "😀", " ", "!"}[r.IntN(9)]+string(text)...)
			text = text[:min(len(text), 2_800+r.IntN(9))]
		}
		s := strings.ToValidUTF8(string(text), "")
		quoted := AppendString(nil, s)
		var back string
		if err := json.Unmarshal(quoted, &back); err != nil || back != s {
			t.Fatalf("AppendString(%q) = %s, which is %q (%v)", s, quoted, back, err)
		}
		if err := check(quoted); err != nil {
			t.Fatalf("%s: %v", quoted, err)
		}
		d := Decoder{Lexer: Lexer{Src: append(quoted, " "...)}}
		if got := d.Text(); got != s || d.Pos != len(quoted) {
			t.Fatalf("%s is read as %q up to %d", quoted, got, d.Pos)
		}
		if got, want := string(AppendNested(nil, s)), string(AppendEscaped(nil, quoted)); got != want {
			t.Fatalf("AppendNested(%q) = %s, want %s", s, got, want)
		}

		if s == "" {
			continue
		}
		at := 1 + r.IntN(len(s)) // inside of the quotes
		wrong := append([]byte(nil), quoted...)
		wrong[at] = "\x1f\x00\xff"[r.IntN(3)]
		if check(wrong) == nil {
			t.Fatalf("%q is not refused", wrong)
		}
	}
}
