package gen

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestNestedChoices generates commands with choices inside of choices: the code must stay
// flat, as go vet gives up on what is nested 1000 deep.
func TestNestedChoices(t *testing.T) {
	t.Parallel()
	const n = 1500
	const choice = `{"tag":"if","schema":"s","cond":{"tag":"bound","schema":"b","var":"c"},"then":%s,"else":%s}`
	const x = `{"tag":"bound","schema":"s","var":"x"}`
	const twice = `{"tag":"app","schema":"t2ss","func":{"tag":"lambda","vars":["y"],"body":{"tag":"container","schema":"t2ss",` +
		`"elements":[{"tag":"bound","schema":"s","var":"y"},{"tag":"bound","schema":"s","var":"y"}]}},"args":[%s]}`
	inThen, inElse := x, x
	for i := range n {
		text := fmt.Sprintf(`{"tag":"str","schema":"s","value":"%d"}`, i)
		inThen = fmt.Sprintf(choice, inThen, text)
		inElse = fmt.Sprintf(choice, text, inElse)
	}
	for _, tt := range []struct{ name, result, body string }{
		{"then", "s", inThen},
		{"else", "s", inElse},
		{"then in a variable", "t2ss", fmt.Sprintf(twice, inThen)},
		{"else in a variable", "t2ss", fmt.Sprintf(twice, inElse)},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			name := filepath.Join(t.TempDir(), "manifest.json")
			text := `{"name":"nested","build":{"path":".","time":1,"morloc_version":"0.98.2"},"commands":[{"name":"f","type":"pure",` +
				`"args":[{"kind":"pos","schema":"b","type":"Bool"},{"kind":"pos","schema":"s","type":"Str"}],` +
				`"return":{"schema":"` + tt.result + `","type":""},"expr":{"tag":"lambda","vars":["c","x"],"body":` + tt.body + `}}]}`
			if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
			r := generate(t, Options{Manifests: []string{name}, Out: filepath.Join(t.TempDir(), "out")})
			pure := find(t, r.Files, "pure_gen.go")
			if got := strings.Count(pure, `"1499"`); got != 1 {
				t.Errorf("the last text is there %d times, want once", got)
			}
			if i := strings.Index(pure, "\n\t\t\t"); i >= 0 {
				t.Errorf("nested three deep: %.60q", pure[i:])
			}
		})
	}
}
