package expr

import (
	"slices"

	"github.com/mcpgen/mcpgen/gen/ir"
	"github.com/mcpgen/mcpgen/gen/manifest"
)

// Constants of enums are written as bytes, whose position says what they are. Where a
// constant is bound to a variable, that is what the variable's readings say.

// maxLooked is how many nodes are looked at to find the types of variables.
const maxLooked = 1 << 22

// eachChild calls f for the nodes in a node.
func eachChild(n *manifest.Node, f func(child *manifest.Node)) {
	tag := n.Get("tag")
	if tag == nil {
		return
	}
	for _, key := range children[tag.Str] {
		child := n.Get(key)
		if child == nil {
			continue
		}
		if child.Kind != manifest.ArrayNode {
			f(child)
			continue
		}
		for _, e := range child.Elements {
			if key == "functions" {
				e = e.Get("expr")
			}
			if e != nil {
				f(e)
			}
		}
	}
}

// typesOf returns the types by which variables are read in a node, by their names; those
// that are not read are missing.
func (c *checker) typesOf(n *manifest.Node, names []string) map[string]*ir.Type {
	found := map[string]*ir.Type{}
	var look func(n *manifest.Node, names []string)
	look = func(n *manifest.Node, names []string) {
		if c.looked++; n == nil || c.looked > maxLooked || len(names) == 0 {
			return
		}
		tag := n.Get("tag")
		if tag == nil {
			return
		}
		switch v := n.Get("var"); {
		case tag.Str == "bound" && v != nil && slices.Contains(names, v.Str) && found[v.Str] == nil:
			if t := schemaOf(n); t != nil {
				found[v.Str] = t
			}
		case tag.Str == "lambda":
			names = unshadowed(names, n.Get("vars"))
		}
		eachChild(n, func(child *manifest.Node) { look(child, names) })
	}
	look(n, names)
	return found
}

// unshadowed returns names without those that a lambda binds anew.
func unshadowed(names []string, vars *manifest.Node) []string {
	if vars == nil {
		return names
	}
	return slices.DeleteFunc(slices.Clone(names), func(name string) bool {
		return slices.ContainsFunc(vars.Elements, func(v *manifest.Node) bool { return v.Str == name })
	})
}

// letArgs checks the arguments of a lambda that is applied. They may have any type; bytes
// are looked at twice.
func (c *checker) letArgs(p *place, vars []string, body *place) []argument {
	elems, ok := c.list(p.get("args"))
	if !ok {
		return nil
	}
	args := make([]argument, len(elems))
	for i, e := range elems {
		var want *ir.Type
		if s := e.node.Get("schema"); s != nil && s.Str == "u1" && i < len(vars) {
			if t := c.typesOf(body.node, vars[i:i+1])[vars[i]]; t != nil && t.Kind == ir.Enum {
				want = t
			}
		}
		args[i] = argument{c.term(e, want), e}
	}
	return args
}

// enumArgument makes a byte that is given where an enum is wanted a constant of it.
func (c *checker) enumArgument(a *argument, want *ir.Type) argument {
	lit, ok := a.term.(*litTerm)
	if !ok || want == nil || want.Kind != ir.Enum {
		return *a
	}
	byteLit, ok := lit.value.(*ir.Lit)
	if !ok || byteLit.Type.Kind != ir.Uint8 {
		return *a
	}
	text, err := literal(want, byteLit.Text)
	if err != nil {
		c.fail(a.errorf("%v", err))
		return *a
	}
	a.term = &litTerm{&ir.Lit{Type: want, Text: text}}
	return *a
}
