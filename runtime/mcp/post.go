package mcp

import (
	"github.com/mcpgen/mcpgen/runtime/jsonx"
	"github.com/mcpgen/mcpgen/runtime/rpc"
)

// A Session is what a handshake has settled. The zero Session is before it.
type Session struct {
	Revision Revision
	Ready    bool  // notifications/initialized has come
	Level    Level // what logging/setLevel asked for
}

// A Kind tells what a message that came by itself is.
type Kind uint8

// Kinds. A message that is none of the others is Malformed, and has been answered.
const (
	Malformed Kind = iota
	Batch
	Request
	Notification
	Response
)

// An Outcome tells how a message was answered.
type Outcome uint8

// Outcomes. What is not Served has been answered by an error: it was Refused for what it is,
// or there is NoMethod of its name.
const (
	Served Outcome = iota
	Refused
	NoMethod
)

// Begin makes the Conn, on which nothing is under way, ready for a message that comes by
// itself, of a client that has come as far as s; if that is nowhere yet, it is assumed to
// speak a revision. Notices about calls go to n, or nowhere.
func (c *Conn) Begin(s Session, assumed Revision, n Notices) {
	c.session, c.revision, c.frame = s, s.Revision, &legacyFrame
	if s.Revision == 0 {
		c.revision = assumed
	}
	c.notices = n
	c.out = c.out[:0]
	select {
	case <-c.pending.none: // of the message before
	default:
	}
	c.detached, c.call.detached = false, false
}

// Session returns how far the client has come after the message at hand.
func (c *Conn) Session() Session { return c.session }

// Reply returns the reply to the message at hand, until the next one is begun; empty if
// there is none, or not yet. Those of calls that were detached go to the Writer.
func (c *Conn) Reply() []byte { return c.out }

// Read takes a message and tells what it is. The message must stay as it is until it is
// served.
func (c *Conn) Read(message []byte) Kind {
	m := &c.msg
	c.large = c.large || len(message) > keepBuffer
	switch err := m.Scan(message); err {
	case nil:
	case rpc.ErrNotObject:
		if c.session.Revision.hasBatches() && hasElements(message) {
			return Batch
		}
		c.fail(nil, rpc.CodeInvalid, rpc.TextNotObject)
		return Malformed
	default:
		c.fail(nil, rpc.CodeParse, rpc.TextSyntax)
		return Malformed
	}
	id := m.Raw(rpc.ID)
	if !c.checkEnvelope(id) {
		return Malformed
	}
	switch {
	case m.Raw(rpc.Method) == nil:
		return Response
	case id == nil:
		return Notification
	}
	return Request
}

// checkEnvelope refuses a message whose own members are wrong. One without a method passes
// if it is a response.
func (c *Conn) checkEnvelope(id []byte) bool {
	m := &c.msg
	usable := id
	if id != nil && !rpc.ValidID(id) {
		usable = nil
	}
	_, named := m.Text(rpc.Method)
	version := m.Raw(rpc.JSONRPC)
	switch name := m.Duplicate(); {
	case name != nil:
		c.fail(nil, rpc.CodeInvalid, rpc.TextDuplicate+"'"+string(name)+"'")
	case id != nil && usable == nil:
		c.fail(nil, rpc.CodeInvalid, rpc.TextID)
	case version != nil && string(version) != `"2.0"`:
		c.fail(usable, rpc.CodeInvalid, rpc.TextVersion)
	case !named && (m.Raw(rpc.Method) != nil || m.Raw(rpc.Result) == nil && m.Raw(rpc.Error) == nil):
		c.fail(usable, rpc.CodeInvalid, rpc.TextNoMethod)
	default:
		return true
	}
	return false
}

// Judge finds out of which era the message that was read is, by its body and its version
// header (mcp-protocol.md 5.2). What cannot be told, or is a modern message that may not
// be, has been refused.
func (c *Conn) Judge(kind Kind, h *Headers) (modern bool, o Outcome) {
	id := c.msg.Raw(rpc.ID)
	if kind == Response {
		id = nil // its id is one of ours, not the client's
	}
	body, _ := c.msg.Text(rpc.MetaVersion)
	inBody := c.isModern() && kind != Response
	header := ParseRevision(one(h.Version))
	switch {
	case kind == Request && !inBody && c.Is("initialize"):
		return false, Served // a handshake, whatever the header says
	case h.Version == nil && !inBody, header.isLegacy() && !inBody:
		return false, Served
	case kind == Notification && (inBody || header == Revision20260728):
		return true, Served
	case kind == Response && header == Revision20260728:
		c.modern()
		c.fail(nil, rpc.CodeInvalid, textNoReplies)
	case h.Version != nil && header == 0 && !inBody:
		c.failRevision(id, []byte(one(h.Version)))
	case header == Revision20260728 && c.msg.Raw(rpc.MetaVersion) == nil:
		return true, Served // and refused for that
	case !equals(h.Version, body):
		c.modern()
		c.mismatch(id, "MCP-Protocol-Version", h.Version, body)
	default:
		return true, Served
	}
	return true, Refused
}

// Is reports whether the method of the message that was read is called name.
func (c *Conn) Is(name string) bool {
	method, ok := c.msg.Text(rpc.Method)
	return ok && string(method) == name
}

// Serve answers the message that was read, one of the revisions with a handshake.
func (c *Conn) Serve(kind Kind, message []byte) {
	switch kind {
	case Batch:
		c.noObject(message)
	case Request, Notification:
		c.dispatch()
	}
}

// RefuseHandshake answers an initialize that has no id.
func (c *Conn) RefuseHandshake() { c.fail(nil, rpc.CodeInvalid, textNoID) }

// ServeModern answers the request that was read, one of 2026-07-28, whose headers must
// repeat its body.
func (c *Conn) ServeModern(h *Headers) (o Outcome) {
	start := len(c.out)
	c.headers, c.refused = h, false
	defer func() {
		c.headers = nil
		if fault := recover(); fault != nil {
			c.broken(start, fault)
		}
	}()
	c.modern()
	id := c.msg.Raw(rpc.ID)
	method, _ := c.msg.Text(rpc.Method)
	if !c.checkMeta(id) {
		return Refused
	}
	if !equals(h.Method, method) {
		c.mismatch(id, "Mcp-Method", h.Method, method)
		return Refused
	}
	if name, ok := c.named(method); ok && !equalsEncoded(h.Name, name) {
		c.mismatch(id, "Mcp-Name", h.Name, name)
		return Refused
	}
	if !c.methodModern(id, method) {
		return NoMethod
	}
	if c.refused {
		return Refused
	}
	return Served
}

// named returns what the header Mcp-Name must repeat of the message that was read, if its
// method has such a thing.
func (c *Conn) named(method []byte) (name []byte, ok bool) {
	switch {
	case string(method) == "tools/call":
		return c.msg.Text(rpc.ParamName)
	case string(method) == "resources/read" && c.endpoint.hasResources():
		return c.msg.Text(rpc.ParamURI)
	}
	return nil, false
}

// hasElements reports whether checked JSON text is an array that is not empty.
func hasElements(text []byte) bool {
	l := jsonx.Lexer{Src: text}
	if l.Space(); l.Peek() != '[' {
		return false
	}
	more, _ := l.Open(']', 1)
	return more
}
