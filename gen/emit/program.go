package emit

import (
	"strconv"

	"github.com/dave/jennifer/jen"

	"github.com/mcpgen/mcpgen/gen/names"
)

func (e *emitter) emitMain() {
	e.main.comment = "Command " + names.Unexported(e.p.Module) + " is the MCP server of the program " +
		strconv.Quote(e.p.Module) + "."
	transports := []jen.Code{jen.Op("&").Id("program"), e.rt("stdio", "Serve")}
	if e.o.HTTP {
		transports = append(transports, e.rt("httpx", "New").Call())
	}
	e.main.add(jen.Func().Id("main").Params().Block(
		jen.Qual("os", "Exit").Call(e.rt("", "Main").Call(transports...))))
}

// emitProgram emits what the server says of itself.
func (e *emitter) emitProgram() {
	info := `{"name":` + jsonString(e.p.Module) + `,"version":` + jsonString(e.p.Version) + `}`
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
		comment("program is this server, for the runtime."),
		jen.Var().Id("program").Op("=").Add(structLit(e.rt("", "Program"), pairs...)))
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
	e.test.add(
		comment("TestTranscripts replays testdata/*.transcript, each on a server of its own; -update records them."),
		jen.Func().Id("TestTranscripts").Params(id("t").Op("*").Qual("testing", "T")).Block(
			e.rt("transcript", "Test").Call(
				id("t"), jen.Op("&").Id("program"), literal("testdata/*.transcript"))))
}

// transcript returns a session with the server: the handshake, the list, and a call of each
// tool that needs no argument.
func (e *emitter) transcript() File {
	const handshake = `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18",` +
		`"capabilities":{},"clientInfo":{"name":"transcript","version":"1"}}}`
	info := `{"name":` + jsonString(e.p.Module) + `,"version":` + jsonString(e.p.Version) + `}`
	s := "# The handshake, the list, and each tool that needs no argument.\n" +
		"--> " + handshake + "\n" +
		`<-- {"jsonrpc":"2.0","id":0,"result":{"protocolVersion":"2025-06-18",` +
		`"capabilities":{"tools":{"listChanged":false}},"serverInfo":` + info + "}}\n" +
		`--> {"jsonrpc":"2.0","method":"notifications/initialized"}` + "\n" +
		`--> {"jsonrpc":"2.0","id":1,"method":"tools/list"}` + "\n" +
		`<-- {"jsonrpc":"2.0","id":1,"result":{"tools":[`
	for i, tool := range e.o.Tools {
		if i > 0 {
			s += ","
		}
		s += string(tool)
	}
	s += "]}}\n"
	next := 2
	for _, t := range e.tools {
		if !callable(t) {
			continue
		}
		head := `{"jsonrpc":"2.0","id":` + strconv.Itoa(next) + `,`
		next++
		s += "--> " + head + `"method":"tools/call","params":{"name":` + jsonString(t.Name) + `,"arguments":{}}}` + "\n" +
			"<-- " + head + `"result":`
		if x := t.targets[0]; x.isConstant() {
			s += resultText(x) + "}\n"
		} else {
			s += `{"content":[{"type":...,"isError":...}}` + "\n"
		}
	}
	return File{Path: "testdata/" + fileName(e.p.Module) + ".transcript", Data: []byte(s)}
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
