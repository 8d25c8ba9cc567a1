package expr

import (
	"slices"

	"github.com/mcpgen/mcpgen/gen/ir"
	"github.com/mcpgen/mcpgen/gen/manifest"
	"github.com/mcpgen/mcpgen/gen/schema"
)

// A function is a named one, which calls apply.
type function struct {
	*place // of its lambda
	name   string
	params []*binder
	result *ir.Type // nil if nothing calls it
	body   term
	is     *ir.Func
}

// named takes the functions off the root of a tree. What they take and return is not
// written with them: it is found where they are called and where their variables are read.
func (c *checker) named(root *place) (body *place, functions []*function) {
	if tag := root.node.Get("tag"); tag == nil || tag.Str != "named" {
		return root, nil
	}
	entries, _ := c.list(root.get("functions"))
	c.functions = map[string]*function{}
	for _, e := range entries {
		if f := c.declare(e); f != nil {
			functions = append(functions, f)
			c.functions[f.name] = f
		}
	}
	c.results(root.node)
	functions = slices.DeleteFunc(functions, func(f *function) bool { return f.result == nil })
	for _, f := range functions {
		c.body(f)
	}
	return root.get("body"), functions
}

// declare reads an entry of the functions, but for its body; nil after an error.
func (c *checker) declare(e *place) *function {
	if e.node.Kind != manifest.ObjectNode {
		c.fail(e.mistaken("an object"))
		return nil
	}
	f := &function{place: e.get("expr")}
	var ok bool
	if f.name, ok = c.text(e.get("name")); !ok {
		return nil
	}
	if c.functions[f.name] != nil {
		c.fail(e.get("name").errorf("named function %s is defined twice", f.name))
		return nil
	}
	tag, ok := c.tag(f.place)
	if !ok {
		return nil
	}
	if tag != "lambda" {
		c.fail(f.errorf("Named function %s is not a lambda", f.name))
		return nil
	}
	vars, ok := c.texts(f.get("vars"))
	if !ok {
		return nil
	}
	read := c.typesOf(f.get("body").node, vars)
	for _, name := range vars {
		f.params = append(f.params, &binder{name: name, typ: read[name]})
	}
	f.is = &ir.Func{Name: f.name}
	return f
}

// results finds what functions return, which their calls say. Parameters that are not read
// have the type of what is given.
func (c *checker) results(n *manifest.Node) {
	eachChild(n, func(child *manifest.Node) { c.results(child) })
	tag, name := n.Get("tag"), n.Get("name")
	if tag == nil || tag.Str != "call" || name == nil || c.functions[name.Str] == nil {
		return
	}
	f := c.functions[name.Str]
	if f.result == nil {
		f.result = schemaOf(n)
		f.is.Result = f.result
	}
	if args := n.Get("args"); args != nil {
		for i, a := range args.Elements {
			if i < len(f.params) && f.params[i].typ == nil {
				f.params[i].typ = schemaOf(a)
			}
		}
	}
}

// schemaOf returns the type that a node says it has, nil for none.
func schemaOf(n *manifest.Node) *ir.Type {
	s := n.Get("schema")
	if s == nil {
		return nil
	}
	t, _, err := schema.ParseLenient(s.Str)
	if err != nil {
		return nil // reported where it is checked
	}
	return t
}

// body checks the body of a function, which sees nothing but its parameters.
func (c *checker) body(f *function) {
	outer := c.scope
	c.scope = map[string][]*binder{}
	for _, b := range f.params {
		if b.typ == nil {
			b.typ = typeUnit // never read, and given by what never has a value
		}
		c.enter(b)
	}
	f.body = c.term(f.get("body"), f.result)
	c.scope = outer
}

func (c *checker) call(p *place, want *ir.Type) term {
	t := c.declared(p, want)
	name, ok := c.text(p.get("name"))
	args, isList := c.list(p.get("args"))
	if !ok || !isList || t == nil {
		return broken
	}
	f := c.functions[name]
	switch {
	case f == nil:
		c.fail(p.get("name").errorf("Call of unknown named function %s", name))
		return broken
	case len(args) != len(f.params):
		c.fail(p.get("args").errorf("Named function %s takes %d arguments, called with %d", name, len(f.params), len(args)))
		return broken
	case !c.fits(p.get("schema"), t, f.result):
		return broken
	}
	x := &callTerm{t: t, fn: f}
	for i, a := range args {
		x.args = append(x.args, c.term(a, f.params[i].typ))
	}
	return x
}

// call evaluates a callTerm.
func (b *builder) call(blk *block, t *callTerm, hint string) operand {
	args, ok := b.all(blk, t.args)
	if !ok {
		return operand{}
	}
	s := &ir.Call{Var: newVar(orElse(hint, "value"), t.t), Func: t.fn.is}
	for _, a := range args {
		s.Args = append(s.Args, a.v)
	}
	blk.add(s)
	return operand{v: &ir.Ref{Var: s.Var}}
}

// settleCalls returns the functions that f calls, directly or not, in the order of their
// first call, and notes of all of them whether they are recursive, fail or use files.
func settleCalls(f *ir.Func) []*ir.Func {
	calls := map[*ir.Func][]*ir.Func{}
	all := []*ir.Func{f}
	for i := 0; i < len(all); i++ {
		fn := all[i]
		calls[fn] = callees(fn.Body, nil)
		for _, callee := range calls[fn] {
			if !slices.Contains(all, callee) {
				all = append(all, callee)
			}
		}
	}
	for _, fn := range all {
		fn.Recursive = leads(fn, fn, calls, map[*ir.Func]bool{})
		fn.Fails = fn.Fails || fn.Recursive || guards(fn.Body)
	}
	for changed := true; changed; {
		changed = false
		for _, fn := range all {
			for _, callee := range calls[fn] {
				changed = changed || callee.Fails && !fn.Fails || callee.Files && !fn.Files
				fn.Fails = fn.Fails || callee.Fails
				fn.Files = fn.Files || callee.Files
			}
		}
	}
	return all[1:]
}

// callees appends the functions that statements call.
func callees(stmts []ir.Stmt, list []*ir.Func) []*ir.Func {
	for _, s := range stmts {
		if call, ok := s.(*ir.Call); ok && !slices.Contains(list, call.Func) {
			list = append(list, call.Func)
		}
		for _, blk := range blocksOf(s) {
			list = callees(*blk, list)
		}
	}
	return list
}

// guards reports whether statements catch what a function may raise: then they pass on what
// they do not catch.
func guards(stmts []ir.Stmt) bool {
	for _, s := range stmts {
		if c, ok := s.(*ir.Catch); ok && len(callees(c.Body, nil)) > 0 {
			return true
		}
		for _, blk := range blocksOf(s) {
			if guards(*blk) {
				return true
			}
		}
	}
	return false
}

// leads reports whether from calls to, directly or not.
func leads(from, to *ir.Func, calls map[*ir.Func][]*ir.Func, seen map[*ir.Func]bool) bool {
	for _, callee := range calls[from] {
		if callee == to {
			return true
		}
		if !seen[callee] {
			seen[callee] = true
			if leads(callee, to, calls, seen) {
				return true
			}
		}
	}
	return false
}
