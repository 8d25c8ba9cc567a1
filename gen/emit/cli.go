package emit

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/dave/jennifer/jen"

	"github.com/mcpgen/mcpgen/gen/ir"
	"github.com/mcpgen/mcpgen/gen/names"
)

// A leaf holds the names of what is emitted for a command of a command-line program.
type leaf struct {
	command string // variable that says how it is run
	names   string // variable of the names of its arguments
	check   string // function that checks arguments which go to standard input
}

// nameLeaf gives a tool that is a command its names, but for those that every tool has.
func (e *emitter) nameLeaf(n *tool, purpose string, members *names.Scope) {
	n.leaf.command = e.declared(purpose+"command", n.base+"Leaf")
	if n.Leaf.Stdin {
		n.leaf.check = e.declared(purpose+"check", "check"+names.Exported(n.base)+"Arguments")
	}
	if len(n.Leaf.Properties) == 0 {
		return
	}
	n.args = e.declared(purpose+"args", n.base+"Args")
	n.leaf.names = e.declared(purpose+"names", n.base+"Names")
	n.field = members.Take(n.base)
	scope := names.NewScope()
	for _, p := range n.Leaf.Properties {
		n.fields = append(n.fields, scope.Take(names.Exported(p.Name)))
	}
}

// emitLeaf emits what runs a command.
func (e *emitter) emitLeaf(t *tool) {
	if t.args != "" {
		e.emitLeafArgs(t)
	}
	if t.Leaf.Stdin {
		e.emitStdinCheck(t)
	}
	e.command.add(
		comment(t.leaf.command+" is "+commandOf(t)+"."),
		jen.Var().Id(t.leaf.command).Op("=").Add(structLit(e.rt("command", "Leaf"), e.leafFields(t)...)))
	e.dispatch.add(
		comment(t.method+" runs "+commandOf(t)+"."),
		jen.Func().Params(id("t").Op("*").Id("tools")).Id(t.method).
			Params(id("c").Op("*").Add(e.rt("mcp", "Call"))).Error().
			BlockFunc(func(b *jen.Group) { e.callLeaf(t, b) }))
}

// commandOf names the command of a tool.
func commandOf(t *tool) string {
	if len(t.Leaf.Path) == 0 {
		return "the program itself"
	}
	return "the command " + strconv.Quote(strings.Join(t.Leaf.Path, " "))
}

func (e *emitter) leafFields(t *tool) []any {
	pairs := []any{"Name", literal(t.Name)}
	if len(t.Leaf.RequiresEnv) > 0 {
		pairs = append(pairs, "Env", stringList(t.Leaf.RequiresEnv))
	}
	if t.Leaf.TimeoutMS > 0 {
		pairs = append(pairs, "Timeout", duration(t.Leaf.TimeoutMS))
	}
	if t.Leaf.Output != nil {
		check := e.checkOutput("check"+names.Exported(t.base)+"Output",
			"what "+commandOf(t)+" prints against its outputSchema", t.Leaf.Output.Check)
		pairs = append(pairs, "Output", id(check))
		if !t.Leaf.Output.IsObject {
			pairs = append(pairs, "AnyOutput", jen.True())
		}
	}
	return pairs
}

// callLeaf writes the body of the method that runs a command. What is wrong with the
// arguments is told by the job, behind what is wrong with the environment.
func (e *emitter) callLeaf(t *tool, b *jen.Group) {
	arguments := jen.Op("&").Id("c").Dot("Arguments")
	switch {
	case t.Leaf.Stdin:
		b.Id("err").Op(":=").Id(t.leaf.check).Call(arguments)
	case t.args == "":
		b.Id("err").Op(":=").Add(e.rt("argv", "None")).Call(arguments)
	default:
		b.Id("a").Op(":=").Op("&").Id("t").Dot(t.field)
		b.Id("err").Op(":=").Id("a").Dot("decode").Call(arguments)
	}
	b.Id("j").Op(":=").Id("cli").Dot("Call").Call(id("c"), jen.Op("&").Id(t.leaf.command))
	words := jen.Op("&").Id("j").Dot("Argv")
	if t.args != "" {
		b.If(id("err").Op("==").Nil()).Block(id("a").Dot("words").Call(words))
	} else {
		for _, s := range t.Leaf.Argv {
			b.Id("j").Dot("Argv").Dot("Word").Call(literal(s.Word))
		}
	}
	if t.Leaf.Stdin {
		b.Id("j").Dot("Stdin").Call(e.rt("argv", "JSON").Call(arguments.Clone()))
	}
	b.Return(id("j").Dot("Run").Call(id("err")))
}

// emitCLI emits the program that the commands are of.
func (e *emitter) emitCLI() {
	if e.p.CLI == nil {
		return
	}
	e.command.add(
		comment("cli is the program that runs the commands."),
		jen.Var().Id("cli").Op("=").Add(structLit(e.rt("command", "CLI"), e.cliFields()...)))
}

func (e *emitter) cliFields() []any {
	c := e.p.CLI
	pairs := []any{"Command", stringList(c.Command)}
	add := func(name string, set bool, value jen.Code) {
		if set {
			pairs = append(pairs, name, value)
		}
	}
	add("Cwd", c.Cwd != "", literal(c.Cwd))
	add("Env", len(c.Env) > 0, jen.Index().String().ValuesFunc(func(v *jen.Group) {
		for _, x := range c.Env {
			v.Line().Add(literal(x.Name + "=" + x.Value))
		}
		v.Line()
	}))
	add("EnvFile", c.EnvFile != "", literal(c.EnvFile))
	add("ShellEnv", c.ShellEnv != "", literal(c.ShellEnv))
	add("Timeout", c.TimeoutMS > 0 && slices.ContainsFunc(e.p.Resources, isOutput), duration(c.TimeoutMS))
	add("MaxOutput", true, size(c.MaxOutput))
	add("MaxParallel", true, jen.Lit(c.MaxParallel))
	add("Pipe", c.Pipe, jen.True())
	var style []jen.Code
	if c.Equals {
		style = append(style, id("Equals").Op(":").True())
	}
	switch c.Dash {
	case ir.DashAlways:
		style = append(style, id("Dash").Op(":").Add(e.rt("argv", "DashAlways")))
	case ir.DashNever:
		style = append(style, id("Dash").Op(":").Add(e.rt("argv", "DashNever")))
	}
	add("Style", style != nil, e.rt("argv", "Style").Values(style...))
	return pairs
}

// isOutput reports whether a command is run for a resource.
func isOutput(r ir.Resource) bool { return len(r.Args) > 0 }

// duration returns the expression of a time in the largest unit that divides it.
func duration(ms int64) *jen.Statement {
	for _, unit := range []struct {
		name string
		size time.Duration
	}{{"Hour", time.Hour}, {"Minute", time.Minute}, {"Second", time.Second}} {
		if n := unit.size.Milliseconds(); ms%n == 0 {
			return times(ms/n, unit.name)
		}
	}
	return times(ms, "Millisecond")
}

func times(n int64, unit string) *jen.Statement {
	if n == 1 {
		return jen.Qual("time", unit)
	}
	return jen.Lit(int(n)).Op("*").Qual("time", unit)
}

// stringList returns the composite literal of strings, on one line if they are short.
func stringList(all []string) *jen.Statement { return jen.Index().String().Values(stringArgs(all)...) }

// stringArgs returns strings as arguments or elements, on several lines if there are many.
func stringArgs(all []string) []jen.Code {
	const width = 90
	codes := make([]jen.Code, 0, len(all)+1)
	total, line := 0, 0
	for _, s := range all {
		total += len(s) + len(`"", `)
	}
	for i, s := range all {
		n := len(s) + len(`"", `)
		code := literal(s)
		if line += n; total > width && (i == 0 || line > width) {
			code, line = jen.Line().Add(code), n
		}
		codes = append(codes, code)
	}
	if total > width {
		codes = append(codes, jen.Line())
	}
	return codes
}

// size returns the expression of a number of bytes, in mebibytes if it is a whole number of
// them.
func size(n int64) *jen.Statement {
	if n > 0 && n%(1<<20) == 0 {
		return jen.Lit(int(n >> 20)).Op("<<").Lit(20)
	}
	return jen.Lit(int(n))
}
