package expr

import "github.com/mcpgen/mcpgen/gen/ir"

// This file has a method of checker for each node that is no application.

func (c *checker) str(p *place, want *ir.Type) term {
	t := c.declared(p, want)
	text, ok := c.text(p.get("value"))
	if !ok || t == nil || !c.fits(p.get("schema"), t, typeString) {
		return broken
	}
	return &litTerm{&ir.Str{Type: t, Text: text}}
}

func (c *checker) bound(p *place, want *ir.Type) term {
	t := c.declared(p, want)
	name, ok := c.text(p.get("var"))
	if !ok {
		return broken
	}
	scope := c.scope[name]
	if len(scope) == 0 {
		c.fail(p.get("var").errorf("variable %q is not bound here", name))
		return broken
	}
	b := scope[len(scope)-1]
	if t != nil && !same(t, b.typ) {
		c.fail(p.get("schema").errorf("type is %s: want %s, the type of variable %q", t.Text, b.typ.Text, name))
		return broken
	}
	return &varTerm{b, t}
}

func (c *checker) container(p *place, want *ir.Type) term {
	t := c.declared(p, want)
	elems, ok := c.list(p.get("elements"))
	if !ok {
		return broken
	}
	m := &makeTerm{t: t, elems: make([]term, len(elems))}
	counted := c.partCount(p, t, len(elems))
	for i, e := range elems {
		var part *ir.Type
		switch {
		case t == nil || !counted:
		case len(t.Fields) > 0:
			part = t.Fields[i].Type
		default:
			part = t.Elem
		}
		m.elems[i] = c.term(e, part)
	}
	return m
}

// partCount checks that a container of type t may have n elements.
func (c *checker) partCount(p *place, t *ir.Type, n int) bool {
	if t == nil {
		return false
	}
	elems := p.get("elements")
	switch t.Kind {
	case ir.List:
		if t.Len != 0 && n != t.Len {
			c.fail(elems.errorf("found %s: want %d for type %s", count(n, "element"), t.Len, t.Text))
			return false
		}
	case ir.Tuple, ir.Record:
		if n != len(t.Fields) {
			c.fail(elems.errorf("found %s: want %d for type %s", count(n, "element"), len(t.Fields), t.Text))
			return false
		}
	case ir.Optional:
		if n > 1 {
			c.fail(elems.errorf("found %s: want 0 or 1 for type %s", count(n, "element"), t.Text))
			return false
		}
	default:
		c.fail(p.get("schema").errorf("type of a container is %s: want a list, tuple, record or optional", t.Text))
		return false
	}
	return true
}

func (c *checker) branch(p *place, want *ir.Type) term {
	t := c.declared(p, want)
	return &ifTerm{
		t:    t,
		cond: c.term(p.get("cond"), typeBool),
		then: c.term(p.get("then"), t),
		els:  c.term(p.get("else"), t),
	}
}

func (c *checker) mapping(p *place, want *ir.Type) term {
	t := c.declared(p, want)
	list := c.term(p.get("list"), nil)
	m := &mapTerm{t: t, list: list, elem: &binder{}}
	var result *ir.Type
	if t != nil {
		if t.Kind != ir.List {
			c.fail(p.get("schema").errorf("type of a map is %s: want a list", t.Text))
		} else {
			result = t.Elem
		}
	}
	if lt := list.typ(); lt != nil {
		if lt.Kind != ir.List {
			c.fail(p.get("list").errorf("type is %s: want a list", lt.Text))
		} else {
			m.elem.typ = lt.Elem
		}
	}
	fn := p.get("func")
	if tag, ok := c.tag(fn); !ok {
		return broken
	} else if tag != "lambda" {
		c.fail(fn.get("tag").errorf("function of a map is %q: want a lambda", tag))
		return broken
	}
	vars, ok := c.texts(fn.get("vars"))
	if ok && len(vars) != 1 {
		c.fail(fn.get("vars").errorf("found %s: want 1 for a map", count(len(vars), "variable")))
		ok = false
	}
	if ok {
		m.elem.name = vars[0]
	}
	c.enter(m.elem)
	m.body = c.term(fn.get("body"), result)
	c.leave(m.elem)
	return m
}

func (c *checker) textOf(p *place, want *ir.Type, tag string) term {
	t := c.declared(p, typeString)
	if want != nil && t != nil && same(t, typeString) {
		c.fits(p.get("schema"), t, want)
	}
	op := showOp
	if tag == "hash" {
		op = hashOp
	}
	return &unaryTerm{op, t, c.term(p.get("child"), nil)}
}

func (c *checker) parsed(p *place, want *ir.Type, op unaryOp) term {
	t := c.declared(p, want)
	child := c.term(p.get("child"), typeString)
	return &unaryTerm{op, t, child}
}

func (c *checker) catch(p *place, want *ir.Type) term {
	fallible := c.term(p.get("fallible"), want)
	t := fallible.typ()
	if want == nil {
		want = t
	}
	fallback := c.term(p.get("fallback"), want)
	if t == nil {
		t = fallback.typ()
	}
	return &catchTerm{t, fallible, fallback}
}

func (c *checker) save(p *place, want *ir.Type) term {
	c.fits(p, typeUnit, want)
	if _, ok := c.text(p.get("schema")); !ok { // it says nothing
		return broken
	}
	s := &saveTerm{t: typeUnit}
	var ok bool
	if s.format, ok = c.text(p.get("format")); ok {
		switch s.format {
		case "voidstar", "msgpack", "json":
		default:
			c.fail(p.get("format").errorf("format %q: want voidstar, msgpack or json", s.format))
		}
	}
	level := p.get("level")
	s.level = c.term(level, nil)
	if t := s.level.typ(); t != nil && !t.IsInteger() {
		c.fail(level.errorf("type is %s: want an integer", t.Text))
	}
	s.value = c.term(p.get("value"), nil)
	s.path = c.term(p.get("path"), typeString)
	return s
}

func (c *checker) enter(b *binder) { c.scope[b.name] = append(c.scope[b.name], b) }

func (c *checker) leave(b *binder) {
	scope := c.scope[b.name]
	c.scope[b.name] = scope[:len(scope)-1]
}
