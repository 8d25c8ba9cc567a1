package emit

import (
	"strings"

	"github.com/dave/jennifer/jen"

	"github.com/mcpgen/mcpgen/gen/ir"
	"github.com/mcpgen/mcpgen/gen/names"
)

// Checks of an author's JSON Schema become functions that read as if written by hand: one for
// the schema, and one for each part of it that is referred to or that loops over what a value
// holds. Parts without loops stand where they apply.

// A checker emits the functions of one schema.
type checker struct {
	e       *emitter
	base    string // name of the function of the whole schema
	doc     string // what that holds against it
	gathers bool   // that function returns more than the first fault
	queue   []*ir.Check
	asked   map[*ir.Check]bool
}

// checkOutput emits the function that returns the first fault of a value, and returns its
// name. The doc says what the value is, as in: what the command prints against its
// outputSchema.
func (e *emitter) checkOutput(want, doc string, c *ir.Check) string {
	k := e.checker(want, doc)
	k.function(c)
	k.emitQueue()
	return k.base
}

// checkArguments emits the function that returns the first fault of each argument of a call,
// and returns its name.
func (e *emitter) checkArguments(want, doc string, c *ir.Check) string {
	k := e.checker(want, doc)
	k.gathers = true
	if e.once(k.base) {
		s := &statements{k: k, gather: true, gathered: map[*ir.Check]bool{}}
		e.checks.add(
			comment(k.base+" holds "+doc+". It returns the first fault of each argument."),
			jen.Func().Id(k.base).Params(id("v").Add(k.rt("Value"))).Index().Add(k.rt("Fault")).
				BlockFunc(func(g *jen.Group) {
					g.Var().Id("faults").Add(k.rt("Faults"))
					s.check(c, "v", g)
					g.Return(id("faults").Dot("InOrder").Call(append([]jen.Code{id("v")}, stringArgs(s.names)...)...))
				}))
		k.emitQueue()
	}
	return k.base
}

func (e *emitter) checker(want, doc string) *checker {
	return &checker{e: e, base: e.declared("check "+want, want), doc: doc, asked: map[*ir.Check]bool{}}
}

func (k *checker) rt(name string) *jen.Statement { return k.e.rt("jsoncheck", name) }

// function returns the name of the function of a check, which is emitted later.
func (k *checker) function(c *ir.Check) string {
	name := k.name(c, k.base, "")
	if !k.asked[c] {
		k.asked[c] = true
		k.queue = append(k.queue, c)
	}
	return name
}

// emitQueue emits the functions that were asked for, and those that they ask for.
func (k *checker) emitQueue() {
	for len(k.queue) > 0 {
		c := k.queue[0]
		k.queue = k.queue[1:]
		name := k.function(c)
		if !k.e.once(name) {
			continue
		}
		doc := name + " is the part " + c.Path + " of " + k.base + "."
		switch {
		case name == k.base:
			doc = name + " holds " + k.doc + "."
		case c.Path == "":
			doc = name + " is " + k.base + " for what an argument holds."
		}
		s := &statements{k: k}
		k.e.checks.add(comment(doc),
			jen.Func().Id(name).Params(id("v").Add(k.rt("Value"))).Add(k.rt("Fault")).
				BlockFunc(func(g *jen.Group) {
					if !s.check(c, "v", g) {
						g.Return(k.rt("Fault").Values())
					}
				}))
	}
}

// name returns the name of a declaration for a check: the path of its schema between a head
// and a tail.
func (k *checker) name(c *ir.Check, head, tail string) string {
	if c.Path == "" && tail == "" {
		if !k.gathers {
			return k.base
		}
		tail = "Whole" // a circle that comes back to all of the arguments
	}
	return k.e.declared("check "+k.base+" "+tail+" "+c.Path, head+nameOfPath(c.Path)+tail)
}

// variable returns the name of a variable that a check needs, which is emitted with its first
// use.
func (k *checker) variable(c *ir.Check, tail, note string, value jen.Code) *jen.Statement {
	name := k.name(c, strings.TrimPrefix(k.base, "check"), tail)
	name = k.e.declared("variable "+name, names.Unexported(name))
	if k.e.once(name) {
		k.e.checks.add(comment(name+" "+note+"."), jen.Var().Id(name).Op("=").Add(value))
	}
	return id(name)
}

// longName is how long the part of a name gets that tells of a path.
const longName = 40

// nameOfPath makes a name of where a schema is in its document: /properties/spec/items is
// SpecItem. Of a long path it keeps the end.
func nameOfPath(path string) string {
	var words []string
	for tokens := strings.Split(path, "/")[1:]; len(tokens) > 0; tokens = tokens[1:] {
		switch keyword := tokens[0]; keyword {
		case "properties", "$defs", "definitions":
			if len(tokens) > 1 {
				tokens = tokens[1:]
				words = append(words, names.Exported(tokens[0]))
			}
		case "items":
			words = append(words, "Item")
		case "additionalProperties":
			words = append(words, "Additional")
		case "allOf", "anyOf", "oneOf", "prefixItems":
			word := names.Exported(keyword)
			if len(tokens) > 1 {
				tokens = tokens[1:]
				word += tokens[0] // an index
			}
			words = append(words, word)
		default:
			words = append(words, names.Exported(keyword))
		}
	}
	name := ""
	for i := len(words) - 1; i >= 0 && (name == "" || len(name)+len(words[i]) <= longName); i-- {
		name = words[i] + name
	}
	return name
}
