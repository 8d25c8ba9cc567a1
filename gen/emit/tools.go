package emit

import (
	"strconv"

	"github.com/dave/jennifer/jen"

	"github.com/mcpgen/mcpgen/gen/ir"
	"github.com/mcpgen/mcpgen/gen/names"
)

// A tool is a tool with the names of what is emitted for it.
type tool struct {
	*ir.Tool
	base    string   // stem of its other names; the function of a pure tool
	args    string   // argument struct; "" if it takes nothing
	field   string   // of the tools struct
	method  string   // that calls it
	fields  []string // of the argument struct, by Params
	render  string   // field of _render; "" if there is none
	groups  []string // fields of unrolled groups, by Slots
	targets []target
	leaf    leaf // of a command of a CLI; its fields are by Leaf.Properties
}

// A target is something the tool can run, and the names of what is emitted for it.
type target struct {
	*ir.Target
	render string // value of _render; "" for the raw one
	base   string
	fn     string // compiled function
	result string // how a pool's reply becomes the result
	mid    string // constant of the manifold's number
}

// nameTools gives all tools their names, in their order.
func (e *emitter) nameTools() {
	members := names.NewScope("Call") // of the tools struct: fields and methods
	for i, t := range e.p.Tools {
		n := &tool{Tool: t, base: e.top.Take(names.Unexported(t.Name))}
		purpose := "tool " + strconv.Itoa(i) + " "
		upper := names.Exported(n.base)
		n.method = members.Take("call" + upper)
		e.tools = append(e.tools, n)
		if t.Leaf != nil {
			e.nameLeaf(n, purpose, members)
			continue
		}
		if len(t.Params) > 0 || t.HasRender() {
			n.args = e.declared(purpose+"args", n.base+"Args")
			n.field = members.Take(n.base)
		}
		scope := names.NewScope()
		for _, p := range t.Params {
			n.fields = append(n.fields, scope.Take(names.Exported(p.Key)))
		}
		for _, s := range t.Slots {
			field := ""
			if s.Param < 0 {
				want := names.Exported(s.Group)
				if s.Group == "" {
					want = "Group"
				}
				field = scope.Take(want)
			}
			n.groups = append(n.groups, field)
		}
		if t.HasRender() {
			n.render = scope.Take("Render")
		}
		n.targets = append(n.targets, e.nameTarget(purpose, n.base, "", t.Raw))
		for _, r := range t.Renders {
			base := e.top.Take(n.base + names.Exported(r.Name))
			n.targets = append(n.targets, e.nameTarget(purpose+r.Name+" ", base, r.Name, r.Target))
		}
	}
}

func (e *emitter) nameTarget(purpose, base, render string, t *ir.Target) target {
	n := target{Target: t, render: render, base: base, fn: base}
	if t.Remote != nil {
		n.result = e.declared(purpose+"result", base+"Result")
		n.mid = e.declared(purpose+"mid", "mid"+names.Exported(base))
	}
	return n
}

// emitDispatch emits the switch over the tools.
func (e *emitter) emitDispatch() {
	e.dispatch.add(
		comment("tools holds the arguments of the call at hand, so that their memory is used again."),
		jen.Type().Id("tools").StructFunc(func(s *jen.Group) {
			for _, t := range e.tools {
				if t.args != "" {
					s.Id(t.field).Id(t.args)
				}
			}
		}))
	e.dispatch.add(
		comment("Call implements [mcp.Tools]."),
		jen.Func().Params(id("t").Op("*").Id("tools")).Id("Call").
			Params(id("c").Op("*").Add(e.rt("mcp", "Call")), id("name").Index().Byte()).Error().
			BlockFunc(func(b *jen.Group) {
				if len(e.tools) > 0 {
					b.Switch(jen.String().Call(id("name"))).BlockFunc(func(s *jen.Group) {
						for _, t := range e.tools {
							s.Case(literal(t.Name)).Block(jen.Return(id("t").Dot(t.method).Call(id("c"))))
						}
					})
				}
				b.Return(e.rt("mcp", "UnknownTool").Call(id("name")))
			}))
}

// emitTool emits what runs a tool.
func (e *emitter) emitTool(t *tool) {
	if t.Leaf != nil {
		e.emitLeaf(t)
		return
	}
	if t.args != "" {
		e.emitArgs(t)
	}
	for _, x := range t.targets {
		if x.Remote != nil {
			e.emitResult(x)
		} else if !x.isConstant() {
			e.emitFunc(t, x)
		}
	}
	e.dispatch.add(
		comment(t.method+" "+e.runs(t)),
		jen.Func().Params(id("t").Op("*").Id("tools")).Id(t.method).
			Params(id("c").Op("*").Add(e.rt("mcp", "Call"))).Error().
			BlockFunc(func(b *jen.Group) { e.callBody(t, b) }))
}

// runs returns the sentence about what a tool runs.
func (e *emitter) runs(t *tool) string {
	s := "runs commands[" + strconv.Itoa(t.Index) + "]"
	if r := t.Raw.Remote; r != nil {
		return s + " in the " + e.p.Pools[r.Pool].Lang + " pool."
	}
	return s + ", a pure one."
}

func (e *emitter) callBody(t *tool, b *jen.Group) {
	if t.args == "" {
		b.If(id("err").Op(":=").Id("c").Dot("NoArguments").Call(), id("err").Op("!=").Nil()).
			Block(jen.Return(id("err")))
	} else {
		b.Id("a").Op(":=").Op("&").Id("t").Dot(t.field)
		b.If(
			id("err").Op(":=").Id("a").Dot("decode").Call(jen.Op("&").Id("c").Dot("Arguments")),
			id("err").Op("!=").Nil(),
		).Block(jen.Return(id("err")))
	}
	if t.render == "" {
		e.runTarget(t, t.targets[0], b)
		return
	}
	b.Switch(id("a").Dot(t.render)).BlockFunc(func(s *jen.Group) {
		for _, x := range t.targets {
			render := x.render
			if render == "" {
				render = "raw"
			}
			s.Case(literal(render)).BlockFunc(func(b *jen.Group) { e.runTarget(t, x, b) })
		}
	})
	b.Return(e.rt("mcp", "UnknownRender").Call(id("a").Dot(t.render)))
}

// runTarget writes the statements that run x and reply.
func (e *emitter) runTarget(t *tool, x target, b *jen.Group) {
	switch {
	case x.Remote != nil:
		pool := e.poolConst(x.Remote.Pool)
		b.Id("j").Op(":=").Id("pools").Dot("Call").Call(id("c"), id(pool), id(x.mid))
		if len(t.Slots) > 0 {
			b.Id("a").Dot("pack").Call(jen.Op("&").Id("j").Dot("Packet"))
		}
		b.Return(id("j").Dot("Send").Call(jen.Op("&").Id(x.result)))
	case x.isConstant():
		b.Return(id("c").Dot("ReplyResult").Call(literal(resultText(x))))
	case x.Mime != "" && rawMethod(x.Return) == "":
		b.Return(e.rt("mcp", "ErrNotMedia"))
	default:
		if x.Func.Files {
			b.If(id("err").Op(":=").Id("c").Dot("Files").Call(), id("err").Op("!=").Nil()).
				Block(jen.Return(id("err")))
		}
		call := id(x.fn).Call(e.slotValues(t)...)
		value := call
		if x.Func.Fails {
			b.List(id("v"), id("err")).Op(":=").Add(call)
			b.If(id("err").Op("!=").Nil()).Block(jen.Return(id("err")))
			value = id("v")
		}
		b.Return(e.replyValue(x, value))
	}
}

// replyValue returns the expression that replies with a value.
func (e *emitter) replyValue(x target, value *jen.Statement) *jen.Statement {
	buffer := id("c").Dot("Buffer").Call()
	if x.Mime != "" {
		return id("c").Dot("ReplyMedia").Call(literal(x.Mime), e.mediaBytes(x.Return, buffer, value))
	}
	reply := "Reply"
	switch x.Return.Kind {
	case ir.String:
		return id("c").Dot("ReplyString").Call(value)
	case ir.Record:
		reply = "ReplyRecord"
	}
	return id("c").Dot(reply).Call(e.text(appendOp, x.Return, buffer, value))
}

// mediaBytes returns the expression that appends the bytes of a media value to dst.
func (e *emitter) mediaBytes(t *ir.Type, dst, value *jen.Statement) *jen.Statement {
	switch {
	case t.Kind == ir.String, t.Kind == ir.List && t.Elem.Kind == ir.Uint8:
		return jen.Append(dst, value.Op("..."))
	default: // a list of those
		return e.rt("pure", "Join").Call(dst, value)
	}
}

// isConstant reports whether the result is known now: its text is emitted instead of code.
// A media result is not: its form depends on the revision.
func (x target) isConstant() bool { return x.Func != nil && x.Func.Const != "" && x.Mime == "" }

// resultText returns the result object of a constant command.
func resultText(x target) string {
	s := `{"content":[{"type":"text","text":` + jsonString(x.Func.Const) + `}]`
	if x.Return.Kind == ir.Record {
		s += `,"structuredContent":` + x.Func.Const
	}
	return s + `,"isError":false}`
}

// slotValues returns the expressions for a command's positional arguments.
func (e *emitter) slotValues(t *tool) []jen.Code {
	var values []jen.Code
	for i := range t.Slots {
		values = append(values, e.slotValue(t, i))
	}
	return values
}

func (e *emitter) slotValue(t *tool, slot int) *jen.Statement {
	if s := t.Slots[slot]; s.Param >= 0 {
		return id("a").Dot(t.fields[s.Param])
	}
	return id("a").Dot(t.groups[slot])
}
