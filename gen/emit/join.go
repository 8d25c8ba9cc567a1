package emit

import (
	"strconv"
	"strings"

	"github.com/dave/jennifer/jen"

	"github.com/mcpgen/mcpgen/gen/ir"
	"github.com/mcpgen/mcpgen/gen/names"
)

// A Part is one of the programs that a server joins. Its package is what [Files] returns
// for it, given [Options].Package.
type Part struct {
	Program *ir.Program
	Package string   // name of the package
	Path    string   // import path of the package
	Prefix  string   // of the names of its tools as they are listed
	Bare    []string // names of tools that are good without the prefix: nothing else has them
}

// Join returns the main package of a server of several programs, in a fixed order. Of the
// options, Tools are those of all programs as they are listed, and Folder and Package have
// no meaning.
func Join(name, version string, parts []Part, o Options) ([]File, error) {
	main := &section{path: "main.go"}
	main.comment = "Command " + names.Unexported(name) + " is the MCP server of the programs " + quoteAll(parts) + "."
	main.add(o.mainFunc(id("program")))

	older := make([]string, len(o.Older))
	for i := range o.Older {
		older[i] = "toolList" + o.Older[i].suffix()
	}
	tools := &section{path: "tools_gen.go"}
	tools.add(comment("program is this server, for the runtime: its programs, joined."),
		jen.Var().Id("program").Op("=").Add(o.joinCall(name, parts, older)))
	tools.add(comment("find returns the program that a tool is of, and what it is called there."), findFunc(parts))
	tools.add(comment("toolList is the tools array of tools/list."), jen.Const().Id("toolList").Op("=").Add(joinedList(o.Tools)))
	for i, l := range o.Older {
		tools.add(comment(older[i]+" is the tools array up to the revision "+l.Until+"."),
			jen.Const().Id(older[i]).Op("=").Add(joinedList(l.Tools)))
	}

	test := &section{path: "transcript_test.go"}
	test.add(testFunc(o.rt("transcript", "Test").Call(id("t"), id("program"), literal(transcripts)))...)

	o.parts = parts
	var sources []string
	s := newSession(joinedHandshake(name, version, parts), o.listed(sessionRevision))
	for _, p := range parts {
		sources = append(sources, sourceOf(p.Program))
		s.call(newEmitter(p.Program, o).tools, p.Prefix)
	}
	files, err := o.render(mainPath, strings.Join(sources, ", "), []*section{main, tools, test})
	return append(files, s.file(name)), err
}

// joinedHandshake returns what the server says of itself; [runtime.Join] says the same.
func joinedHandshake(name, version string, parts []Part) handshake {
	h := handshake{info: serverInfo(name, version)}
	var instructions []string
	for _, p := range parts {
		h.add(p.Program)
		if text := p.Program.Instructions; text != "" {
			instructions = append(instructions, text)
		}
	}
	h.instructions = strings.Join(instructions, "\n\n")
	return h
}

func quoteAll(parts []Part) string {
	var quoted []string
	for _, p := range parts {
		quoted = append(quoted, strconv.Quote(p.Program.Module))
	}
	last := len(quoted) - 1
	return strings.Join(quoted[:last], ", ") + " and " + quoted[last]
}

// joinCall returns the call that makes one server of the programs.
func (o Options) joinCall(name string, parts []Part, older []string) *jen.Statement {
	lists := jen.Nil()
	if len(older) > 0 {
		lists = o.olderLists(older)
	}
	args := []jen.Code{literal(name), id("toolList"), lists, id("find")}
	for _, p := range parts {
		args = append(args, jen.Line().Op("&").Qual(p.Path, "Program"))
	}
	return o.rt("", "Join").Call(append(args, jen.Line())...)
}

// findFunc returns the table of all names that a call may use.
func findFunc(parts []Part) *jen.Statement {
	return jen.Func().Id("find").Params(id("name").Index().Byte()).Params(id("program").Int(), id("tool").Index().Byte()).
		Block(
			jen.Switch(jen.String().Call(id("name"))).BlockFunc(func(g *jen.Group) {
				for i, p := range parts {
					var listed []string
					for _, t := range p.Program.Tools {
						listed = append(listed, p.Prefix+t.Name)
					}
					if len(listed) > 0 {
						g.Add(caseOf(listed, i, id("name").Index(jen.Len(literal(p.Prefix)), jen.Empty())))
					}
				}
				for i, p := range parts {
					if len(p.Bare) > 0 {
						g.Add(caseOf(p.Bare, i, id("name")))
					}
				}
			}),
			jen.Return(jen.Lit(-1), jen.Nil()))
}

// caseOf returns the case of some names, a line each, of tools of a program.
func caseOf(texts []string, program int, tool jen.Code) *jen.Statement {
	return jen.CaseFunc(func(g *jen.Group) {
		for i, text := range texts {
			if i == 0 {
				g.Add(literal(text))
			} else {
				g.Line().Add(literal(text))
			}
		}
	}).Block(jen.Return(jen.Lit(program), tool))
}

func joinedList(tools [][]byte) *jen.Statement {
	all := literal("[")
	for i, t := range tools {
		if i > 0 {
			all.Op("+").Add(literal(","))
		}
		all.Op("+").Line().Add(listing(string(t)))
	}
	return all.Op("+").Add(literal("]"))
}
