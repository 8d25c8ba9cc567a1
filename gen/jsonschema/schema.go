package jsonschema

import (
	"maps"
	"strconv"
	"strings"

	"github.com/mcpgen/mcpgen/gen/ir"
	"github.com/mcpgen/mcpgen/runtime/jsonx"
)

// declarations are the named types that were written; the next time they are references.
type declarations map[*ir.Type]bool

func (d declarations) clone() declarations { return maps.Clone(d) }

// add notes the named types in t.
func (d declarations) add(t *ir.Type) {
	if t == nil || d[t] {
		return
	}
	if t.Name != "" {
		d[t] = true
	}
	d.add(t.Elem)
	for _, f := range t.Fields {
		d.add(f.Type)
	}
	for _, a := range t.Arms {
		d.add(a.Payload)
	}
}

// writer appends JSON Schema. It writes an object's members first and closes it later, so
// that a description can be put behind them.
type writer struct {
	dst      []byte
	declared declarations
	result   bool // of outputSchema, where floats may be strings
}

func (w *writer) raw(s string) { w.dst = append(w.dst, s...) }

func (w *writer) str(s string) { w.dst = jsonx.AppendString(w.dst, s) }

// comma separates what follows from what is before, unless that is the bracket that opened
// the list.
func (w *writer) comma(open byte) {
	if w.dst[len(w.dst)-1] != open {
		w.dst = append(w.dst, ',')
	}
}

// property writes a property: its name, its schema and, last, its description.
func (w *writer) property(p *ir.Param) {
	w.str(p.Key)
	w.raw(":")
	if p.Many && !isList(p.Type) {
		w.raw(`{"type":"array","items":`)
		w.schema(p.Type)
	} else {
		w.open(p.Type)
	}
	if text := description(p); text != "" || p.HasDefault {
		w.comma('{')
		w.raw(`"description":`)
		w.str(text)
	}
	w.raw("}")
}

// description joins the lines about a property and its default.
func description(p *ir.Param) string {
	var parts []string
	for _, line := range p.Doc {
		if line != "" {
			parts = append(parts, line)
		}
	}
	if p.Notes != "" {
		parts = append(parts, p.Notes)
	}
	if p.HasDefault {
		parts = append(parts, "(default: "+p.DefaultText+")")
	}
	return strings.Join(parts, " ")
}

// isList reports whether t is a list, or an optional one (tools.md 14, D9).
func isList(t *ir.Type) bool {
	for t.Kind == ir.Optional {
		t = t.Elem
	}
	return t.Kind == ir.List
}

// schema writes the schema of a type.
func (w *writer) schema(t *ir.Type) {
	w.open(t)
	w.raw("}")
}

// open writes the schema of a type without its closing brace.
func (w *writer) open(t *ir.Type) {
	nullable := false
	for t.Kind == ir.Optional && !w.isReference(t) {
		w.declare(t)
		t, nullable = t.Elem, true
	}
	w.raw("{")
	if w.isReference(t) {
		if t.Kind == ir.Record {
			w.typ("object", nullable)
		}
		return
	}
	w.declare(t)
	switch {
	case t.Kind == ir.Unit:
		w.typ("null", false)
	case t.Kind == ir.Bool:
		w.typ("boolean", nullable)
	case t.IsInteger():
		w.typ("integer", nullable)
	case t.Kind == ir.Float32, t.Kind == ir.Float64:
		w.float(nullable)
	case t.Kind == ir.String:
		w.typ("string", nullable)
	case t.Kind == ir.List:
		w.typ("array", nullable)
		w.raw(`,"items":`)
		w.schema(t.Elem)
	case t.Kind == ir.Tuple:
		w.typ("array", nullable)
		w.tuple(t)
	case t.Kind == ir.Record:
		w.typ("object", nullable)
		w.record(t)
	case t.Kind == ir.Enum:
		w.typ("string", nullable)
		w.enum(t, nullable)
	case t.Kind == ir.Variant:
		w.variant(t, nullable)
	default:
		panic("mcpgen: internal: a tool with the type " + t.Text)
	}
}

func (w *writer) isReference(t *ir.Type) bool { return t.Name != "" && w.declared[t] }

func (w *writer) declare(t *ir.Type) {
	if t.Name == "" {
		return
	}
	if w.declared == nil {
		w.declared = declarations{}
	}
	w.declared[t] = true
}

func (w *writer) typ(name string, nullable bool) {
	if nullable {
		w.raw(`"type":["` + name + `","null"]`)
		return
	}
	w.raw(`"type":"` + name + `"`)
}

// float writes a float. Results have texts for what JSON has no numbers for (D23).
func (w *writer) float(nullable bool) {
	if !w.result {
		w.typ("number", nullable)
		return
	}
	w.raw(`"anyOf":[{"type":"number"},{"enum":["nan","inf","-inf"]}`)
	if nullable {
		w.raw(`,{"type":"null"}`)
	}
	w.raw("]")
}

func (w *writer) tuple(t *ir.Type) {
	n := strconv.Itoa(len(t.Fields))
	w.raw(`,"prefixItems":[`)
	for _, f := range t.Fields {
		w.comma('[')
		w.schema(f.Type)
	}
	w.raw(`],"minItems":` + n + `,"maxItems":` + n)
}

func (w *writer) record(t *ir.Type) {
	w.raw(`,"properties":{`)
	for _, f := range t.Fields {
		w.comma('{')
		w.str(f.Name)
		w.raw(":")
		w.schema(f.Type)
	}
	w.raw(`},"required":[`)
	for _, f := range t.Fields {
		if f.Type.Kind != ir.Optional {
			w.comma('[')
			w.str(f.Name)
		}
	}
	w.raw(`],"additionalProperties":false`)
}
