package emit

import (
	"strconv"

	"github.com/dave/jennifer/jen"

	"github.com/mcpgen/mcpgen/gen/ir"
	"github.com/mcpgen/mcpgen/gen/names"
)

// emitResult emits how the reply of a pool becomes the result of a tool.
func (e *emitter) emitResult(x target) {
	fields := jen.Dict{id("Schema"): literal(x.Return.Text)}
	switch {
	case x.Mime != "":
		fields[id("Mime")] = literal(x.Mime)
		if raw := rawMethod(x.Return); raw != "" {
			fields[id("Copy")] = e.method("voidstar", "Reader", raw)
		}
	default:
		fields[id("Copy")] = e.fn(copyOp, x.Return)
		if x.Return.Kind == ir.Record {
			fields[id("Record")] = jen.True()
		}
	}
	e.results.add(
		comment(x.result+" is the result of commands["+strconv.Itoa(x.Index)+"]: "+typeText(x.Return, x.ReturnText)+"."),
		jen.Var().Id(x.result).Op("=").Add(e.rt("remote", "Result")).Values(fields))
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
		jen.Var().Id("pools").Op("=").Add(e.rt("remote", "Pools")).Values(jen.DictFunc(func(d jen.Dict) {
			d[id("Table")] = jen.Index().Add(e.rt("remote", "Pool")).ValuesFunc(func(v *jen.Group) {
				for i, p := range e.p.Pools {
					v.Line().Add(id(e.poolConst(i))).Op(":").Values(e.poolFields(p)...)
				}
				v.Line()
			})
			if e.p.InlineSize >= 0 {
				d[id("InlineSize")] = jen.Lit(int(e.p.InlineSize))
			} else {
				d[id("InlineSize")] = jen.Lit(-1)
			}
			d[id("Manifest")] = literal(e.p.Source)
			if e.p.TmpDir != "" {
				d[id("TmpDir")] = literal(e.p.TmpDir)
			}
		})))
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

func (e *emitter) poolFields(p ir.Pool) []jen.Code {
	exec := jen.Index().String().ValuesFunc(func(v *jen.Group) {
		for _, word := range p.Exec {
			v.Add(literal(word))
		}
	})
	fields := []jen.Code{
		jen.Line().Id("Lang").Op(":").Add(literal(p.Lang)),
		jen.Line().Id("Exec").Op(":").Add(exec),
		jen.Line().Id("Socket").Op(":").Add(literal(p.Socket)),
		jen.Line().Id("Hash").Op(":").Add(literal(p.Hash)),
	}
	if !p.AllowStringNull && !e.p.UnsafeSkipNullCheck {
		fields = append(fields, jen.Line().Id("RefusesNUL").Op(":").True())
	}
	return append(fields, jen.Line())
}
