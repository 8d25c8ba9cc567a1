package manifest

import (
	"slices"
	"strings"

	"github.com/mcpgen/mcpgen/gen/ir"
)

// checkCommand makes the checks of manifest.md 8 that concern one command.
func (r *reader) checkCommand(c *Command, at *place) {
	if c.Name == "" {
		r.blame(c.Node, at, "name", "name is empty")
	}
	if c.Return.Type == nil {
		r.blame(c.Node, at, "return", "no return schema, want a type schema")
	}
	if c.Pure && c.Expr == nil {
		r.problem(c.Node, at, "no expr, which a pure command evaluates")
	}
	if !c.Pure && c.Node.Get("mid") == nil {
		r.problem(c.Node, at, "no mid, which a remote command calls")
	}
	names := map[string]int{}
	for i, a := range c.Args {
		if a.Kind != Pos || a.Name == "" || a.Key != "" {
			continue // a key counts instead; lower reports what is given twice
		}
		if first, taken := names[a.Name]; taken {
			here := at.member("args").element(i)
			r.blame(a.Node, here, "name", "positional name %q is given to args[%d] too", a.Name, first)
			continue
		}
		names[a.Name] = i
	}
	actions := map[string]bool{}
	for i, t := range c.Actions {
		if here := at.member("terminals").element(i); actions[t.Long] {
			r.blame(t.Entry.Node, here, "long", "output action %q given twice", t.Long)
		}
		actions[t.Long] = true
	}
}

// checkArg makes the checks that concern one argument of a sound shape.
func (r *reader) checkArg(a *Arg, at *place) {
	if a.Key == "" && a.Node.Get("key") != nil {
		r.blame(a.Node, at, "key", "key is empty")
	}
	switch a.Kind {
	case Alt:
		t := a.Type
		if t.Kind == ir.Optional {
			t = t.Elem
		}
		if !t.IsSum() {
			r.blame(a.Node, at, "schema", "schema %.60q of an alt, want that of a data type", a.Type.Text)
		}
	case Pos:
		if name := a.Node.Get("name"); !name.IsNull() && a.Name == "" {
			r.blame(a.Node, at, "name", "positional name is empty")
		}
	case Opt, Flag:
		r.checkSwitch(a, at)
	case Grp:
		for i, e := range a.Entries {
			r.checkSwitch(e.Arg, entryPlace(at, i, e).member("arg"))
		}
	}
}

// checkSwitch checks an option or a flag.
func (r *reader) checkSwitch(a *Arg, at *place) {
	if a.Long == "" && a.Short == "" && a.Key == "" {
		r.problem(a.Node, at, "%s has neither a long nor a short name", argKinds[a.Kind])
	}
	if d := a.Default; a.Kind == Flag && d != nil && *d != "true" && *d != "false" {
		r.blame(a.Node, at, "default", "default %.60q of a flag, want \"true\" or \"false\"", *d)
	}
}

// checkGroup holds the entries of a record against its fields, unless problems were found
// since found.
func (r *reader) checkGroup(a *Arg, at *place, found int) {
	switch {
	case r.report.Len() > found:
		return
	case a.Type == nil:
		r.problem(a.Node, at, "no schema, want that of a record")
		return
	case a.Type.Kind != ir.Record:
		r.blame(a.Node, at, "schema", "schema %.60q of a group, want that of a record", a.Type.Text)
		a.Type = nil
		return
	}
	given := map[string]bool{}
	for i, e := range a.Entries {
		here := entryPlace(at, i, e)
		if a.Whole && given[e.Key] {
			r.problem(e.Arg.Node, here, "key %q given twice", e.Key)
		}
		given[e.Key] = true
		r.checkEntry(a.Type, e, here)
	}
	for _, f := range a.Type.Fields {
		if !a.Whole && !given[f.Name] && f.Type.Kind != ir.Optional {
			r.blame(a.Node, at, "entries", "field %q has no entry and is not optional", f.Name)
		}
	}
}

func entryPlace(group *place, i int, e *Entry) *place {
	p := group.member("entries").element(i)
	p.what = "entry " + quote(e.Key)
	return p
}

// checkEntry finds the field of an entry and gives its argument the type of it.
func (r *reader) checkEntry(record *ir.Type, e *Entry, at *place) {
	node, here := e.Arg.Node, at.member("arg")
	e.Field = slices.IndexFunc(record.Fields, func(f ir.Field) bool { return f.Name == e.Key })
	if e.Field < 0 {
		r.problem(node, at, "the record has no field %q", e.Key)
		return
	}
	e.Arg.Type = record.Fields[e.Field].Type
	switch {
	case e.Arg.Kind == Pos || e.Arg.Kind == Grp:
		r.blame(node, here, "kind", "got %q, want \"opt\" or \"flag\"", argKinds[e.Arg.Kind])
	case e.Arg.Kind == Flag && e.Arg.Type.Kind != ir.Bool:
		r.blame(node, here, "kind", "flag for a field with the schema %.60q, want \"b\"", e.Arg.Type.Text)
	}
}

// checkMime checks the form of a media type.
func (r *reader) checkMime(n *Node, at *place, mime string) {
	family, subtype, ok := strings.Cut(mime, "/")
	if !ok || family == "" || subtype == "" || strings.Contains(subtype, "/") {
		r.problem(n, at, "got %q, want a media type such as image/png", mime)
	}
}
