package manifest

import (
	"fmt"

	"github.com/mcpgen/mcpgen/gen/names"
)

// readTools notes what the manifest says of tools. Whether a node is a leaf is needed before
// the export is read; the rest is read with the leaf.
func (c *cliReader) readTools(n *Node, at *place) {
	c.members = n.Members
	c.entries(n, at, func(path string, n *Node, at *place) {
		at.what, at.whole = "command "+quote(path), true
		if path == "" {
			at.what = "root command"
		}
		entry := cliEntry{node: n, at: at}
		if leaf := n.Get("leaf"); leaf != nil {
			entry.leaf = new(bool)
			c.boolean(entry.leaf)(leaf, at.member("leaf"))
		}
		if n.Kind != ObjectNode {
			c.want(n, at, "an object")
			return
		}
		c.tools[path] = entry
	})
}

// tool reads what the manifest says of a leaf, over what the export says.
func (c *cliReader) tool(entry cliEntry, t *CLITool) {
	var kind string
	c.closed(entry.node, entry.at,
		member{"enabled", false, func(n *Node, at *place) {
			c.boolean(&t.Wanted)(n, at)
			t.Disabled, t.Hidden = !t.Wanted, false
		}},
		member{"leaf", false, anything}, // read before
		member{"name", false, func(n *Node, at *place) {
			c.text(&t.Name)(n, at)
			if want := names.CheckExplicit(t.Name); n.Kind == StringNode && want != "" {
				c.problem(n, at, "tool name %q: %s", t.Name, want)
			}
		}},
		member{"description", false, c.text(&t.Description)},
		member{"requiresEnv", false, c.variables(&t.RequiresEnv)},
		member{"kind", false, c.oneOf(&kind, "json")},
		member{"inputSchema", false, c.value(&t.Input)},
		member{"outputSchema", false, c.value(&t.Output)},
		member{"annotations", false, c.value(&t.Annotations)},
		member{"timeoutMs", false, c.timeout(&t.TimeoutMS)},
	)
	t.JSON = t.JSON || kind == "json"
}

// variables reads names of variables of the environment.
func (r *reader) variables(dst *[]string) readFunc {
	return func(n *Node, at *place) {
		var list []string
		r.list(func(n *Node, at *place) {
			var name string
			r.text(&name)(n, at)
			if n.Kind == StringNode {
				r.variable(name, n, at)
			}
			list = append(list, name)
		})(n, at)
		*dst = list
	}
}

// value keeps an object as it is. It goes where others read it: a member that is given twice
// would be read in different ways.
func (r *reader) value(dst **CLIValue) readFunc {
	return func(n *Node, at *place) {
		if n.Kind != ObjectNode {
			r.want(n, at, "an object")
			return
		}
		r.noDuplicates(n, at)
		*dst = &CLIValue{File: r.report.file, Node: n, At: at.String()}
	}
}

func (r *reader) noDuplicates(n *Node, at *place) {
	seen := map[string]bool{}
	for _, m := range n.Members {
		here := at.member(m.Key)
		if seen[m.Key] {
			r.report.Add(m.Offset, here.String(), at.subject()+fmt.Sprintf("key %q given twice", m.Key))
		}
		seen[m.Key] = true
		r.noDuplicates(m.Value, here)
	}
	for i, e := range n.Elements {
		r.noDuplicates(e, at.element(i))
	}
}

// checkTools reports what the manifest says of tools that do not exist.
func (c *cliReader) checkTools() {
	if c.cli.Root == nil {
		return
	}
	for _, m := range c.members {
		entry, known := c.tools[m.Key]
		leaf, exists := c.found[m.Key]
		if known && c.several[m.Key] { // a key has a space
			c.report.Add(m.Offset, entry.at.String(), entry.at.subject()+"there are several commands with this path")
			continue
		}
		if !known || leaf {
			continue
		}
		if entry.leaf != nil && !*entry.leaf && len(entry.node.Members) == 1 {
			if !exists {
				c.warn(entry.at, "there is no such command")
			}
			continue
		}
		text := entry.at.subject()
		switch name := names.Nearest(m.Key, c.paths); {
		case exists:
			text += "it is a routing node, want a leaf"
		case name != "":
			text += "there is no such command; did you mean " + quote(name) + "?"
		default:
			text += "there is no such command"
		}
		c.report.Add(m.Offset, entry.at.String(), text)
	}
}
