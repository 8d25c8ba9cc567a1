package mcp

import (
	"encoding/json"
	"errors"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/mcpgen/mcpgen/runtime/jsonx"
)

// fake has tools for what a generated program cannot show: calls that are answered later,
// and faults of ours.
type fake struct{ detached chan *Reply }

func (f *fake) Call(c *Call, name []byte) error {
	switch string(name) {
	case "later":
		r := new(Reply)
		c.Detach(r)
		f.detached <- r
		return nil
	case "panic":
		panic("deliberate")
	case "panicLater":
		r := new(Reply)
		c.Detach(r)
		f.detached <- r
		panic(errors.New("deliberate"))
	case "bad":
		return jsonx.ArgumentError("argument 'x' must be a string")
	case "now":
		return c.Reply(append(c.Buffer(), `"a<b>"`...))
	case "constant":
		return c.ReplyResult(`{"content":[],"isError":false}`)
	case "files":
		if err := c.Files(); err != nil {
			return err
		}
		return c.Reply([]byte("1"))
	case "fake__own":
		return c.Reply([]byte("1"))
	case "sound":
		return c.ReplyMedia("audio/wav", []byte("RIFF"))
	case "fails":
		return errors.New("tool \"failed\"\xff")
	}
	return UnknownTool(name)
}

type lines struct{ strings.Builder }

func newFake() (*Conn, *fake, *lines) {
	f := &fake{detached: make(chan *Reply, 100)}
	out := new(lines)
	s := &Server{Name: "fake", Info: `{"name":"fake","version":"1"}`, Tools: "[]", New: func() Tools { return f }}
	return NewConn(s, NewWriter(out)), f, out
}

// take returns what was written since the last take.
func (l *lines) take(c *Conn) string {
	_, _ = c.Flush()
	s := l.String()
	l.Reset()
	return s
}

func call(id, name string) string {
	return `{"jsonrpc":"2.0","id":` + id + `,"method":"tools/call","params":{"name":"` + name + `"}}`
}

func handshake(c *Conn, revision string) {
	c.Handle([]byte(`{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"` + revision + `"}}`))
	c.Handle([]byte(`{"jsonrpc":"2.0","method":"notifications/initialized"}`))
}

const (
	tooEarly = `{"jsonrpc":"2.0","id":1,"error":{"code":-32600,"message":"received tools/call before initialization completed"}}` + "\n"
	unknown  = `{"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"unknown tool 'x'"}}` + "\n"
)

func TestGate(t *testing.T) {
	t.Parallel()
	c, _, out := newFake()
	c.Handle([]byte(call("1", "x")))
	if got := out.take(c); got != tooEarly {
		t.Errorf("before the handshake: %s", got)
	}
	handshake(c, "2025-06-18")
	out.take(c)
	c.Handle([]byte(call("1", "x")))
	if got := out.take(c); got != unknown {
		t.Errorf("after the handshake: %s", got)
	}
	handshake(c, "2025-11-25") // again: the gate stays open
	out.take(c)
	c.Handle([]byte(call("1", "x")))
	if got := out.take(c); got != unknown {
		t.Errorf("after a second handshake: %s", got)
	}
}

// TestRevisions has a line for each difference between the revisions.
func TestRevisions(t *testing.T) {
	t.Parallel()
	const (
		nullID     = `"id":null,"error":{"code":-32700`
		noID       = `{"jsonrpc":"2.0","error":{"code":-32700`
		asError    = `"error":{"code":-32602,"message":"argument 'x' must be a string"}`
		asResult   = `{"content":[{"type":"text","text":"argument 'x' must be a string"}],"isError":true}`
		audio      = `{"type":"audio","data":"UklGRg==","mimeType":"audio/wav"}`
		resource   = `{"type":"resource","resource":{"uri":"morloc://return","mimeType":"audio/wav","blob":"UklGRg=="}}`
		batch      = `[{"jsonrpc":"2.0","id":1,"result":{}}]`
		batchError = `"error":{"code":-32600,"message":"message must be a JSON object"}`
	)
	for _, tt := range []struct{ revision, speaks, bad, sound, syntax, batch string }{
		{"2024-11-05", "2024-11-05", asError, resource, nullID, batch},
		{"2025-03-26", "2025-03-26", asError, audio, nullID, batch},
		{"2025-06-18", "2025-06-18", asError, audio, nullID, batchError},
		{"2025-11-25", "2025-11-25", asResult, audio, noID, batchError},
		{"2026-07-28", "2025-11-25", asResult, audio, noID, batchError},
		{"1999-01-01", "2025-11-25", asResult, audio, noID, batchError},
		{"", "2025-11-25", asResult, audio, noID, batchError},
	} {
		t.Run(tt.revision, func(t *testing.T) {
			t.Parallel()
			c, _, out := newFake()
			handshake(c, tt.revision)
			for _, step := range []struct{ send, want string }{
				{"", `"protocolVersion":"` + tt.speaks + `"`},
				{call("1", "bad"), tt.bad},
				{call("1", "sound"), tt.sound},
				{"{", tt.syntax},
				{`[{"jsonrpc":"2.0","id":1,"method":"ping"}]`, tt.batch},
			} {
				if step.send != "" {
					c.Handle([]byte(step.send))
				}
				if got := out.take(c); !strings.Contains(got, step.want) {
					t.Errorf("%s: got %s, want %s", step.send, got, step.want)
				}
			}
		})
	}
}

func TestPanic(t *testing.T) {
	t.Parallel()
	f, out := &fake{detached: make(chan *Reply, 1)}, new(lines)
	s := &Server{Name: "fake", Info: `{}`, Tools: "[]", New: func() Tools { return f }}
	var stderr strings.Builder
	c := NewEndpoint(s, Options{Stderr: &stderr}).NewConn(NewWriter(out))
	handshake(c, "2025-06-18")
	c.Handle([]byte(call("1", "now")))
	want := out.take(c)
	c.Handle([]byte(call("1", "panic")))
	if got := out.take(c); got != `{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"internal error"}],"isError":true}}`+"\n" {
		t.Errorf("got %s", got)
	}
	c.Handle([]byte(call("2", "panicLater"))) // one answer, the detached one
	(<-f.detached).Value([]byte("7"))
	if got := out.take(c); strings.Count(got, "\n") != 1 || !strings.Contains(got, `"text":"7"`) {
		t.Errorf("got %s", got)
	}
	c.Handle([]byte(call("1", "now")))
	if got := out.take(c); !strings.HasSuffix(want, got) {
		t.Errorf("after a panic: %s, want %s", got, want)
	}
	for _, line := range []string{
		"fake: mcpgen: internal: tools/call panic: deliberate\ngoroutine ",
		"fake: mcpgen: internal: tools/call panicLater: deliberate\ngoroutine ",
	} {
		if !strings.Contains(stderr.String(), line) {
			t.Errorf("logged %s, want %q in it", &stderr, line)
		}
	}
}

func TestToolErrorText(t *testing.T) {
	t.Parallel()
	c, _, out := newFake()
	handshake(c, "2025-06-18")
	out.take(c)
	c.Handle([]byte(call("1", "fails")))
	want := `{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"tool \"failed\"` + "\uFFFD" + `"}],"isError":true}}` + "\n"
	if got := out.take(c); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// TestBatch mixes messages of all kinds in one array; detached calls complete it later.
func TestBatch(t *testing.T) {
	t.Parallel()
	c, f, out := newFake()
	handshake(c, "2025-03-26")
	out.take(c)
	c.Handle([]byte(`[` + call("1", "later") + `,{"jsonrpc":"2.0","id":2,"method":"ping"},7,` + call("3", "later") +
		`,{"jsonrpc":"2.0","method":"notifications/x"},` + call("4", "panic") +
		`,{"jsonrpc":"2.0","id":5,"method":"initialize"}]`))
	c.Handle([]byte(`{"jsonrpc":"2.0","id":9,"method":"ping"}`))
	if got := out.take(c); got != `{"jsonrpc":"2.0","id":9,"result":{}}`+"\n" {
		t.Fatalf("before the batch is complete: %s", got)
	}
	first, second := <-f.detached, <-f.detached
	second.Value([]byte("3"))
	if got := out.take(c); got != "" {
		t.Fatalf("before the batch is complete: %s", got)
	}
	first.Fail("one")
	got := out.take(c)
	var replies []struct {
		ID    any
		Error *struct{ Message string }
	}
	if err := json.Unmarshal([]byte(got), &replies); err != nil || strings.Count(got, "\n") != 1 {
		t.Fatalf("%v: %s", err, got)
	}
	var ids []any
	for _, r := range replies {
		ids = append(ids, r.ID)
		if r.ID == 5.0 && (r.Error == nil || r.Error.Message != "initialize must not be in a batch") {
			t.Errorf("initialize in a batch: %s", got)
		}
	}
	if len(ids) != 6 {
		t.Errorf("answers to %v, want six", ids)
	}
	c.Handle([]byte(`[{"jsonrpc":"2.0","method":"notifications/x"},{"jsonrpc":"2.0","id":1,"result":{}}]`))
	if got := out.take(c); got != "" {
		t.Errorf("a batch of notifications and replies is answered: %s", got)
	}
}

func TestDrain(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		c, f, out := newFake()
		handshake(c, "2025-06-18")
		out.take(c)
		if !c.Drain(time.Hour) {
			t.Error("nothing runs, but Drain gives up")
		}
		c.Handle([]byte(call("1", "later")))
		r := <-f.detached
		if c.Drain(time.Minute) {
			t.Error("Drain does not wait")
		}
		go func() {
			time.Sleep(time.Second) // of the bubble's clock
			r.Value([]byte("1"))
		}()
		if !c.Drain(time.Minute) {
			t.Error("Drain gives up though the call was answered")
		}
	})
}

// A recorder is a Helper that notes what is asked of it.
type recorder struct {
	asked []string
	left  bool
}

func (r *recorder) Help(input int) bool {
	r.asked = append(r.asked, "help "+strconv.Itoa(input))
	return r.left
}

func (r *recorder) HandOver() { r.asked = append(r.asked, "hand over") }

func TestHelp(t *testing.T) {
	t.Parallel()
	c, f, _ := newFake()
	handshake(c, "2025-06-18")
	later := func() *Reply {
		c.Handle([]byte(call("1", "later")))
		return <-f.detached
	}
	one, two := new(recorder), new(recorder)
	if later().Lends(one) {
		t.Error("lent by a reader that does not lend itself")
	}
	c.Lend(5)
	if c.Help() {
		t.Error("helped nobody")
	}
	one.left = true
	if !later().Lends(one) || later().Lends(two) || !later().Lends(one) {
		t.Error("not lent to one, and to one only")
	}
	for range 2 {
		if !c.Help() {
			t.Error("did not help")
		}
	}
	c.HandOver()
	c.HandOver()
	if c.Help() || !later().Lends(two) {
		t.Error("not lent to the next one")
	}
	if !c.Help() || c.Help() {
		t.Error("did not help once")
	}
	if got := strings.Join(append(one.asked, two.asked...), ", "); got != "help 5, help 5, hand over, help 5" {
		t.Errorf("asked were %s", got)
	}
}

// TestHelpNotWhileFiles asserts that calls do not wait for a tool that touches files.
func TestHelpNotWhileFiles(t *testing.T) {
	t.Parallel()
	c, f, _ := newFake()
	handshake(c, "2025-06-18")
	c.Lend(5)
	r := new(recorder)
	c.Handle([]byte(call("1", "later")))
	if !(<-f.detached).Lends(r) {
		t.Fatal("not lent")
	}
	c.Handle([]byte(call("2", "now")))
	if len(r.asked) > 0 {
		t.Errorf("asked were %q", r.asked)
	}
	c.Handle([]byte(call("3", "files")))
	if got := strings.Join(r.asked, ", "); got != "hand over" || c.Help() {
		t.Errorf("asked were %s", got)
	}
}

func TestBrokenWriter(t *testing.T) {
	t.Parallel()
	fault := errors.New("gone")
	w := NewWriter(failing{fault})
	if err := w.Write([]byte("x\n")); err != fault {
		t.Errorf("Write: %v", err)
	}
	select {
	case <-w.Broken():
	default:
		t.Error("Broken is not closed")
	}
	if err := w.Write([]byte("y\n")); err != fault || w.Err() != fault {
		t.Errorf("a second Write: %v, %v", err, w.Err())
	}
}

type failing struct{ err error }

func (f failing) Write([]byte) (int, error) { return 0, f.err }

// TestLongBatch asserts that one line cannot ask for more than memory holds.
func TestLongBatch(t *testing.T) {
	t.Parallel()
	c, _, out := newFake()
	handshake(c, "2025-03-26")
	out.take(c)
	one := `{"jsonrpc":"2.0","id":1,"method":"ping"}`
	c.Handle([]byte("[" + strings.TrimSuffix(strings.Repeat(one+",", maxBatch), ",") + "]"))
	if got := strings.Count(out.take(c), `"result":{}`); got != maxBatch {
		t.Errorf("%d answers to %d messages", got, maxBatch)
	}
	c.Handle([]byte("[" + strings.Repeat(one+",", maxBatch) + one + "]"))
	want := `{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"a batch holds at most 1000 messages"}}` + "\n"
	if got := out.take(c); got != want {
		t.Errorf("got %.200s\nwant %s", got, want)
	}
}
