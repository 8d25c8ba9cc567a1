package manifest

import (
	"math"
	"strings"
	"unicode/utf8"

	"github.com/mcpgen/mcpgen/gen/ir"
	"github.com/mcpgen/mcpgen/runtime/argv"
)

// optionKinds are the kinds of options and positionals, as exports name them.
var optionKinds = map[string]ir.PropertyKind{
	"presence": ir.KindPresence,
	"string":   ir.KindText,
	"number":   ir.KindNumber,
	"enum":     ir.KindEnum,
	"json":     ir.KindJSON,
}

// kindNames has the names in the order in which messages list them.
var kindNames = []string{"presence", "string", "number", "enum", "json"}

// option reads cli-schema.md 2.2.
func (r *reader) option(n *Node, at *place) *CLIOption {
	if name := n.Get("name"); name != nil {
		at.what = "option " + quote(name.Str)
	}
	o := &CLIOption{Node: n, At: at.String()}
	kind := ""
	found := r.report.Len()
	r.object(n, at,
		member{"name", true, r.optionName(&o.Name)},
		member{"description", true, r.text(&o.Description)},
		member{"kind", true, r.oneOf(&kind, kindNames...)},
		member{"shortName", false, func(n *Node, at *place) {
			if n.Kind != StringNode || utf8.RuneCountInString(n.Str) != 1 {
				r.want(n, at, "one character")
				return
			}
			o.Short = n.Str
		}},
		member{"required", false, r.boolean(&o.Required)},
		member{"choices", false, r.texts(&o.Choices)},
		member{"format", false, r.oneOf(&o.Format, "duration", "comma-list", "date", "date-time")},
		member{"pattern", false, r.text(&o.Pattern)},
		member{"default", false, func(n *Node, at *place) {
			o.Default = new(string)
			r.text(o.Default)(n, at)
		}},
		member{"pipable", false, r.boolean(&o.Pipable)},
		member{"cli", false, func(n *Node, at *place) { r.object(n, at, member{"hidden", false, r.boolean(new(bool))}) }},
	)
	o.Kind = optionKinds[kind]
	if r.report.Len() == found {
		r.checkOption(o, kind, at)
	}
	return o
}

// optionName reads the name of an option or a positional.
func (r *reader) optionName(dst *string) readFunc {
	return func(n *Node, at *place) {
		r.name(dst)(n, at)
		if n.Kind == StringNode && n.Str == "" {
			r.problem(n, at, "the name is empty")
		}
	}
}

// checkOption checks an option of a sound shape (cli-schema.md 2.2 and 2.6).
func (r *reader) checkOption(o *CLIOption, kind string, at *place) {
	n := o.Node
	only := func(key, want string) {
		if n.Get(key) != nil && kind != want {
			r.blame(n, at, key, "%s of an option of kind %q, want kind %q", key, kind, want)
		}
	}
	only("format", "string")
	only("pattern", "string")
	only("choices", "enum")
	if o.Pipable {
		only("pipable", "json")
	}
	if o.Format != "" && n.Get("pattern") != nil {
		r.blame(n, at, "pattern", "format and pattern, want one of them")
	}
	if o.Kind == ir.KindEnum {
		r.checkChoices(o, at)
	}
	if o.Kind == ir.KindPresence && o.Required {
		r.blame(n, at, "required", "an option of kind \"presence\" cannot be required")
	}
	if o.Short == "h" {
		r.blame(n, at, "shortName", "the short name \"h\" is reserved for help")
	}
	switch {
	case o.Name == "schema":
		r.warn(at, "programs of library 1.3 to 3.1 take --schema for themselves")
	case o.Name == "help":
		r.warn(at, "programs take --help for themselves")
	case strings.Contains(o.Name, "="):
		r.warn(at, "programs take what is behind the = for its value: all calls that give it fail")
	}
	if o.Default != nil {
		r.checkDefault(o, kind, at)
	}
}

func (r *reader) checkDefault(o *CLIOption, kind string, at *place) {
	switch {
	case o.Kind == ir.KindPresence, o.Kind == ir.KindJSON:
		r.blame(o.Node, at, "default", "default of an option of kind %q, which cannot have one", kind)
	case o.Required:
		r.blame(o.Node, at, "default", "default of a required option, which is always given")
	case o.Kind == ir.KindNumber && !argv.IsNumber(*o.Default):
		r.blame(o.Node, at, "default", "default %q of an option of kind \"number\", want a number", *o.Default)
	}
}

func (r *reader) checkChoices(o *CLIOption, at *place) {
	if len(o.Choices) == 0 {
		r.blame(o.Node, at, "choices", "no choices, which an option of kind \"enum\" has")
	}
	seen := map[string]bool{}
	for i, choice := range o.Choices {
		here, element := at.member("choices").element(i), o.Node.Get("choices").Elements[i]
		switch {
		case choice == "":
			r.problem(element, here, "the choice is empty")
		case seen[choice]:
			r.problem(element, here, "choice %q given twice", choice)
		}
		seen[choice] = true
	}
}

// checkOptions checks the options of a command beside each other.
func (r *reader) checkOptions(node *CLINode, at *place) {
	names, shorts := map[string]bool{}, map[string]string{}
	pipable := ""
	for i, o := range node.Options {
		here := at.member("options").element(i)
		here.what = "option " + quote(o.Name)
		if names[o.Name] && o.Name != "" {
			r.blame(o.Node, here, "name", "declared twice")
		}
		names[o.Name] = true
		if other, taken := shorts[o.Short]; taken && o.Short != "" {
			r.blame(o.Node, here, "shortName", "the short name %q is that of option %q too", o.Short, other)
		}
		shorts[o.Short] = o.Name
		if o.Pipable && pipable != "" {
			r.blame(o.Node, here, "pipable", "option %q is pipable too, want one at most", pipable)
		}
		if o.Pipable {
			pipable = o.Name
		}
	}
}

// positional reads cli-schema.md 2.3.
func (r *reader) positional(n *Node, at *place) *CLIPositional {
	if name := n.Get("name"); name != nil {
		at.what = "positional " + quote(name.Str)
	}
	p := &CLIPositional{Node: n, At: at.String()}
	least, most := int64(1), int64(1)
	r.object(n, at,
		member{"name", true, r.optionName(&p.Name)},
		member{"description", true, r.text(&p.Description)},
		member{"kind", false, r.oneOf(new(string), kindNames...)},
		member{"argMin", false, r.integer(&least, 0, math.MaxInt32)},
		member{"argMax", false, r.integer(&most, 0, math.MaxInt32)},
	)
	p.Min, p.Max = int(least), int(most)
	if p.Max > 0 && p.Min > p.Max {
		r.blame(n, at, "argMin", "argMin %d is more than argMax %d", p.Min, p.Max)
	}
	return p
}

// checkPositionals checks the order of the positionals of a leaf.
func (r *reader) checkPositionals(node *CLINode, at *place) {
	optional := ""
	for i, p := range node.Positionals {
		here := at.member("positionals").element(i)
		here.what = "positional " + quote(p.Name)
		switch {
		case p.Min == 0:
			optional = p.Name
		case optional != "":
			r.problem(p.Node, here, "required, behind %q, which is optional", optional)
		}
		if p.Max == 0 && i < len(node.Positionals)-1 {
			r.problem(p.Node, here, "takes any number of words, want it to be the last")
		}
	}
}
