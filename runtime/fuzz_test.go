package runtime

import (
	"encoding/json"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"
)

// FuzzFlags gives flags arbitrary values: one is taken if it has the form that the flag wants,
// and else told, as it is, in a line that says how to go on.
func FuzzFlags(f *testing.F) {
	for _, value := range []string{"", "1", "+007", "-1", "1e3", "99999999999999999999", "true", "claude", "Cursor", "calc=/a=b", "calc", `a for -b "c"`, "\n", "\xff", "tracker=[\"a\"]"} {
		f.Add(value)
	}
	number := regexp.MustCompile(`^\+?0*[1-9][0-9]*$`)
	accepts := map[string]func(value string) bool{
		"list-page-bytes": func(value string) bool { _, err := strconv.Atoi(value); return number.MatchString(value) && err == nil },
		"mcp-config":      func(value string) bool { return slices.Contains([]string{"true", "claude", "vscode", "cursor"}, value) },
		"program-dir": func(value string) bool {
			return strings.HasPrefix(value, "tracker=") || strings.HasPrefix(value, "calc=") || strings.HasPrefix(value, "fleet=")
		},
		"lazy-pools": func(value string) bool { _, err := strconv.ParseBool(value); return err == nil },
	}
	f.Fuzz(func(t *testing.T, value string) {
		for name, accept := range accepts {
			_, err := several.parseFlags([]string{"--" + name + "=" + value}, nil)
			if accept(value) != (err == nil) {
				t.Fatalf("--%s=%q: %v", name, value, err)
			}
			if err == nil {
				continue
			}
			text := err.Error()
			if !strings.HasPrefix(text, "invalid value "+strconv.Quote(value)+" for --"+name+": ") || !strings.HasSuffix(text, "; see --help") ||
				strings.Contains(text, "\n") {
				t.Fatalf("--%s=%q: %s", name, value, text)
			}
		}
	})
}

// FuzzCommands holds the reading of commands, from flags and from the environment, against
// encoding/json, and against the text that is written of them.
func FuzzCommands(f *testing.F) {
	for _, text := range []string{
		"./a b", ` ["a","\u0062\n"] `, ` [ "\u005b" ] `, "", `["a",]`, `[""]`, `["a"]x`, "[", `{"tracker":"/x","fleet":["y","z"]}`, `{"calc":"/x"}`, `{"tracker":["a",1]}`,
		`{"tracker":"","fleet":null}`, `{"tracker":"a","tracker":["b"]}`, `{"tracker":"a"`, "{}", `{"tracker":[["a"]]}`, `["\ud800"]`, "[\"\xff\"]", `{"\u0074racker":"a"} `,
	} {
		f.Add(text)
	}
	halves := regexp.MustCompile(`(?i)\\ud[89a-f]`) // encoding/json repairs half surrogate pairs
	f.Fuzz(func(t *testing.T, text string) {
		if halves.MatchString(text) || !utf8.ValidString(text) || strings.Contains(text, "null") {
			return // nor does it tell null from no string
		}
		words, err := parseCommand(text)
		want := []string{text}
		if strings.HasPrefix(strings.TrimLeft(text, " \t\r\n"), "[") {
			want = nil
			_ = json.Unmarshal([]byte(text), &want)
		}
		if ok := json.Valid([]byte(text)) || len(want) == 1 && want[0] == text; !ok || len(want) == 0 || want[0] == "" {
			want = nil
		}
		if (err == nil) != (want != nil) || !slices.Equal(words, want) {
			t.Fatalf("parseCommand(%q) = %q, %v, want %q", text, words, err, want)
		}
		if err == nil {
			if again, err := parseCommand(commandText(words)); err != nil || !slices.Equal(again, words) {
				t.Fatalf("%q is written as %s and read as %q, %v", words, commandText(words), again, err)
			}
		}
		checkObject(t, text)
	})
}

// checkObject holds the reading of a JSON object of commands against encoding/json.
func checkObject(t *testing.T, text string) {
	t.Helper()
	var members map[string]json.RawMessage
	ok := json.Unmarshal([]byte(text), &members) == nil
	want := make(commands, 3)
	for name, value := range members {
		var path string
		i := map[string]int{"tracker": 0, "fleet": 2}[name]
		if json.Unmarshal(value, &path) == nil {
			want[i] = []string{path}
		} else if json.Unmarshal(value, &want[i]) != nil {
			ok = false
		}
		ok = ok && (name == "tracker" || name == "fleet") && len(want[i]) > 0 && want[i][0] != ""
	}
	got := make(commands, 3)
	err := got.putObject(several, text)
	isRepeated := strings.Count(text, ":") > len(members) // or a path has a colon
	if err == nil && !ok || err != nil && ok && !isRepeated {
		t.Fatalf("putObject(%q): %v", text, err)
	}
	if err == nil && (!slices.Equal(got[0], want[0]) || !slices.Equal(got[2], want[2]) || got[1] != nil) {
		t.Fatalf("putObject(%q) = %q, want %q", text, got, want)
	}
}
