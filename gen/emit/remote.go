package emit

import (
	"strconv"

	"github.com/dave/jennifer/jen"

	"github.com/mcpgen/mcpgen/gen/ir"
	"github.com/mcpgen/mcpgen/gen/names"
)

// emitResult emits how the reply of a pool becomes the result of a tool.
func (e *emitter) emitResult(x target) {
	pairs := []any{"Schema", literal(x.Return.Text)}
	switch {
	case x.Mime == "":
		pairs = append(pairs, "Copy", e.fn(copyOp, x.Return))
		if x.Return.Kind == ir.Record {
			pairs = append(pairs, "Record", jen.True())
		}
	default:
		if raw := rawMethod(x.Return); raw != "" {
			pairs = append(pairs, "Copy", e.method("voidstar", "Reader", raw))
		}
		pairs = append(pairs, "Mime", literal(x.Mime))
	}
	if ms := x.Remote.TimeoutMS; ms > 0 {
		pairs = append(pairs, "Timeout", duration(ms))
	}
	e.results.add(
		comment(x.result+" is the result of commands["+strconv.Itoa(x.Index)+"]: "+typeText(x.Return, x.ReturnText)+"."),
		jen.Var().Id(x.result).Op("=").Add(structLit(e.rt("remote", "Result"), pairs...)))
}

// rawMethod returns the method that appends the bytes of a media result; "" if the type
// has none.
func rawMethod(t *ir.Type) string {
	switch {
	case t.Kind == ir.String:
		return "AppendRawString"
	case t.Kind != ir.List:
		return ""
	case t.Elem.Kind == ir.Uint8:
		return "AppendRawBytes"
	case t.Elem.Kind == ir.String:
		return "AppendRawStrings"
	case t.Elem.Kind == ir.List && t.Elem.Elem.Kind == ir.Uint8:
		return "AppendRawBytesList"
	}
	return ""
}

// poolConst returns the name of a pool's index.
func (e *emitter) poolConst(i int) string {
	return e.declared("pool "+strconv.Itoa(i), "pool"+names.Exported(e.p.Pools[i].Lang))
}

// usesPools reports whether any tool runs in a pool.
func (e *emitter) usesPools() bool {
	for _, t := range e.tools {
		if t.usesPool() {
			return true
		}
	}
	return false
}

// emitPools emits the table of pools and the numbers of the manifolds in them.
func (e *emitter) emitPools() {
	if !e.usesPools() {
		return
	}
	e.pools.add(
		comment("Pools, by their place in the table."),
		jen.Const().DefsFunc(func(g *jen.Group) {
			for i := range e.p.Pools {
				if i == 0 {
					g.Id(e.poolConst(i)).Op("=").Iota()
				} else {
					g.Id(e.poolConst(i))
				}
			}
		}))
	e.pools.add(
		comment("pools are the language processes that run the program's functions."),
		jen.Var().Id("pools").Op("=").Add(structLit(e.poolsType(), e.poolsFields()...)))
	e.pools.add(
		comment("Manifolds: the numbers of the functions in their pools."),
		jen.Const().DefsFunc(func(g *jen.Group) {
			for _, t := range e.tools {
				for _, x := range t.targets {
					if x.Remote != nil {
						g.Id(x.mid).Op("=").Lit(int(x.Remote.MID))
					}
				}
			}
		}))
}

// poolsType returns the type of the table, which says how pools are driven.
func (e *emitter) poolsType() *jen.Statement {
	stage := map[ir.Stage]string{ir.StageA1: "StageA1", ir.StageB: "StageB", ir.StageC: "StageB", ir.StageD: "StageD"}[e.p.Stage]
	if stage == "" {
		return e.rt("remote", "Pools")
	}
	return e.rt("remote", "Newer").Types(e.rt("remote", stage))
}

func (e *emitter) poolsFields() []any {
	pairs := []any{
		"Table", jen.Index().Add(e.rt("remote", "Pool")).ValuesFunc(func(v *jen.Group) {
			for i, p := range e.p.Pools {
				v.Line().Add(structLit(id(e.poolConst(i)).Op(":"), e.poolFields(p)...))
			}
			v.Line()
		}),
		"Manifest", literal(e.p.Source),
		"InlineSize", jen.Lit(int(e.p.InlineSize)),
	}
	if e.p.TmpDir != "" {
		pairs = append(pairs, "TmpDir", literal(e.p.TmpDir))
	}
	return pairs
}

func (e *emitter) poolFields(p ir.Pool) []any {
	pairs := []any{
		"Lang", literal(p.Lang),
		"Exec", stringList(p.Exec),
		"Socket", literal(p.Socket),
		"Hash", literal(p.Hash),
	}
	if !p.AllowStringNull && !e.p.UnsafeSkipNullCheck {
		pairs = append(pairs, "RefusesNUL", jen.True())
	}
	return pairs
}
