package emit

import (
	"github.com/dave/jennifer/jen"

	"github.com/mcpgen/mcpgen/gen/ir"
)

// newDecodeOp returns the op that reads a value from a call's arguments.
func newDecodeOp() *op {
	return &op{
		prefix:  "decode",
		section: func(e *emitter) *section { return e.args },
		exact:   true,
		scalar: func(e *emitter, t *ir.Type) *jen.Statement {
			return e.method("jsonx", "Decoder", decoderMethod(t))
		},
		list: func(e *emitter, t *ir.Type) *jen.Statement { return e.decodeList(t, jen.Nil()) },
		optional: func(e *emitter, t *ir.Type) *jen.Statement {
			return e.rt("jsonx", "Optional").Call(id("d"), e.fn(decodeOp, t.Elem))
		},
		signature: func(e *emitter, t *ir.Type) ([]jen.Code, jen.Code) {
			params := []jen.Code{id("d").Op("*").Add(e.rt("jsonx", "Decoder"))}
			if hasParts(t) {
				return params, jen.Params(id("v").Add(e.goTypeOf(t)))
			}
			return params, e.goTypeOf(t)
		},
		doc: func(t *ir.Type) string { return "reads a value of type " + t.Text + "." },
		fields: func(e *emitter, g *goType, b *jen.Group) {
			if g.t.Kind == ir.Tuple {
				e.decodeTuple(g, b)
				return
			}
			members := make([]member, len(g.t.Fields))
			for i, f := range g.t.Fields {
				members[i] = member{
					key: f.Name, t: f.Type, target: id("v").Dot(g.fields[i]),
					required: f.Type.Kind != ir.Optional,
				}
			}
			e.decodeObject(g.name, g.name, members, b)
			b.Return(id("v"))
		},
		enum: func(e *emitter, g *goType, b *jen.Group) {
			b.Return(id(g.name).Call(id("d").Dot("Enum").Call(id(e.armNames(g)))))
		},
		variant: (*emitter).decodeVariant,
	}
}

func decoderMethod(t *ir.Type) string {
	if t.Kind == ir.String {
		return "Text"
	}
	return scalars[t.Kind].fn
}

// decode returns the expression that reads a value of type t; into is where it goes, for
// its memory, or nil.
func (e *emitter) decode(t *ir.Type, into jen.Code) *jen.Statement {
	if _, ok := scalars[t.Kind]; ok {
		return id("d").Dot(decoderMethod(t)).Call()
	}
	switch {
	case t.Kind == ir.List && t.Name == "":
		return e.decodeList(t, into)
	case t.Kind == ir.Optional && t.Name == "":
		return decodeOp.optional(e, t)
	}
	return e.fn(decodeOp, t).Call(id("d"))
}

func (e *emitter) decodeList(t *ir.Type, into jen.Code) *jen.Statement {
	if t.Elem.Kind == ir.Float64 && t.Len == 0 {
		return id("d").Dot("Float64s").Call(into)
	}
	want := t.Len
	if want == 0 {
		want = -1
	}
	return e.rt("jsonx", "List").Call(id("d"), into, jen.Lit(want), e.fn(decodeOp, t.Elem))
}

func (e *emitter) decodeTuple(g *goType, b *jen.Group) {
	b.Id("t").Op(":=").Id("d").Dot("Array").Call(jen.Lit(len(g.fields)))
	for i, f := range g.t.Fields {
		b.If(id("d").Dot("Element").Call(jen.Op("&").Id("t"))).Block(
			id("v").Dot(g.fields[i]).Op("=").Add(e.decode(f.Type, jen.Nil())))
	}
	b.Id("d").Dot("EndArray").Call(jen.Op("&").Id("t"))
	b.Return(id("v"))
}

// A member is a member of an object that is decoded.
type member struct {
	key      string
	t        *ir.Type
	target   *jen.Statement
	required bool
	value    *jen.Statement // the expression that reads it, if not the usual one
}

// decodeObject writes the loop that reads an object, and declares its keys under a name
// formed from base; what says whose they are.
func (e *emitter) decodeObject(base, what string, members []member, b *jen.Group) {
	keys := e.emitKeys(base, what, members)
	b.Id("o").Op(":=").Id("d").Dot("Object").Call(jen.Op("&").Id(keys))
	b.For(id("d").Dot("Member").Call(jen.Op("&").Id("o"))).BlockFunc(func(loop *jen.Group) {
		if len(members) == 0 {
			loop.Id("d").Dot("Unknown").Call(jen.Op("&").Id("o"))
			return
		}
		loop.Switch(jen.String().Call(id("d").Dot("Key").Call())).BlockFunc(func(cases *jen.Group) {
			for i, m := range members {
				value := m.value
				if value == nil {
					value = e.decode(m.t, m.target.Clone())
				}
				cases.Case(literal(m.key)).Block(
					jen.If(id("d").Dot("First").Call(jen.Op("&").Id("o"), jen.Lit(i))).Block(
						m.target.Clone().Op("=").Add(value)))
			}
			cases.Default().Block(id("d").Dot("Unknown").Call(jen.Op("&").Id("o")))
		})
	})
	b.Id("d").Dot("EndObject").Call(jen.Op("&").Id("o"))
}

// emitKeys declares the keys of an object, once, and returns the variable's name.
func (e *emitter) emitKeys(base, what string, members []member) string {
	name := e.declared("keys "+base, base+"Keys")
	keys := make([]string, len(members))
	for i, m := range members {
		keys[i] = m.key
	}
	pairs := []any{"Names", stringList(keys)}
	if required := requiredSet(members); required != nil {
		pairs = append(pairs, "Required", e.rt("jsonx", "Set").Values(required...))
	}
	e.args.add(
		comment(name+" are the members of "+what+", in the order in which faults are told."),
		jen.Var().Id(name).Op("=").Add(structLit(e.rt("jsonx", "Keys"), pairs...)))
	return name
}

// requiredSet returns the words of the set of required members; nil if there are none.
func requiredSet(members []member) []jen.Code {
	var words []jen.Code
	last := -1
	for i, m := range members {
		if !m.required {
			continue
		}
		for len(words) <= i/64 {
			words = append(words, nil)
		}
		bit := jen.Lit(1).Op("<<").Lit(i % 64)
		if i%64 == 0 {
			bit = jen.Lit(1)
		}
		if words[i/64] != nil {
			bit = jen.Add(words[i/64]).Op("|").Add(bit)
		}
		words[i/64] = bit
		last = i / 64
	}
	for i := range words {
		if words[i] == nil {
			words[i] = jen.Lit(0)
		}
	}
	return words[:last+1]
}
