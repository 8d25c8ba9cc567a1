package sessions

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

const commandLines = testdata + "/golden/argsbarg"

// The test binary is a command-line program instead if fakeVariable says where its answers
// are. It is the program that it was started as, and notes that it was in the file that
// recordVariable names.
const (
	fakeVariable   = "MCPGEN_TEST_ANSWERS"
	recordVariable = "MCPGEN_TEST_RECORD"
)

// A run is how a command-line program was started, or is: as it is recorded.
type run struct {
	App   string   `json:"app"`
	Argv  []string `json:"argv"`
	Stdin string   `json:"stdin"`
}

// An effect is what it did then.
type effect struct {
	Exit   int    `json:"exit"`
	Stdout string `json:"stdout"`
	Stderr string `json:"stderr"`
}

// fakeCLI answers as the real program did when it was recorded, or would.
func fakeCLI(answers string) int {
	stdin, err := io.ReadAll(os.Stdin)
	r := run{filepath.Base(os.Args[0]), os.Args[1:], string(stdin)}
	if err == nil {
		err = r.record(os.Getenv(recordVariable))
	}
	var out effect
	if err == nil {
		out, err = r.effect(answers)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "fake:", err)
		return 99
	}
	fmt.Print(out.Stdout)
	fmt.Fprint(os.Stderr, out.Stderr)
	return out.Exit
}

func (r run) record(file string) error {
	f, err := os.OpenFile(file, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	if err := json.NewEncoder(f).Encode(r); err != nil {
		return err
	}
	return f.Close()
}

// A recording is what a real program did.
type recording struct {
	run
	effect
	bun bool // it was run by a launcher that takes a first "--" for itself
}

// recordings returns all of them, first those of programs that were compiled and whose output
// was a file, as it is with servers. Their apps are named as the manifests are.
func recordings(folder string) ([]recording, error) {
	var all []recording
	var calls []commandCall
	if err := readJSON(filepath.Join(folder, "calls.json"), &calls); err != nil {
		return nil, err
	}
	for _, c := range calls {
		if c.Exec != nil {
			all = append(all, recording{run: run{c.Manifest, c.Argv, c.Stdin}, effect: *c.Exec})
		}
	}
	for _, version := range []string{"1.4.1", "7.0.4"} {
		var lines []recording
		if err := readJSON(filepath.Join(folder, "upstream", "cli-"+version+".json"), &lines); err != nil {
			return nil, err
		}
		for _, r := range lines {
			r.bun = true
			all = append(all, r)
		}
	}
	return all, nil
}

// effect returns what the program did when it was recorded, or would do: nothing if it is not
// known.
func (r run) effect(folder string) (effect, error) {
	recorded, err := recordings(folder)
	if err != nil {
		return effect{}, err
	}
	for _, x := range recorded {
		if commandOf(x.App) == r.App && slices.Equal(x.Argv, r.Argv) && x.Stdin == r.Stdin {
			return x.effect, nil
		}
	}
	for _, program := range commandPrograms {
		if commandOf(program) == r.App {
			p, err := loadProgram(folder, program)
			if err != nil {
				return effect{}, err
			}
			return p.effect(r.Argv, r.Stdin), nil
		}
	}
	return effect{}, nil
}

func readJSON(file string, v any) error {
	text, err := os.ReadFile(file)
	if err == nil {
		err = json.Unmarshal(text, v)
	}
	return err
}

// commandOf returns the command that the manifest of a program names.
func commandOf(program string) string {
	switch program {
	case "hello":
		return "hello.sh"
	case "fleet":
		return "fleet.ctl"
	}
	return program
}

// commandPrograms are the command-line programs of the specification.
var commandPrograms = []string{"tracker", "hello", "kinds", "fleet"}

// commandPrefix tells them from other programs.
const commandPrefix = "cli-"

func commandServer(t *testing.T, program string) server {
	t.Helper()
	return serverOf(t, commandPrefix+program)
}

// A bin is a folder with the fake programs, and where they note how they are started.
type bin struct{ dir, record string }

func newBin(t *testing.T, more ...string) bin {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for _, program := range append(more, commandPrograms...) {
		if err := os.Symlink(self, filepath.Join(dir, commandOf(program))); err != nil {
			t.Fatal(err)
		}
	}
	return bin{dir: dir, record: filepath.Join(dir, "record")}
}

// env returns the environment of a server that is to run the fake programs.
func (b bin) env(t *testing.T, more ...string) []string {
	t.Helper()
	answers, err := filepath.Abs(commandLines)
	if err != nil {
		t.Fatal(err)
	}
	return append([]string{
		"PATH=" + b.dir + string(os.PathListSeparator) + os.Getenv("PATH"),
		fakeVariable + "=" + answers,
		recordVariable + "=" + b.record,
	}, more...)
}

// runs returns how the programs were started since the last time.
func (b bin) runs(t *testing.T) []run {
	t.Helper()
	f, err := os.Open(b.record)
	if os.IsNotExist(err) {
		return nil
	}
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var runs []run
	for d := json.NewDecoder(f); ; {
		var r run
		if err := d.Decode(&r); err == io.EOF {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		runs = append(runs, r)
	}
	if err := os.Remove(b.record); err != nil {
		t.Fatal(err)
	}
	return runs
}
