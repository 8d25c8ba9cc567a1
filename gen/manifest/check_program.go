package manifest

import (
	"strconv"

	"github.com/mcpgen/mcpgen/gen/schema"
)

// checkProgram makes the checks of manifest.md 8 that need all commands and pools. Parts
// that problems were found in already may be incomplete.
func (r *reader) checkProgram(m *Manifest) {
	byName := map[string]*Command{}
	for _, c := range m.Commands {
		at := commandPlace(c)
		if first := byName[c.Name]; first != nil && c.Name != "" { // an empty name is reported before
			r.blame(c.Node, at, "name", "commands[%d] has this name too; rename one of them", first.Index)
			continue
		}
		byName[c.Name] = c
		if t := c.Node.Get("type"); t != nil && t.Str == "remote" {
			r.checkPools(c, at, len(m.Pools))
		}
	}
	for _, c := range m.Commands {
		for i, t := range c.Actions {
			at := commandPlace(c).member("terminals").element(i)
			at.what = "output action " + quote(t.Long)
			r.resolve(c, t, byName, at)
		}
	}
}

func commandPlace(c *Command) *place {
	p := (&place{}).member("commands").element(c.Index)
	p.what = "command " + quote(c.Name)
	return p
}

// checkPools checks the indices of the pools of a remote command.
func (r *reader) checkPools(c *Command, at *place, pools int) {
	check := func(n *Node, at *place) {
		i, err := strconv.ParseInt(n.Num, 10, 32) // what is no index is reported before
		switch {
		case err != nil || i < int64(pools):
		case pools == 1:
			r.problem(n, at, "pool %d of a program with one pool", i)
		default:
			r.problem(n, at, "pool %d of a program with %d pools", i, pools)
		}
	}
	if n := c.Node.Get("pool"); n != nil {
		check(n, at.member("pool"))
	} else if pools == 0 {
		r.problem(c.Node, at, "a remote command of a program without pools")
	}
	if list := c.Node.Get("needed_pools"); list != nil {
		for i, n := range list.Elements {
			check(n, at.member("needed_pools").element(i))
		}
	}
}

// resolve finds the command that an output action runs. It takes the arguments of the
// command that the action belongs to.
func (r *reader) resolve(c *Command, t *Terminal, byName map[string]*Command, at *place) {
	name, node := t.Entry.Name, t.Entry.Node
	entry := byName[name]
	switch {
	case node.Get("entry").IsNull():
		t.Entry = nil
		return
	case name == "":
		if e := node.Get("entry"); e.Kind == StringNode && e.Str == "" {
			r.blame(node, at, "entry", "entry is empty")
		}
		return // else reported before
	case entry == nil:
		r.blame(node, at, "entry", "there is no command %q", name)
		return
	case len(entry.Args) != len(c.Args):
		r.blame(node, at, "entry", "the argument count of command %q is %d, want %d as in %q", name, len(entry.Args), len(c.Args), c.Name)
		return
	}
	t.Entry = entry
	for i, a := range c.Args {
		got, want := entry.Args[i].Type, a.Type
		if got != nil && want != nil && !schema.Equal(got, want) {
			r.blame(node, at, "entry", "argument %d of command %q has the schema %.60q, want %.60q as in %q",
				i+1, name, got.Text, want.Text, c.Name)
			return
		}
	}
}
