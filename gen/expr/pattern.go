package expr

import "github.com/mcpgen/mcpgen/gen/ir"

// get evaluates a getter: bounds, receiver, then the brackets as the selector has them.
func (b *builder) get(blk *block, t *getTerm, hint string) operand {
	bounds, ok := b.all(blk, t.bounds)
	if !ok {
		return operand{}
	}
	receiver := b.eval(blk, t.receiver, "")
	if blk.ended {
		return operand{}
	}
	g := getter{builder: b, blk: blk, bounds: bounds, result: t.t, single: t.sel.ends == 1, hint: hint}
	if !g.single {
		receiver = b.nameParts(blk, receiver)
	}
	g.walk(t.sel, receiver, nil, t.receiver.typ())
	if g.single {
		return g.ends[0]
	}
	return compose(g.ends, func(vs []ir.Value) ir.Value { return &ir.Make{Type: t.t, Parts: vs} })
}

// nameParts gives variables to the parts of a value built right there, so that each may
// be read several times.
func (b *builder) nameParts(blk *block, o operand) operand {
	m, ok := o.v.(*ir.Make)
	if !ok || m.Type.Kind == ir.List || o.constant == o.v {
		return o
	}
	parts := make([]ir.Value, len(m.Parts))
	for i, p := range m.Parts {
		part := b.nameParts(blk, operandOf(p))
		switch v := part.v.(type) {
		case *ir.Make:
			if v.Type.Kind == ir.List {
				part = b.name(blk, part, fieldHint(m.Type, i))
			}
		case *ir.Ref, *ir.Select, *ir.Lit, *ir.Str, *ir.None:
		default:
			part = b.name(blk, part, fieldHint(m.Type, i))
		}
		parts[i] = part.v
	}
	o.v = &ir.Make{Type: m.Type, Parts: parts}
	return o
}

// fieldHint names a part of a tuple or record.
func fieldHint(t *ir.Type, i int) string {
	if len(t.Fields) > i && t.Fields[i].Name != "" {
		return t.Fields[i].Name
	}
	return "part"
}

// A getter walks a selector over a value.
type getter struct {
	*builder
	blk    *block
	bounds []operand // that no bracket has taken yet
	result *ir.Type
	single bool // one end is the result itself
	hint   string
	ends   []operand
}

// take returns the next bound.
func (g *getter) take() operand {
	bound := g.bounds[0]
	g.bounds = g.bounds[1:]
	return bound
}

// walk selects from the part of o that path leads to; t is the type of the part.
func (g *getter) walk(s *selector, o operand, path []int, t *ir.Type) {
	switch s.kind {
	case selectEnd:
		g.ends = append(g.ends, o.part(path, t))
	case selectFields:
		for _, step := range s.fields {
			g.walk(step.sub, o, append(path[:len(path):len(path)], step.index), t.Fields[step.index].Type)
		}
	case selectIndex:
		hint := g.hint
		if s.sub != nil {
			hint = ""
		}
		at := g.take()
		elem := g.index(g.blk, o.part(path, t), at, t.Elem, orElse(hint, "element"))
		if s.sub == nil {
			g.ends = append(g.ends, elem)
		} else {
			g.walk(s.sub, elem, nil, t.Elem)
		}
	case selectSlice:
		start, stop, step := g.take(), g.take(), g.take()
		end := g.result
		if !g.single {
			end = end.Fields[s.first].Type
		}
		g.ends = append(g.ends, g.slice(g.blk, o.part(path, t), start, stop, step, end, orElse(g.hint, "part")))
	}
}
