package gen

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestWide generates a command with more arguments, and a record with more fields, than the
// decoder has place for in the words that it keeps on the stack.
func TestWide(t *testing.T) {
	t.Parallel()
	const n = 300
	record := "m=I4" // 300
	var args []string
	for i := range n {
		name := fmt.Sprintf("x%03d", i)
		record += "4" + name + "j"
		args = append(args, fmt.Sprintf(`{"kind":"pos","schema":"j","type":"Int","name":%q,"key":%q}`, name, name))
	}
	command := func(name, args string) string {
		return fmt.Sprintf(`{"name":%q,"type":"remote","mid":1,"pool":0,"args":[%s],"return":{"schema":%q}}`, name, args, record)
	}
	name := filepath.Join(t.TempDir(), "manifest.json")
	text := `{"name":"wide","build":{"path":".","time":1,"morloc_version":"0.109.0"},` +
		`"pools":[{"lang":"py","exec":["python3","pools/py/pool.py"],"socket":"pipe-py"}],"commands":[` +
		command("args", strings.Join(args, ",")) + "," +
		command("record", fmt.Sprintf(`{"kind":"pos","schema":%q,"type":"Wide","name":"wide","key":"wide"}`, record)) + `]}`
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	r := generate(t, Options{Manifests: []string{name}, Out: filepath.Join(t.TempDir(), "out")})
	if tools := r.Tools(); len(tools) != 2 || len(tools[0].Params) != n {
		t.Errorf("the tools are %v", tools)
	}
}
