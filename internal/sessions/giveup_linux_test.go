package sessions

import (
	"bufio"
	"context"
	"io"
	"net/http"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
)

func cancelled(id int) string {
	return `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":` + strconv.Itoa(id) + `}}`
}

// TestCancelRunning cancels a call that another waits for: its pool ends, the other one is
// answered, and it is not.
func TestCancelRunning(t *testing.T) {
	t.Parallel()
	needPools(t)
	s, held := startHeld(t)
	s.send(call(2, "mw", freeArgs))
	s.send(cancelled(1))
	held.awaitEnd()
	s.expect(result(2, freeValue))
	s.ask(call(3, "mw", freeArgs), result(3, freeValue))
	s.end()
	stderr := s.stderr.String()
	if !strings.Contains(stderr, "kitchen: call cancelled; restarting the pools\nkitchen: restart complete (generation 1)\n") ||
		strings.Contains(stderr, "crash") {
		t.Error("stderr does not tell of a cancelled call, or tells of a crash")
	}
}

// TestCancelAlone cancels a call that nobody waits behind: it runs on, as that costs nobody
// anything, and the next one finds it gone.
func TestCancelAlone(t *testing.T) {
	t.Parallel()
	needPools(t)
	s, held := startHeld(t)
	s.send(cancelled(1))
	s.ask(ping, result(1, "{}"))
	s.send(call(2, "mw", freeArgs))
	held.awaitEnd()
	s.expect(result(2, freeValue))
	s.end()
}

// TestCancelThenEnd ends the input while nothing but a cancelled call runs: nothing waits for
// it.
func TestCancelThenEnd(t *testing.T) {
	t.Parallel()
	needPools(t)
	s, held := startHeld(t, "--drain-timeout", "1h")
	s.send(cancelled(1))
	s.end()
	held.awaitEnd()
}

// TestDrainTimeout ends the input while a call runs that does not end.
func TestDrainTimeout(t *testing.T) {
	t.Parallel()
	needPools(t)
	s, held := startHeld(t, "--drain-timeout", "10ms")
	if err := s.in.Close(); err != nil {
		t.Error(err)
	}
	s.expect(result(1, failed("server is shutting down")))
	s.wait(0)
	held.awaitEnd()
	s.stderr.await(t, `kitchen: calls were still running and have been given up\n`)
}

// TestShutdownAnswers ends a server for HTTP while a call runs that does not end, and another
// waits: both clients are told.
func TestShutdownAnswers(t *testing.T) {
	t.Parallel()
	needPools(t)
	g := newGate(t)
	s := heldKitchen(t, g).start(t, "--http-port", "0")
	url := s.stderr.await(t, `http://\S+/mcp`)
	running := begin(t.Context(), t, url, heldArgs, "running")
	held := g.hold()
	waiting := begin(t.Context(), t, url, freeArgs, "waiting, 1 call ahead")
	s.signal(syscall.SIGTERM)
	for name, answer := range map[string]*bufio.Scanner{"running": running, "waiting": waiting} {
		var last string
		for answer.Scan() {
			last += answer.Text()
		}
		if !strings.Contains(last, `"text":"server is shutting down"`) || answer.Err() != nil {
			t.Errorf("the call that was %s is answered %q, %v", name, last, answer.Err())
		}
	}
	s.wait(128 + int(syscall.SIGTERM))
	awaitEnd(t, held.conn)
}

// TestCancelWaiting cancels calls that wait: they never reach a pool.
func TestCancelWaiting(t *testing.T) {
	t.Parallel()
	needPools(t)
	g := newGate(t)
	k := heldKitchen(t, g)
	s := k.start(t, "--max-queue", "2")
	s.handshake("2025-06-18")
	s.send(call(1, "mw", heldArgs))
	held := g.hold()
	s.send(call(2, "mw", freeArgs))
	s.send(call(3, "mw", freeArgs))
	s.ask(call(4, "mw", freeArgs), result(4, failed("server busy: 2 calls are waiting")))
	s.send(cancelled(2))
	s.send(call(5, "mw", freeArgs))
	s.send(cancelled(3))
	s.send(cancelled(99))
	s.ask(`{"jsonrpc":"2.0","id":6,"method":"ping"}`, result(6, "{}")) // all that has been read
	held.release()
	s.expect(result(1, heldValue), result(5, freeValue))
	s.end()
	if got := k.called(t); len(got) != 2 {
		t.Errorf("calls of %q reached pools, want two", got)
	}
}

// TestCallTimeout has a call take too long: its caller is told, its pool ends, and the next
// call is answered.
func TestCallTimeout(t *testing.T) {
	t.Parallel()
	needPools(t)
	g := newGate(t)
	s := newKitchen(t, append(slices.Repeat([]stubCall{freeCall}, 100), heldAt(g))).start(t, "--call-timeout", "2s")
	s.handshake("2025-06-18")
	s.warm()
	s.send(call(1, "mw", heldArgs))
	running := g.hold()
	s.expect(result(1, failed("call timed out after 2s")))
	running.awaitEnd()
	s.warm()
	s.end()
	s.stderr.await(t, `kitchen: call timed out after 2s; restarting the pools\nkitchen: restart complete \(generation \d\)\n`)
}

// warm makes calls until one is answered in time: pools may take longer to start than calls
// may wait.
func (s *session) warm() {
	s.t.Helper()
	for id := 1000; id < 1050; id++ {
		s.send(call(id, "mw", freeArgs))
		switch got := s.receive(); got {
		case result(id, freeValue):
			return
		case result(id, failed("call timed out after 2s")):
		default:
			s.t.Fatalf("got %s", got)
		}
	}
	s.t.Fatal("no call is answered in time")
}

// TestReplicas has two calls run side by side, and a crash that only one of them notices.
func TestReplicas(t *testing.T) {
	t.Parallel()
	needPools(t)
	g := newGate(t)
	s := heldKitchen(t, g).start(t, "--replicas", "2")
	s.handshake("2025-06-18")
	s.send(call(1, "mw", heldArgs))
	first := g.hold()
	s.send(call(2, "mw", heldArgs))
	second := g.hold()
	if err := syscall.Kill(second.pid, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	s.expect(result(2, failed(crashed)))
	s.ask(call(3, "mw", freeArgs), result(3, freeValue))
	first.release()
	s.expect(result(1, heldValue))
	s.end()
	s.stderr.await(t, `kitchen: replica [12]: pool crash detected`)
}

// TestReplicasKilled kills a server of two replicas: all pools end with it, and the next one
// removes the files.
func TestReplicasKilled(t *testing.T) {
	t.Parallel()
	needPools(t)
	s, held := startHeld(t, "--replicas", "2")
	s.signal(syscall.SIGKILL)
	held.awaitEnd()
	s.exit()
	for len(processesOf(strconv.Itoa(s.cmd.Process.Pid))) > 0 { // the kernel is about to end them
		runtime.Gosched()
	}
	next := heldKitchen(t, newGate(t)).start(t)
	next.handshake("2025-06-18")
	next.ask(call(1, "mw", freeArgs), result(1, freeValue))
	if left := s.leftovers(); len(left) > 0 {
		t.Errorf("not swept: %q", left)
	}
	next.end()
}

// post makes a call of 2026-07-28 over HTTP that is to be told of, and returns the answer,
// which begins when there is something to tell.
func post(ctx context.Context, url, arguments string) (*http.Response, error) {
	body := `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"mw","arguments":` + arguments + `,"_meta":{` +
		`"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{},"progressToken":1}}}`
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, url, strings.NewReader(body))
	if err != nil {
		return nil, err
	}
	for name, value := range map[string]string{
		"Content-Type": "application/json", "Accept": "application/json, text/event-stream",
		"MCP-Protocol-Version": "2026-07-28", "Mcp-Method": "tools/call", "Mcp-Name": "mw",
	} {
		r.Header.Set(name, value)
	}
	return http.DefaultClient.Do(r)
}

// begin makes a call and returns when the caller has been told something of it: what comes
// after that.
func begin(ctx context.Context, t *testing.T, url, arguments, message string) *bufio.Scanner {
	t.Helper()
	answer, err := post(ctx, url, arguments)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = answer.Body.Close() })
	lines := bufio.NewScanner(answer.Body)
	for lines.Scan() {
		if strings.Contains(lines.Text(), `"message":"`+message+`"`) {
			return lines
		}
	}
	t.Fatalf("the caller is not told %q: %v", message, lines.Err())
	return nil
}

// TestDisconnect has clients leave that call over HTTP: the one whose call runs has it
// stopped for the next one, the one whose call waits has it dropped.
func TestDisconnect(t *testing.T) {
	t.Parallel()
	needPools(t)
	g := newGate(t)
	k := heldKitchen(t, g)
	s := k.start(t, "--http-port", "0", "--max-queue", "1")
	url := s.stderr.await(t, `http://\S+/mcp`)
	running, leave := context.WithCancel(t.Context())
	begin(running, t, url, heldArgs, "running")
	held := g.hold()
	waiting, leaveToo := context.WithCancel(t.Context())
	begin(waiting, t, url, freeArgs, "waiting, 1 call ahead")
	leaveToo()
	leave()
	// The server hears of that when it does: until then there may be no room.
	var text []byte
	for text == nil || strings.Contains(string(text), "server busy: 1 calls are waiting") {
		answer, err := post(t.Context(), url, freeArgs)
		if err != nil {
			t.Fatal(err)
		}
		text, _ = io.ReadAll(answer.Body)
		_ = answer.Body.Close()
	}
	if !strings.Contains(string(text), `"text":"16.043"`) {
		t.Errorf("the next call is answered %s", text)
	}
	held.awaitEnd()
	s.signal(syscall.SIGTERM)
	s.wait(128 + int(syscall.SIGTERM))
	if got := k.called(t); len(got) != 2 {
		t.Errorf("calls of %q reached pools, want two", got)
	}
}
