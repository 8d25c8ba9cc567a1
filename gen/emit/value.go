package emit

import (
	"github.com/dave/jennifer/jen"

	"github.com/mcpgen/mcpgen/gen/ir"
	"github.com/mcpgen/mcpgen/runtime/jsonx"
)

// newAppendOp returns the op that appends a value as the JSON of a tool's result.
func newAppendOp() *op {
	return textOp("append", "appends v as JSON: ", func(e *emitter) *section { return e.results },
		func(e *emitter, t *ir.Type) *jen.Statement { return e.rt("jsonx", "Append"+scalars[t.Kind].fn) })
}

// newShowOp returns the op that appends a value as the text that the language's
// own show gives.
func newShowOp() *op {
	return textOp("show", "appends the text of v: ", func(e *emitter) *section { return e.pure },
		func(e *emitter, t *ir.Type) *jen.Statement { return e.rt("pure", "Show"+scalars[t.Kind].fn) })
}

// newHashOp returns the op that folds a value into a structural hash.
func newHashOp() *op {
	return &op{
		prefix:  "hash",
		section: func(e *emitter) *section { return e.pure },
		scalar: func(e *emitter, t *ir.Type) *jen.Statement {
			return e.rt("pure", "Hash"+scalars[t.Kind].fn)
		},
		list:     func(e *emitter, t *ir.Type) *jen.Statement { return e.hash(t, id("seed"), id("v")) },
		optional: func(e *emitter, t *ir.Type) *jen.Statement { return e.hash(t, id("seed"), id("v")) },
		signature: func(e *emitter, t *ir.Type) ([]jen.Code, jen.Code) {
			return []jen.Code{id("seed").Uint64(), id("v").Add(e.goTypeOf(t))}, jen.Uint64()
		},
		doc: func(t *ir.Type) string { return "returns the structural hash of v: " + t.Text + "." },
		fields: func(e *emitter, g *goType, b *jen.Group) {
			switch {
			case g.t.IsBlock(e.p.BlockRecords):
				block := "HashFixedTuple"
				if g.t.Kind == ir.Record {
					block = "HashFixedRecord"
				}
				b.Return(e.rt("pure", block).Call(id("seed"), e.raw(g.t, jen.Nil(), id("v"))))
				return
			case g.t.Kind == ir.Record:
				b.Id("h").Op(":=").Add(e.rt("pure", "HashRecord")).Call(id("seed"))
			default:
				b.Id("h").Op(":=").Add(e.rt("pure", "HashTuple")).Call(id("seed"))
			}
			for i, f := range g.t.Fields {
				b.Id("h").Op("=").Add(e.hash(f.Type, id("h"), id("v").Dot(g.fields[i])))
			}
			b.Return(id("h"))
		},
		enum: func(e *emitter, g *goType, b *jen.Group) {
			b.Return(e.rt("pure", "HashEnum").Call(id("seed"), jen.Uint8().Call(id("v"))))
		},
		variant: (*emitter).hashVariant,
	}
}

// newRawOp returns the op that appends a value as it lies in memory, for hashes.
func newRawOp() *op {
	return &op{
		prefix:  "raw",
		section: func(e *emitter) *section { return e.pure },
		scalar: func(e *emitter, t *ir.Type) *jen.Statement {
			return e.rt("pure", "Raw"+scalars[t.Kind].fn)
		},
		signature: func(e *emitter, t *ir.Type) ([]jen.Code, jen.Code) {
			return []jen.Code{id("dst").Index().Byte(), id("v").Add(e.goTypeOf(t))}, jen.Index().Byte()
		},
		doc: func(t *ir.Type) string { return "appends v as it lies in memory: " + t.Text + "." },
		fields: func(e *emitter, g *goType, b *jen.Group) {
			b.Id("start").Op(":=").Len(id("dst"))
			most := 1 // which is not the alignment of a record
			for i, f := range g.t.Fields {
				most = max(most, f.Type.Align)
				if f.Type.Align > 1 {
					b.Id("dst").Op("=").Add(e.rt("pure", "RawAlign")).Call(id("dst"), id("start"), jen.Lit(f.Type.Align))
				}
				b.Id("dst").Op("=").Add(e.raw(f.Type, id("dst"), id("v").Dot(g.fields[i])))
			}
			b.Return(e.rt("pure", "RawAlign").Call(id("dst"), id("start"), jen.Lit(most)))
		},
		enum: func(e *emitter, g *goType, b *jen.Group) {
			b.Return(e.rt("pure", "RawUint8").Call(id("dst"), jen.Uint8().Call(id("v"))))
		},
	}
}

// newReadOp returns the op that reads a value from JSON text as the language's own read does.
func newReadOp() *op {
	return &op{
		prefix:  "read",
		section: func(e *emitter) *section { return e.pure },
		exact:   true,
		scalar: func(e *emitter, t *ir.Type) *jen.Statement {
			return e.method("pure", "Decoder", scalars[t.Kind].fn)
		},
		list:     func(e *emitter, t *ir.Type) *jen.Statement { return e.read(t) },
		optional: func(e *emitter, t *ir.Type) *jen.Statement { return e.read(t) },
		signature: func(e *emitter, t *ir.Type) ([]jen.Code, jen.Code) {
			params := []jen.Code{id("d").Op("*").Add(e.rt("pure", "Decoder"))}
			if hasParts(t) {
				return params, jen.Params(id("v").Add(e.goTypeOf(t)))
			}
			return params, e.goTypeOf(t)
		},
		doc:    func(t *ir.Type) string { return "reads the JSON text of a value: " + t.Text + "." },
		fields: (*emitter).readFields,
		enum: func(e *emitter, g *goType, b *jen.Group) {
			b.Return(id(g.name).Call(id("d").Dot("Enum").Call(id(e.armNames(g)))))
		},
		variant: (*emitter).readVariant,
	}
}

// textOp returns the op that appends values as text.
func textOp(prefix, doc string, section func(e *emitter) *section, scalar func(e *emitter, t *ir.Type) *jen.Statement) *op {
	o := &op{prefix: prefix, section: section, scalar: scalar}
	inline := func(e *emitter, t *ir.Type) *jen.Statement { return e.text(o, t, id("dst"), id("v")) }
	o.list, o.optional = inline, inline
	o.signature = func(e *emitter, t *ir.Type) ([]jen.Code, jen.Code) {
		return []jen.Code{id("dst").Index().Byte(), id("v").Add(e.goTypeOf(t))}, jen.Index().Byte()
	}
	o.doc = func(t *ir.Type) string { return doc + t.Text + "." }
	o.fields = func(e *emitter, g *goType, b *jen.Group) {
		e.jsonFields(g, b, func(g *goType, i int) *jen.Statement {
			return e.text(o, g.t.Fields[i].Type, id("dst"), id("v").Dot(g.fields[i]))
		})
	}
	o.enum = func(e *emitter, g *goType, b *jen.Group) {
		b.Return(e.rt("jsonx", "AppendName").Call(id("dst"), id("v"), id(e.armNames(g))))
	}
	o.variant = func(e *emitter, g *goType, b *jen.Group) { e.textVariant(o, g, b) }
	return o
}

// text returns the expression that appends v to dst by o.
func (e *emitter) text(o *op, t *ir.Type, dst, v *jen.Statement) *jen.Statement {
	switch {
	case o == appendOp && t.Kind == ir.List && t.Elem.Kind == ir.Float64:
		return e.rt("jsonx", "AppendFloat64s").Call(dst, v)
	case t.Kind == ir.List:
		return e.rt("jsonx", "AppendList").Call(dst, v, e.fn(o, t.Elem))
	case t.Kind == ir.Optional:
		return e.rt("jsonx", "AppendOptional").Call(dst, v, e.fn(o, t.Elem))
	}
	return e.fn(o, t).Call(dst, v)
}

// hash returns the expression for the hash of v.
func (e *emitter) hash(t *ir.Type, seed, v *jen.Statement) *jen.Statement {
	switch {
	case t.Kind == ir.List && t.Elem.IsBlock(e.p.BlockRecords):
		tag := "Tag" + scalars[t.Elem.Kind].fn
		switch t.Elem.Kind {
		case ir.Tuple:
			tag = "TagTuple"
		case ir.Record:
			tag = "TagRecord"
		case ir.Enum:
			tag = "TagEnum"
		}
		return e.rt("pure", "HashFixedList").Call(seed, v, e.rt("pure", tag), e.fn(rawOp, t.Elem))
	case t.Kind == ir.List:
		return e.rt("pure", "HashList").Call(seed, v, e.fn(hashOp, t.Elem))
	case t.Kind == ir.Optional:
		return e.rt("pure", "HashOptional").Call(seed, v, e.fn(hashOp, t.Elem))
	}
	return e.fn(hashOp, t).Call(seed, v)
}

// raw returns the expression that appends v to dst as it lies in memory.
func (e *emitter) raw(t *ir.Type, dst, v *jen.Statement) *jen.Statement {
	return e.fn(rawOp, t).Call(dst, v)
}

// read returns the expression that reads a value of type t from d.
func (e *emitter) read(t *ir.Type) *jen.Statement {
	switch t.Kind {
	case ir.List:
		return e.rt("pure", "ReadList").Call(id("d"), jen.Lit(t.Len), e.fn(readOp, t.Elem))
	case ir.Optional:
		return e.rt("pure", "ReadOptional").Call(id("d"), e.fn(readOp, t.Elem))
	}
	if s, ok := scalars[t.Kind]; ok {
		return id("d").Dot(s.fn).Call()
	}
	return e.fn(readOp, t).Call(id("d"))
}

func (e *emitter) readFields(g *goType, b *jen.Group) {
	if g.t.Kind == ir.Tuple {
		b.Id("t").Op(":=").Id("d").Dot("Tuple").Call(jen.Lit(len(g.fields)))
		for i, f := range g.t.Fields {
			b.If(id("d").Dot("Next").Call(jen.Op("&").Id("t"))).Block(
				id("v").Dot(g.fields[i]).Op("=").Add(e.read(f.Type)))
		}
		b.Id("d").Dot("EndTuple").Call(jen.Op("&").Id("t"))
		b.Return(id("v"))
		return
	}
	b.Id("r").Op(":=").Id("d").Dot("Record").Call(jen.Index().String().ValuesFunc(func(v *jen.Group) {
		for _, f := range g.t.Fields {
			v.Add(literal(f.Name))
		}
	}))
	b.For(id("d").Dot("Field").Call(jen.Op("&").Id("r"))).BlockFunc(func(loop *jen.Group) {
		if len(g.t.Fields) == 0 {
			return
		}
		loop.Switch(id("r").Dot("Index")).BlockFunc(func(cases *jen.Group) {
			for i, f := range g.t.Fields {
				cases.Case(jen.Lit(i)).Block(id("v").Dot(g.fields[i]).Op("=").Add(e.read(f.Type)))
			}
		})
	})
	b.Return(id("v"))
}

// jsonString returns s as a JSON string.
func jsonString(s string) string { return string(jsonx.AppendString(nil, s)) }
