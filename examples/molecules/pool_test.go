//go:build unix

package molecules

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/mcpgen/mcpgen/internal/testenv"
)

// limit is how long anything a pool does may take; it is reached only by a broken one.
const limit = 30 * time.Second

const poolFile = "smiles-build/pools/py/pool.py"

// process is a running pool.
type process struct {
	socket string
	signal func(os.Signal) error
	exited <-chan error // yields what Wait returned, once
}

// poolCommand returns the command that starts the pool in file on a new socket, which is its
// argument 3. Without Python it skips the test.
func poolCommand(t *testing.T, file string) *exec.Cmd {
	t.Helper()
	interpreter, err := testenv.Python()
	if err != nil {
		t.Skipf("no python3: %v", err)
	}
	socket := testenv.SocketPath(t)
	cmd := exec.Command(interpreter, "-B", file, socket, filepath.Dir(socket), "morloc-0-test")
	cmd.Env = append(os.Environ(), "PYTHONUNBUFFERED=") // buffered, as without the variable
	return cmd
}

// startPool starts the pool of the example.
func startPool(t *testing.T) *process {
	t.Helper()
	return start(t, poolCommand(t, poolFile))
}

// start starts a pool and waits until it answers. The end of the test ends the pool, which must not
// have written anything to its stderr.
func start(t *testing.T, cmd *exec.Cmd) *process {
	t.Helper()
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	exited, gone := make(chan error, 1), make(chan struct{})
	go func() {
		exited <- cmd.Wait()
		close(gone)
	}()
	t.Cleanup(func() {
		cmd.Process.Kill()
		<-gone
		if stderr.Len() > 0 {
			t.Errorf("the pool wrote to its stderr:\n%s", &stderr)
		}
	})
	p := &process{socket: cmd.Args[3], signal: cmd.Process.Signal, exited: exited}
	awaitReady(t, p.socket, gone)
	return p
}

// awaitReady pings until the pool answers. It fails the test if gone is closed before.
func awaitReady(t *testing.T, socket string, gone <-chan struct{}) {
	t.Helper()
	retry := time.NewTicker(5 * time.Millisecond)
	defer retry.Stop()
	deadline := time.After(limit)
	for {
		reply, err := exchange(socket, pingPacket)
		if err == nil {
			if string(reply) != string(pingPacket) {
				t.Fatalf("ping: got %x, want %x", reply, pingPacket)
			}
			return
		}
		select {
		case <-retry.C:
		case <-gone:
			t.Fatal("the pool ended before it answered a ping")
		case <-deadline:
			t.Fatalf("no answer to a ping in %v: %v", limit, err)
		}
	}
}

// exchange sends request on a connection of its own and returns everything that comes back.
func exchange(socket string, request []byte) ([]byte, error) {
	conn, err := net.Dial("unix", socket)
	if err != nil {
		return nil, err
	}
	defer conn.Close()
	if err := conn.SetDeadline(time.Now().Add(limit)); err != nil {
		return nil, err
	}
	if _, err := conn.Write(request); err != nil {
		return nil, err
	}
	// A request that promises more than it holds ends here, so that the pool need not wait.
	if err := conn.(*net.UnixConn).CloseWrite(); err != nil && !errors.Is(err, syscall.ENOTCONN) {
		return nil, err
	}
	reply, err := io.ReadAll(conn)
	if errors.Is(err, syscall.ECONNRESET) {
		err = nil // the pool closed and left bytes of a bad request unread
	}
	return reply, err
}

func TestHealth(t *testing.T) {
	t.Parallel()
	cmd := poolCommand(t, poolFile)
	cmd.Args = append(cmd.Args[:3], "--health")
	out, err := cmd.Output()
	if err != nil || string(out) != `{"status":"ok","version":"0.98.2"}`+"\n" {
		t.Errorf("--health: %q, %v", out, err)
	}
}

func TestUsage(t *testing.T) {
	t.Parallel()
	for n := range 5 {
		if n == 3 {
			continue
		}
		cmd := poolCommand(t, poolFile)
		cmd.Args = append(cmd.Args[:3], strings.Fields("a b c d")[:n]...)
		out, err := cmd.Output()
		exit, isExit := errors.AsType[*exec.ExitError](err)
		if !isExit || exit.ExitCode() != 1 || !strings.HasPrefix(string(out), "usage: ") {
			t.Errorf("%d arguments: %q, %v, want usage and exit status 1", n, out, err)
		}
	}
}

// TestTerminate stops a pool that has a silent connection and one with a call at work.
func TestTerminate(t *testing.T) {
	t.Parallel()
	p := startPool(t)
	for _, sent := range [][]byte{nil, callPacket(4, stringList(strings.Repeat("C", 5_000_000)))} {
		conn, err := net.Dial("unix", p.socket)
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		if _, err := conn.Write(sent); err != nil {
			t.Fatal(err)
		}
	}
	if err := p.signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	select {
	case err := <-p.exited:
		if err != nil {
			t.Errorf("after SIGTERM: %v, want exit status 0", err)
		}
	case <-time.After(limit):
		t.Fatalf("still alive %v after SIGTERM", limit)
	}
	if _, err := os.Lstat(p.socket); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("after SIGTERM: socket: %v, want it gone", err)
	}
}

// TestTakesOverSocket starts a pool where a killed one left its socket.
func TestTakesOverSocket(t *testing.T) {
	t.Parallel()
	cmd := poolCommand(t, poolFile)
	old, err := net.Listen("unix", cmd.Args[3])
	if err != nil {
		t.Fatal(err)
	}
	old.(*net.UnixListener).SetUnlinkOnClose(false)
	old.Close()
	start(t, cmd)
}

// userCode stands in for smiles.py. Its functions do what user code should not do.
const userCode = `
import sys
import threading

busy = threading.Lock()


def mol_weight(smiles):
    sys.exit("enough")


def mol_formula(smiles):
    print("formula of", smiles)
    return smiles


def mol_describe(smiles):
    return {"smiles": smiles}


def mol_heaviest(molecules):
    assert busy.acquire(blocking=False), "two calls at once"
    total = sum(range(1_000_000))
    busy.release()
    return str(total)


def mol_parse_all(molecules):
    raise KeyError(molecules[0])
`

// TestUserCode runs a copy of the pool over other user code, which it must find by its own place.
func TestUserCode(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	file := filepath.Join(root, poolFile)
	text, err := os.ReadFile(poolFile)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(
		os.MkdirAll(filepath.Dir(file), 0o700),
		os.WriteFile(file, text, 0o600),
		os.WriteFile(filepath.Join(root, "smiles.py"), []byte(userCode), 0o600),
	); err != nil {
		t.Fatal(err)
	}
	cmd := poolCommand(t, file)
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	p := start(t, cmd)

	for _, test := range []struct {
		mid      uint32
		argument []byte
		want     string
	}{
		{1, stringValue("C"), "enough\n  at mw [py] (mid=1, smiles.loc:2:16)"},
		{3, stringValue("C"), "'formula'\n  at describe [py] (mid=3, smiles.loc:2:29)"},
		{5, stringList("C\x00N"), "'C\\x00N'\n  at parseAll [py] (mid=5, smiles.loc:2:49)"},
	} {
		reply, err := exchange(p.socket, callPacket(test.mid, test.argument))
		if text, ok := failureText(reply); err != nil || !ok || text != test.want {
			t.Errorf("mid %d: got %q, %v, want failure %q", test.mid, reply, err, test.want)
		}
	}

	if _, err := exchange(p.socket, callPacket(2, stringValue("CCO"))); err != nil {
		t.Fatal(err)
	}
	const printed = "formula of CCO\n"
	if err := stdout.(*os.File).SetReadDeadline(time.Now().Add(limit)); err != nil {
		t.Fatal(err)
	}
	line := make([]byte, len(printed))
	if _, err := io.ReadFull(stdout, line); err != nil || string(line) != printed {
		t.Errorf("after the call: stdout %q, %v, want %q", line, err, printed)
	}

	var clients sync.WaitGroup
	for range 8 {
		clients.Go(func() {
			reply, err := exchange(p.socket, callPacket(4, stringList()))
			if text, failed := failureText(reply); err != nil || failed {
				t.Errorf("calls at once: %q, %v", text, err)
			}
		})
	}
	clients.Wait()
}

// TestConcurrentClients calls while another client keeps silent, from many connections at once.
func TestConcurrentClients(t *testing.T) {
	t.Parallel()
	p := startPool(t)
	silent, err := net.Dial("unix", p.socket)
	if err != nil {
		t.Fatal(err)
	}
	defer silent.Close()
	var clients sync.WaitGroup
	for i := range 16 {
		clients.Go(func() {
			text := strings.Repeat("C", i)
			reply, err := exchange(p.socket, callPacket(1, stringValue(text+"?")))
			want := fmt.Sprintf("unknown atom '?' at %d in '%s?'\n  at mw [py] (mid=1, smiles.loc:2:16)",
				i, text)
			if got, ok := failureText(reply); err != nil || !ok || got != want {
				t.Errorf("mw(%q) = %q, %v, want %q", text+"?", reply, err, want)
			}
		})
	}
	clients.Wait()
}
