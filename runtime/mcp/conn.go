package mcp

import (
	"time"

	"github.com/mcpgen/mcpgen/runtime/jsonx"
	"github.com/mcpgen/mcpgen/runtime/rpc"
)

// A Conn is one client whose messages come one after the other. Its methods are called by
// one goroutine, the reader; replies to detached calls are written by others.
//
// On a pair of streams, messages go to [Conn.Handle]. A transport whose messages come each
// by itself calls [Conn.Begin], [Conn.Read] and so on for each of them, and may use a Conn
// for one client after the other.
type Conn struct {
	endpoint *Endpoint
	client   string // whose calls these are
	tools    Tools
	session  Session
	revision Revision // of the message at hand
	frame    *frame   // of its result
	msg      rpc.Message
	call     Call
	out      []byte // replies that are not written yet
	w        *Writer
	notices  Notices  // nil: nobody listens
	headers  *Headers // of a modern request over HTTP, else nil
	refused  bool     // the modern request at hand was, by its tool
	batch    *batch   // the batch that the message at hand is part of
	pending  pending
	detached bool   // a call was detached since the last Flush
	lent     bool   // the reader helps
	input    int    // what it reads, a file descriptor, if so
	helper   Helper // nil: nothing is left to help with
	large    bool   // a message since the last Release was
}

// NewConn returns a Conn that writes its replies to w, for a pair of streams between two
// processes of one user.
func NewConn(s *Server, w *Writer) *Conn { return NewEndpoint(s, Options{}).NewConn(w) }

// NewConn returns a Conn that writes its replies, and notices about calls, to w.
func (e *Endpoint) NewConn(w *Writer) *Conn {
	c := &Conn{endpoint: e, tools: e.server.New(), w: w, notices: w, frame: &legacyFrame}
	c.pending.none = make(chan struct{}, 1)
	c.call.conn = c
	return c
}

// Buffered returns the number of bytes of replies that wait for [Conn.Flush].
func (c *Conn) Buffered() int { return len(c.out) }

// Flush writes the replies that have been gathered. It reports whether calls have been
// detached since the last Flush, so that a reader about to block can yield to them.
func (c *Conn) Flush() (detached bool, err error) {
	err = c.w.Write(c.out)
	c.Release()
	detached = c.detached
	c.detached = false
	return detached, err
}

// keepReplies is the largest buffer for replies that is kept: a Conn has one, so it may be
// larger than those of which each call has one.
const keepReplies = 4 * keepBuffer

// Release drops the replies that have been gathered, and memory that one large message has
// grown.
func (c *Conn) Release() {
	if c.out = c.out[:0]; cap(c.out) > keepReplies {
		c.out = nil
	}
	if cap(c.call.json) > keepBuffer {
		c.call.json = nil
	}
	c.call.Arguments.Release()
	if c.large { // what aliases the message would keep it
		c.large = false
		c.msg = rpc.Message{}
		c.call.Arguments.Reset(nil)
		c.tools = c.endpoint.server.New()
	}
}

// SetClient says whose the calls are from now on, as compared with those of other connections
// of the server: callers that share a backend take turns. "" is one as well.
func (c *Conn) SetClient(name string) { c.client = name }

// Drain waits until every detached call has been answered that was not given up, at most for
// the timeout, and reports whether that is so.
func (c *Conn) Drain(timeout time.Duration) bool { return c.pending.wait(timeout) }

// Idle has an entry when Awaited or Busy has become false. It may have one that is stale.
func (c *Conn) Idle() <-chan struct{} { return c.pending.none }

// Awaited reports whether detached calls are still to be answered that were not given up.
func (c *Conn) Awaited() bool { return c.pending.wanted() > 0 }

// Busy reports whether detached calls are still to be answered, those that were given up
// among them: until then the Conn is in use.
func (c *Conn) Busy() bool { return c.pending.count() > 0 }

// TooLong answers a message that was dropped for its length.
func (c *Conn) TooLong() {
	c.revision = c.session.Revision
	c.fail(nil, rpc.CodeInvalid, rpc.TextTooLong)
}

// Handle answers one message: nothing, a reply that waits for Flush, or a detached call.
// The message is not kept.
func (c *Conn) Handle(message []byte) {
	m := &c.msg
	c.legacy()
	c.large = c.large || len(message) > keepBuffer
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

// legacy makes the message at hand one of the revision that was agreed on.
func (c *Conn) legacy() { c.revision, c.frame = c.session.Revision, &legacyFrame }

// modern makes the message at hand one of 2026-07-28.
func (c *Conn) modern() { c.revision, c.frame = Revision20260728, &c.endpoint.modern }

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
	c.legacy()
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
		c.notified(method)
		return // nothing without an id is answered
	}
	switch version := m.Raw(rpc.JSONRPC); {
	case !rpc.ValidID(id):
		c.fail(nil, rpc.CodeInvalid, rpc.TextID)
	case version != nil && string(version) != `"2.0"`:
		c.fail(id, rpc.CodeInvalid, rpc.TextVersion)
	case !ok:
		c.fail(id, rpc.CodeInvalid, rpc.TextNoMethod)
	case c.isModern():
		c.modern()
		if c.checkMeta(id) {
			c.methodModern(id, method)
		}
	default:
		c.request(id, method)
	}
}

// notified takes a notification.
func (c *Conn) notified(method []byte) {
	switch string(method) {
	case "notifications/initialized":
		if !c.isModern() { // there is no such thing then
			c.session.Ready = true
		}
	case "notifications/cancelled":
		c.Cancel(c.msg.Raw(rpc.ParamRequestID))
	}
}

func (c *Conn) request(id, method []byte) {
	switch string(method) {
	case "tools/call":
		if !c.tooEarly(id, "tools/call") {
			c.callTool(id)
		}
	case "tools/list":
		if !c.tooEarly(id, "tools/list") {
			c.list(id)
		}
	case "ping":
		c.reply(id)
	case "initialize":
		c.initialize(id)
	case "notifications/initialized": // with an id: taken as meant, never answered
		c.session.Ready = true
	case "logging/setLevel":
		if !c.endpoint.options.Logging {
			c.fail(id, rpc.CodeNoMethod, rpc.TextUnknown+"'logging/setLevel'")
			return
		}
		c.setLevel(id)
	case "server/discover": // modern, and malformed: it would have a version
		c.modern()
		c.checkMeta(id)
	default:
		if !c.servesResources(id, method) {
			c.fail(id, rpc.CodeNoMethod, rpc.TextUnknown+"'"+string(method)+"'")
		}
	}
}

// tooEarly refuses a method that waits for the end of the handshake (design decision 28), and
// reports whether it did. Nothing is too early without a handshake.
func (c *Conn) tooEarly(id []byte, method string) bool {
	if c.revision == Revision20260728 || c.session.Ready {
		return false
	}
	c.fail(id, rpc.CodeInvalid, "received "+method+textTooEarly)
	return true
}

// initialize negotiates the revision: the one asked for if it is spoken and has a handshake,
// else the latest of those. It may come again, and does not close the gate that
// notifications/initialized opens.
func (c *Conn) initialize(id []byte) {
	if c.batch != nil {
		c.fail(id, rpc.CodeInvalid, textInBatch)
		return
	}
	wanted, _ := c.msg.Text(rpc.ParamProtocolVersion)
	c.session.Revision = ParseRevision(wanted)
	if !c.session.Revision.isLegacy() {
		c.session.Revision = latestLegacy
	}
	c.legacy()
	e := c.endpoint
	c.reply(id, `"protocolVersion":"`, c.revision.String(), `","capabilities":{`, e.logging, `"tools":{"listChanged":false}`,
		e.capability, `},"serverInfo":`, e.server.Info, e.instructions)
}

// Cancel gives up the detached call with that id, the raw text of it: it is not answered.
// If there is none, nothing happens.
func (c *Conn) Cancel(id []byte) {
	if id != nil {
		c.giveUp(id)
	}
}

// giveUp gives up the detached calls with an id, or all without one.
func (c *Conn) giveUp(id []byte) {
	for _, b := range c.pending.cancel(id) {
		_ = c.w.Write(b.done())
	}
}

// Cancelled returns the id that the message at hand, a notification of a cancelled request,
// names; nil if it is no such message.
func (c *Conn) Cancelled() []byte {
	if !c.Is("notifications/cancelled") {
		return nil
	}
	return c.msg.Raw(rpc.ParamRequestID)
}

// CancelAll gives up all detached calls.
func (c *Conn) CancelAll() { c.giveUp(nil) }

// broken answers a message that made us panic; start is where its reply began.
func (c *Conn) broken(start int, fault any) {
	c.out = c.out[:start]
	method, _ := c.msg.Text(rpc.Method)
	name, _ := c.msg.Text(rpc.ParamName)
	c.endpoint.logPanic(string(method)+" "+string(name), fault)
	id := c.msg.Raw(rpc.ID)
	switch {
	case id == nil || !rpc.ValidID(id) || c.call.detached:
	case c.Is("resources/read"):
		c.fail(id, rpc.CodeInternal, textInternal)
	default:
		c.out = appendToolError(c.out, c.frame, id, textInternal)
	}
}
