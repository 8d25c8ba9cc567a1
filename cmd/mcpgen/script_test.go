package main

import (
	"bufio"
	"context"
	"flag"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/mcpgen/mcpgen/gen"
)

var update = flag.Bool("update", false, "rewrite the expected outputs in the scripts")

// commands are what scripts can execute besides the system's commands.
var commands = map[string]func(){"mcpgen": main}

func TestMain(m *testing.M) {
	beTestPool()
	testscript.Main(m, commands)
}

// TestScripts runs testdata/script/*.txtar. A script finds the repository at $REPO and the
// executable of the test pool at $TESTPOOL; it finds neither a network nor a module beyond
// the standard library.
func TestScripts(t *testing.T) {
	t.Parallel()
	repo, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	cache, err := exec.Command("go", "env", "GOCACHE").Output()
	if err != nil {
		t.Fatal(err)
	}
	testscript.Run(t, testscript.Params{
		Dir:                 filepath.Join(repo, "testdata", "script"),
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		UpdateScripts:       *update,
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"converse": converse,
			"status":   status,
			"serve":    serve,
			"post":     post,
			"stop":     stop,
		},
		Setup: func(env *testscript.Env) error {
			home := filepath.Join(env.WorkDir, ".home")
			env.Values[serverKey{}] = new([]*served)
			env.Setenv("REPO", repo)
			if path, err := exec.LookPath("testpool"); err == nil {
				env.Setenv("TESTPOOL", path)
			}
			env.Setenv("HOME", home)
			env.Setenv("XDG_CACHE_HOME", filepath.Join(home, "cache"))
			env.Setenv("GOCACHE", strings.TrimSpace(string(cache)))
			env.Setenv("GOMODCACHE", filepath.Join(home, "modules"))
			env.Setenv("GOFLAGS", "-mod=mod")
			env.Setenv("GOPROXY", "off")
			env.Setenv("GOTOOLCHAIN", "local")
			return nil
		},
	})
}

// status N COMMAND... runs a command and expects it to exit with status N.
func status(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: status N COMMAND...")
	}
	cmd := command(context.Background(), ts, args[1:])
	cmd.Stdout = ts.Stdout()
	cmd.Stderr = ts.Stderr()
	_ = cmd.Run()
	if got := strconv.Itoa(cmd.ProcessState.ExitCode()); got != args[0] {
		ts.Fatalf("exit status %s, want %s", got, args[0])
	}
}

// command prepares a command to run as exec would.
func command(ctx context.Context, ts *testscript.TestScript, args []string) *exec.Cmd {
	program := args[0]
	if strings.Contains(program, "/") {
		program = ts.MkAbs(program)
	}
	cmd := exec.CommandContext(ctx, program, args[1:]...)
	cmd.Dir = ts.MkAbs(".")
	cmd.Env = []string{"PWD=" + cmd.Dir}
	for _, name := range []string{"PATH", "HOME", "TMPDIR", "REPO", "WORK", "MCPGEN_PROGRAM_DIR", "MCPGEN_CLI"} {
		cmd.Env = append(cmd.Env, name+"="+ts.Getenv(name))
	}
	return cmd
}

// converseTimeout is how long a server may take for a whole transcript.
const converseTimeout = 2 * time.Minute

// converse TRANSCRIPT COMMAND... runs a server and holds a conversation with it: lines of
// the file that begin with "--> " are sent, those that begin with "<-- " are expected
// before the next one is sent ("..." matches anything), others are remarks. Then the
// server's input ends, it must exit with status 0 and have said nothing more.
//
// With -record nothing is compared: the transcript is printed with the answers that came,
// for cmp, and so that -update records them.
func converse(ts *testscript.TestScript, neg bool, args []string) {
	record := len(args) > 0 && args[0] == "-record"
	if record {
		args = args[1:]
	}
	if neg || len(args) < 2 {
		ts.Fatalf("usage: converse [-record] TRANSCRIPT COMMAND...")
	}
	text := ts.ReadFile(args[0])
	ctx, cancel := context.WithTimeout(context.Background(), converseTimeout)
	defer cancel()
	cmd := command(ctx, ts, args[1:])
	cmd.Stderr = ts.Stderr()
	in, err := cmd.StdinPipe()
	ts.Check(err)
	out, err := cmd.StdoutPipe()
	ts.Check(err)
	ts.Check(cmd.Start())
	ts.Defer(func() { cmd.Process.Kill() })
	replies := bufio.NewReader(out)
	n := 0
	for line := range strings.Lines(text) {
		n++
		line = strings.TrimSuffix(line, "\n")
		if message, ok := strings.CutPrefix(line, "--> "); ok {
			_, err := io.WriteString(in, message+"\n")
			ts.Check(err)
		} else if want, ok := strings.CutPrefix(line, "<-- "); ok {
			got, err := replies.ReadString('\n')
			got = strings.TrimSuffix(got, "\n")
			if record {
				ts.Check(err)
				line = "<-- " + got
			} else if err != nil || !matches(got, want) {
				ts.Fatalf("%s:%d: got %s (%v)\nwant %s", args[0], n, got, err, want)
			}
		}
		if record {
			_, err := io.WriteString(ts.Stdout(), line+"\n")
			ts.Check(err)
		}
	}
	in.Close()
	rest, err := io.ReadAll(replies)
	ts.Check(err)
	if len(rest) > 0 {
		ts.Fatalf("%s: left at the end: %s", args[0], rest)
	}
	ts.Check(cmd.Wait())
}

func matches(got, want string) bool {
	pattern := strings.ReplaceAll(regexp.QuoteMeta(want), `\.\.\.`, `.*`)
	return regexp.MustCompile("^" + pattern + "$").MatchString(got)
}

// TestProblems checks the listing of problems; the place of each is shown on a terminal.
func TestProblems(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "m.json")
	if err := os.WriteFile(file, []byte("{\n  \"name\": 7,\n}"), 0o644); err != nil {
		t.Fatal(err)
	}
	line := "mcpgen: " + file + ":3:1: unexpected '}', expected a key in quotes\n"
	for _, tt := range []struct {
		terminal bool
		want     string
	}{
		{false, line},
		{true, line + "    3 | }\n      | ^\n"},
	} {
		var out strings.Builder
		a := &app{stderr: &out, terminal: tt.terminal}
		_, err := gen.Load(gen.Options{Manifests: []string{file}})
		if status := a.report(failure{err}); status != 1 || out.String() != tt.want {
			t.Errorf("terminal=%v: status %d and %q, want 1 and %q", tt.terminal, status, out.String(), tt.want)
		}
	}
}

func TestQuoteSetting(t *testing.T) {
	t.Parallel()
	tests := []struct{ in, want string }{
		{"a=/x y", "'a=/x y'"}, {"a=it's", `"a=it's"`}, {`a=b"c`, `'a=b"c'`},
	}
	for _, tt := range tests {
		if got, err := quoteSetting(tt.in); got != tt.want || err != nil {
			t.Errorf("quoteSetting(%q) = %s, %v, want %s", tt.in, got, err, tt.want)
		}
	}
	if _, err := quoteSetting(`'"`); err == nil {
		t.Error("both quotes: no error")
	}
}
