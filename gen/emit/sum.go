package emit

import (
	"strconv"

	"github.com/dave/jennifer/jen"

	"github.com/mcpgen/mcpgen/gen/ir"
	"github.com/mcpgen/mcpgen/gen/names"
)

// hasParts reports whether values of t are put together part by part.
func hasParts(t *ir.Type) bool {
	return t.Kind == ir.Tuple || t.Kind == ir.Record || t.Kind == ir.Variant
}

// armFields names the struct fields of a variant, by its arms; "" for those that have none.
func armFields(t *ir.Type) []string {
	scope := names.NewScope("Tag")
	fields := make([]string, len(t.Arms))
	for i, a := range t.Arms {
		if a.Payload != nil {
			fields[i] = scope.Take(names.Exported(a.Name))
		}
	}
	return fields
}

func (g *goType) purpose(what string) string { return what + " " + identity(g.t) }

// tagType returns the name of the type of g's tags: an enum itself.
func (e *emitter) tagType(g *goType) string {
	if g.t.Kind == ir.Enum {
		return g.name
	}
	return e.declared(g.purpose("tag"), g.name+"Tag")
}

// tag returns the name of the constant of a constructor.
func (e *emitter) tag(g *goType, i int) string {
	return e.declared(g.purpose("constant "+strconv.Itoa(i)+" of"), e.tagType(g)+names.Exported(g.t.Arms[i].Name))
}

// armNames returns the name of the variable that holds the names of constructors.
func (e *emitter) armNames(g *goType) string {
	name := e.declared(g.purpose("names"), g.name+"Names")
	if e.once(name) {
		e.sectionOf(g).add(
			comment(name+" are the constructors of "+g.name+", by their tags."),
			jen.Var().Id(name).Op("=").Index().String().ValuesFunc(func(v *jen.Group) {
				for _, a := range g.t.Arms {
					v.Add(literal(a.Name))
				}
			}))
	}
	return name
}

// armCounts returns a composite literal of how many fields the constructors have.
func armCounts(t *ir.Type) *jen.Statement {
	return jen.Index().Int().ValuesFunc(func(v *jen.Group) {
		for _, a := range t.Arms {
			n := 0
			if a.Payload != nil {
				n = len(a.Payload.Fields)
			}
			v.Lit(n)
		}
	})
}

// once reports whether something is emitted for the first time in this round.
func (e *emitter) once(name string) bool {
	if e.emitted[name] {
		return false
	}
	e.emitted[name] = true
	return true
}

func (e *emitter) sectionOf(g *goType) *section {
	if e.inArguments(g.t) {
		return e.args
	}
	return e.results
}

func dataNote(g *goType) string {
	what := "a data type"
	if g.text != "" {
		what = "the data type " + g.text
	}
	return g.name + " is " + what + ": " + g.t.Text + "."
}

// emitEnum declares an enum and its constants.
func (e *emitter) emitEnum(g *goType, s *section) {
	s.add(comment(dataNote(g)), jen.Type().Id(g.name).Uint8())
	e.emitTags(g, s)
}

func (e *emitter) emitTags(g *goType, s *section) {
	s.add(
		comment("The constructors of "+g.name+"."),
		jen.Const().DefsFunc(func(d *jen.Group) {
			for i := range g.t.Arms {
				name := d.Id(e.tag(g, i))
				if i == 0 {
					name.Id(e.tagType(g)).Op("=").Iota()
				}
			}
		}))
}

// emitVariant declares a variant: a tag, and a field for each constructor that has fields.
func (e *emitter) emitVariant(g *goType, s *section) {
	s.add(
		comment(dataNote(g)+" The tag says which of the others is set, if any."),
		jen.Type().Id(g.name).StructFunc(func(fields *jen.Group) {
			fields.Id("Tag").Id(e.tagType(g))
			for i, a := range g.t.Arms {
				if a.Payload != nil {
					fields.Id(g.fields[i]).Op("*").Id(e.named(a.Payload).name).
						Comment("// " + oneLine(strconv.Quote(a.Name)))
				}
			}
		}))
	tag := e.tagType(g)
	s.add(comment(tag+" is a constructor of "+g.name+"."), jen.Type().Id(tag).Uint8())
	e.emitTags(g, s)
	for _, a := range g.t.Arms {
		if a.Payload != nil {
			e.emitType(e.named(a.Payload))
		}
	}
}

// switchArms writes a switch over the constructors of v that have fields. The body is told
// the constructor and the expression of its field.
func (e *emitter) switchArms(g *goType, b *jen.Group, on jen.Code, body func(c *jen.Group, i int, a ir.Arm, field *jen.Statement)) {
	b.Switch(on).BlockFunc(func(cases *jen.Group) {
		for i, a := range g.t.Arms {
			if a.Payload != nil {
				cases.Case(id(e.tag(g, i))).BlockFunc(func(c *jen.Group) {
					body(c, i, a, id("v").Dot(g.fields[i]))
				})
			}
		}
	})
}

func vTag() *jen.Statement { return id("v").Dot("Tag") }

// isBare reports whether some constructor has no fields.
func isBare(t *ir.Type) bool {
	for _, a := range t.Arms {
		if a.Payload == nil {
			return true
		}
	}
	return false
}

func (e *emitter) decodeVariant(g *goType, b *jen.Group) {
	arms := e.declared(g.purpose("arms"), g.name+"Arms")
	if e.once(arms) {
		e.args.add(
			comment(arms+" are the constructors of "+g.name+", by their tags."),
			jen.Var().Id(arms).Op("=").Add(structLit(e.rt("jsonx", "Arms"),
				"Names", id(e.armNames(g)), "Fields", armCounts(g.t))))
	}
	e.readArms(g, b, "d", id("d").Dot("Variant").Call(jen.Op("&").Id(arms)), decodeOp)
}

func (e *emitter) readVariant(g *goType, b *jen.Group) {
	e.readArms(g, b, "d", id("d").Dot("Variant").Call(id(e.armNames(g)), armCounts(g.t)), readOp)
}

// readArms writes the body that reads a variant from JSON text by op; enter is the call that
// begins it.
func (e *emitter) readArms(g *goType, b *jen.Group, decoder string, enter *jen.Statement, o *op) {
	b.Id("x").Op(":=").Add(enter)
	b.Add(vTag()).Op("=").Id(e.tagType(g)).Call(id("x").Dot("Tag"))
	b.If(id("x").Dot("Fields")).BlockFunc(func(b *jen.Group) {
		e.switchArms(g, b, vTag(), func(c *jen.Group, i int, a ir.Arm, field *jen.Statement) {
			c.Add(field).Op("=").New(e.fn(o, a.Payload).Call(id(decoder)))
		})
	})
	b.Id(decoder).Dot("EndVariant").Call(jen.Op("&").Id("x"))
	b.Return(id("v"))
}

func (e *emitter) putVariant(g *goType, b *jen.Group) {
	tag := jen.Uint8().Call(vTag())
	b.Switch(vTag()).BlockFunc(func(cases *jen.Group) {
		for i, a := range g.t.Arms {
			if p := a.Payload; p != nil {
				cases.Case(id(e.tag(g, i))).Block(e.rt("packet", "PutVariant").Call(
					id("p"), id("at"), tag.Clone(), jen.Op("*").Id("v").Dot(g.fields[i]),
					jen.Lit(p.Width), jen.Lit(p.Align), e.fn(putOp, p)))
			}
		}
		if isBare(g.t) {
			cases.Default().Block(id("p").Dot("PutTag").Call(id("at"), tag))
		}
	})
}

// armText writes what appends a constructor with fields as JSON; fields is the expression
// that appends the fields to dst.
func armText(c *jen.Group, a ir.Arm, fields *jen.Statement) {
	c.Id("dst").Op("=").Add(appendText("{" + jsonString(a.Name) + ":"))
	c.Id("dst").Op("=").Add(fields)
	c.Return(appendText("}"))
}

func (e *emitter) textVariant(o *op, g *goType, b *jen.Group) {
	e.switchArms(g, b, vTag(), func(c *jen.Group, i int, a ir.Arm, field *jen.Statement) {
		armText(c, a, e.fn(o, a.Payload).Call(id("dst"), jen.Op("*").Add(field)))
	})
	e.returnName(g, b, vTag())
}

// returnName writes the end of a body that appends a variant: a constructor without fields.
func (e *emitter) returnName(g *goType, b *jen.Group, tag *jen.Statement) {
	if !isBare(g.t) { // all cases have returned
		b.Return(id("dst"))
		return
	}
	b.Return(e.rt("jsonx", "AppendName").Call(id("dst"), tag, id(e.armNames(g))))
}

// copyVariant goes by plain tags: a type that is a result only needs no Go type.
func (e *emitter) copyVariant(g *goType, b *jen.Group) {
	b.Id("tag").Op(":=").Id("r").Dot("Arm").Call(id("at"), jen.Lit(len(g.t.Arms)))
	b.Switch(id("tag")).BlockFunc(func(cases *jen.Group) {
		for i, a := range g.t.Arms {
			if a.Payload != nil {
				cases.Case(jen.Lit(i)).BlockFunc(func(c *jen.Group) {
					armText(c, a, id("r").Dot("AppendPayload").Call(id("dst"), id("at"), e.fn(copyOp, a.Payload)))
				})
			}
		}
	})
	e.returnName(g, b, id("tag"))
}

func (e *emitter) loadVariant(g *goType, b *jen.Group) {
	b.Add(vTag()).Op("=").Id(e.tagType(g)).Call(id("r").Dot("Arm").Call(id("at"), jen.Lit(len(g.t.Arms))))
	e.switchArms(g, b, vTag(), func(c *jen.Group, i int, a ir.Arm, field *jen.Statement) {
		c.Add(field).Op("=").Add(e.rt("voidstar", "Payload")).Call(id("r"), id("at"), e.fn(loadOp, a.Payload))
	})
	b.Return(id("v"))
}

func (e *emitter) hashVariant(g *goType, b *jen.Group) {
	b.Id("h").Op(":=").Add(e.rt("pure", "HashVariant")).Call(id("seed"), jen.Uint8().Call(vTag()))
	e.switchArms(g, b, vTag(), func(c *jen.Group, i int, a ir.Arm, field *jen.Statement) {
		c.Id("h").Op("=").Add(e.fn(hashOp, a.Payload).Call(id("h"), jen.Op("*").Add(field)))
	})
	b.Return(id("h"))
}
