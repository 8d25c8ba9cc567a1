package remote

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/mcpgen/mcpgen/runtime/mcp"
)

// cancelled is the notification about the request of [call].
const cancelled = `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}`

// TestCancelWaiting asserts that a call that waits is over as soon as it is cancelled: nobody
// is told, and nothing waits for it.
func TestCancelWaiting(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		c, set, out := told(t)
		set.place(3, true)
		for range 3 { // jobs are used again
			c.Handle(callWith(`"t"`))
			x := set.exchanges[0]
			c.Handle([]byte(cancelled))
			c.Handle([]byte(cancelled))
			synctest.Wait()
			if len(set.exchanges) > 0 || x.Call != nil || c.Busy() {
				t.Errorf("the call is still there: %v", c.Busy())
			}
		}
		time.Sleep(time.Hour)
		expect(t, out, "cancelled", "")
	})
}

// TestCancelSpelled cancels a call whose id the notification spells in another way.
func TestCancelSpelled(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		c, set, out := told(t)
		set.place(1, true)
		c.Handle([]byte(`{"jsonrpc":"2.0","id":"n\u00e9","method":"tools/call","params":{"name":"text","arguments":{"x":"y"}}}`))
		c.Handle([]byte(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"né"}}`))
		synctest.Wait()
		if len(set.exchanges) > 0 || c.Busy() {
			t.Error("the call is still there")
		}
		expect(t, out, "cancelled", "")
	})
}

// TestCancelRunning asserts that a call that runs has no answer when it is cancelled, and that
// the end of input does not wait for it.
func TestCancelRunning(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		c, set, out := told(t)
		set.place(0, false)
		c.Handle(call("text", `"x"`))
		c.Handle([]byte(cancelled))
		if !c.Busy() || !c.Drain(time.Minute) {
			t.Error("Drain waits for a call that nobody waits for")
		}
		c.Handle(call("text", `"y"`))
		begun := time.Now()
		if c.Drain(time.Minute) || time.Since(begun) != time.Minute {
			t.Error("Drain does not wait for the other call")
		}
		set.finish()
		expect(t, out, "cancelled", "")
		set.finish()
		expect(t, out, "the other call", over)
		if c.Busy() {
			t.Error("still busy")
		}
	})
}

// TestCancelInBatch asserts that a batch does not wait for a call that was cancelled.
func TestCancelInBatch(t *testing.T) {
	t.Parallel()
	const two = `{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"text","arguments":{"x":"y"}}}`
	for _, inside := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			c, set, out := told(t)
			c.Handle([]byte(`{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-03-26"}}`))
			_, _ = c.Flush()
			out.take()
			batch := "[" + string(call("text", `"x"`)) + "," + two
			if inside {
				c.Handle([]byte(batch + "," + cancelled + "]"))
			} else {
				c.Handle([]byte(batch + "]"))
				c.Handle([]byte(cancelled))
			}
			set.exchanges[0], set.exchanges[1] = set.exchanges[1], set.exchanges[0]
			set.finish()
			expect(t, out, "the rest of the batch",
				`[{"jsonrpc":"2.0","id":2,"result":{"content":[{"type":"text","text":"over"}],"isError":true}}]`+"\n")
			set.finish()
			expect(t, out, "the call that was cancelled", "")
			_, _ = c.Flush()
			expect(t, out, "what the reader has", "")
		})
	}
}

// limited is a tool whose calls have a limit.
type limited struct {
	pools   *Pools
	timeout time.Duration
}

// Call implements [mcp.Tools].
func (l limited) Call(c *mcp.Call, _ []byte) error {
	return l.pools.Call(c, 0, 7).Send(&Result{Schema: "s", Timeout: l.timeout})
}

// TestLimits asserts which of two limits a call has, and whose it is.
func TestLimits(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ server, tool, want time.Duration }{
		{0, 0, 0}, {5, 0, 5}, {0, 5, 5}, {5, 7, 5}, {7, 5, 5},
	} {
		set := new(held)
		p := &Pools{Table: []Pool{{Lang: "py"}}, set: set, limit: tt.server}
		s := &mcp.Server{Info: "{}", Tools: "[]", New: func() mcp.Tools { return limited{p, tt.tool} }}
		c := mcp.NewConn(s, mcp.NewWriter(new(text)))
		c.SetClient("somebody")
		c.Handle([]byte(`{"jsonrpc":"2.0","method":"notifications/initialized"}`))
		c.Handle(call("text", `"x"`))
		if x := set.exchanges[0]; x.Limit != tt.want || x.Client != "somebody" {
			t.Errorf("%v: limit %v, client %q", tt, x.Limit, x.Client)
		}
	}
}
