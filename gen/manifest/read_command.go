package manifest

import (
	"math"
	"strconv"
	"unicode/utf8"
)

func quote(s string) string { return strconv.Quote(s) }

// command reads manifest.md 3.5. The entries of output actions are resolved once all
// commands are read.
func (r *reader) command(n *Node, at *place, m *Manifest) {
	c := &Command{Index: len(m.Commands), Node: n}
	m.Commands = append(m.Commands, c)
	if name := n.Get("name"); name != nil {
		at.what = "command " + quote(name.Str)
	}
	var kind string
	var mid, pool int64
	found := r.report.Len()
	r.object(n, at,
		member{"name", true, r.name(&c.Name)},
		member{"type", true, r.oneOf(&kind, "remote", "pure")},
		member{"mid", false, r.integer(&mid, 0, math.MaxUint32)},
		member{"pool", false, r.integer(&pool, 0, math.MaxInt32)},
		member{"needed_pools", false, r.list(r.integer(new(int64), 0, math.MaxInt32))},
		member{"desc", false, r.texts(&c.Desc)},
		member{"args", false, r.list(func(n *Node, at *place) { c.Args = append(c.Args, r.arg(n, at)) })},
		member{"return", false, func(n *Node, at *place) { r.returned(n, at, &c.Return) }},
		member{"expr", false, nullable(func(n *Node, _ *place) { c.Expr = n })},
		member{"constraints", false, r.list(r.constraint)},
		member{"internal", false, r.boolean(&c.Internal)},
		member{"terminals", false, r.list(func(n *Node, at *place) { c.Actions = append(c.Actions, r.terminal(n, at)) })},
		member{"metadata", false, r.anyObject},
		member{"group", false, nullable(r.text(new(string)))},
		// What follows is of later compilers (manifest-next.md 2.2).
		member{"epilogues", false, r.list(r.texts(new([]string)))},
		member{"named_types", false, r.list(func(n *Node, at *place) { r.namedType(n, at, c) })},
		member{"parse_entry", false, nullable(r.text(new(string)))},
		member{"stream", false, func(n *Node, _ *place) { c.Streams = !n.IsNull() }},
	)
	c.Pure, c.MID, c.Pool = kind == "pure", uint32(mid), int(pool)
	if r.report.Len() == found {
		r.checkCommand(c, at)
	}
}

// returned reads manifest.md 3.9.
func (r *reader) returned(n *Node, at *place, ret *Return) {
	at.what = "return"
	var mime *string
	r.object(n, at,
		member{"schema", false, func(n *Node, at *place) { ret.Type = r.schema(n, at) }},
		member{"general_schema", false, nullable(r.text(new(string)))},
		member{"type", false, r.text(&ret.TypeText)},
		member{"desc", false, r.texts(new([]string))},
		member{"constraints", false, r.list(r.constraint)},
		member{"metadata", false, r.anyObject},
		member{"mime", false, nullable(func(n *Node, at *place) {
			mime = new(string)
			r.name(mime)(n, at)
		})},
	)
	if mime != nil {
		r.checkMime(n.Get("mime"), at.member("mime"), *mime)
		ret.Mime = *mime
	}
}

// terminal reads manifest.md 3.10. Its Entry holds only a name, "" for none, until all
// commands are read.
func (r *reader) terminal(n *Node, at *place) *Terminal {
	t := &Terminal{Entry: &Command{Node: n}}
	if long := n.Get("long"); long != nil {
		at.what = "output action " + quote(long.Str)
	}
	r.object(n, at,
		member{"short", false, nullable(func(n *Node, at *place) {
			if n.Kind != StringNode || utf8.RuneCountInString(n.Str) != 1 {
				r.want(n, at, "one character")
			}
		})},
		member{"long", true, r.name(&t.Long)},
		member{"entry", false, nullable(r.name(&t.Entry.Name))},
		member{"replay", false, nullable(r.text(new(string)))},
		member{"no_replay", false, nullable(r.text(new(string)))},
		member{"args", false, r.list(r.integer(new(int64), 1, math.MaxInt32))},
		member{"kind", false, r.text(new(string))},
		member{"description", false, r.text(&t.Description)},
		member{"render", false, r.boolean(new(bool))},
		member{"default", false, r.boolean(new(bool))},
	)
	return t
}

// namedType reads an entry of the glossary (manifest-next.md 2.3), of which data types are
// kept.
func (r *reader) namedType(n *Node, at *place, c *Command) {
	d := &DataType{}
	kind := ""
	r.object(n, at,
		member{"name", false, r.text(&d.Name)},
		member{"kind", false, r.text(&kind)},
		member{"constructors", false, r.list(func(n *Node, at *place) {
			var k Constructor
			r.object(n, at,
				member{"name", false, r.text(&k.Name)},
				member{"desc", false, r.texts(&k.Desc)},
			)
			d.Constructors = append(d.Constructors, k)
		})},
	)
	if kind == "data" {
		c.Data = append(c.Data, d)
	}
}

// constraint reads manifest.md 3.8.
func (r *reader) constraint(n *Node, at *place) {
	r.object(n, at,
		member{"type", true, r.text(new(string))},
		member{"value", false, anything},
	)
}
