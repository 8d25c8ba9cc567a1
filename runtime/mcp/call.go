package mcp

import (
	"strings"
	"sync"
	"sync/atomic"
	"unsafe"

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
	id       []byte    // raw; aliases the line
	json     []byte    // the result before it is put into the reply
	resource *Resource // that is read; nil: a tool is called
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
	c.conn.out = appendResult(c.conn.out, c.conn.frame, c.id, json, false)
	return nil
}

// ReplyRecord is [Call.Reply] for a JSON object that is sent as structuredContent too.
func (c *Call) ReplyRecord(json []byte) error {
	c.json = json
	c.conn.out = appendResult(c.conn.out, c.conn.frame, c.id, json, true)
	return nil
}

// ReplyString is [Call.Reply] for a string, which is UTF-8.
func (c *Call) ReplyString(s string) error {
	c.conn.out = appendStringResult(c.conn.out, c.conn.frame, c.id, s)
	return nil
}

// ReplyMedia answers with bytes of a media type, kept for the next [Call.Buffer].
func (c *Call) ReplyMedia(mime string, data []byte) error {
	c.json = data
	c.conn.out = appendMedia(c.conn.out, c.conn.frame, c.id, c.conn.revision, mime, data)
	return nil
}

// ReplyResult answers with a result that is complete: the JSON text of the result object,
// which has members.
func (c *Call) ReplyResult(result string) error {
	c.conn.reply(c.id, result[1:len(result)-1])
	return nil
}

// Files returns the error for a tool that touches files, if this caller may not make it do
// so. Files can be slow: calls that the reader helps with do not wait for them.
func (c *Call) Files() error {
	if o := &c.conn.endpoint.options; o.Distant && !o.Files {
		return errNoFiles
	}
	c.conn.HandOver()
	return nil
}

// IsDistant reports whether the caller is not to be told of paths and lines of output.
func (c *Call) IsDistant() bool { return c.conn.endpoint.options.Distant }

// Detach leaves the call to be answered by r, by any goroutine; the call must then return
// nil and not reply itself. r's memory is reused.
func (c *Call) Detach(r *Reply) {
	c.detached = true
	c.conn.detached = true
	r.conn = c.conn
	r.revision = c.conn.revision
	r.frame = c.conn.frame
	r.batch = c.conn.batch
	r.client = c.conn.client
	r.id = append(r.id[:0], c.id...)
	r.token = append(r.token[:0], c.token()...)
	r.level = c.conn.level()
	r.resource = c.resource
	if r.batch != nil {
		r.batch.expect()
	}
	c.conn.pending.add(r)
}

// token returns the raw progress token of the call; nothing if it has none, or nobody
// listens.
func (c *Call) token() []byte {
	token := c.conn.msg.Raw(rpc.MetaProgressToken)
	if token == nil || c.conn.notices == nil || !rpc.ValidID(token) {
		return nil
	}
	return token
}

// A Canceler stops the work for a detached call. Cancel is called at most once a call, by any
// goroutine, before the call is answered. It does not block, and does not answer the call
// itself but has that done.
type Canceler interface{ Cancel() }

// A Reply answers a call that was detached, exactly once, by one of its methods. It may be
// used again for the next call after that.
type Reply struct {
	conn     *Conn
	batch    *batch
	client   string
	frame    *frame
	revision Revision
	id       []byte
	token    []byte    // of progress; empty if nobody wants to know
	level    Level     // of log messages; 0 if nobody wants to know
	resource *Resource // that is read; nil: a tool was called
	out      []byte

	// Canceler is told when nobody waits for the answer any more. It is set before
	// [Call.Detach] and stays; nil is nobody.
	Canceler Canceler

	telling sync.Mutex // held while the caller is told something before the answer
	heart   *heartbeat // nil if there is none; under telling

	canceled       atomic.Bool // nobody waits for the answer
	settled        atomic.Bool // the batch has its part, or gets none
	previous, next *Reply      // of those that are pending
}

// Value answers with a value that is JSON text.
func (r *Reply) Value(json []byte) { r.send(appendResult(r.buffer(), r.frame, r.id, json, false)) }

// Record is [Reply.Value] for a JSON object that is sent as structuredContent too.
func (r *Reply) Record(json []byte) { r.send(appendResult(r.buffer(), r.frame, r.id, json, true)) }

// Media answers with bytes of a media type.
func (r *Reply) Media(mime string, data []byte) {
	r.send(appendMedia(r.buffer(), r.frame, r.id, r.revision, mime, data))
}

// Blocks answers with content blocks, of which there is at least one, and with JSON text as
// structuredContent if that is not nil; see [Reply.Structured]. With failed, they tell why
// the tool failed.
func (r *Reply) Blocks(blocks []Block, structured []byte, failed bool) {
	r.send(appendBlocks(r.buffer(), r.frame, r.id, blocks, structured, failed))
}

// Structured returns what the caller may be sent as structuredContent.
func (r *Reply) Structured() Structured { return r.revision.structured() }

// Fail answers that the tool failed; text tells why.
func (r *Reply) Fail(text string) { r.send(appendToolError(r.buffer(), r.frame, r.id, text)) }

// Refuse answers what a tool would have been answered that returned err.
func (r *Reply) Refuse(err error) {
	r.send(appendFault(r.buffer(), r.revision, r.frame, r.id, err))
}

// IsDistant is [Call.IsDistant] for the call that was detached.
func (r *Reply) IsDistant() bool { return r.conn.endpoint.options.Distant }

// Client tells whose the call is that was detached, as [Conn.SetClient] was told.
func (r *Reply) Client() string { return r.client }

// Canceled reports whether nobody waits for the answer any more. The call is answered all the
// same, which then has no effect but that the Reply may be used again.
func (r *Reply) Canceled() bool { return r.canceled.Load() }

// wantsProgress reports whether the caller wants to know, and can be told, how far the call
// has come.
func (r *Reply) wantsProgress() bool { return len(r.token) != 0 }

// Progress tells the caller how far the call has come, if it wants to know and can be told.
// Done, of total if that is not 0, must grow from one notice to the next. It may be called by
// any goroutine, before the call is answered; a call and the answer must not overlap.
func (r *Reply) Progress(done, total float64, message string) {
	r.telling.Lock()
	defer r.telling.Unlock()
	r.progress(done, total, message)
}

// progress is Progress under telling.
func (r *Reply) progress(done, total float64, message string) {
	if !r.wantsProgress() || r.canceled.Load() {
		return
	}
	out := append(r.out[:0], `{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":`...)
	out = append(out, r.token...)
	out = jsonx.AppendFloat64(append(out, `,"progress":`...), done)
	if total != 0 {
		out = jsonx.AppendFloat64(append(out, `,"total":`...), total)
	}
	if message != "" && r.revision.hasProgressText() {
		out = jsonx.AppendString(append(out, `,"message":`...), message)
	}
	r.out = append(out, "}}\n"...)
	r.conn.notices.Notify(r.out)
}

// keepBuffer is the largest buffer that is kept for the next call.
const keepBuffer = 1 << 20

// buffer returns an empty buffer for the answer. Nothing comes before that any more.
func (r *Reply) buffer() []byte {
	r.quiet()
	return r.out[:0]
}

func (r *Reply) send(out []byte) {
	if r.out = out; cap(out) > keepBuffer {
		r.out = nil
	}
	if r.canceled.Load() {
		out = nil
	}
	if r.batch != nil {
		if r.settled.Swap(true) {
			out = nil
		} else {
			r.batch.add(out)
			out = r.batch.done()
		}
	}
	_ = r.conn.w.Write(out) // a broken connection is met by its reader too
	r.conn.pending.done(r)
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
	if err := c.run(id, name); err != nil {
		c.refuse(id, err)
	}
}

// run runs the tool called name. Where names have a prefix, the listed name comes first, and
// the bare one is good too (design decision 8).
func (c *Conn) run(id, name []byte) error {
	c.call.id, c.call.resource = id, nil
	arguments := c.msg.Raw(rpc.ParamArguments)
	c.call.Arguments.Reset(arguments)
	prefix := c.endpoint.prefix
	if prefix == "" || !strings.HasPrefix(unsafe.String(unsafe.SliceData(name), len(name)), prefix) {
		return c.tools.Call(&c.call, name)
	}
	err := c.tools.Call(&c.call, name[len(prefix):])
	if _, unknown := err.(unknownTool); unknown {
		return c.tools.Call(&c.call, name)
	}
	return err
}

// refuse answers a call that did not come to a result.
func (c *Conn) refuse(id []byte, err error) {
	switch e := err.(type) {
	case unknownTool:
		c.fail(id, rpc.CodeInvalidParams, e.Error())
		return
	case *refusal:
		c.refused = true
		var data []byte
		if e.data != "" {
			data = []byte(e.data)
		}
		c.failWith(id, e.code, e.text, data)
		return
	}
	c.out = appendFault(c.out, c.revision, c.frame, id, err)
}

// UnknownRender is the error for a value of _render that is no output action of the tool.
func UnknownRender(name string) error {
	return jsonx.ArgumentError("unknown render '" + name + "'")
}
