package mcp

import (
	"github.com/mcpgen/mcpgen/runtime/jsonx"
	"github.com/mcpgen/mcpgen/runtime/rpc"
)

// A Call is one tools/call on its way through a tool. It is reused: a tool keeps neither
// it nor anything it got from it.
type Call struct {
	// Arguments are read once, by the tool's argument struct. Strings they yield are
	// valid until the tool returns.
	Arguments jsonx.Decoder

	conn     *Conn
	id       []byte // raw; aliases the line
	json     []byte // the result before it is put into the reply
	detached bool
}

var noKeys jsonx.Keys

// NoArguments reads the arguments of a tool that takes none.
func (c *Call) NoArguments() error {
	d := &c.Arguments
	o := d.Object(&noKeys)
	for d.Member(&o) {
		d.Unknown(&o)
	}
	d.EndObject(&o)
	return d.Err()
}

// Buffer returns an empty buffer to append a result to, for one of the Reply methods.
func (c *Call) Buffer() []byte { return c.json[:0] }

// Reply answers with a value that is JSON text, which it keeps for the next [Call.Buffer].
func (c *Call) Reply(json []byte) error {
	c.json = json
	c.conn.out = appendResult(c.conn.out, c.id, json, false)
	return nil
}

// ReplyRecord is [Call.Reply] for a JSON object that is sent as structuredContent too.
func (c *Call) ReplyRecord(json []byte) error {
	c.json = json
	c.conn.out = appendResult(c.conn.out, c.id, json, true)
	return nil
}

// ReplyMedia answers with bytes of a media type, kept for the next [Call.Buffer].
func (c *Call) ReplyMedia(mime string, data []byte) error {
	c.json = data
	c.conn.out = appendMedia(c.conn.out, c.id, c.conn.revision, mime, data)
	return nil
}

// ReplyResult answers with a result that is complete: the JSON text of the result object.
func (c *Call) ReplyResult(result string) error {
	c.conn.reply(c.id, result)
	return nil
}

// Detach leaves the call to be answered by r, by any goroutine; the call must then return
// nil and not reply itself. r's memory is reused.
func (c *Call) Detach(r *Reply) {
	c.detached = true
	c.conn.detached = true
	r.conn = c.conn
	r.revision = c.conn.revision
	r.batch = c.conn.batch
	r.id = append(r.id[:0], c.id...)
	if r.batch != nil {
		r.batch.expect()
	}
	c.conn.pending.add()
}

// A Reply answers a call that was detached, exactly once, by one of its methods. It may be
// used again for the next call after that.
type Reply struct {
	conn     *Conn
	batch    *batch
	revision Revision
	id       []byte
	out      []byte
}

// Value answers with a value that is JSON text.
func (r *Reply) Value(json []byte) { r.send(appendResult(r.out[:0], r.id, json, false)) }

// Record is [Reply.Value] for a JSON object that is sent as structuredContent too.
func (r *Reply) Record(json []byte) { r.send(appendResult(r.out[:0], r.id, json, true)) }

// Media answers with bytes of a media type.
func (r *Reply) Media(mime string, data []byte) {
	r.send(appendMedia(r.out[:0], r.id, r.revision, mime, data))
}

// Fail answers that the tool failed; text tells why.
func (r *Reply) Fail(text string) { r.send(appendToolError(r.out[:0], r.id, text)) }

// keepBuffer is the largest buffer that is kept for the next call.
const keepBuffer = 1 << 20

func (r *Reply) send(out []byte) {
	if r.out = out; cap(out) > keepBuffer {
		r.out = nil
	}
	conn := r.conn
	if r.batch != nil {
		r.batch.add(out)
		r.batch.done()
	} else {
		_ = conn.w.Write(out) // a broken connection is met by its reader too
	}
	conn.pending.done()
}

// callTool checks in the order of tools.md 7: params, name, tool, arguments.
func (c *Conn) callTool(id []byte) {
	m := &c.msg
	if m.Raw(rpc.Params) == nil {
		c.fail(id, rpc.CodeInvalidParams, textNoParams)
		return
	}
	name, ok := m.Text(rpc.ParamName)
	if !ok {
		c.fail(id, rpc.CodeInvalidParams, textNoName)
		return
	}
	c.call.id = id
	c.call.Arguments.Reset(m.Raw(rpc.ParamArguments))
	if err := c.tools.Call(&c.call, name); err != nil {
		c.refuse(id, err)
	}
}

// refuse answers a call that did not come to a result.
func (c *Conn) refuse(id []byte, err error) {
	switch e := err.(type) {
	case protocolError:
		c.fail(id, e.code, e.text)
		return
	case jsonx.ArgumentError:
		if !c.revision.argumentsToModel() {
			c.fail(id, rpc.CodeInvalidParams, string(e))
			return
		}
	}
	if err == jsonx.ErrNotObject {
		c.fail(id, rpc.CodeInvalidParams, err.Error())
		return
	}
	c.out = appendToolError(c.out, id, err.Error())
}

// UnknownTool is the error for a tool that is not served.
func UnknownTool(name []byte) error {
	return protocolError{rpc.CodeInvalidParams, "unknown tool '" + string(name) + "'"}
}

// UnknownRender is the error for a value of _render that is no output action of the tool.
func UnknownRender(name string) error {
	return jsonx.ArgumentError("unknown render '" + name + "'")
}
