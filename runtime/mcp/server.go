package mcp

import "errors"

// A Server is what the generated package says about itself. It is not changed once it is
// served, and may be served on any number of connections at once.
type Server struct {
	Name  string       // of the program, for lines on stderr and prefixes of tools
	Info  string       // serverInfo: a JSON object
	Tools string       // tools/list: a JSON array of tools, each with its name first
	New   func() Tools // called once a connection

	// Older are the tools as revisions list them for which Tools has too much, the oldest
	// first; none if all revisions list the same.
	Older []Listing

	Instructions string     // for the model, sent at the handshake; "" is none
	Resources    []Resource // in the order of their list; none: the server knows no resources/*

	// Joined says that the server is made of several programs: names of tools tell whose
	// they are, whatever the transport.
	Joined bool
}

// A Listing is what tools/list shows up to a revision, as [Server.Tools].
type Listing struct {
	Until Revision
	Tools string
}

// listed returns the tools as a revision lists them.
func (s *Server) listed(r Revision) string {
	for _, l := range s.Older {
		if r <= l.Until {
			return l.Tools
		}
	}
	return s.Tools
}

// Tools runs the tools of a program for one connection. It may keep memory from call to
// call.
type Tools interface {
	// Call runs the tool called name. The tool answers through c, at once or by
	// [Call.Detach]; an error is turned into the reply instead. It is called by one
	// goroutine at a time and keeps nothing of c or name.
	Call(c *Call, name []byte) error
}

// Texts of errors about the order of messages, about calls and about revisions. Those that
// name something end before the name.
const (
	textTooEarly    = " before initialization completed"
	textNoParams    = "missing params"
	textNoName      = "missing tool 'name'"
	textBatch       = "a batch holds at most 1000 messages"
	textInBatch     = "initialize must not be in a batch"
	textNoID        = "initialize must have an id"
	textInternal    = "internal error"
	textCursor      = "unknown cursor"
	textNoFiles     = "file access over HTTP is off: start the server with --allow-file-io"
	textNoMeta      = "Missing _meta field "
	textBadMeta     = "Invalid _meta field "
	textRevision    = "Unsupported protocol version"
	textHeader      = "Header mismatch: "
	textLevel       = "unknown level"
	textCapability  = "Missing client capability "
	textNoReplies   = "a response was not asked for"
	resourceURI     = "morloc://return"
	replyHead       = `{"jsonrpc":"2.0","id":`
	contentTextHead = `"content":[{"type":"text","text":"`
)

// ErrNotMedia is the error of a tool whose result has a media type but is not made of bytes
// or text.
var ErrNotMedia = errors.New("serialization error: -f raw requires Str, [Str], Vector U8, " +
	"or [Vector U8] output (a `render` handler's bytes)")

// errNoFiles is the error of a tool that would touch files where that is off.
var errNoFiles = errors.New(textNoFiles)

// An unknownTool is the error for a tool of that name.
type unknownTool string

// Error implements error.
func (e unknownTool) Error() string { return "unknown tool '" + string(e) + "'" }

// UnknownTool is the error for a tool that is not served.
func UnknownTool(name []byte) error { return unknownTool(name) }
