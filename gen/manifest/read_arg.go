package manifest

import (
	"strconv"
	"unicode/utf8"

	"github.com/mcpgen/mcpgen/gen/ir"
	"github.com/mcpgen/mcpgen/gen/schema"
)

// argKinds are the kinds by their names, in the order of the constants.
var argKinds = []string{Pos: "pos", Opt: "opt", Flag: "flag", Grp: "grp", Alt: "alt"}

// arg reads an argument of a command (manifest.md 3.6).
func (r *reader) arg(n *Node, at *place) *Arg {
	at.what = argName(n, at.index)
	found := r.report.Len()
	a := r.argMembers(n, at)
	switch a.Kind {
	case Flag:
		a.Type, _ = schema.Parse("b")
	case Grp:
		r.checkGroup(a, at, found)
	}
	if a.Type == nil && r.report.Len() == found {
		r.problem(n, at, "no schema, want a type schema")
	}
	if r.report.Len() == found {
		r.checkArg(a, at)
	}
	return a
}

// Label names an argument in messages, by what the author called it or by its number: its
// place in the command's arguments, from 0, is index.
func (a *Arg) Label(index int) string { return argName(a.Node, index) }

func argName(n *Node, index int) string {
	for _, key := range []string{"name", "long", "short", "key"} {
		if name := n.Get(key); name != nil && name.Str != "" {
			return "argument " + quote(name.Str)
		}
	}
	return "argument " + strconv.Itoa(index+1)
}

// argMembers reads an argument of any kind, or of a record's field, without checks that
// need its type.
func (r *reader) argMembers(n *Node, at *place) *Arg {
	a := &Arg{Node: n}
	kind := ""
	if k := n.Get("kind"); k != nil {
		r.oneOf(&kind, argKinds...)(k, at.member("kind"))
	}
	members := []member{
		{"kind", true, anything},
		{"key", false, r.name(&a.Key)},
		{"desc", false, r.texts(&a.Desc)},
		{"metadata", false, r.anyObject},
	}
	for i, name := range argKinds {
		if name == kind {
			a.Kind = ArgKind(i)
			members = append(members, r.argKindMembers(a)...)
		}
	}
	r.object(n, at, members...)
	return a
}

// argKindMembers are the keys of a's kind.
func (r *reader) argKindMembers(a *Arg) []member {
	typed := []member{
		{"schema", false, nullable(func(n *Node, at *place) { a.Type = r.schema(n, at) })},
		{"general_schema", false, nullable(r.text(new(string)))},
		{"type", false, nullable(r.text(&a.TypeText))},
		{"metavar", false, nullable(r.text(new(string)))},
		{"constraints", false, r.list(r.constraint)},
	}
	withDefault := member{"default", false, nullable(func(n *Node, at *place) {
		a.Default = new(string)
		r.text(a.Default)(n, at)
	})}
	switched := []member{
		{"short", false, nullable(r.first(&a.Short))},
		{"long", false, nullable(r.name(&a.Long))},
		withDefault,
	}
	switch a.Kind {
	case Pos:
		return append(append(typed, r.valueMembers(a)...),
			member{"name", false, nullable(r.name(&a.Name))},
			member{"stdin", false, r.boolean(&a.Stdin)})
	case Opt:
		return append(append(typed, r.valueMembers(a)...), switched...)
	case Flag:
		return append(switched,
			member{"long_rev", false, nullable(r.text(new(string)))},
			member{"short_rev", false, nullable(r.text(new(string)))})
	case Alt:
		return append(typed, withDefault,
			member{"required", false, r.boolean(&a.Required)},
			member{"arms", false, r.list(r.altArm)})
	default:
		return append(typed,
			member{"group_opt", false, nullable(func(n *Node, at *place) {
				a.Whole = true
				r.groupOpt(n, at)
			})},
			member{"entries", false, r.list(func(n *Node, at *place) { a.Entries = append(a.Entries, r.entry(n, at)) })})
	}
}

// valueMembers are the keys of positionals and options. Most of them tell the command line
// where bytes come from and have no effect on MCP.
func (r *reader) valueMembers(a *Arg) []member {
	source := r.oneOf(new(string), "auto", "inline", "file")
	form := r.oneOf(new(string), "auto", "packet", "bytes", "bytes-only", "list")
	checks := r.list(r.check)
	return []member{
		{"quoted", false, r.boolean(new(bool))},
		{"many", false, r.boolean(&a.Many)},
		{"source", false, source},
		{"form", false, form},
		{"checks", false, checks},
		{"list_source", false, source},
		{"list_form", false, form},
		{"list_checks", false, checks},
		{"format", false, nullable(r.text(new(string)))},
		{"parse", false, nullable(r.anyObject)},
	}
}

// altArm reads a switch of the command line for a constructor (manifest-next.md 2.4), which
// MCP has no use for: its property is the whole value.
func (r *reader) altArm(n *Node, at *place) {
	r.object(n, at,
		member{"ctor", true, r.text(new(string))},
		member{"long", false, nullable(r.text(new(string)))},
		member{"desc", false, r.texts(new([]string))},
		member{"fields", false, r.list(r.anyObject)},
	)
}

func (r *reader) check(n *Node, at *place) {
	r.object(n, at,
		member{"kind", true, r.oneOf(new(string), "path")},
		member{"value", true, r.oneOf(new(string), "r", "w", "x", "rw")},
	)
}

// groupOpt reads manifest.md 3.7; its presence alone matters.
func (r *reader) groupOpt(n *Node, at *place) {
	text := nullable(r.text(new(string)))
	r.object(n, at, member{"short", false, text}, member{"long", false, text})
}

// entry reads manifest.md 3.7.
func (r *reader) entry(n *Node, at *place) *Entry {
	e := &Entry{}
	if key := n.Get("key"); key != nil {
		at.what = "entry " + quote(key.Str)
	}
	r.object(n, at,
		member{"key", true, r.name(&e.Key)},
		member{"arg", true, func(n *Node, at *place) { e.Arg = r.argMembers(n, at) }},
	)
	return e
}

// first reads a short name, of which only the first character counts.
func (r *reader) first(dst *string) readFunc {
	return func(n *Node, at *place) {
		r.name(dst)(n, at)
		_, size := utf8.DecodeRuneInString(*dst)
		*dst = (*dst)[:size]
	}
}

// schema reads a type schema; it returns nil after a problem.
func (r *reader) schema(n *Node, at *place) *ir.Type {
	var text string
	found := r.report.Len()
	if r.text(&text)(n, at); r.report.Len() > found {
		return nil
	}
	t, counted, err := schema.ParseLenient(text)
	if err != nil {
		r.problem(n, at, "%.60q: %v", text, err)
		return nil
	}
	if counted {
		r.warn(at, "%.60q counts the characters of names, not their bytes; read as it is meant", text)
	}
	return t
}
