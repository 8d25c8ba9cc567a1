package command

import (
	"os"
	"strings"
	"testing"
	"time"
)

// withShell returns a client of a program whose login shell is the test binary.
func withShell(t *testing.T, behaviour string) *fixture {
	t.Helper()
	t.Setenv(childVariable, "shell")
	t.Setenv("MCPGEN_TEST_SHELL", behaviour)
	t.Setenv("TAKEN", "server")
	t.Setenv("PATH", "/of/server")
	t.Setenv("SHELL", os.Args[0])
	cli := newCLI()
	cli.ShellEnv = LoginShell
	return connect(t, cli, latest)
}

// TestLoginShell imports the environment of a login shell.
func TestLoginShell(t *testing.T) {
	f := withShell(t, "")
	expect(t, f.call(&Leaf{Name: "x", Env: []string{"FROM_SHELL"}}, "env=FROM_SHELL", "env=TAKEN", "env=PATH", "env=\tINDENTED", "env="+tokenVariable),
		succeeded("a=b\nserver\n/from/shell:/of/server\n1\n\n"))
}

// TestWaitForShell has calls wait for the shell, and nothing else.
func TestWaitForShell(t *testing.T) {
	pipe := newPipe(t)
	t.Setenv("MCPGEN_TEST_PIPE", pipe)
	f := withShell(t, "waits")
	if !f.cli.Ready() {
		t.Error("what has not begun is not ready")
	}
	f.cli.Warm()
	if f.cli.Ready() {
		t.Error("ready before the shell has told anything")
	}
	needs := &Leaf{Name: "x", Env: []string{"FROM_SHELL"}}
	f.begin(needs, "env=FROM_SHELL") // waits for a place
	f.beginWith(needs, nil, errStopping)
	f.begin(&Leaf{Name: "x", Env: []string{"NO_SUCH"}})
	f.beginWith(plain, nil, errInternal) // nothing that the shell could tell matters
	expect(t, f.result(), failed(errInternal.Error()))
	f.handle(`{"jsonrpc":"2.0","id":"p","method":"ping"}`)
	if got := f.line(); !strings.Contains(got, `"p"`) {
		t.Errorf("got %s before the answer to a ping", got)
	}
	told(t, pipe)
	got := map[string]bool{f.result(): true, f.result(): true, f.result(): true}
	for _, want := range []string{succeeded("a=b\n"), failed(errStopping.Error()), failed("Missing required env: NO_SUCH")} {
		if !got[want] {
			t.Errorf("no answer is %s, of %v", want, got)
		}
	}
	if !f.cli.Ready() {
		t.Error("not ready when the shell has ended")
	}
}

// TestBadShell goes on without the environment of a shell.
func TestBadShell(t *testing.T) {
	f := withShell(t, "fails")
	expect(t, f.call(plain, "env=FROM_SHELL", "env=PATH"), succeeded("\n/of/server\n"))
	f.cli.Stop()

	f.cli.ShellEnv = "/no/such/shell"
	f = connect(t, f.cli, latest)
	expect(t, f.call(plain, "env=PATH"), succeeded("/of/server\n"))

	f = withShell(t, "hangs")
	f.cli.runner.shellLimit = 100 * time.Millisecond
	expect(t, f.call(plain, "env=PATH"), succeeded("/of/server\n"))
	f.cli.Stop()

	// The end of the server does not wait for a shell that hangs.
	f = withShell(t, "hangs")
	f.begin(plain)
	f.cli.Stop()
	expect(t, f.result(), failed("server is shutting down"))
}
