package jsonschema

import (
	"strconv"
	"strings"

	"github.com/mcpgen/mcpgen/gen/ir"
)

// Revisions of the protocol from which on more members of a tool are sent.
const (
	withAnnotations = "2025-03-26"
	withOutput      = "2025-06-18" // if its type is "object"
	withAnyOutput   = "2026-07-28"
)

// leaf writes a command of a command line. Revisions are dates, which compare like texts.
func (w *writer) leaf(t *ir.Tool, revision string) {
	l := t.Leaf
	w.raw(`{"name":`)
	w.str(t.Name)
	w.raw(`,"description":`)
	w.str(strings.Join(t.Doc, "\n"))
	w.raw(`,"inputSchema":`)
	if l.Input != nil {
		w.raw(string(l.Input.Text))
	} else {
		w.properties(l.Properties)
	}
	if o := l.Output; o != nil && (revision >= withAnyOutput || o.IsObject && revision >= withOutput) {
		w.raw(`,"outputSchema":`)
		w.raw(string(o.Text))
	}
	if l.Annotations != nil && revision >= withAnnotations {
		w.raw(`,"annotations":`)
		w.raw(string(l.Annotations))
	}
	w.raw("}")
}

// properties writes the schema of the arguments of a leaf (cli-schema.md 5.4).
func (w *writer) properties(list []*ir.Property) {
	w.raw(`{"type":"object","properties":{`)
	for _, p := range list {
		w.comma('{')
		w.str(p.Name)
		w.raw(":{")
		w.value(p)
		if p.Default != nil {
			w.raw(`,"default":`)
			w.raw(string(p.Default))
		}
		w.raw("}")
	}
	w.raw(`},"additionalProperties":false`)
	open := `,"required":[`
	for _, p := range list {
		if p.Required {
			w.raw(open)
			w.str(p.Name)
			open = ","
		}
	}
	if open == "," {
		w.raw("]")
	}
	w.raw("}")
}

// value writes the members of a property's schema, but for its default.
func (w *writer) value(p *ir.Property) {
	switch {
	case p.Place == ir.PathParam:
		w.described("string", p)
		w.raw(`,"minLength":1`)
	case p.IsList():
		w.raw(`"type":"array","items":{"type":"string"}`)
		w.description(p)
		if p.Min > 0 {
			w.raw(`,"minItems":` + strconv.Itoa(p.Min))
		}
		if p.Max > 1 {
			w.raw(`,"maxItems":` + strconv.Itoa(p.Max))
		}
	case p.Place == ir.Positional:
		w.described("string", p)
	case p.Kind == ir.KindPresence:
		w.described("boolean", p)
	case p.Kind == ir.KindNumber:
		w.described("number", p)
	case p.Kind == ir.KindJSON:
		w.described("object", p)
	case p.Kind == ir.KindEnum:
		w.raw(`"type":"string","enum":[`)
		for _, c := range p.Choices {
			w.comma('[')
			w.str(c)
		}
		w.raw("]")
		w.description(p)
	default:
		w.text(p)
	}
}

// text writes the members of the schema of an option that takes a text.
func (w *writer) text(p *ir.Property) {
	switch p.Format {
	case "comma-list":
		w.raw(`"oneOf":[{"type":"string"},{"type":"array","items":{"type":"string"}}]`)
		w.description(p)
	case "duration":
		w.described("string", p)
		w.raw(`,"pattern":"^\\d+[hdms]?$"`)
	case "date", "date-time":
		w.described("string", p)
		w.raw(`,"format":"` + p.Format + `"`)
	default:
		w.described("string", p)
		if p.Pattern != "" {
			w.raw(`,"pattern":`)
			w.str(p.Pattern)
		}
	}
}

func (w *writer) described(typ string, p *ir.Property) {
	w.typ(typ, false)
	w.description(p)
}

func (w *writer) description(p *ir.Property) {
	w.raw(`,"description":`)
	w.str(p.Description)
}
