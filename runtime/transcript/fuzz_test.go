package transcript

import (
	"regexp"
	"strings"
	"testing"
)

// FuzzMatch holds [Match] against package regexp.
func FuzzMatch(f *testing.F) {
	for _, seed := range [][2]string{
		{"abc", "a...c"}, {"a", "a...a"}, {"aa", "a...a"}, {"abab", "...ab"}, {"x", "..."}, {"a....b", "a....b"},
		{"one\ntwo", "one...two"}, {"abcabc", "a...b...c...bc"}, {"....", "......."}, {"", "..."}, {"\xff", "\xff"},
	} {
		f.Add(seed[0], seed[1])
	}
	f.Fuzz(func(t *testing.T, got, want string) {
		parts := strings.Split(want, "...")
		for i, part := range parts {
			parts[i] = regexp.QuoteMeta(part)
		}
		form, err := regexp.Compile(`(?s)\A` + strings.Join(parts, ".*?") + `\z`)
		if err != nil {
			return // not UTF-8
		}
		if Match(got, want) != form.MatchString(got) {
			t.Fatalf("Match(%q, %q) = %v", got, want, Match(got, want))
		}
	})
}

// FuzzReplay records the answers to whatever a client sends: a transcript that is recorded
// has all the lines of the one before, and is replayed without problems as it stands.
func FuzzReplay(f *testing.F) {
	for _, seed := range []string{
		"", "# a remark\n\n" + ping("1"), ping("1") + ping("2"), "--> {oops\n--> []\n", ping(`"..."`), "-->\n--> \n-->  x", "\r\n" + ping("1") + "\r\n",
		`--> {"id":1,"method":"initialize","params":{"protocolVersion":"2025-03-26"}}` + "\n--> [" + ping("1")[4:] + "]\n",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		lines := strings.Split(text, "\n")
		if len(lines) > keptReplies/2 || strings.Contains(text, "<-- ") {
			return // an answer that never comes is waited for
		}
		got, problems := Replay(&program, text)
		for _, problem := range problems {
			if !strings.HasPrefix(problem, "one more answer at the end: ") {
				t.Fatalf("Replay(%q): %s", text, problem)
			}
		}
		if !strings.HasPrefix(got, strings.TrimSuffix(text, "\n")) {
			t.Fatalf("Replay(%q) = %q", text, got)
		}
		again, problems := Replay(&program, got)
		if again != got || len(problems) > 0 {
			t.Fatalf("Replay(%q) = %q, %q", got, again, problems)
		}
	})
}
