package emit

import (
	"strings"

	"github.com/dave/jennifer/jen"

	"github.com/mcpgen/mcpgen/gen/ir"
	"github.com/mcpgen/mcpgen/gen/names"
)

// emitResources emits what resources/list shows.
func (e *emitter) emitResources() {
	if len(e.p.Resources) == 0 {
		return
	}
	e.resources.add(
		comment("resources are what can be read of the program, in the order of their list."),
		jen.Var().Id("resources").Op("=").Index().Add(e.rt("mcp", "Resource")).ValuesFunc(func(v *jen.Group) {
			for i := range e.p.Resources {
				v.Line().Add(structLit(jen.Null(), e.resourceFields(&e.p.Resources[i])...))
			}
			v.Line()
		}))
}

func (e *emitter) resourceFields(r *ir.Resource) []any {
	pairs := []any{"URI", literal(r.URI)}
	if r.JoinedURI != "" {
		pairs = append(pairs, "JoinedURI", literal(r.JoinedURI))
	}
	pairs = append(pairs, "Name", literal(r.Name))
	if r.Description != "" {
		pairs = append(pairs, "Description", literal(r.Description))
	}
	pairs = append(pairs, "MIME", literal(r.MIME))
	switch {
	case r.Text != nil:
		return append(pairs, "Text", e.resourceText(r))
	case r.File != "":
		return append(pairs, "Load", id("cli").Dot("File").Call(literal(r.File)))
	}
	return append(pairs, "Load", id("cli").Dot("Output").Call(stringArgs(r.Args)...))
}

// resourceText returns the expression of a fixed body: a constant if it has several lines.
func (e *emitter) resourceText(r *ir.Resource) *jen.Statement {
	if !strings.Contains(*r.Text, "\n") {
		return literal(*r.Text)
	}
	name := e.declared("resource "+r.URI, names.Unexported(r.Name)+"Text")
	e.resources.add(
		comment(name+" is the body of "+r.URI+"."),
		jen.Const().Id(name).Op("=").Add(textLiteral(*r.Text)))
	return id(name)
}
