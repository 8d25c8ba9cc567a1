package schema

import "github.com/mcpgen/mcpgen/gen/ir"

// Equal reports whether two types describe the same values (pure-eval.md 10, rule 3):
// names of declarations do not count, a recursive type equals each of its unrolled
// spellings, and lists of a given length equal lists of any.
func Equal(a, b *ir.Type) bool { return classes{}.unify(a, b) }

// classes are the types taken to be equal so far, each pointing to another of its class.
// What is equal as long as nothing contradicts is equal.
type classes map[*ir.Type]*ir.Type

func (c classes) find(t *ir.Type) *ir.Type {
	for c[t] != nil {
		t = c[t]
	}
	return t
}

func (c classes) unify(a, b *ir.Type) bool {
	a, b = c.find(a), c.find(b)
	if a == b {
		return true
	}
	if a.Kind != b.Kind || len(a.Fields) != len(b.Fields) || len(a.Arms) != len(b.Arms) {
		return false
	}
	c[a] = b
	if a.Elem != nil && !c.unify(a.Elem, b.Elem) {
		return false
	}
	for i := range a.Fields {
		if a.Fields[i].Name != b.Fields[i].Name || !c.unify(a.Fields[i].Type, b.Fields[i].Type) {
			return false
		}
	}
	for i, arm := range a.Arms {
		p, q := arm.Payload, b.Arms[i].Payload
		if arm.Name != b.Arms[i].Name || (p == nil) != (q == nil) || p != nil && !c.unify(p, q) {
			return false
		}
	}
	return true
}
