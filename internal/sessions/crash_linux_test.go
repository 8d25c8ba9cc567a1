package sessions

import (
	"bufio"
	"encoding/json"
	"io"
	"net"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/mcpgen/mcpgen/internal/testenv"
)

// A gate holds calls in a pool: the pool connects, tells its process id, and answers when
// the connection ends.
type gate struct {
	t        *testing.T
	path     string
	listener *net.UnixListener
}

func newGate(t *testing.T) *gate {
	t.Helper()
	path := testenv.SocketPath(t)
	l, err := net.ListenUnix("unix", &net.UnixAddr{Name: path, Net: "unix"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	return &gate{t, path, l}
}

// accept waits for a process of a pool.
func (g *gate) accept() net.Conn {
	g.t.Helper()
	deadline := time.Now().Add(sessionLimit)
	if err := g.listener.SetDeadline(deadline); err != nil {
		g.t.Fatal(err)
	}
	c, err := g.listener.Accept()
	if err == nil {
		err = c.SetDeadline(deadline)
	}
	if err != nil {
		g.t.Fatal(err)
	}
	g.t.Cleanup(func() { _ = c.Close() })
	return c
}

// A held call waits at a gate.
type heldCall struct {
	t    *testing.T
	conn net.Conn
	pid  int // of the process that runs it
}

// hold waits for a call.
func (g *gate) hold() *heldCall {
	g.t.Helper()
	c := g.accept()
	line, err := bufio.NewReader(c).ReadString('\n')
	if err != nil {
		g.t.Fatal(err)
	}
	pid, err := strconv.Atoi(strings.TrimSpace(line))
	if err != nil {
		g.t.Fatal(err)
	}
	return &heldCall{g.t, c, pid}
}

// release lets the call go on.
func (h *heldCall) release() { _ = h.conn.Close() }

// awaitEnd waits until the process that runs the call is gone.
func (h *heldCall) awaitEnd() {
	h.t.Helper()
	awaitEnd(h.t, h.conn)
}

// awaitEnd waits until the process at the other end of a connection is gone.
func awaitEnd(t *testing.T, c net.Conn) {
	t.Helper()
	if _, err := io.Copy(io.Discard, c); err != nil {
		t.Errorf("a process of a pool is still there: %v", err)
	}
}

// The calls of the tests below: of tool mw, one that waits at a gate and one that does not.
const (
	heldArgs  = `{"smiles":"CCO"}`
	freeArgs  = `{"smiles":"C"}`
	heldValue = `{"content":[{"type":"text","text":"46.069"}],"isError":false}`
	freeValue = `{"content":[{"type":"text","text":"16.043"}],"isError":false}`
)

var freeCall = stubCall{command: "mw", Args: json.RawMessage(`["C"]`), Result: json.RawMessage("16.043")}

func heldAt(g *gate) stubCall {
	return stubCall{command: "mw", Args: json.RawMessage(`["CCO"]`), Result: json.RawMessage("46.069"), Gate: g.path}
}

// heldKitchen returns a program with one held call and some that are not.
func heldKitchen(t *testing.T, g *gate) *stubKitchen {
	return newKitchen(t, []stubCall{heldAt(g), freeCall, freeCall, freeCall, freeCall})
}

// startHeld starts a server of the kitchen, for which call 1 waits at a gate.
func startHeld(t *testing.T, args ...string) (*session, *heldCall) {
	t.Helper()
	g := newGate(t)
	s := heldKitchen(t, g).start(t, args...)
	s.handshake("2025-06-18")
	s.send(call(1, "mw", heldArgs))
	return s, g.hold()
}

func failed(text string) string {
	return `{"content":[{"type":"text","text":"` + text + `"}],"isError":true}`
}

const crashed = "IPC error: Connection closed by peer"

// TestPoolKilled kills the pool that runs a call: the call fails, once, and the next one
// finds new pools. Nothing else waits.
func TestPoolKilled(t *testing.T) {
	t.Parallel()
	needPools(t)
	for _, lazy := range []bool{false, true} {
		t.Run("lazy="+strconv.FormatBool(lazy), func(t *testing.T) {
			t.Parallel()
			s, held := startHeld(t, "--lazy-pools="+strconv.FormatBool(lazy))
			s.ask(`{"jsonrpc":"2.0","id":2,"method":"ping"}`, result(2, "{}"))
			s.ask(call(3, "answer", "{}"), result(3, `{"content":[{"type":"text","text":"42"}],"isError":false}`))
			if err := syscall.Kill(held.pid, syscall.SIGKILL); err != nil {
				t.Fatal(err)
			}
			s.expect(result(1, failed(crashed)))
			for id := 4; id < 7; id++ {
				s.ask(call(id, "mw", freeArgs), result(id, freeValue))
			}
			s.end()
		})
	}
}

// TestPoolKilledWithQueue kills the pool while other calls wait: they are not lost.
func TestPoolKilledWithQueue(t *testing.T) {
	t.Parallel()
	needPools(t)
	s, held := startHeld(t)
	s.send(call(2, "mw", freeArgs))
	s.send(call(3, "mw", freeArgs))
	if err := syscall.Kill(held.pid, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	s.expect(result(1, failed(crashed)), result(2, freeValue), result(3, freeValue))
	s.end()
}

// TestPoolKilledIdle kills a pool between two calls: the second does not notice.
func TestPoolKilledIdle(t *testing.T) {
	t.Parallel()
	needPools(t)
	s, held := startHeld(t)
	held.release()
	s.expect(result(1, heldValue))
	if err := syscall.Kill(held.pid, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	// Whether the server or the call finds out first, the call may fail; the next must not.
	s.send(call(2, "mw", freeArgs))
	if got := s.receive(); got != result(2, freeValue) && !strings.Contains(got, "IPC error: ") {
		t.Errorf("got %s", got)
	}
	s.ask(call(3, "mw", freeArgs), result(3, freeValue))
	s.end()
}

// TestEndOfInput ends the input while one call runs and others wait: all are answered.
func TestEndOfInput(t *testing.T) {
	t.Parallel()
	needPools(t)
	s, held := startHeld(t)
	for id := 2; id < 6; id++ {
		s.send(call(id, "mw", freeArgs))
	}
	if err := s.in.Close(); err != nil {
		t.Error(err)
	}
	held.release()
	s.expect(result(1, heldValue))
	for id := 2; id < 6; id++ {
		s.expect(result(id, freeValue))
	}
	s.wait(0)
}

// TestSignals ends the server with signals, without any call, with one that ends in time
// and with one that does not. The input stays open.
func TestSignals(t *testing.T) {
	t.Parallel()
	needPools(t)
	for _, sig := range []syscall.Signal{syscall.SIGTERM, syscall.SIGINT, syscall.SIGHUP} {
		t.Run(strings.ReplaceAll(sig.String(), " ", "_"), func(t *testing.T) {
			t.Parallel()
			s := heldKitchen(t, newGate(t)).start(t)
			s.handshake("2025-06-18")
			s.ask(call(1, "mw", freeArgs), result(1, freeValue))
			s.signal(sig)
			s.wait(128 + int(sig))
		})
	}
	t.Run("first_reply", func(t *testing.T) { // as soon as there is one
		t.Parallel()
		for i := range 30 {
			sig := []syscall.Signal{syscall.SIGTERM, syscall.SIGINT, syscall.SIGHUP}[i%3]
			s := start(t, serverOf(t, "pure").binary, "")
			s.ask(ping, result(1, "{}"))
			s.signal(sig)
			s.wait(128 + int(sig))
		}
	})
	t.Run("call_ends", func(t *testing.T) {
		t.Parallel()
		s, held := startHeld(t)
		s.signal(syscall.SIGTERM)
		held.release()
		s.expect(result(1, heldValue))
		s.wait(128 + int(syscall.SIGTERM))
	})
	t.Run("call_hangs", func(t *testing.T) {
		t.Parallel()
		s, held := startHeld(t)
		s.signal(syscall.SIGTERM)
		held.awaitEnd()
		got := s.receive()
		if !strings.HasPrefix(got, `{"jsonrpc":"2.0","id":1,"result":`) || !strings.HasSuffix(got, `"isError":true}}`) {
			t.Errorf("the call that was given up got %s", got)
		}
		s.wait(128 + int(syscall.SIGTERM))
	})
}

// signal sends the server a signal.
func (s *session) signal(sig syscall.Signal) {
	s.t.Helper()
	if err := s.cmd.Process.Signal(sig); err != nil {
		s.t.Fatal(err)
	}
}

// TestServerKilled kills the server in a call: its pools end with it, and what they leave
// is removed when a server starts the next time.
func TestServerKilled(t *testing.T) {
	needPools(t)
	presence := newGate(t)
	t.Setenv("POOL_PRESENCE", presence.path)
	g := newGate(t)
	s := heldKitchen(t, g).start(t)
	s.handshake("2025-06-18")
	s.send(call(1, "mw", heldArgs))
	g.hold()
	var pools []net.Conn
	for range 3 { // py, cpp and r
		pools = append(pools, presence.accept())
	}
	if left := s.leftovers(); len(left) != 5 { // three processes, run directory and volume
		t.Errorf("a running server has %q", left)
	}
	s.signal(syscall.SIGKILL)
	for _, c := range pools {
		awaitEnd(t, c)
	}
	if got := s.exit(); got != -1 {
		t.Errorf("exit status %d, want none", got)
	}

	t.Setenv("POOL_PRESENCE", "")
	next := heldKitchen(t, g).start(t)
	next.handshake("2025-06-18")
	next.ask(call(1, "mw", freeArgs), result(1, freeValue))
	if left := s.leftovers(); len(left) > 0 {
		t.Errorf("not swept: %q", left)
	}
	next.end()
}
