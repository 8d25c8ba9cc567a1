package expr

import "github.com/mcpgen/mcpgen/gen/ir"

// An operand is what a term evaluates to.
type operand struct {
	v ir.Value
	// constant is the same value without any variable, if it is known; size measures it
	// then. v may name it by a variable instead, so that it is written once.
	constant ir.Value
	size     int
}

// maxConstant is the size of the largest constant that is computed: one for each part of a
// value and for each byte of its texts. Evaluating can double a value at each step.
const maxConstant = 1 << 20

// constantOf is the operand of a constant made of size parts and bytes.
func constantOf(v ir.Value, size int) operand {
	if size > maxConstant {
		return operand{v: v}
	}
	return operand{v: v, constant: v, size: size}
}

// operandOf is the operand of any value: scalars are seen to be constant.
func operandOf(v ir.Value) operand {
	if isScalar(v) {
		return constantOf(v, sizeOf(v))
	}
	return operand{v: v}
}

// sizeOf measures a constant.
func sizeOf(v ir.Value) int {
	size := 1
	switch v := v.(type) {
	case *ir.Lit:
		size += len(v.Text)
	case *ir.Str:
		size += len(v.Text)
	case *ir.Some:
		size += sizeOf(v.Of)
	case *ir.ArmOf:
		for _, p := range v.Parts {
			size += sizeOf(p)
		}
	case *ir.Make:
		for _, p := range v.Parts {
			size += sizeOf(p)
		}
	}
	return size
}

// isScalar reports whether a constant is as short as a reference to it.
func isScalar(v ir.Value) bool {
	switch v.(type) {
	case *ir.Lit, *ir.Str, *ir.None:
		return true
	}
	return false
}

// compose is the operand of a value with parts; build makes the value of them.
func compose(parts []operand, build func(parts []ir.Value) ir.Value) operand {
	values := make([]ir.Value, len(parts))
	constants := make([]ir.Value, len(parts))
	known, shared, size := true, false, 1
	for i, p := range parts {
		values[i], constants[i] = p.v, p.constant
		known = known && p.constant != nil
		shared = shared || p.v != p.constant
		size += p.size
	}
	o := operand{v: build(values)}
	if !known || size > maxConstant {
		return o
	}
	o.constant, o.size = o.v, size
	if shared {
		o.constant = build(constants)
	}
	return o
}

// part is the operand of a component of o: path leads to it through fields.
func (o operand) part(path []int, t *ir.Type) operand {
	if len(path) == 0 {
		return o
	}
	p := operandOf(selectPart(o.v, path, t))
	if o.constant != nil && p.constant == nil {
		p.constant, p.size = selectPart(o.constant, path, t), o.size
		if isScalar(p.constant) {
			p = operandOf(p.constant)
		}
	}
	return p
}

// selectPart reads a field of v, at once if v is built right there.
func selectPart(v ir.Value, path []int, t *ir.Type) ir.Value {
	for len(path) > 0 {
		m, ok := v.(*ir.Make)
		if !ok {
			break
		}
		v, path = m.Parts[path[0]], path[1:]
	}
	if len(path) == 0 {
		return v
	}
	if s, ok := v.(*ir.Select); ok {
		v, path = s.Of, append(append([]int(nil), s.Path...), path...)
	}
	return &ir.Select{Type: t, Of: v, Path: path}
}

// elements returns the elements of a list that is built right there.
func elements(v ir.Value) ([]ir.Value, bool) {
	m, ok := v.(*ir.Make)
	if !ok {
		return nil, false
	}
	return m.Parts, true
}

// inner takes a present optional apart.
func (o operand) inner() operand {
	if s, ok := o.v.(*ir.Some); ok {
		o.v = s.Of
	}
	if s, ok := o.constant.(*ir.Some); ok {
		o.constant = s.Of
		if isScalar(s.Of) {
			o.v = s.Of
		}
	}
	return o
}
