package schema

import (
	"slices"

	"github.com/mcpgen/mcpgen/gen/ir"
)

// MaxArms is how many constructors a sum type can have: a tag is one byte.
const MaxArms = 256

// sum reads an enum or a variant behind its first character, at start, into t
// (manifest-next.md 3.1).
func (p *parser) sum(start int, t *ir.Type, depth int) {
	t.Kind = ir.Enum
	what, arms := "enum constructor name", "constructors"
	if p.text[start] == 'v' {
		t.Kind = ir.Variant
		what, arms = "variant arm name", "arms"
	}
	n := p.size("expected a count")
	if kind := sumNames[t.Kind]; p.err == nil && n > MaxArms {
		p.fail(start, "%s has %d %s; the limit is 256 so a tag fits in one byte", kind, n, arms)
	} else if p.err == nil && n == 0 {
		p.fail(start, "%s has no %s", kind, arms)
	}
	for range n {
		at := p.pos
		name := p.name(what, "expected "+what+" length")
		if p.err != nil {
			return
		}
		if slices.ContainsFunc(t.Arms, func(a ir.Arm) bool { return a.Name == name }) {
			p.fail(at, "duplicate constructor name '%s'", name)
			return
		}
		arm := ir.Arm{Name: name}
		if t.Kind == ir.Variant {
			arm.Payload = p.payload(t, depth)
		}
		t.Arms = append(t.Arms, arm)
	}
}

var sumNames = map[ir.Kind]string{ir.Enum: "enum", ir.Variant: "variant"}

// payload reads the fields of an arm of a variant: a tuple, nil if there are none.
func (p *parser) payload(variant *ir.Type, depth int) *ir.Type {
	at := p.pos
	n := p.size("expected a count")
	if n == 0 || p.err != nil {
		return nil
	}
	t := &ir.Type{Kind: ir.Tuple, Owner: variant}
	p.types = append(p.types, made{t, at})
	for range n {
		if p.err != nil {
			return nil
		}
		t.Fields = append(t.Fields, ir.Field{Type: p.typ(depth + 1)})
	}
	return t
}
