package expr

import "github.com/mcpgen/mcpgen/gen/ir"

// index reads an element of a list; it can fail unless list and bound are known.
func (b *builder) index(blk *block, list, at operand, t *ir.Type, hint string) operand {
	at = bound(at)
	if elem, ok := b.knownElement(list, at); ok {
		return elem
	}
	v := newVar(hint, t)
	blk.add(&ir.Index{Var: v, Over: list.v, At: at.v})
	return operand{v: &ir.Ref{Var: v}}
}

// bound simplifies a bound: its value, if that is constant, and nothing optional around
// what is present.
func bound(at operand) operand {
	at = at.inner()
	if at.constant != nil {
		at.v = at.constant
	}
	return at
}

// knownElement reads an element of a list that is built right there or constant.
func (b *builder) knownElement(list, at operand) (operand, bool) {
	lit, ok := at.v.(*ir.Lit)
	if !ok {
		return operand{}, false
	}
	var o operand
	if elems, ok := elements(list.constant); ok {
		if elem, ok := constantIndex(elems, lit); ok {
			o = constantOf(elem, sizeOf(elem))
		}
	}
	if elems, ok := elements(list.v); ok {
		if elem, ok := constantIndex(elems, lit); ok && o.constant == nil {
			o = operandOf(elem)
		} else if ok {
			o.v = elem
		}
	}
	return o, o.v != nil && b.spend(o.size)
}

// slice cuts a list; t is the type of the result.
func (b *builder) slice(blk *block, list, start, stop, step operand, t *ir.Type, hint string) operand {
	s := &ir.Slice{Over: list.v, Start: sliceBound(start), Stop: sliceBound(stop), Step: sliceBound(step)}
	if s.Start == nil && s.Stop == nil && (s.Step == nil || isOne(s.Step)) {
		return list // lists never change, so all of it is the same list
	}
	if part, ok := b.knownSlice(list, s, t); ok {
		return part
	}
	s.Var = newVar(hint, t)
	blk.add(s)
	return operand{v: &ir.Ref{Var: s.Var}}
}

// sliceBound returns a bound of a slice; nil if it is known to be absent.
func sliceBound(at operand) ir.Value {
	at = bound(at)
	if _, ok := at.v.(*ir.None); ok {
		return nil
	}
	return at.v
}

func isOne(v ir.Value) bool {
	lit, ok := v.(*ir.Lit)
	return ok && lit.Text == "1"
}

// knownSlice cuts a list that is built right there or constant, by constant bounds.
func (b *builder) knownSlice(list operand, s *ir.Slice, t *ir.Type) (operand, bool) {
	var o operand
	if elems, ok := elements(list.constant); ok {
		if part, ok := constantSlice(elems, s); ok {
			m := &ir.Make{Type: t, Parts: part}
			o = constantOf(m, sizeOf(m))
		}
	}
	if elems, ok := elements(list.v); ok && list.v != list.constant {
		if part, ok := constantSlice(elems, s); ok {
			o.v = &ir.Make{Type: t, Parts: part}
		}
	}
	return o, o.v != nil && b.spend(o.size)
}

// mapping evaluates a map. Over a constant list the body is evaluated for each element.
func (b *builder) mapping(blk *block, t *mapTerm, hint string) operand {
	list := b.eval(blk, t.list, "")
	if blk.ended {
		return operand{}
	}
	if o, ok := b.mapConstant(t, list); ok {
		return o
	}
	elem := newVar(orElse(hintOf(t.elem.name), "element"), t.elem.typ)
	t.elem.is = operand{v: &ir.Ref{Var: elem}}
	var body block
	result := b.eval(&body, t.body, "")
	m := &ir.Map{Over: list.v, Elem: elem, Body: body.stmts}
	if !body.ended {
		m.Result = result.v
		if ref, ok := result.v.(*ir.Ref); ok && ref.Var == elem && len(body.stmts) == 0 {
			return list
		}
	}
	m.Var = newVar(orElse(hint, "mapped"), t.t)
	blk.add(m)
	return operand{v: &ir.Ref{Var: m.Var}}
}

// mapConstant is mapping if the list and all results are constant.
func (b *builder) mapConstant(t *mapTerm, list operand) (operand, bool) {
	elems, ok := elements(list.constant)
	if !ok || b.fuel <= 0 {
		return operand{}, false
	}
	m := &ir.Make{Type: t.t, Parts: make([]ir.Value, len(elems))}
	size := 1
	for i, e := range elems {
		t.elem.is = constantOf(e, sizeOf(e))
		var body block
		o := b.eval(&body, t.body, "")
		size += o.size
		if o.constant == nil || !onlyLets(body.stmts) || size > maxConstant || !b.spend(o.size) {
			return operand{}, false
		}
		m.Parts[i] = o.constant
	}
	return constantOf(m, size), true
}

// onlyLets reports whether statements have no effect but on variables of their own.
func onlyLets(stmts []ir.Stmt) bool {
	for _, s := range stmts {
		if _, ok := s.(*ir.Let); !ok {
			return false
		}
	}
	return true
}
