package expr

import (
	"slices"

	"github.com/mcpgen/mcpgen/gen/ir"
)

// app checks an application of a lambda, a pattern or an interpolation.
func (c *checker) app(p *place, want *ir.Type) term {
	if isLet(p) {
		return c.let(p, want)
	}
	fn := p.get("func")
	tag, ok := c.tag(fn)
	if !ok {
		return broken
	}
	switch tag {
	case "pattern":
		return c.application(p, want)
	case "interpolation":
		return c.interpolation(p, want)
	}
	c.fail(fn.get("tag").errorf("function is %q: want lambda, pattern or interpolation", tag))
	return broken
}

// isLet reports whether p is an application of a lambda.
func isLet(p *place) bool {
	tag, fn := p.node.Get("tag"), p.node.Get("func").Get("tag")
	return tag != nil && tag.Str == "app" && fn != nil && fn.Str == "lambda"
}

// let checks applications of lambdas, each the body of the one before.
func (c *checker) let(p *place, want *ir.Type) term {
	t := &letTerm{}
	var entered []*binder
	for isLet(p) {
		want = c.declared(p, want)
		fn := p.get("func")
		vars, ok := c.texts(fn.get("vars"))
		args := c.letArgs(p, vars, fn.get("body"))
		if ok && args != nil && len(args) != len(vars) {
			c.fail(p.get("args").errorf("found %s: want %d, one for each variable of the lambda", count(len(args), "argument"), len(vars)))
		}
		for i, name := range vars {
			b := &binder{name: name}
			if i < len(args) {
				b.typ = args[i].typ()
				t.binds = append(t.binds, bind{b, args[i].term})
			}
			c.enter(b)
			entered = append(entered, b)
		}
		p = fn.get("body")
	}
	t.body = c.term(p, want)
	for _, b := range slices.Backward(entered) {
		c.leave(b)
	}
	return t
}

// An argument is a term and where it comes from.
type argument struct {
	term
	*place
}

// args checks the arguments of an application, which may have any type. It returns nil if
// there is no array of them.
func (c *checker) args(p *place) []argument {
	elems, ok := c.list(p.get("args"))
	if !ok {
		return nil
	}
	args := make([]argument, len(elems))
	for i, e := range elems {
		args[i] = argument{c.term(e, nil), e}
	}
	return args
}

func (c *checker) interpolation(p *place, want *ir.Type) term {
	t := c.declared(p, want)
	args := c.args(p)
	for _, a := range args {
		if at := a.typ(); at != nil {
			c.fits(a.place, at, typeString)
		}
	}
	fn := p.get("func")
	c.declared(fn, t)
	c.fits(p.get("schema"), t, typeString)
	texts, ok := c.texts(fn.get("strings"))
	if ok && args != nil && len(texts) != len(args)+1 {
		c.fail(fn.get("strings").errorf("found %s: want %d around %s", count(len(texts), "piece"), len(args)+1, count(len(args), "argument")))
	}
	j := &joinTerm{t: t, texts: texts}
	for _, a := range args {
		j.args = append(j.args, a.term)
	}
	return j
}

// application checks the application of a pattern.
func (c *checker) application(p *place, want *ir.Type) term {
	t := c.declared(p, want)
	args := c.args(p)
	fn := p.get("func")
	c.declared(fn, t)
	if sel := c.pattern(fn.get("pattern")); sel != nil && args != nil {
		return c.apply(p, p.get("args"), t, sel, args)
	}
	return broken
}

// apply decides what a pattern does by the number of its arguments (section 6.4). The
// number is reported at the second place.
func (c *checker) apply(p, at *place, t *ir.Type, sel *selector, args []argument) term {
	n := len(args)
	switch {
	case sel.bounds > 0 && n == sel.bounds+1:
		return c.getter(p, t, sel, args[:n-1], args[n-1])
	case sel.bounds > 0:
		c.fail(at.errorf("found %s: want %d, %s of brackets and the receiver", count(n, "argument"), sel.bounds+1, count(sel.bounds, "bound")))
	case n == 1:
		return c.getter(p, t, sel, nil, args[0])
	case n == sel.ends+1:
		return c.setter(p, t, sel, args[0], args[1:])
	default:
		c.fail(at.errorf("found %s: want 1 to read, or %d to replace what the pattern selects", count(n, "argument"), sel.ends+1))
	}
	return broken
}

func (c *checker) getter(p *place, t *ir.Type, sel *selector, bounds []argument, receiver argument) term {
	g := &getTerm{t: t, sel: sel, receiver: receiver.term}
	for _, b := range bounds {
		bt := b.typ()
		if bt != nil && bt.Kind == ir.Optional {
			bt = bt.Elem
		}
		if bt != nil && !bt.IsInteger() {
			c.fail(b.errorf("type of a bound is %s: want an integer or an optional one", b.typ().Text))
		}
		g.bounds = append(g.bounds, b.term)
	}
	if rt := receiver.typ(); rt != nil {
		var ends []*ir.Type
		if !c.walk(sel, rt, &ends) || !c.selection(p, t, ends) {
			return broken
		}
	}
	return g
}

// selection checks that t is the type of what a getter selects.
func (c *checker) selection(p *place, t *ir.Type, ends []*ir.Type) bool {
	p = p.get("schema")
	switch {
	case t == nil:
		return false
	case len(ends) == 1:
		return c.fits(p, t, ends[0])
	case t.Kind != ir.Tuple || len(t.Fields) != len(ends):
		c.fail(p.errorf("type is %s: want a tuple of %d, what the pattern selects", t.Text, len(ends)))
		return false
	}
	for i, end := range ends {
		if !same(t.Fields[i].Type, end) {
			c.fail(p.errorf("type of field %d is %s: want %s", i, t.Fields[i].Type.Text, end.Text))
			return false
		}
	}
	return true
}

func (c *checker) setter(p *place, t *ir.Type, sel *selector, receiver argument, values []argument) term {
	s := &setTerm{t: t, sel: sel, receiver: receiver.term}
	if rt := receiver.typ(); t != nil && rt != nil && !c.replace([]*selector{sel}, p.get("schema"), rt, t, values) {
		return broken
	}
	for _, v := range values {
		s.values = append(s.values, v.term)
	}
	return s
}
