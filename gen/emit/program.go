package emit

import (
	"strconv"

	"github.com/dave/jennifer/jen"

	"github.com/mcpgen/mcpgen/gen/names"
)

func (e *emitter) emitMain() {
	e.main.comment = "Command " + names.Unexported(e.p.Module) + " is the MCP server of the program " +
		strconv.Quote(e.p.Module) + "."
	e.main.add(e.o.mainFunc(jen.Op("&").Id("program")))
}

// mainFunc returns the function main that serves a program.
func (o Options) mainFunc(program jen.Code) *jen.Statement {
	served := []jen.Code{program, o.rt("stdio", "Serve")}
	if o.HTTP {
		served = append(served, o.rt("httpx", "New").Call())
	}
	return jen.Func().Id("main").Params().Block(
		jen.Qual("os", "Exit").Call(o.rt("", "Main").Call(served...)))
}

// variable is the name of the program in its package.
func (e *emitter) variable() string {
	if e.o.Package != "" {
		return "Program"
	}
	return "program"
}

// emitProgram emits what the server says of itself.
func (e *emitter) emitProgram() {
	info := serverInfo(e.p.Module, e.p.Version)
	e.dispatch.add(
		jen.Var().Id("_").Op("=").Add(e.rt("", "Version1")).
			Comment("// undefined: the runtime is older than this file, run mcpgen again"))
	pairs := []any{
		"Name", literal(e.p.Module),
		"Version", literal(e.p.Version),
		"Server", jen.Op("&").Id("server"),
	}
	if len(e.p.Excluded) > 0 {
		pairs = append(pairs, "Excluded", jen.Index().String().ValuesFunc(func(v *jen.Group) {
			for _, x := range e.p.Excluded {
				v.Line().Add(literal(x.Note()))
			}
			v.Line()
		}))
	}
	if e.usesPools() {
		pairs = append(pairs, "Folder", literal(e.o.Folder), "Backend", jen.Op("&").Id("pools"))
	}
	e.dispatch.add(
		comment(e.variable()+" is this server, for the runtime."),
		jen.Var().Id(e.variable()).Op("=").Add(structLit(e.rt("", "Program"), pairs...)))
	e.dispatch.add(
		comment("server is what the protocol needs to know of it."),
		jen.Var().Id("server").Op("=").Add(structLit(e.rt("mcp", "Server"),
			"Name", literal(e.p.Module),
			"Info", literal(info),
			"Tools", id(e.declared("listing", "toolList")),
			"New", jen.Func().Params().Add(e.rt("mcp", "Tools")).Block(jen.Return(jen.New(id("tools")))),
		)))
}

func (e *emitter) emitTest() {
	program := jen.Op("&").Id(e.variable())
	if e.o.Package == "" {
		e.test.add(testFunc(e.rt("transcript", "Test").Call(id("t"), program, literal(transcripts)))...)
		return
	}
	const root = "../.." // from internal/PACKAGE
	e.test.add(testFunc(e.rt("transcript", "TestFrom").Call(id("t"), program, literal(root), literal(transcripts)))...)
}

const transcripts = "testdata/*.transcript"

// testFunc returns the test that makes a call, and its comment.
func testFunc(call jen.Code) []jen.Code {
	return []jen.Code{
		comment("TestTranscripts replays testdata/*.transcript, each on a server of its own; -update records them."),
		jen.Func().Id("TestTranscripts").Params(id("t").Op("*").Qual("testing", "T")).Block(call),
	}
}

func serverInfo(name, version string) string {
	return `{"name":` + jsonString(name) + `,"version":` + jsonString(version) + `}`
}

// transcript returns a session with the server.
func (e *emitter) transcript() File {
	s := newSession(serverInfo(e.p.Module, e.p.Version), e.o.Tools)
	s.call(e.tools, "")
	return s.file(e.p.Module)
}

// A session is a transcript under construction: the handshake, the list, and a call of each
// tool that needs no argument.
type session struct {
	text string
	next int // id of the next request
}

func newSession(info string, tools [][]byte) *session {
	const handshake = `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18",` +
		`"capabilities":{},"clientInfo":{"name":"transcript","version":"1"}}}`
	s := "# The handshake, the list, and each tool that needs no argument.\n" +
		"--> " + handshake + "\n" +
		`<-- {"jsonrpc":"2.0","id":0,"result":{"protocolVersion":"2025-06-18",` +
		`"capabilities":{"tools":{"listChanged":false}},"serverInfo":` + info + "}}\n" +
		`--> {"jsonrpc":"2.0","method":"notifications/initialized"}` + "\n" +
		`--> {"jsonrpc":"2.0","id":1,"method":"tools/list"}` + "\n" +
		`<-- {"jsonrpc":"2.0","id":1,"result":{"tools":[`
	for i, tool := range tools {
		if i > 0 {
			s += ","
		}
		s += string(tool)
	}
	return &session{text: s + "]}}\n", next: 2}
}

// call adds the calls of tools that need no argument; prefix is what their names are listed
// with.
func (s *session) call(tools []*tool, prefix string) {
	for _, t := range tools {
		if !callable(t) {
			continue
		}
		head := `{"jsonrpc":"2.0","id":` + strconv.Itoa(s.next) + `,`
		s.next++
		s.text += "--> " + head + `"method":"tools/call","params":{"name":` + jsonString(prefix+t.Name) + `,"arguments":{}}}` + "\n" +
			"<-- " + head + `"result":`
		if x := t.targets[0]; x.isConstant() {
			s.text += resultText(x) + "}\n"
		} else {
			s.text += `{"content":[{"type":...,"isError":...}}` + "\n"
		}
	}
}

// file returns the file that the session is kept in.
func (s *session) file(name string) File {
	return File{Path: "testdata/" + fileName(name) + ".transcript", Data: []byte(s.text)}
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
