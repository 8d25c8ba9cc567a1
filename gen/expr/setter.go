package expr

import "github.com/mcpgen/mcpgen/gen/ir"

// set evaluates a setter: receiver, values, then the replacements in walk order.
func (b *builder) set(blk *block, t *setTerm, hint string) operand {
	receiver := b.eval(blk, t.receiver, "")
	if blk.ended {
		return operand{}
	}
	values, ok := b.all(blk, t.values)
	if !ok {
		return operand{}
	}
	changes := changesOf(t.sel, nil, values)
	if c, ok := b.setConstant(t.t, receiver, changes); ok {
		return c
	}
	d := draft{base: receiver.v}
	for _, c := range changes {
		d.set(c.path, c.to.v)
	}
	if _, built := receiver.v.(*ir.Make); built || d.parts == nil || d.complete(t.t) || !same(receiver.v.ValueType(), t.t) {
		return operand{v: d.value(t.t)}
	}
	v := newVar(orElse(hint, "changed"), t.t)
	blk.add(&ir.Let{Var: v, Of: receiver.v})
	for _, c := range changes {
		blk.add(&ir.Assign{Var: v, Path: c.path, Of: c.to.v})
	}
	return operand{v: &ir.Ref{Var: v}}
}

// A change replaces the part of a value that path leads to.
type change struct {
	path []int
	to   operand
}

// changesOf lists what a selector at path replaces, in walk order.
func changesOf(s *selector, path []int, values []operand) []change {
	if s.kind == selectEnd {
		return []change{{path, values[s.first]}}
	}
	var changes []change
	for _, step := range s.fields {
		changes = append(changes, changesOf(step.sub, append(path[:len(path):len(path)], step.index), values)...)
	}
	return changes
}

// setConstant is set if everything is constant.
func (b *builder) setConstant(t *ir.Type, receiver operand, changes []change) (operand, bool) {
	d := draft{base: receiver.constant}
	size := receiver.size
	for _, c := range changes {
		if receiver.constant == nil || c.to.constant == nil {
			return operand{}, false
		}
		d.set(c.path, c.to.constant)
		size += c.to.size
	}
	if size > maxConstant || !b.spend(size) {
		return operand{}, false
	}
	return constantOf(d.value(t), size), true
}

// A draft is a value, base, with replaced parts.
type draft struct {
	base  ir.Value
	parts map[int]*draft // by field; nil as long as there is none
}

// set replaces the part that path leads to.
func (d *draft) set(path []int, to ir.Value) {
	if len(path) == 0 {
		*d = draft{base: to}
		return
	}
	part := d.parts[path[0]]
	if part == nil {
		part = &draft{base: selectPart(d.base, path[:1], d.base.ValueType().Fields[path[0]].Type)}
		if d.parts == nil {
			d.parts = map[int]*draft{}
		}
		d.parts[path[0]] = part
	}
	part.set(path[1:], to)
}

// complete reports whether nothing of the base is left. The draft is one of a value of
// type t, as in value.
func (d *draft) complete(t *ir.Type) bool {
	for i, f := range t.Fields {
		part := d.parts[i]
		if part == nil || part.parts != nil && !part.complete(f.Type) {
			return false
		}
	}
	return true
}

// value builds the value.
func (d *draft) value(t *ir.Type) ir.Value {
	if d.parts == nil {
		return d.base
	}
	m := &ir.Make{Type: t, Parts: make([]ir.Value, len(t.Fields))}
	for i, f := range t.Fields {
		if part := d.parts[i]; part != nil {
			m.Parts[i] = part.value(f.Type)
		} else {
			m.Parts[i] = selectPart(d.base, []int{i}, f.Type)
		}
	}
	return m
}
