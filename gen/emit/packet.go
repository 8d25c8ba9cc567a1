package emit

import (
	"github.com/dave/jennifer/jen"

	"github.com/mcpgen/mcpgen/gen/ir"
)

// newPutOp returns the op that puts a value into a call packet.
func newPutOp() *op {
	return &op{
		prefix:  "put",
		section: func(e *emitter) *section { return e.args },
		void:    true,
		scalar: func(e *emitter, t *ir.Type) *jen.Statement {
			return e.method("packet", "Call", "Put"+scalars[t.Kind].fn)
		},
		list:     func(e *emitter, t *ir.Type) *jen.Statement { return e.put(t, id("at"), id("v")) },
		optional: func(e *emitter, t *ir.Type) *jen.Statement { return e.put(t, id("at"), id("v")) },
		signature: func(e *emitter, t *ir.Type) ([]jen.Code, jen.Code) {
			return []jen.Code{
				id("p").Op("*").Add(e.rt("packet", "Call")), id("at").Int(), id("v").Add(e.goTypeOf(t)),
			}, nil
		},
		doc: func(t *ir.Type) string { return "puts v at an offset: " + t.Text + "." },
		fields: func(e *emitter, g *goType, b *jen.Group) {
			for i, f := range g.t.Fields {
				b.Add(e.put(f.Type, at(f.Offset), id("v").Dot(g.fields[i])))
			}
		},
		enum: func(e *emitter, g *goType, b *jen.Group) {
			b.Id("p").Dot("PutUint8").Call(id("at"), jen.Uint8().Call(id("v")))
		},
		variant: (*emitter).putVariant,
	}
}

// newCopyOp returns the op that copies a value of a pool's reply as JSON.
func newCopyOp() *op {
	return &op{
		prefix:  "copy",
		section: func(e *emitter) *section { return e.results },
		scalar: func(e *emitter, t *ir.Type) *jen.Statement {
			return e.method("voidstar", "Reader", "Append"+scalars[t.Kind].fn)
		},
		list:     func(e *emitter, t *ir.Type) *jen.Statement { return e.copy(t, id("at")) },
		optional: func(e *emitter, t *ir.Type) *jen.Statement { return e.copy(t, id("at")) },
		signature: func(e *emitter, t *ir.Type) ([]jen.Code, jen.Code) {
			return []jen.Code{
				id("r").Op("*").Add(e.rt("voidstar", "Reader")), id("dst").Index().Byte(), id("at").Int(),
			}, jen.Index().Byte()
		},
		doc:    func(t *ir.Type) string { return "appends the value at an address as JSON: " + t.Text + "." },
		fields: func(e *emitter, g *goType, b *jen.Group) { e.jsonFields(g, b, e.copyField) },
		enum: func(e *emitter, g *goType, b *jen.Group) {
			b.Return(id("r").Dot("AppendEnum").Call(id("dst"), id("at"), id(e.armNames(g))))
		},
		variant: (*emitter).copyVariant,
	}
}

// newLoadOp returns the op that reads a value from a saved packet.
func newLoadOp() *op {
	return &op{
		prefix:  "load",
		section: func(e *emitter) *section { return e.pure },
		scalar: func(e *emitter, t *ir.Type) *jen.Statement {
			return e.method("voidstar", "Reader", scalars[t.Kind].fn)
		},
		list:     func(e *emitter, t *ir.Type) *jen.Statement { return e.load(t, id("at")) },
		optional: func(e *emitter, t *ir.Type) *jen.Statement { return e.load(t, id("at")) },
		signature: func(e *emitter, t *ir.Type) ([]jen.Code, jen.Code) {
			params := []jen.Code{id("r").Op("*").Add(e.rt("voidstar", "Reader")), id("at").Int()}
			if t.Kind == ir.Variant {
				return params, jen.Params(id("v").Add(e.goTypeOf(t)))
			}
			return params, e.goTypeOf(t)
		},
		doc: func(t *ir.Type) string { return "returns the value at an address: " + t.Text + "." },
		fields: func(e *emitter, g *goType, b *jen.Group) {
			b.Return(id(g.name).ValuesFunc(func(v *jen.Group) {
				for i, f := range g.t.Fields {
					v.Line().Id(g.fields[i]).Op(":").Add(e.load(f.Type, at(f.Offset)))
				}
				v.Line()
			}))
		},
		enum: func(e *emitter, g *goType, b *jen.Group) {
			b.Return(id(g.name).Call(id("r").Dot("Tag").Call(id("at"), jen.Lit(len(g.t.Arms)))))
		},
		variant: (*emitter).loadVariant,
	}
}

// put returns the statement that puts v at an offset of the packet p.
func (e *emitter) put(t *ir.Type, at, v *jen.Statement) *jen.Statement {
	return e.putTo("p", t, at, v)
}

// putTo is put for a packet of another name.
func (e *emitter) putTo(packet string, t *ir.Type, at, v *jen.Statement) *jen.Statement {
	switch {
	case t.Kind == ir.List && t.Elem.Kind == ir.Float64:
		return id(packet).Dot("PutFloat64s").Call(at, v)
	case t.Kind == ir.List && t.Elem.Kind == ir.Int64:
		return id(packet).Dot("PutInt64s").Call(at, v)
	case t.Kind == ir.List && t.Elem.Kind == ir.Uint8:
		return id(packet).Dot("PutBytes").Call(at, v)
	case t.Kind == ir.List:
		return e.rt("packet", "PutList").Call(id(packet), at, v,
			jen.Lit(t.Elem.Width), jen.Lit(elemAlign(t.Elem)), e.fn(putOp, t.Elem))
	case t.Kind == ir.Optional:
		return e.rt("packet", "PutOptional").Call(id(packet), at, v,
			jen.Lit(t.Elem.Width), jen.Lit(t.Elem.Align), e.fn(putOp, t.Elem))
	}
	if s, ok := scalars[t.Kind]; ok {
		return id(packet).Dot("Put"+s.fn).Call(at, v)
	}
	return e.fn(putOp, t).Call(id(packet), at, v)
}

// copy returns the expression that appends the value at an address to dst.
func (e *emitter) copy(t *ir.Type, at *jen.Statement) *jen.Statement {
	switch t.Kind {
	case ir.List:
		return id("r").Dot("AppendList").Call(id("dst"), at, jen.Lit(t.Elem.Width), e.fn(copyOp, t.Elem))
	case ir.Optional:
		return id("r").Dot("AppendOptional").Call(id("dst"), at, e.fn(copyOp, t.Elem))
	}
	if s, ok := scalars[t.Kind]; ok {
		return id("r").Dot("Append"+s.fn).Call(id("dst"), at)
	}
	return e.fn(copyOp, t).Call(id("r"), id("dst"), at)
}

func (e *emitter) copyField(g *goType, i int) *jen.Statement {
	return e.copy(g.t.Fields[i].Type, at(g.t.Fields[i].Offset))
}

// load returns the expression for the value at an address.
func (e *emitter) load(t *ir.Type, at *jen.Statement) *jen.Statement {
	switch t.Kind {
	case ir.List:
		return e.rt("voidstar", "List").Call(id("r"), at, jen.Lit(t.Elem.Width), e.fn(loadOp, t.Elem))
	case ir.Optional:
		return e.rt("voidstar", "Optional").Call(id("r"), at, e.fn(loadOp, t.Elem))
	}
	if s, ok := scalars[t.Kind]; ok {
		return id("r").Dot(s.fn).Call(at)
	}
	return e.fn(loadOp, t).Call(id("r"), at)
}

// jsonFields writes the body of a function that appends a tuple or record as JSON; field
// returns the expression that appends a field to dst.
func (e *emitter) jsonFields(g *goType, b *jen.Group, field func(g *goType, i int) *jen.Statement) {
	open, end := "[", "]"
	if g.t.Kind == ir.Record {
		open, end = "{", "}"
	}
	if len(g.t.Fields) == 0 {
		b.Return(jen.Append(id("dst"), literal(open+end).Op("...")))
		return
	}
	for i, f := range g.t.Fields {
		before := open
		if i > 0 {
			before = ","
		}
		if g.t.Kind == ir.Record {
			before += jsonString(f.Name) + ":"
		}
		b.Id("dst").Op("=").Add(appendText(before))
		b.Id("dst").Op("=").Add(field(g, i))
	}
	b.Return(appendText(end))
}

// appendText returns the expression that appends constant text to dst.
func appendText(s string) *jen.Statement {
	if len(s) == 1 {
		return jen.Append(id("dst"), jen.LitRune(rune(s[0])))
	}
	return jen.Append(id("dst"), literal(s).Op("..."))
}
