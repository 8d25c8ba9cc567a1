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
	if e.p.CLI != nil {
		pairs = append(pairs, "Backend", jen.Op("&").Id("cli"))
	}
	e.dispatch.add(
		comment(e.variable()+" is this server, for the runtime."),
		jen.Var().Id(e.variable()).Op("=").Add(structLit(e.rt("", "Program"), pairs...)))
	e.dispatch.add(
		comment("server is what the protocol needs to know of it."),
		jen.Var().Id("server").Op("=").Add(structLit(e.rt("mcp", "Server"), e.serverFields()...)))
}

func (e *emitter) serverFields() []any {
	pairs := []any{
		"Name", literal(e.p.Module),
		"Info", literal(e.info()),
		"Tools", id(e.listName()),
	}
	if len(e.o.Older) > 0 {
		pairs = append(pairs, "Older", e.o.olderLists(e.olderNames()))
	}
	if e.p.Instructions != "" {
		pairs = append(pairs, "Instructions", literal(e.p.Instructions))
	}
	if len(e.p.Resources) > 0 {
		pairs = append(pairs, "Resources", id("resources"))
	}
	return append(pairs,
		"New", jen.Func().Params().Add(e.rt("mcp", "Tools")).Block(jen.Return(jen.New(id("tools")))))
}

// info returns serverInfo.
func (e *emitter) info() string {
	if e.p.ServerName != "" {
		return serverInfo(e.p.ServerName, e.p.Version)
	}
	return serverInfo(e.p.Module, e.p.Version)
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
