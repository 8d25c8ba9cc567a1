package emit

import (
	"strconv"
	"strings"

	"github.com/dave/jennifer/jen"

	"github.com/mcpgen/mcpgen/gen/ir"
)

// A goType is a named Go type: the struct of a tuple, a record or the fields of a
// constructor, a sum type, or what a recursive schema declares.
type goType struct {
	t       *ir.Type
	name    string
	fields  []string // names of struct fields; of a variant: by its arms, "" for none
	text    string   // the author's name, for the comment
	emitted bool
}

// scalar kinds: their Go types, the names of their runtime functions, their labels.
var scalars = map[ir.Kind]struct{ fn, label string }{
	ir.Unit: {"Unit", "Unit"}, ir.Bool: {"Bool", "Bool"},
	ir.Int8: {"Int8", "I8"}, ir.Int16: {"Int16", "I16"}, ir.Int32: {"Int32", "I32"}, ir.Int64: {"Int64", "I64"},
	ir.Uint8: {"Uint8", "U8"}, ir.Uint16: {"Uint16", "U16"}, ir.Uint32: {"Uint32", "U32"}, ir.Uint64: {"Uint64", "U64"},
	ir.Float32: {"Float32", "F32"}, ir.Float64: {"Float64", "Real"},
	ir.Int: {"Int", "Int"}, ir.String: {"String", "Str"},
}

// goTypeOf returns the Go type of values of t.
func (e *emitter) goTypeOf(t *ir.Type) *jen.Statement {
	if g := e.named(t); g != nil {
		e.emitType(g)
		return jen.Id(g.name)
	}
	switch t.Kind {
	case ir.Unit:
		return jen.Struct()
	case ir.String:
		return jen.String()
	case ir.Int:
		return e.rt("jsonx", "Int")
	case ir.List:
		return jen.Index().Add(e.goTypeOf(t.Elem))
	case ir.Optional:
		return jen.Op("*").Add(e.goTypeOf(t.Elem))
	}
	return jen.Id(strings.ToLower(scalars[t.Kind].fn))
}

// named returns the named Go type of t, nil if it has none.
func (e *emitter) named(t *ir.Type) *goType {
	if !isNamed(t) {
		return nil
	}
	return e.name(t, "", "")
}

// isNamed reports whether t has a named Go type.
func isNamed(t *ir.Type) bool {
	_, scalar := scalars[t.Kind]
	return !scalar && (t.Kind == ir.Tuple || t.Kind == ir.Record || t.IsSum() || t.Name != "")
}

// emitType declares a named type, once.
func (e *emitter) emitType(g *goType) {
	if g.emitted {
		return
	}
	g.emitted = true
	section := e.results
	if e.inArguments(g.t) {
		section = e.args
	}
	t := g.t
	switch t.Kind {
	case ir.List:
		section.add(comment(g.name+" is "+t.Text+"."),
			jen.Type().Id(g.name).Index().Add(e.goTypeOf(t.Elem)))
	case ir.Optional:
		section.add(comment(g.name+" is "+t.Text+"."),
			jen.Type().Id(g.name).Op("*").Add(e.goTypeOf(t.Elem)))
	case ir.Enum:
		e.emitEnum(g, section)
	case ir.Variant:
		e.emitVariant(g, section)
	default:
		what := "a tuple"
		if t.Kind == ir.Record {
			what = "a record"
			if g.text != "" {
				what = "the record " + g.text
			}
		}
		note := g.name + " is " + what + ": " + t.Text + "."
		if t.Owner != nil {
			note = g.name + " is the fields of " + strconv.Quote(g.text) + " in " + e.named(t.Owner).name + "."
		}
		section.add(
			comment(note),
			jen.Type().Id(g.name).StructFunc(func(s *jen.Group) {
				for i, f := range t.Fields {
					field := s.Id(g.fields[i]).Add(e.goTypeOf(f.Type))
					if t.Kind == ir.Record {
						field.Comment("// " + oneLine(strconv.Quote(f.Name)))
					}
				}
			}))
	}
}

// inArguments reports whether a type is part of what some tool takes.
func (e *emitter) inArguments(t *ir.Type) bool { return e.taken[identity(t)] }
