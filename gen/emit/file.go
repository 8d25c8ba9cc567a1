package emit

import (
	"strconv"

	"github.com/dave/jennifer/jen"

	"github.com/mcpgen/mcpgen/gen/ir"
)

// checkLevel writes the check of a compression level.
func (b *body) checkLevel(s *ir.CheckLevel, g *jen.Group) {
	if lit, ok := s.Level.(*ir.Lit); ok {
		if n, err := strconv.Atoi(lit.Text); err == nil && 0 <= n && n <= 9 {
			return
		}
	}
	check := "CheckLevel"
	if s.Level.ValueType().Kind == ir.Int {
		check = "CheckLevelInt"
	}
	g.If(
		id("err").Op(":=").Add(b.e.rt("files", check)).Call(b.value(s.Level, false)),
		id("err").Op("!=").Nil(),
	).Block(b.fail())
}

// save writes a value to a file.
func (b *body) save(s *ir.Save, g *jen.Group) {
	e := b.e
	t := s.Of.ValueType()
	path, value := b.value(s.Path, true), b.value(s.Of, false)
	var call *jen.Statement
	if s.Format == "json" {
		call = e.rt("files", "SaveJSON").Call(path, e.text(showOp, t, jen.Nil(), value))
	} else {
		packet := b.scope.Take("call")
		g.Id(packet).Op(":=").New(e.rt("packet", "Call"))
		g.Id(packet).Dot("Begin").Call(literal(t.Text), jen.Lit(t.Width))
		g.Add(e.putTo(packet, t, jen.Lit(0), value))
		g.Id(packet).Dot("End").Call()
		payload := id(packet).Dot("Payload").Call()
		if s.Format == "msgpack" {
			call = e.rt("files", "SaveMsgpack").Call(path, literal(t.Text), payload)
		} else {
			call = e.rt("files", "SaveVoidstar").Call(path, literal(t.Text), b.savedLevel(s), payload)
		}
	}
	g.If(id("err").Op(":=").Add(call), id("err").Op("!=").Nil()).Block(b.fail())
}

// savedLevel returns a compression level that was checked, as an int.
func (b *body) savedLevel(s *ir.Save) *jen.Statement {
	if lit, ok := s.Level.(*ir.Lit); ok {
		return jen.Op(lit.Text)
	}
	if s.Level.ValueType().Kind == ir.Int {
		return b.e.rt("files", "Level").Call(b.value(s.Level, false))
	}
	return jen.Int().Call(b.value(s.Level, false))
}

// loader returns the name of the variable that says how files become values of t.
func (e *emitter) loader(t *ir.Type) string {
	name := e.declared("loader "+t.Text, "load"+e.label(t)+"File")
	if e.loaders[name] {
		return name
	}
	e.loaders[name] = true
	pairs := []any{"Schema", literal(t.Text)}
	inner := t
	if t.Kind == ir.Optional {
		inner = t.Elem
	}
	switch inner.Kind {
	case ir.String:
		pairs = append(pairs, "Text", e.fromPlain(jen.String(), t, inner))
	case ir.Float32, ir.Float64:
		pairs = append(pairs, "Float", e.fromPlain(jen.Float64(), t, inner))
	}
	pairs = append(pairs, "JSON", e.fn(readOp, t), "Value", e.fn(loadOp, t))
	e.pure.add(
		comment(name+" says how a file becomes a value: "+t.Text+"."),
		jen.Var().Id(name).Op("=").Add(structLit(e.rt("files", "Loader").Types(e.goTypeOf(t)), pairs...)))
	return name
}

// fromPlain returns a function from a plain type to t, which is inner or an optional one.
func (e *emitter) fromPlain(plain *jen.Statement, t, inner *ir.Type) *jen.Statement {
	v := id("v")
	if inner.Kind == ir.Float32 {
		v = jen.Float32().Call(v)
	}
	if t.Kind == ir.Optional {
		v = jen.New(v)
	}
	return jen.Func().Params(id("v").Add(plain)).Add(e.goTypeOf(t)).Block(jen.Return(v))
}
