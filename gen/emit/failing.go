package emit

import (
	"strconv"

	"github.com/dave/jennifer/jen"

	"github.com/mcpgen/mcpgen/gen/ir"
)

// returnCall writes a step that can fail and the return of its result as one statement,
// if the two are that.
func (b *body) returnCall(step, next ir.Stmt, g *jen.Group) bool {
	v, call := b.failing(step)
	if v == nil || !b.fails {
		return false
	}
	var returned ir.Value
	switch next := next.(type) {
	case *ir.Return:
		returned = next.Of
	case *ir.Assign:
		if next.Var != b.catch || len(next.Path) > 0 {
			return false
		}
		returned = next.Of
	}
	ref, ok := returned.(*ir.Ref)
	if !ok || ref.Var != v || identity(v.Type) != identity(b.result) {
		return false
	}
	g.Return(call)
	return true
}

// orFail writes a call whose result can fail.
func (b *body) orFail(v *ir.Var, call *jen.Statement, g *jen.Group) {
	if v.Uses == 0 {
		g.If(jen.List(jen.Id("_"), id("err")).Op(":=").Add(call), id("err").Op("!=").Nil()).
			Block(b.fail())
		return
	}
	g.List(id(b.declare(v)), id("err")).Op(":=").Add(call)
	g.If(id("err").Op("!=").Nil()).Block(b.fail())
}

// failing returns the variable and the call of a step whose result can fail.
func (b *body) failing(s ir.Stmt) (*ir.Var, *jen.Statement) {
	e := b.e
	switch s := s.(type) {
	case *ir.Index:
		fn, at := b.bound(s.At, "Index")
		return s.Var, e.rt("pure", fn).Call(b.value(s.Over, false), at)
	case *ir.Slice:
		return s.Var, e.rt("pure", "Slice").Call(
			b.value(s.Over, false), b.sliceBound(s.Start), b.sliceBound(s.Stop), b.sliceBound(s.Step))
	case *ir.Call:
		if s.Func.Fails {
			return s.Var, b.ownCall(s)
		}
	case *ir.Read:
		return s.Var, e.rt("pure", "Read").Call(b.value(s.Text, true), e.fn(readOp, s.Var.Type))
	case *ir.Load:
		return s.Var, e.rt("files", "Load").Call(b.value(s.Path, true), jen.Op("&").Id(e.loader(s.Var.Type)))
	}
	return nil, nil
}

// fail returns the statement that passes err on.
func (b *body) fail() *jen.Statement { return jen.Return(b.zero(), id("err")) }

// zero returns the result of a function that fails.
func (b *body) zero() *jen.Statement {
	t := b.result
	switch t.Kind {
	case ir.Unit:
		return jen.Struct().Values()
	case ir.Bool:
		return jen.False()
	case ir.String:
		return jen.Lit("")
	case ir.List, ir.Optional:
		return jen.Nil()
	case ir.Int, ir.Tuple, ir.Record, ir.Variant:
		return b.e.goTypeOf(t).Values()
	}
	return jen.Lit(0)
}

func (b *body) sliceBound(v ir.Value) *jen.Statement {
	if v == nil {
		return b.e.rt("pure", "Bound").Values()
	}
	fn, at := b.bound(v, "At")
	return b.e.rt("pure", fn).Call(at)
}

// bound returns the runtime function for a bound, whose name depends on the bound's type,
// and the bound.
func (b *body) bound(v ir.Value, fn string) (string, *jen.Statement) {
	t := v.ValueType()
	if lit, ok := v.(*ir.Lit); ok {
		if _, err := strconv.ParseInt(lit.Text, 10, 64); err == nil {
			return fn, jen.Int64().Call(jen.Op(lit.Text))
		}
	}
	if t.Kind == ir.Optional {
		fn += "Optional"
		t = t.Elem
	}
	if t.Kind == ir.Int {
		fn += "Int"
	}
	return fn, b.value(v, false)
}
