package remote

import (
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/mcpgen/mcpgen/runtime/mcp"
	"github.com/mcpgen/mcpgen/runtime/pool"
)

// held is a set that leaves it to the test when exchanges end, and where they are.
type held struct {
	exchanges []*pool.Exchange

	mu    sync.Mutex
	ahead int
	waits bool
}

func (s *held) Do(x *pool.Exchange) { s.exchanges = append(s.exchanges, x) }

func (s *held) Ahead(*pool.Exchange) (int, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.ahead, s.waits
}

// Cancel drops an exchange, if it waits.
func (s *held) Cancel(x *pool.Exchange) bool {
	_, waits := s.Ahead(x)
	if waits {
		s.exchanges = slices.DeleteFunc(s.exchanges, func(y *pool.Exchange) bool { return x == y })
	}
	return waits
}

// place says what Ahead returns from now on.
func (s *held) place(ahead int, waits bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.ahead, s.waits = ahead, waits
}

// finish fails the first exchange.
func (s *held) finish() {
	x := s.exchanges[0]
	s.exchanges = s.exchanges[1:]
	x.Finisher.Finish(nil, failure("over"))
}

// text is what a server has written since it was taken.
type text struct {
	mu sync.Mutex
	b  strings.Builder
}

func (s *text) Write(b []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.Write(b)
}

func (s *text) take() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	defer s.b.Reset()
	return s.b.String()
}

// told returns a connection of a server that may log, whose exchanges are held.
func told(t *testing.T) (*mcp.Conn, *held, *text) {
	t.Helper()
	set, out := new(held), new(text)
	p := &Pools{Table: []Pool{{Lang: "py", Exec: []string{"x"}}}, set: set}
	s := &mcp.Server{Name: "held", Info: "{}", Tools: "[]", New: func() mcp.Tools { return &tools{pools: p} }}
	c := mcp.NewEndpoint(s, mcp.Options{Logging: true}).NewConn(mcp.NewWriter(out))
	c.Handle([]byte(`{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25"}}`))
	c.Handle([]byte(`{"jsonrpc":"2.0","method":"notifications/initialized"}`))
	_, _ = c.Flush()
	out.take()
	return c, set, out
}

// callWith is a call with a progress token.
func callWith(token string) []byte {
	return []byte(strings.Replace(string(call("text", `"x"`)), `"params":{`, `"params":{"_meta":{"progressToken":`+token+`},`, 1))
}

func progress(token string, seconds int, message string) string {
	return `{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":` + token +
		`,"progress":` + strconv.Itoa(seconds) + `,"message":"` + message + `"}}` + "\n"
}

const over = `{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"over"}],"isError":true}}` + "\n"

// expect asserts what has been written when all goroutines wait.
func expect(t *testing.T, out *text, when, want string) {
	t.Helper()
	synctest.Wait()
	if got := out.take(); got != want {
		t.Errorf("%s: got %q, want %q", when, got, want)
	}
}

// TestHeartbeat is design decision 35.
func TestHeartbeat(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		c, set, out := told(t)
		set.place(3, true)
		c.Handle(callWith(`"t"`))
		time.Sleep(mcp.FirstBeat - 1)
		expect(t, out, "before 2 s", "")
		time.Sleep(time.Nanosecond)
		expect(t, out, "after 2 s", progress(`"t"`, 2, "waiting, 3 calls ahead"))
		set.place(1, true)
		time.Sleep(mcp.NextBeat - 1)
		expect(t, out, "before 7 s", "")
		time.Sleep(time.Nanosecond)
		expect(t, out, "after 7 s", progress(`"t"`, 7, "waiting, 1 call ahead"))
		set.place(0, false)
		time.Sleep(2 * mcp.NextBeat)
		expect(t, out, "after 17 s", progress(`"t"`, 12, "running")+progress(`"t"`, 17, "running"))
		set.finish()
		expect(t, out, "the answer", over)
		time.Sleep(time.Hour)
		expect(t, out, "after the answer", "")
	})
}

// TestHeartbeatOfOneCall asserts that a job that is used again has only the heart of its call.
func TestHeartbeatOfOneCall(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		c, set, out := told(t)
		for range 3 {
			c.Handle(callWith("1"))
			time.Sleep(mcp.FirstBeat - time.Millisecond)
			set.finish()
			expect(t, out, "a call that is quick enough", over)
			c.Handle(call("text", `"x"`))
			time.Sleep(time.Minute)
			expect(t, out, "a call without a token", "")
			set.finish()
			expect(t, out, "its answer", over)
			c.Handle(callWith("2"))
			time.Sleep(mcp.FirstBeat)
			expect(t, out, "the next one", progress("2", 2, "running"))
			set.finish()
			expect(t, out, "its answer", over)
		}
	})
}

// TestHeartbeatAtTheEnd has answers come at the instant of a beat: never one after them.
func TestHeartbeatAtTheEnd(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		c, set, out := told(t)
		for range 100 {
			c.Handle(callWith("1"))
			time.Sleep(mcp.FirstBeat)
			set.finish()
			time.Sleep(time.Minute)
			synctest.Wait()
			if got := out.take(); strings.TrimPrefix(got, progress("1", 2, "running")) != over {
				t.Fatalf("got %q", got)
			}
		}
	})
}

// TestHeartbeatOfCanceled asserts that nobody is told of a call that was given up.
func TestHeartbeatOfCanceled(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		c, set, out := told(t)
		c.Handle(callWith("1"))
		c.Handle([]byte(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}`))
		time.Sleep(time.Minute)
		set.finish()
		expect(t, out, "a cancelled call", "")
	})
}

// TestLines asserts that what pools print goes to callers that want it, beside heartbeats.
func TestLines(t *testing.T) {
	t.Parallel()
	const line = `{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","logger":"py","data":"a \"line\""}}` + "\n"
	synctest.Test(t, func(t *testing.T) {
		c, set, out := told(t)
		c.Handle(callWith("1"))
		time.Sleep(mcp.FirstBeat - time.Millisecond)
		var printing sync.WaitGroup
		printing.Go(func() {
			for range 100 {
				set.exchanges[0].Listener.Line("py", `a "line"`)
				time.Sleep(100 * time.Microsecond)
			}
		})
		printing.Wait()
		synctest.Wait()
		got := out.take()
		beat := progress("1", 2, "running")
		if strings.Count(got, line) != 100 || strings.Count(got, beat) != 1 || len(got) != 100*len(line)+len(beat) {
			t.Errorf("got %q", got)
		}
		set.finish()
		expect(t, out, "the answer", over)

		c.Handle([]byte(`{"jsonrpc":"2.0","id":2,"method":"logging/setLevel","params":{"level":"warning"}}`))
		c.Handle(call("text", `"x"`))
		_, _ = c.Flush()
		out.take()
		if set.exchanges[0].Listener != nil {
			t.Error("a caller listens that wants warnings only")
		}
		set.finish()
	})
}
