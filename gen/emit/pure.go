package emit

import (
	"strconv"
	"strings"

	"github.com/dave/jennifer/jen"

	"github.com/mcpgen/mcpgen/gen/ir"
	"github.com/mcpgen/mcpgen/gen/names"
)

// A body is a function, or a function literal in one, while its statements are written.
type body struct {
	e      *emitter
	scope  *names.Scope
	vars   map[*ir.Var]string
	funcs  map[*ir.Func]string // what the command's own functions are called
	result *ir.Type
	fails  bool
	catch  *ir.Var // in the literal of a Catch: assigning it is returning
	frames string  // how many calls of recursive functions are under way; "" outside of them
}

// emitFunc emits the compiled function of a pure command, and those of its own that it
// calls.
func (e *emitter) emitFunc(t *tool, x target) {
	doc := x.fn + " is commands[" + strconv.Itoa(x.Index) + "]"
	if text := oneLine(strings.Join(t.Doc, " ")); text != "" && x.render == "" {
		doc += ": " + text
	} else {
		doc += "."
	}
	funcs := map[*ir.Func]string{}
	for i, f := range x.Func.Funcs {
		purpose := "function " + strconv.Itoa(i) + " of " + x.fn
		funcs[f] = e.declared(purpose, x.fn+names.Exported(f.Name))
	}
	e.emitBody(x.fn, doc, x.Func, funcs)
	for _, f := range x.Func.Funcs {
		e.emitBody(funcs[f], funcs[f]+" is the function "+strconv.Quote(f.Name)+" of commands["+strconv.Itoa(x.Index)+"].", f, funcs)
	}
}

func (e *emitter) emitBody(name, doc string, f *ir.Func, funcs map[*ir.Func]string) {
	b := &body{e: e, scope: e.top.Inner(), vars: map[*ir.Var]string{}, funcs: funcs, result: f.Result, fails: f.Fails}
	b.scope.Take("err")
	params := b.params(f.Params)
	if f.Recursive {
		b.frames = b.scope.Take("frames")
		params = append(params, id(b.frames).Int())
	}
	e.pure.add(
		comment(doc),
		jen.Func().Id(name).Params(params...).Add(b.results()).
			BlockFunc(func(g *jen.Group) {
				if f.Recursive {
					g.If(id(b.frames).Op("==").Add(e.rt("pure", "MaxFrames"))).
						Block(jen.Return(b.zero(), e.rt("pure", "ErrTooDeep")))
				}
				b.statements(f.Body, g)
			}))
}

// params returns the parameter list; neighbours of one type share its name.
func (b *body) params(vars []*ir.Var) []jen.Code {
	list := make([]jen.Code, len(vars))
	for i, v := range vars {
		p := id(b.declare(v))
		if i+1 == len(vars) || identity(v.Type) != identity(vars[i+1].Type) {
			p.Add(b.e.goTypeOf(v.Type))
		}
		list[i] = p
	}
	return list
}

func (b *body) results() *jen.Statement {
	if b.fails {
		return jen.Params(b.e.goTypeOf(b.result), jen.Error())
	}
	return b.e.goTypeOf(b.result)
}

// declare names a variable.
func (b *body) declare(v *ir.Var) string {
	hint := names.Unexported(v.Hint)
	if v.Hint == "" {
		hint = "v"
	}
	name := b.scope.Take(hint)
	b.vars[v] = name
	return name
}

func (b *body) name(v *ir.Var) string {
	name, ok := b.vars[v]
	if !ok {
		panic("mcpgen: internal: variable " + strconv.Quote(v.Hint) + " is read before it is declared")
	}
	return name
}

func (b *body) statements(stmts []ir.Stmt, g *jen.Group) {
	for i := 0; i < len(stmts); i++ {
		if i+1 < len(stmts) && b.returnCall(stmts[i], stmts[i+1], g) {
			return
		}
		b.statement(stmts[i], g)
	}
}

func (b *body) statement(s ir.Stmt, g *jen.Group) {
	switch s := s.(type) {
	case *ir.Let:
		value := b.value(s.Of, false)
		g.Id(b.declare(s.Var)).Op(":=").Add(value)
		b.used(s.Var, g)
	case *ir.Declare:
		g.Var().Id(b.declare(s.Var)).Add(b.e.goTypeOf(s.Var.Type))
		b.used(s.Var, g)
	case *ir.Assign:
		b.assign(s, g)
	case *ir.If:
		b.branch(s, g)
	case *ir.Map:
		b.loop(s, g)
	case *ir.Call:
		b.callOwn(s, g)
	case *ir.CheckLevel:
		b.checkLevel(s, g)
	case *ir.Save:
		b.save(s, g)
	case *ir.Throw:
		g.Return(b.zero(), b.e.rt("pure", "Throw").Call(b.value(s.Message, true)))
	case *ir.Catch:
		b.tryCatch(s, g)
	case *ir.Return:
		b.give(s.Of, g)
	default:
		v, call := b.failing(s)
		if v == nil {
			panic("mcpgen: internal: unknown statement")
		}
		b.orFail(v, call, g)
	}
}

// used keeps the compiler from minding a variable that is never read.
func (b *body) used(v *ir.Var, g *jen.Group) {
	if v.Uses == 0 {
		g.Id("_").Op("=").Id(b.name(v))
	}
}

// give returns a value.
func (b *body) give(v ir.Value, g *jen.Group) {
	if b.fails {
		g.Return(b.value(v, true), jen.Nil())
		return
	}
	g.Return(b.value(v, true))
}

func (b *body) assign(s *ir.Assign, g *jen.Group) {
	if s.Var == b.catch && len(s.Path) == 0 {
		b.give(s.Of, g)
		return
	}
	place := b.selection(id(b.name(s.Var)), s.Var.Type, s.Path)
	g.Add(place).Op("=").Add(b.value(s.Of, true))
}

func (b *body) loop(s *ir.Map, g *jen.Group) {
	over := b.value(s.Over, false)
	if _, simple := s.Over.(*ir.Ref); !simple {
		list := b.scope.Take("list")
		g.Id(list).Op(":=").Add(over)
		over = id(list)
	}
	out := b.declare(s.Var)
	g.Id(out).Op(":=").Make(b.e.goTypeOf(s.Var.Type), jen.Len(over.Clone()))
	i := b.scope.Take("i")
	clause := id(i).Op(":=").Range().Add(over.Clone())
	if s.Elem.Uses > 0 {
		clause = jen.List(id(i), id(b.declare(s.Elem))).Op(":=").Range().Add(over.Clone())
	}
	g.For(clause).BlockFunc(func(g *jen.Group) {
		b.statements(s.Body, g)
		if s.Result != nil { // else the body always throws
			g.Id(out).Index(id(i)).Op("=").Add(b.value(s.Result, true))
		}
	})
	b.used(s.Var, g)
}

func (b *body) tryCatch(s *ir.Catch, g *jen.Group) {
	attempt := b.attempt(s)
	name := b.declare(s.Var)
	g.List(id(name), id("err")).Op(":=").Add(attempt)
	g.If(id("err").Op("!=").Nil()).BlockFunc(func(g *jen.Group) {
		g.If(jen.Op("!").Add(b.e.rt("pure", "IsUser")).Call(id("err"))).Block(b.fail())
		if s.Message != nil && s.Message.Uses > 0 {
			g.Id(b.declare(s.Message)).Op(":=").Id("err").Dot("Error").Call()
		}
		b.statements(s.Fallback, g)
	})
	b.used(s.Var, g)
}

// attempt returns the call that does what a Catch guards: of a function literal, unless it
// is one call anyway.
func (b *body) attempt(s *ir.Catch) *jen.Statement {
	if len(s.Body) == 2 {
		v, call := b.failing(s.Body[0])
		assign, ok := s.Body[1].(*ir.Assign)
		if v != nil && ok && assign.Var == s.Var && len(assign.Path) == 0 {
			if ref, ok := assign.Of.(*ir.Ref); ok && ref.Var == v && identity(v.Type) == identity(s.Var.Type) {
				return call
			}
		}
	}
	inner := *b
	inner.result, inner.fails, inner.catch = s.Var.Type, true, s.Var
	return jen.Func().Params().Add(inner.results()).
		BlockFunc(func(g *jen.Group) { inner.statements(s.Body, g) }).Call()
}
