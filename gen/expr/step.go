package expr

import (
	"slices"

	"github.com/mcpgen/mcpgen/gen/ir"
)

// step evaluates a term that is no sequence and no branch.
func (b *builder) step(blk *block, t term, hint string) operand {
	switch t := t.(type) {
	case *litTerm:
		return operandOf(t.value)
	case *varTerm:
		return t.binder.is
	case *makeTerm:
		return b.make(blk, t)
	case *getTerm:
		return b.get(blk, t, hint)
	case *setTerm:
		return b.set(blk, t, hint)
	case *joinTerm:
		return b.join(blk, t)
	case *mapTerm:
		return b.mapping(blk, t, hint)
	case *unaryTerm:
		return b.unary(blk, t, hint)
	case *saveTerm:
		return b.save(blk, t)
	case *tagTerm:
		return b.test(blk, t)
	case *armTerm:
		fields, ok := b.all(blk, t.fields)
		if !ok {
			return operand{}
		}
		return compose(fields, func(vs []ir.Value) ir.Value { return &ir.ArmOf{Type: t.t, Tag: t.tag, Parts: vs} })
	case *fieldTerm:
		return b.field(blk, t)
	case *tryTerm:
		return b.try(blk, t, hint)
	case *callTerm:
		return b.call(blk, t, hint)
	case *throwTerm:
		if msg := b.eval(blk, t.msg, ""); !blk.ended {
			blk.end(&ir.Throw{Message: msg.v})
		}
		return operand{}
	}
	panic("mcpgen: internal: a term without meaning")
}

// all evaluates terms in order; ok is false if one of them ends the block.
func (b *builder) all(blk *block, ts []term) (os []operand, ok bool) {
	os = make([]operand, len(ts))
	for i, t := range ts {
		if os[i] = b.eval(blk, t, ""); blk.ended {
			return nil, false
		}
	}
	return os, true
}

func (b *builder) make(blk *block, t *makeTerm) operand {
	parts, ok := b.all(blk, t.elems)
	switch {
	case !ok:
		return operand{}
	case t.t.Kind != ir.Optional:
		return compose(parts, func(vs []ir.Value) ir.Value { return &ir.Make{Type: t.t, Parts: vs} })
	case len(parts) == 0:
		return operandOf(&ir.None{Type: t.t})
	}
	return compose(parts, func(vs []ir.Value) ir.Value { return &ir.Some{Type: t.t, Of: vs[0]} })
}

// join evaluates an interpolation. Neighbouring texts become one.
func (b *builder) join(blk *block, t *joinTerm) operand {
	args, ok := b.all(blk, t.args)
	if !ok {
		return operand{}
	}
	var parts []operand
	for i, text := range t.texts {
		parts = append(parts, operandOf(&ir.Str{Type: t.t, Text: text}))
		if i < len(args) {
			parts = append(parts, args[i])
		}
	}
	o := compose(parts, func(vs []ir.Value) ir.Value { return concat(t.t, vs) })
	if o.constant != nil {
		o.v = o.constant
	}
	return o
}

// concat joins strings, flattening what is joined already.
func concat(t *ir.Type, parts []ir.Value) ir.Value {
	var flat []ir.Value
	for _, p := range parts {
		if c, ok := p.(*ir.Concat); ok {
			flat = append(flat, c.Parts...)
		} else {
			flat = append(flat, p)
		}
	}
	joined := flat[:0]
	for _, p := range flat {
		s, ok := p.(*ir.Str)
		if ok && s.Text == "" {
			continue
		}
		if n := len(joined); ok && n > 0 {
			if before, ok := joined[n-1].(*ir.Str); ok {
				joined[n-1] = &ir.Str{Type: t, Text: before.Text + s.Text}
				continue
			}
		}
		joined = append(joined, p)
	}
	switch len(joined) {
	case 0:
		return &ir.Str{Type: t}
	case 1:
		return joined[0]
	}
	return &ir.Concat{Type: t, Parts: slices.Clip(joined)}
}

func (b *builder) unary(blk *block, t *unaryTerm, hint string) operand {
	child := b.eval(blk, t.child, "")
	if blk.ended {
		return operand{}
	}
	switch t.op {
	case showOp:
		if child.constant != nil && b.spend(child.size) {
			return operandOf(&ir.Str{Type: t.t, Text: showText(child.constant)})
		}
		return operand{v: &ir.Show{Type: t.t, Of: child.v}}
	case hashOp:
		if child.constant != nil && b.spend(child.size) {
			return operandOf(&ir.Str{Type: t.t, Text: b.hasher.text(child.constant)})
		}
		return operand{v: &ir.Hash{Type: t.t, Of: child.v}}
	case readOp:
		v := newVar(orElse(hint, "parsed"), t.t)
		blk.add(&ir.Read{Var: v, Text: child.v})
		return operand{v: &ir.Ref{Var: v}}
	}
	v := newVar(orElse(hint, "loaded"), t.t)
	blk.add(&ir.Load{Var: v, Path: child.v})
	return operand{v: &ir.Ref{Var: v}}
}

func (b *builder) save(blk *block, t *saveTerm) operand {
	level := b.eval(blk, t.level, "")
	if blk.ended {
		return operand{}
	}
	if level.constant != nil {
		level.v = level.constant
	}
	if lit, ok := level.v.(*ir.Lit); !ok || len(lit.Text) != 1 { // not one of 0 to 9
		blk.add(&ir.CheckLevel{Level: level.v})
	}
	value := b.eval(blk, t.value, "")
	if blk.ended {
		return operand{}
	}
	path := b.eval(blk, t.path, "")
	if blk.ended {
		return operand{}
	}
	s := &ir.Save{Format: t.format, Of: value.v, Path: path.v}
	if t.format == "voidstar" {
		s.Level = level.v
	}
	blk.add(s)
	return operandOf(&ir.Lit{Type: t.t, Text: unitText})
}
