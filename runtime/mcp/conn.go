package mcp

import (
	"time"

	"github.com/mcpgen/mcpgen/runtime/jsonx"
	"github.com/mcpgen/mcpgen/runtime/rpc"
)

// A Conn is one client whose messages come one after the other. Its methods are called by
// one goroutine, the reader; replies to detached calls are written by others.
type Conn struct {
	server   *Server
	tools    Tools
	revision Revision
	ready    bool // notifications/initialized has come
	msg      rpc.Message
	call     Call
	out      []byte // replies that are not written yet
	w        *Writer
	batch    *batch // the batch that the message at hand is part of
	pending  pending
	detached bool // a call was detached since the last Flush
}

// NewConn returns a Conn that writes its replies to w.
func NewConn(s *Server, w *Writer) *Conn {
	c := &Conn{server: s, tools: s.New(), w: w}
	c.call.conn = c
	return c
}

// Buffered returns the number of bytes of replies that wait for [Conn.Flush].
func (c *Conn) Buffered() int { return len(c.out) }

// Flush writes the replies that have been gathered. It reports whether calls have been
// detached since the last Flush, so that a reader about to block can yield to them.
func (c *Conn) Flush() (detached bool, err error) {
	err = c.w.Write(c.out)
	if c.out = c.out[:0]; cap(c.out) > keepBuffer {
		c.out = nil
	}
	if cap(c.call.json) > keepBuffer {
		c.call.json = nil
	}
	c.call.Arguments.Release()
	detached = c.detached
	c.detached = false
	return detached, err
}

// Drain waits until every detached call has been answered, at most for the timeout, and
// reports whether that is so.
func (c *Conn) Drain(timeout time.Duration) bool { return c.pending.wait(timeout) }

// TooLong answers a message that was dropped for its length.
func (c *Conn) TooLong() { c.fail(nil, rpc.CodeInvalid, rpc.TextTooLong) }

// Handle answers one message: nothing, a reply that waits for Flush, or a detached call.
// The message is not kept.
func (c *Conn) Handle(message []byte) {
	m := &c.msg
	err := m.Scan(message)
	if err == jsonx.ErrUTF8 {
		message = rpc.Repair(message)
		err = m.Scan(message)
	}
	switch err {
	case nil:
		c.dispatch()
	case rpc.ErrNotObject:
		c.noObject(message)
	default:
		c.fail(nil, rpc.CodeParse, rpc.TextSyntax)
	}
}

// dispatch answers the message that was scanned.
func (c *Conn) dispatch() {
	start := len(c.out)
	c.call.detached = false
	defer func() {
		if fault := recover(); fault != nil {
			c.broken(start, fault)
		}
	}()
	m := &c.msg
	id := m.Raw(rpc.ID)
	if name := m.Duplicate(); name != nil {
		c.fail(nil, rpc.CodeInvalid, rpc.TextDuplicate+"'"+string(name)+"'")
		return
	}
	method, ok := m.Text(rpc.Method)
	if !ok && m.Raw(rpc.Method) == nil && (m.Raw(rpc.Result) != nil || m.Raw(rpc.Error) != nil) {
		return // a reply, though we never ask
	}
	if id == nil {
		if string(method) == "notifications/initialized" {
			c.ready = true
		}
		return // nothing without an id is answered
	}
	switch version := m.Raw(rpc.JSONRPC); {
	case !rpc.ValidID(id):
		c.fail(nil, rpc.CodeInvalid, rpc.TextID)
	case version != nil && string(version) != `"2.0"`:
		c.fail(id, rpc.CodeInvalid, rpc.TextVersion)
	case !ok:
		c.fail(id, rpc.CodeInvalid, rpc.TextNoMethod)
	default:
		c.request(id, method)
	}
}

func (c *Conn) request(id, method []byte) {
	switch string(method) {
	case "tools/call":
		if !c.ready {
			c.fail(id, rpc.CodeInvalid, "received tools/call"+textTooEarly)
			return
		}
		c.callTool(id)
	case "tools/list":
		if !c.ready {
			c.fail(id, rpc.CodeInvalid, "received tools/list"+textTooEarly)
			return
		}
		c.reply(id, `{"tools":`, c.server.Tools, `}`)
	case "ping":
		c.reply(id, `{}`)
	case "initialize":
		c.initialize(id)
	case "notifications/initialized": // with an id: taken as meant, never answered
		c.ready = true
	default:
		c.fail(id, rpc.CodeNoMethod, rpc.TextUnknown+"'"+string(method)+"'")
	}
}

// initialize negotiates the revision: the one asked for if it is spoken, else the latest.
// It may come again, and does not close the gate that notifications/initialized opens.
func (c *Conn) initialize(id []byte) {
	if c.batch != nil {
		c.fail(id, rpc.CodeInvalid, textInBatch)
		return
	}
	wanted, _ := c.msg.Text(rpc.ParamProtocolVersion)
	c.revision = parseRevision(wanted)
	c.reply(id, `{"protocolVersion":"`, c.revision.String(),
		`","capabilities":{"tools":{"listChanged":false}},"serverInfo":`, c.server.Info, `}`)
}

// broken answers a message that made us panic; start is where its reply began.
func (c *Conn) broken(start int, fault any) {
	c.out = c.out[:start]
	method, _ := c.msg.Text(rpc.Method)
	name, _ := c.msg.Text(rpc.ParamName)
	c.server.logPanic(string(method)+" "+string(name), fault)
	if id := c.msg.Raw(rpc.ID); id != nil && rpc.ValidID(id) && !c.call.detached {
		c.out = appendToolError(c.out, id, textInternal)
	}
}
