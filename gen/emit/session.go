package emit

import (
	"bytes"
	"slices"
	"strconv"
	"strings"

	"github.com/mcpgen/mcpgen/gen/ir"
	"github.com/mcpgen/mcpgen/gen/names"
)

// transcript returns a session with the server.
func (e *emitter) transcript() File {
	h := handshake{info: e.info(), instructions: e.p.Instructions}
	h.add(e.p)
	s := newSession(h, e.o.listed(sessionRevision))
	s.call(e.tools, "")
	return s.file(e.p.Module)
}

// sessionRevision is the revision of the protocol that a session speaks.
const sessionRevision = "2025-06-18"

// A handshake is what a server says of itself when a client comes.
type handshake struct {
	info         string // serverInfo
	instructions string // for the model; "" is none
	resources    bool   // it has some
	commands     bool   // some tools are commands of a CLI
}

// add notes what a program has.
func (h *handshake) add(p *ir.Program) {
	h.resources = h.resources || len(p.Resources) > 0
	h.commands = h.commands || p.CLI != nil
}

// result returns the result of initialize.
func (h handshake) result() string {
	capabilities := `"tools":{"listChanged":false}`
	if h.resources {
		capabilities += `,"resources":{}`
	}
	result := `{"protocolVersion":"` + sessionRevision + `","capabilities":{` + capabilities + `},"serverInfo":` + h.info
	if h.instructions != "" {
		result += `,"instructions":` + jsonString(h.instructions)
	}
	return result + "}"
}

// A session is a transcript under construction: the handshake, the list, and calls of tools:
// without arguments those that need none, and commands of a CLI with arguments that are
// refused before anything runs.
type session struct {
	text strings.Builder
	next int // id of the next request
}

func newSession(h handshake, tools [][]byte) *session {
	s := new(session)
	s.write("# The handshake, the list, and each tool that needs no argument.")
	if h.commands {
		s.write(" Commands are not run but refused.")
	}
	s.write("\n")
	s.request("initialize", `{"protocolVersion":"`+sessionRevision+`","capabilities":{},"clientInfo":{"name":"transcript","version":"1"}}`)
	s.reply(`"result":` + h.result())
	s.write(`--> {"jsonrpc":"2.0","method":"notifications/initialized"}`, "\n")
	s.request("tools/list", "")
	s.reply(`"result":{"tools":[` + string(bytes.Join(tools, []byte(","))) + `]}`)
	return s
}

func (s *session) write(pieces ...string) {
	for _, piece := range pieces {
		s.text.WriteString(piece)
	}
}

// request adds a request of the client; params may be "".
func (s *session) request(method, params string) {
	if params != "" {
		params = `,"params":` + params
	}
	s.write(`--> {"jsonrpc":"2.0","id":`, strconv.Itoa(s.next), `,"method":"`, method, `"`, params, "}\n")
}

// reply adds the reply to the last request: its result or error, or "..." for any.
func (s *session) reply(member string) {
	s.write(`<-- {"jsonrpc":"2.0","id":`, strconv.Itoa(s.next), `,`, member, "}\n")
	s.next++
}

// call adds calls; prefix is what the names of the tools are listed with.
func (s *session) call(tools []*tool, prefix string) {
	for _, t := range tools {
		arguments, reply := "{}", ""
		switch {
		case t.Leaf != nil:
			arguments, reply = refused(t.Leaf)
		case !callable(t):
			continue
		case t.targets[0].isConstant():
			reply = `"result":` + resultText(t.targets[0])
		default:
			reply = `"result":{"content":[{"type":...,"isError":...}`
		}
		s.request("tools/call", `{"name":`+jsonString(prefix+t.Name)+`,"arguments":`+arguments+`}`)
		s.reply(reply)
	}
}

// refused returns arguments that a command is never run with, and how they are answered.
func refused(l *ir.Leaf) (arguments, reply string) {
	if l.Input != nil { // that a name comes twice is refused whatever the schema says
		return `{"x":1,"x":2}`, "..."
	}
	name := "x"
	for slices.ContainsFunc(l.Properties, func(p *ir.Property) bool { return p.Name == name }) {
		name += "x"
	}
	arguments = `{` + jsonString(name) + `:1}`
	if len(l.RequiresEnv) > 0 { // what is told depends on the environment
		return arguments, "..."
	}
	text := "Unknown argument: " + name
	for _, p := range l.Properties {
		switch {
		case !p.Required:
		case p.Place == ir.Option:
			text += "\nMissing required option: --" + p.Name
		default:
			text += "\nMissing argument: " + p.Name
		}
	}
	return arguments, `"error":{"code":-32602,"message":` + jsonString(text) + `}`
}

// file returns the file that the session is kept in.
func (s *session) file(name string) File {
	return File{Path: "testdata/" + fileName(name) + ".transcript", Data: []byte(s.text.String())}
}

// callable reports whether a test may call a tool without arguments: none is required, and
// no file is touched.
func callable(t *tool) bool {
	for _, p := range t.Params {
		if p.Required {
			return false
		}
	}
	return t.Raw.Func == nil || !t.Raw.Func.Files
}

// fileName makes a module's name fit for a file.
func fileName(module string) string {
	name := names.Unexported(module)
	if len(name) > 64 {
		name = name[:64]
	}
	return name
}
