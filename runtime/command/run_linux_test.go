package command

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	rt "github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/jsoncheck"
	"github.com/mcpgen/mcpgen/runtime/jsonx"
	"github.com/mcpgen/mcpgen/runtime/mcp"
)

// TestCannotRun holds the reasons why nothing is run.
func TestCannotRun(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	file := filepath.Join(dir, "file")
	if err := os.WriteFile(file, []byte("#!/no/such/shell\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	script := filepath.Join(dir, "script")
	if err := os.WriteFile(script, []byte("#!/no/such/shell\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	huge := strings.Repeat("x", 1<<20)
	for _, tt := range []struct {
		name, command, cwd string
		words              []string
		want               string
	}{
		{"nowhere", "no-such-program", "", nil, "Cannot run no-such-program: executable file not found in PATH"},
		{"not there", "/no/such/program", "", nil, "Cannot run /no/such/program: no such file or directory"},
		{"relative, not there", "./program", "", nil, "Cannot run ./program: no such file or directory"},
		{"no interpreter", script, "", nil, "Cannot run " + script + ": no such file or directory"},
		{"no program", file, "", nil, "Cannot run " + file + ": permission denied"},
		{"a folder", dir, "", nil, "Cannot run " + dir + ": permission denied"},
		{"no folder", os.Args[0], "/no/such/folder", nil, "Cannot run " + os.Args[0] + ": working directory not found"},
		{"a file for a folder", os.Args[0], file, nil, "Cannot run " + os.Args[0] + ": working directory not found"},
		{"long words", os.Args[0], "", []string{huge}, "Cannot run " + os.Args[0] + ": argument list too long"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			cli := newCLI()
			cli.Command, cli.Cwd = []string{tt.command, "leading"}, tt.cwd
			f := connect(t, cli, latest)
			expect(t, f.call(plain, tt.words...), failed(tt.want))
		})
	}
	cli := newCLI()
	cli.Command = []string{"/no/such/program"}
	f := connectWith(t, cli, latest, rt.Options{Program: "test"}, mcp.Options{Distant: true})
	expect(t, f.call(plain), failed("Cannot run program: no such file or directory"))
}

// TestReplacedCommand runs another command than the author's.
func TestReplacedCommand(t *testing.T) {
	t.Parallel()
	cli := newCLI()
	cli.Command = []string{"no-such-program"}
	o := rt.Options{Program: "test", Home: filepath.Dir(os.Args[0]), Command: []string{"./" + filepath.Base(os.Args[0]), "out=leading "}}
	f := connectWith(t, cli, latest, o, mcp.Options{})
	expect(t, f.call(plain, "out=x"), succeeded("leading x"))
}

// TestFaults holds what is told first of what is wrong (cli-schema.md 6.1), and where.
func TestFaults(t *testing.T) {
	t.Parallel()
	const wrong = jsonx.ArgumentError("Unknown argument: x")
	leaf := &Leaf{Name: "needs", Env: []string{"MCPGEN_NOT_SET", "MCPGEN_EMPTY", childVariable}}
	for _, tt := range []struct {
		revision string
		leaf     *Leaf
		fault    error
		want     string
	}{
		{latest, plain, wrong, failed(string(wrong))},
		{"2025-06-18", plain, wrong, `{"code":-32602,"message":"Unknown argument: x"}`},
		{"2025-06-18", leaf, wrong, failed("Missing required env: MCPGEN_NOT_SET, MCPGEN_EMPTY")},
		{latest, leaf, nil, failed("Missing required env: MCPGEN_NOT_SET, MCPGEN_EMPTY")},
		{latest, leaf, jsonx.ErrNotObject, `{"code":-32602,"message":"'arguments' must be an object"}`},
	} {
		cli := newCLI()
		cli.Env = append(cli.Env, "MCPGEN_EMPTY=")
		f := connect(t, cli, tt.revision)
		f.beginWith(tt.leaf, nil, tt.fault)
		expect(t, f.result(), tt.want)
	}
}

// TestUsedAgain asserts that nothing of a call is left for the next one.
func TestUsedAgain(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	link := filepath.Join(dir, "here")
	if err := os.Symlink(os.Args[0], link); err != nil {
		t.Fatal(err)
	}
	cli := newCLI()
	cli.Command = []string{"here"}
	cli.Env = append(cli.Env, "PATH="+dir)
	cli.MaxOutput = 10
	f := connect(t, cli, latest)
	f.beginWith(plain, []byte("input"), nil, "stdin", "err=e", "exit=3")
	expect(t, f.result(), failed("e", "input"))
	expect(t, f.call(plain, "stdin"), succeeded(""))
	expect(t, f.call(plain, "fill=11"), failed("Output exceeded 10 bytes"))
	if err := os.Remove(link); err != nil {
		t.Fatal(err)
	}
	expect(t, f.call(plain), failed("Cannot run here: executable file not found in PATH"))
	expect(t, f.call(&Leaf{Name: "x", Env: []string{"NO_SUCH"}}), failed("Missing required env: NO_SUCH"))
}

// TestPanic survives a check that panics.
func TestPanic(t *testing.T) {
	t.Parallel()
	f := connect(t, newCLI(), latest)
	leaf := &Leaf{Name: "x", Output: func(jsoncheck.Value) jsoncheck.Fault { panic("on purpose") }}
	expect(t, f.call(leaf, "out={}"), failed("internal error"))
	expect(t, f.call(plain, "out=x"), succeeded("x"))
}
