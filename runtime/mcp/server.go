package mcp

import "errors"

// A Server is what the generated package says about itself. It is not changed once it is
// served, and may be served on any number of connections at once.
type Server struct {
	Name  string       // of the program, for lines on stderr
	Info  string       // serverInfo: a JSON object
	Tools string       // tools/list: a JSON array of tools
	New   func() Tools // called once a connection
}

// Tools runs the tools of a program for one connection. It may keep memory from call to
// call.
type Tools interface {
	// Call runs the tool called name. The tool answers through c, at once or by
	// [Call.Detach]; an error is turned into the reply instead. It is called by one
	// goroutine at a time and keeps nothing of c or name.
	Call(c *Call, name []byte) error
}

// texts of errors about the order of messages and about calls.
const (
	textTooEarly   = " before initialization completed"
	textNoParams   = "missing params"
	textNoName     = "missing tool 'name'"
	textInBatch    = "initialize must not be in a batch"
	textInternal   = "internal error"
	resourceURI    = "morloc://return"
	replyHead      = `{"jsonrpc":"2.0","id":`
	resultTextHead = `,"result":{"content":[{"type":"text","text":"`
)

// ErrNotMedia is the error of a tool whose result has a media type but is not made of bytes
// or text.
var ErrNotMedia = errors.New("serialization error: -f raw requires Str, [Str], Vector U8, " +
	"or [Vector U8] output (a `render` handler's bytes)")

// A protocolError becomes a JSON-RPC error in every revision.
type protocolError struct{ code, text string }

// Error implements error.
func (e protocolError) Error() string { return e.text }
