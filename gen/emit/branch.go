package emit

import (
	"github.com/dave/jennifer/jen"

	"github.com/mcpgen/mcpgen/gen/ir"
)

// branch writes an If: as one of Go, or as a switch with all the Ifs that are nothing but a
// branch of it, so that long chains are no deeper than short ones.
func (b *body) branch(s *ir.If, g *jen.Group) {
	if len(s.Then) == 0 {
		g.If(b.not(s.Cond)).BlockFunc(func(g *jen.Group) { b.statements(s.Else, g) })
		return
	}
	if b.ends(s.Then) {
		g.If(b.value(s.Cond, true)).BlockFunc(func(g *jen.Group) { b.statements(s.Then, g) })
		b.statements(s.Else, g)
		return
	}
	arms, rest := chain(s)
	if len(arms) == 1 {
		then := jen.If(b.value(s.Cond, true)).BlockFunc(func(g *jen.Group) { b.statements(s.Then, g) })
		if len(rest) > 0 {
			then.Else().BlockFunc(func(g *jen.Group) { b.statements(rest, g) })
		}
		g.Add(then)
		return
	}
	g.Switch().BlockFunc(func(g *jen.Group) {
		for _, a := range arms {
			cond := b.value(a.cond, true)
			if a.not {
				cond = b.not(a.cond)
			}
			g.Case(cond).BlockFunc(func(g *jen.Group) { b.statements(a.stmts, g) })
		}
		if len(rest) > 0 {
			g.Default().BlockFunc(func(g *jen.Group) { b.statements(rest, g) })
		}
	})
}

// An arm is what is done where a condition holds, or does not, and none before it did.
type arm struct {
	cond  ir.Value
	not   bool
	stmts []ir.Stmt
}

// chain returns s and the Ifs that are all of one of its branches as arms, and what is done
// where none of them is taken.
func chain(s *ir.If) (arms []arm, rest []ir.Stmt) {
	for {
		next, not := only(s.Else), false
		if next == nil {
			next, not = only(s.Then), true
		}
		switch {
		case next == nil && len(s.Then) == 0:
			return append(arms, arm{s.Cond, true, s.Else}), nil
		case next == nil:
			return append(arms, arm{s.Cond, false, s.Then}), s.Else
		case not:
			arms = append(arms, arm{s.Cond, true, s.Else})
		default:
			arms = append(arms, arm{s.Cond, false, s.Then})
		}
		s = next
	}
}

// only returns the If that is all there is of statements, or nil.
func only(stmts []ir.Stmt) *ir.If {
	if len(stmts) != 1 {
		return nil
	}
	s, _ := stmts[0].(*ir.If)
	return s
}

// not returns the expression of a condition's opposite.
func (b *body) not(cond ir.Value) *jen.Statement {
	if tag, ok := cond.(*ir.HasTag); ok {
		return b.hasTag(tag, "!=")
	}
	return jen.Op("!").Add(b.value(cond, true))
}

// ends reports whether statements leave the function on every path.
func (b *body) ends(stmts []ir.Stmt) bool {
	if len(stmts) == 0 {
		return false
	}
	switch s := stmts[len(stmts)-1].(type) {
	case *ir.Return, *ir.Throw:
		return true
	case *ir.Assign:
		return s.Var == b.catch && len(s.Path) == 0
	case *ir.If:
		return b.ends(s.Then) && b.ends(s.Else)
	}
	return false
}
