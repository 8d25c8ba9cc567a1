package jsonschema

import "github.com/mcpgen/mcpgen/gen/ir"

// The forms of this file are those of decision 27, which are exact where upstream's do not
// describe fields and do not admit null (manifest-next.md 6.1).

func (w *writer) enum(t *ir.Type, nullable bool) {
	w.raw(`,"enum":[`)
	for _, a := range t.Arms {
		w.comma('[')
		w.str(a.Name)
	}
	if nullable {
		w.raw(",null")
	}
	w.raw("]")
}

// variant writes one schema for all constructors without fields and one for each of the
// others.
func (w *writer) variant(t *ir.Type, nullable bool) {
	w.raw(`"oneOf":[`)
	if bare := bareArms(t); len(bare) > 0 {
		w.raw(`{"type":"string","enum":[`)
		for _, name := range bare {
			w.comma('[')
			w.str(name)
		}
		w.raw("]}")
	}
	for _, a := range t.Arms {
		if a.Payload != nil {
			w.comma('[')
			w.arm(a)
		}
	}
	if nullable {
		w.raw(`,{"type":"null"}`)
	}
	w.raw("]")
}

func bareArms(t *ir.Type) (names []string) {
	for _, a := range t.Arms {
		if a.Payload == nil {
			names = append(names, a.Name)
		}
	}
	return names
}

// arm writes the object of a constructor with fields.
func (w *writer) arm(a ir.Arm) {
	w.raw(`{"type":"object","properties":{`)
	w.str(a.Name)
	w.raw(":")
	w.schema(a.Payload)
	w.raw(`},"required":[`)
	w.str(a.Name)
	w.raw(`],"additionalProperties":false}`)
}
