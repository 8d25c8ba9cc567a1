package emit

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/dave/jennifer/jen"

	"github.com/mcpgen/mcpgen/gen/ir"
	"github.com/mcpgen/mcpgen/gen/names"
)

// emitLeafArgs emits the argument struct of a command, its decoder, and what makes words of
// it.
func (e *emitter) emitLeafArgs(t *tool) {
	e.args.add(
		comment(t.args+" are the arguments of tool "+strconv.Quote(t.Name)+", "+commandOf(t)+"."),
		jen.Type().Id(t.args).StructFunc(func(s *jen.Group) {
			for i, p := range t.Leaf.Properties {
				note := propertyNote(p)
				if !t.Leaf.IsPublished(p.Name) {
					note += ", not in the inputSchema"
				}
				s.Id(t.fields[i]).Add(e.propertyType(p)).Comment("// " + oneLine(note))
			}
		}))
	var published []string
	for _, p := range t.Leaf.Properties {
		if t.Leaf.IsPublished(p.Name) {
			published = append(published, p.Name)
		}
	}
	e.args.add(
		comment(t.leaf.names+" are the names of "+t.args+"."),
		jen.Var().Id(t.leaf.names).Op("=").Add(stringList(published)))
	patterns := e.emitPatterns(t)
	e.args.add(
		comment(decodeDoc),
		jen.Func().Params(id("a").Op("*").Id(t.args)).Id("decode").
			Params(id("d").Op("*").Add(e.rt("jsonx", "Decoder"))).Error().
			BlockFunc(func(b *jen.Group) {
				b.Var().Id("r").Add(e.rt("argv", "Reader"))
				if t.Leaf.Input != nil {
					e.reject(t, e.rt("argv", "Present").Call(id("d")), b)
				}
				b.Id("r").Dot("Read").Call(id("d"), id(t.leaf.names))
				for i, p := range t.Leaf.Properties {
					field := id("a").Dot(t.fields[i])
					b.Add(field.Clone()).Op("=").Add(reading(t, p, field, patterns[i]))
				}
				b.Return(id("r").Dot("Err").Call())
			}))
	e.emitWords(t)
}

// propertyType returns the type of a property's field.
func (e *emitter) propertyType(p *ir.Property) *jen.Statement {
	switch {
	case p.IsList():
		return jen.Index().String()
	case p.Place == ir.Option && p.Kind == ir.KindPresence:
		return jen.Bool()
	}
	return e.rt("argv", "Word")
}

// propertyNote says what a property is called and where it goes.
func propertyNote(p *ir.Property) string {
	note := strconv.Quote(p.Name) + ": "
	switch p.Place {
	case ir.PathParam:
		return note + "a word of the path"
	case ir.Option:
		note += "--" + p.Name
		if p.Required {
			note += ", required"
		}
		return note + optionNote(p)
	}
	switch {
	case p.Min == 1 && p.Max == 1:
		return note + "positional, required"
	case !p.IsList():
		return note + "positional"
	case p.Max == 0 && p.Min == 0:
		return note + "any number of positionals"
	case p.Max == 0:
		return note + fmt.Sprintf("positionals, at least %d", p.Min)
	case p.Min == 0:
		return note + fmt.Sprintf("at most %d positionals", p.Max)
	case p.Min == p.Max:
		return note + fmt.Sprintf("%d positionals", p.Min)
	}
	return note + fmt.Sprintf("%d to %d positionals", p.Min, p.Max)
}

// optionNote says what an option takes, if it is no plain text.
func optionNote(p *ir.Property) string {
	switch {
	case p.Kind == ir.KindPresence:
		return ", a flag"
	case p.Kind == ir.KindNumber:
		return ", a number"
	case p.Kind == ir.KindEnum && len(p.Choices) > 5:
		return fmt.Sprintf(", one of %d choices", len(p.Choices))
	case p.Kind == ir.KindEnum:
		return ", one of " + strings.Join(p.Choices, ", ")
	case p.Kind == ir.KindJSON:
		return ", JSON"
	case p.Format != "":
		return ", a " + p.Format
	case p.Pattern != "":
		return ", like " + p.Pattern
	}
	return ""
}

// emitPatterns emits the patterns of a command's options, and returns their variables, by
// property; "" is none.
func (e *emitter) emitPatterns(t *tool) []string {
	variables := make([]string, len(t.Leaf.Properties))
	for i, p := range t.Leaf.Properties {
		if p.RE2 == "" {
			continue
		}
		name := e.declared("pattern "+t.args+" "+p.Name, t.base+names.Exported(p.Name)+"Pattern")
		variables[i] = name
		e.args.add(
			comment(name+" must match in the option "+strconv.Quote(p.Name)+" of tool "+strconv.Quote(t.Name)+"."),
			jen.Var().Id(name).Op("=").Qual("regexp", "MustCompile").Call(literal(p.RE2)))
	}
	return variables
}

// reading returns the expression that reads a property; field is where it goes.
func reading(t *tool, p *ir.Property, field *jen.Statement, pattern string) *jen.Statement {
	name := literal(p.Name)
	switch {
	case p.Place == ir.PathParam:
		return id("r").Dot("PathParam").Call(append([]jen.Code{name}, stringArgs(p.Siblings)...)...)
	case p.IsList():
		return id("r").Dot("Words").Call(field, name, jen.Lit(p.Min), jen.Lit(p.Max))
	case p.Place == ir.Positional:
		return id("r").Dot(wordMethod(t, p)).Call(name)
	}
	option := id("r").Dot("Option").Call(name)
	if p.Required {
		option = id("r").Dot("Required").Call(name)
	}
	switch {
	case p.Kind == ir.KindEnum:
		return option.Dot("Enum").Call(stringArgs(p.Choices)...)
	case pattern != "":
		return option.Dot("Pattern").Call(id(pattern), literal(p.Pattern))
	}
	return option.Dot(optionMethod(p)).Call()
}

// wordMethod returns the method that reads a positional of one word.
func wordMethod(t *tool, p *ir.Property) string {
	last := t.Leaf.Properties[len(t.Leaf.Properties)-1]
	switch {
	case p.Min > 0:
		return "Word"
	case p == last:
		return "OptionalWord"
	}
	return "InnerWord"
}

// optionMethod returns the method that reads an option, of those without arguments.
func optionMethod(p *ir.Property) string {
	switch p.Kind {
	case ir.KindPresence:
		return "Flag"
	case ir.KindNumber:
		return "Number"
	case ir.KindJSON:
		return "JSON"
	}
	switch p.Format {
	case "duration":
		return "Duration"
	case "comma-list":
		return "CommaList"
	case "date":
		return "Date"
	case "date-time":
		return "DateTime"
	}
	return "Text"
}

// emitWords emits what adds the words of a command.
func (e *emitter) emitWords(t *tool) {
	e.args.add(
		comment("words adds the words of the command line: "+synopsis(t.Leaf)),
		jen.Func().Params(id("a").Op("*").Id(t.args)).Id("words").
			Params(id("w").Op("*").Add(e.rt("argv", "Words"))).
			BlockFunc(func(b *jen.Group) {
				for _, s := range t.Leaf.Argv {
					b.Add(e.adding(t, s))
				}
				for i, p := range t.Leaf.Properties {
					if p.Place != ir.Positional {
						continue
					}
					method := "Positional"
					if p.IsList() {
						method = "Positionals"
					}
					b.Id("w").Dot(method).Call(id("a").Dot(t.fields[i]))
				}
			}))
}

// adding returns the statement that adds a part of a command line.
func (e *emitter) adding(t *tool, s ir.Step) *jen.Statement {
	if s.Property < 0 {
		return id("w").Dot("Word").Call(literal(s.Word))
	}
	p, field := t.Leaf.Properties[s.Property], id("a").Dot(t.fields[s.Property])
	switch {
	case p.Place == ir.PathParam:
		return id("w").Dot("PathParam").Call(field)
	case p.Kind == ir.KindPresence:
		return id("w").Dot("Flag").Call(literal(p.Name), field)
	}
	return id("w").Dot("Option").Call(literal(p.Name), field)
}

// synopsis returns the form of a command line, as programs print it: issue --repo REPO get
// NUMBER.
func synopsis(l *ir.Leaf) string {
	var words []string
	add := func(required bool, word string) {
		if !required {
			word = "[" + word + "]"
		}
		words = append(words, word)
	}
	for _, s := range l.Argv {
		if s.Property < 0 {
			words = append(words, s.Word)
			continue
		}
		p := l.Properties[s.Property]
		switch {
		case p.Place == ir.PathParam:
			words = append(words, strings.ToUpper(p.Name))
		case p.Kind == ir.KindPresence:
			add(false, "--"+p.Name)
		default:
			add(p.Required, "--"+p.Name+" "+strings.ToUpper(p.Name))
		}
	}
	for _, p := range l.Properties {
		if p.Place != ir.Positional {
			continue
		}
		word := strings.ToUpper(p.Name)
		if p.IsList() {
			word += "..."
		}
		add(p.Min > 0, word)
	}
	return strings.Join(words, " ")
}

// reject writes what notes in r which arguments, whose text is given, do not conform to the
// author's schema.
func (e *emitter) reject(t *tool, text *jen.Statement, b *jen.Group) {
	check := e.checkArguments("check"+names.Exported(t.base)+"Input",
		"the arguments of tool "+strconv.Quote(t.Name)+" against its inputSchema", t.Leaf.Input.Check)
	b.List(id("v"), id("_")).Op(":=").Add(e.rt("jsoncheck", "Parse")).Call(text).Comment("// the text is JSON")
	b.For(jen.List(id("_"), id("f")).Op(":=").Range().Id(check).Call(id("v"))).Block(
		id("r").Dot("Reject").Call(id("f").Dot("Argument").Call()))
}

// emitStdinCheck emits the check of arguments that a command reads from standard input.
func (e *emitter) emitStdinCheck(t *tool) {
	e.args.add(
		comment(t.leaf.check+" checks the arguments of tool "+strconv.Quote(t.Name)+", which "+commandOf(t)+
			" reads from standard input."),
		jen.Func().Id(t.leaf.check).Params(id("d").Op("*").Add(e.rt("jsonx", "Decoder"))).Error().
			BlockFunc(func(b *jen.Group) {
				b.Var().Id("r").Add(e.rt("argv", "Reader"))
				e.reject(t, id("d").Dot("Src"), b)
				b.Id("r").Dot("ReadAny").Call(id("d"))
				b.Return(id("r").Dot("Err").Call())
			}))
}
