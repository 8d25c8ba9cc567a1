package expr

import (
	"errors"
	"fmt"

	"github.com/mcpgen/mcpgen/gen/ir"
	"github.com/mcpgen/mcpgen/runtime/pure"
)

// A reference evaluates terms as section 6 says, one after the other and without any
// thought: the oracle for the statements that are made of them.
type reference struct {
	vars  map[*binder]ir.Value
	files map[string]ir.Value
	trace []string
}

func (r *reference) all(ts []term) ([]ir.Value, error) {
	vs := make([]ir.Value, len(ts))
	for i, t := range ts {
		var err error
		if vs[i], err = r.eval(t); err != nil {
			return nil, err
		}
	}
	return vs, nil
}

func (r *reference) eval(t term) (ir.Value, error) {
	switch t := t.(type) {
	case *litTerm:
		return t.value, nil
	case *varTerm:
		return r.vars[t.binder], nil
	case *letTerm:
		for _, bd := range t.binds {
			v, err := r.eval(bd.arg)
			if err != nil {
				return nil, err
			}
			r.vars[bd.to] = v
		}
		return r.eval(t.body)
	case *ifTerm:
		cond, err := r.eval(t.cond)
		switch {
		case err != nil:
			return nil, err
		case cond.(*ir.Lit).Text == "true":
			return r.eval(t.then)
		}
		return r.eval(t.els)
	case *catchTerm:
		v, err := r.eval(t.fallible)
		if pure.IsUser(err) {
			return r.eval(t.fallback)
		}
		return v, err
	case *makeTerm:
		parts, err := r.all(t.elems)
		switch {
		case err != nil:
			return nil, err
		case t.t.Kind != ir.Optional:
			return &ir.Make{Type: t.t, Parts: parts}, nil
		case len(parts) == 0:
			return &ir.None{Type: t.t}, nil
		}
		return &ir.Some{Type: t.t, Of: parts[0]}, nil
	case *mapTerm:
		list, err := r.eval(t.list)
		if err != nil {
			return nil, err
		}
		out := &ir.Make{Type: t.t}
		for _, e := range list.(*ir.Make).Parts {
			r.vars[t.elem] = e
			v, err := r.eval(t.body)
			if err != nil {
				return nil, err
			}
			out.Parts = append(out.Parts, v)
		}
		return out, nil
	case *joinTerm:
		args, err := r.all(t.args)
		text := t.texts[0]
		for i, a := range args {
			text += a.(*ir.Str).Text + t.texts[i+1]
		}
		return &ir.Str{Type: t.t, Text: text}, err
	case *getTerm:
		return r.get(t)
	case *setTerm:
		return r.set(t)
	case *unaryTerm:
		return r.unary(t)
	case *saveTerm:
		return r.save(t)
	case *throwTerm:
		msg, err := r.eval(t.msg)
		if err == nil {
			err = pure.Throw(msg.(*ir.Str).Text)
		}
		return nil, err
	}
	panic(fmt.Sprintf("term %T", t))
}

func (r *reference) unary(t *unaryTerm) (ir.Value, error) {
	v, err := r.eval(t.child)
	if err != nil {
		return nil, err
	}
	switch t.op {
	case showOp:
		return &ir.Str{Type: t.t, Text: showText(v)}, nil
	case hashOp:
		return &ir.Str{Type: t.t, Text: hashText(v)}, nil
	case readOp:
		return readOracle(t.t, v.(*ir.Str).Text)
	}
	path := v.(*ir.Str).Text
	r.trace = append(r.trace, "load "+path)
	if v, ok := r.files[path]; ok {
		return v, nil
	}
	return nil, pure.Throw("@load: failed to load '" + path + "'")
}

func (r *reference) save(t *saveTerm) (ir.Value, error) {
	level, err := r.eval(t.level)
	if err != nil {
		return nil, err
	}
	if lit := level.(*ir.Lit); len(lit.Text) != 1 {
		return nil, errors.New("@save compression level must be in 0..=9, got " + lit.Text)
	}
	vs, err := r.all([]term{t.value, t.path})
	if err != nil {
		return nil, err
	}
	path := vs[1].(*ir.Str).Text
	r.trace = append(r.trace, "save "+path)
	r.files[path] = vs[0]
	return &ir.Lit{Type: t.t, Text: unitText}, nil
}

func (r *reference) get(t *getTerm) (ir.Value, error) {
	bounds, err := r.all(t.bounds)
	if err != nil {
		return nil, err
	}
	receiver, err := r.eval(t.receiver)
	if err != nil {
		return nil, err
	}
	var ends []ir.Value
	if err := walkReference(t.sel, receiver, &bounds, &ends); err != nil {
		return nil, err
	}
	if t.sel.ends == 1 {
		return ends[0], nil
	}
	return &ir.Make{Type: t.t, Parts: ends}, nil
}

func walkReference(s *selector, v ir.Value, bounds, ends *[]ir.Value) error {
	take := func() *ir.Lit {
		b := (*bounds)[0]
		*bounds = (*bounds)[1:]
		if some, ok := b.(*ir.Some); ok {
			b = some.Of
		}
		lit, _ := b.(*ir.Lit)
		return lit
	}
	switch s.kind {
	case selectEnd:
		*ends = append(*ends, v)
	case selectFields:
		for _, step := range s.fields {
			if err := walkReference(step.sub, v.(*ir.Make).Parts[step.index], bounds, ends); err != nil {
				return err
			}
		}
	case selectIndex:
		at := take()
		if at == nil {
			return errors.New("Bracket index cannot be Null")
		}
		e, err := indexOf(v.(*ir.Make).Parts, at)
		if err != nil {
			return err
		}
		if s.sub != nil {
			return walkReference(s.sub, e, bounds, ends)
		}
		*ends = append(*ends, e)
	case selectSlice:
		var at [3]pure.Bound
		for i := range at {
			if lit := take(); lit != nil {
				at[i] = boundOf(lit)
			}
		}
		part, err := pure.Slice(v.(*ir.Make).Parts, at[0], at[1], at[2])
		if err != nil {
			return err
		}
		*ends = append(*ends, &ir.Make{Type: v.ValueType(), Parts: part})
	}
	return nil
}

func (r *reference) set(t *setTerm) (ir.Value, error) {
	vs, err := r.all(append([]term{t.receiver}, t.values...))
	if err != nil {
		return nil, err
	}
	return setReference(t.sel, vs[0], vs[1:]), nil
}

func setReference(s *selector, v ir.Value, values []ir.Value) ir.Value {
	if s.kind == selectEnd {
		return values[s.first]
	}
	m := v.(*ir.Make)
	parts := append([]ir.Value(nil), m.Parts...)
	for _, step := range s.fields {
		parts[step.index] = setReference(step.sub, parts[step.index], values)
	}
	return &ir.Make{Type: m.Type, Parts: parts}
}
