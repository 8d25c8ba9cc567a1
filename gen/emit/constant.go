package emit

import (
	"math"
	"strconv"

	"github.com/dave/jennifer/jen"

	"github.com/mcpgen/mcpgen/gen/ir"
)

// constant returns the expression of a constant value, for a place that has its type.
func (e *emitter) constant(v ir.Value) *jen.Statement { return (&body{e: e}).value(v, true) }

// scalar returns the expression of a literal. Where the place does not have its type, it
// is converted.
func (e *emitter) scalar(v *ir.Lit, typed bool) *jen.Statement {
	switch v.Type.Kind {
	case ir.Unit:
		return jen.Struct().Values()
	case ir.Bool:
		return jen.Id(v.Text)
	case ir.Int:
		if _, err := strconv.ParseInt(v.Text, 10, 64); err == nil {
			return e.rt("jsonx", "NewInt").Call(jen.Op(v.Text))
		}
		return id(e.bigInt(v.Text))
	case ir.Float32, ir.Float64:
		return e.float(v, typed)
	case ir.Enum:
		tag, _ := strconv.Atoi(v.Text)
		g := e.named(v.Type)
		e.emitType(g)
		return id(e.tag(g, tag))
	}
	number := jen.Op(v.Text)
	if typed {
		return number
	}
	return e.goTypeOf(v.Type).Call(number)
}

func (e *emitter) float(v *ir.Lit, typed bool) *jen.Statement {
	bits := 64
	if v.Type.Kind == ir.Float32 {
		bits = 32
	}
	f, _ := strconv.ParseFloat(v.Text, bits) // beyond the range an infinity
	var call *jen.Statement
	switch {
	case math.IsNaN(f):
		call = jen.Qual("math", "NaN").Call()
	case math.IsInf(f, 1):
		call = jen.Qual("math", "Inf").Call(jen.Lit(1))
	case math.IsInf(f, -1):
		call = jen.Qual("math", "Inf").Call(jen.Op("-1"))
	case f == 0 && math.Signbit(f):
		call = jen.Qual("math", "Copysign").Call(jen.Lit(0), jen.Op("-1"))
	default:
		number := jen.Op(strconv.FormatFloat(f, 'g', -1, bits))
		if typed {
			return number
		}
		return e.goTypeOf(v.Type).Call(number)
	}
	if bits == 32 {
		return jen.Float32().Call(call)
	}
	return call
}

// bigInt returns the name of a variable that holds an integer beyond 64 bits.
func (e *emitter) bigInt(text string) string {
	name := e.declared("big "+text, "big")
	if !e.bigs[text] {
		e.bigs[text] = true
		e.pure.add(
			comment(name+" is a constant of more than 64 bits."),
			jen.Var().Id(name).Op("=").Add(e.rt("jsonx", "MustParseInt")).Call(literal(text)))
	}
	return name
}

// value returns the expression of a value. typed says that the place it goes to has its
// type, so that constants need no conversion.
func (b *body) value(v ir.Value, typed bool) *jen.Statement {
	e := b.e
	switch v := v.(type) {
	case *ir.Lit:
		return e.scalar(v, typed)
	case *ir.Str:
		return literal(v.Text)
	case *ir.Ref:
		return id(b.name(v.Var))
	case *ir.Select:
		return b.selection(b.value(v.Of, false), v.Of.ValueType(), v.Path)
	case *ir.Make:
		return b.composite(v, typed)
	case *ir.ArmOf:
		return b.variant(v)
	case *ir.HasTag:
		return b.hasTag(v, "==")
	case *ir.ArmField:
		field := b.e.named(v.Of.ValueType()).fields[v.Tag]
		return b.value(v.Of, false).Dot(field).Dot("F" + strconv.Itoa(v.Index))
	case *ir.Some:
		return jen.New(b.value(v.Of, false))
	case *ir.None:
		if typed {
			return jen.Nil()
		}
		return jen.Parens(e.goTypeOf(v.Type)).Call(jen.Nil())
	case *ir.Concat:
		s := jen.Null()
		for i, part := range v.Parts {
			if i > 0 {
				s.Op("+")
			}
			s.Add(b.value(part, true))
		}
		return s
	case *ir.Show:
		return jen.String().Call(e.text(showOp, v.Of.ValueType(), jen.Nil(), b.value(v.Of, false)))
	case *ir.Hash:
		return e.rt("pure", "Hex16").Call(e.hash(v.Of.ValueType(), jen.Lit(0), b.value(v.Of, false)))
	}
	panic("mcpgen: internal: unknown value")
}

func (b *body) selection(of *jen.Statement, t *ir.Type, path []int) *jen.Statement {
	for _, i := range path {
		g := b.e.named(t)
		of = of.Dot(g.fields[i])
		t = t.Fields[i].Type
	}
	return of
}

func (b *body) composite(v *ir.Make, typed bool) *jen.Statement {
	e := b.e
	if v.Type.Kind == ir.List {
		if len(v.Parts) == 0 && typed {
			return jen.Nil()
		}
		return e.goTypeOf(v.Type).ValuesFunc(func(g *jen.Group) {
			for _, part := range v.Parts {
				if m, ok := part.(*ir.Make); ok && m.Type.Kind != ir.List {
					g.Add(b.fields(jen.Null(), m)) // the list names the type
					continue
				}
				g.Add(b.value(part, true))
			}
		})
	}
	return b.fields(e.goTypeOf(v.Type), v)
}

// fields returns the composite literal of a tuple or record of a Go type.
func (b *body) fields(typ *jen.Statement, v *ir.Make) *jen.Statement {
	t := b.e.named(v.Type)
	return typ.ValuesFunc(func(g *jen.Group) {
		for i, part := range v.Parts {
			g.Id(t.fields[i]).Op(":").Add(b.value(part, true))
		}
	})
}

// variant returns the composite literal of a variant.
func (b *body) variant(v *ir.ArmOf) *jen.Statement {
	g := b.e.named(v.Type)
	return b.e.goTypeOf(v.Type).ValuesFunc(func(fields *jen.Group) {
		fields.Id("Tag").Op(":").Id(b.e.tag(g, v.Tag))
		if payload := v.Type.Arms[v.Tag].Payload; payload != nil {
			fields.Id(g.fields[v.Tag]).Op(":").Add(
				b.fields(jen.Op("&").Add(b.e.goTypeOf(payload)), &ir.Make{Type: payload, Parts: v.Parts}))
		}
	})
}

// hasTag returns the comparison of a value's tag.
func (b *body) hasTag(v *ir.HasTag, operator string) *jen.Statement {
	t := v.Of.ValueType()
	g := b.e.named(t)
	tag := b.value(v.Of, false)
	if t.Kind == ir.Variant {
		tag = tag.Dot("Tag")
	}
	return tag.Op(operator).Id(b.e.tag(g, v.Tag))
}
