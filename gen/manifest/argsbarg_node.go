package manifest

import (
	"slices"
	"strconv"
	"strings"

	"github.com/mcpgen/mcpgen/gen/ir"
	"github.com/mcpgen/mcpgen/runtime/argv"
)

// node reads a command and those below it (cli-schema.md 2.1).
func (c *cliReader) node(n *Node, at *place, path []string) *CLINode {
	name := strings.Join(path, " ")
	node := &CLINode{Node: n, At: at.String(), Path: path}
	at.what, at.whole = node.Label(), true
	r := c.export
	r.object(n, at,
		member{"key", true, r.name(&node.Key)},
		member{"description", true, r.text(&node.Description)},
		member{"notes", false, r.text(&node.Notes)},
		member{"options", false, r.list(func(n *Node, at *place) { node.Options = append(node.Options, r.option(n, at)) })},
	)
	if key := n.Get("key"); key != nil && key.Kind == StringNode && key.Str == "" {
		r.problem(key, at.member("key"), "the key is empty")
	}
	if n.Kind != ObjectNode {
		return node
	}
	node.Leaf = c.isLeaf(n, name)
	_, c.several[name] = c.found[name]
	c.found[name] = node.Leaf
	if len(path) > 0 && strings.HasPrefix(node.Key, "-") {
		r.warn(at, "programs take %s for an option: all calls fail", node.Key)
	}
	for _, o := range node.Options {
		if o.Kind == ir.KindPresence {
			c.flags[o.Name] = true
		}
	}
	if node.Leaf {
		c.leaf(node, n, at)
	} else {
		c.router(node, n, at)
	}
	r.checkOptions(node, at)
	return node
}

// isLeaf tells leaves from routing nodes (cli-schema.md 2.4).
func (c *cliReader) isLeaf(n *Node, name string) bool {
	if entry, ok := c.tools[name]; ok && entry.leaf != nil {
		return *entry.leaf
	}
	if p := n.Get("positionals"); p != nil && (p.Kind != ArrayNode || len(p.Elements) > 0) {
		return true
	}
	commands := n.Get("commands")
	if commands == nil {
		return true
	}
	return commands.Kind == ArrayNode && !slices.ContainsFunc(commands.Elements, func(child *Node) bool {
		return !argv.IsBuiltin(keyOf(child))
	})
}

// keyOf returns the key of a command that may not be sound, "" if it has none.
func keyOf(n *Node) string {
	if key := n.Get("key"); key != nil {
		return key.Str
	}
	return ""
}

// leaf reads what only leaves have: in an export, and in what was dumped from the program
// (cli-schema.md 3.4).
func (c *cliReader) leaf(node *CLINode, n *Node, at *place) {
	name, r, t := node.Name(), c.export, &node.Tool
	c.paths = append(c.paths, name)
	if commands := n.Get("commands"); commands != nil {
		for _, child := range commands.Elements {
			if key := keyOf(child); argv.IsBuiltin(key) && !slices.Contains(c.cli.Builtins, key) {
				c.cli.Builtins = append(c.cli.Builtins, key)
			}
		}
	}
	var kind string
	enabled := true
	t.TimeoutMS = ProgramTimeout
	r.object(n, at,
		member{"positionals", false, r.list(func(n *Node, at *place) { node.Positionals = append(node.Positionals, r.positional(n, at)) })},
		member{"outputSchema", false, r.value(&t.Output)},
		member{"kind", false, r.text(&kind)},
		member{"inputSchema", false, r.value(&t.Input)},
		member{"mcpTool", false, func(n *Node, at *place) { c.inlineTool(n, at, t) }},
		member{"mcpEnabled", false, r.boolean(&enabled)},
	)
	t.JSON = kind == "json"
	t.Disabled = t.Disabled || !enabled
	if len(node.Path) == 0 {
		c.noTool(n, at, "the root")
	}
	if entry, ok := c.tools[name]; ok {
		c.tool(entry, t)
	}
	r.checkPositionals(node, at)
}

// inlineTool reads what a program says of the tool itself.
func (c *cliReader) inlineTool(n *Node, at *place, t *CLITool) {
	r, enabled := c.export, true
	r.object(n, at,
		member{"enabled", false, r.boolean(&enabled)},
		member{"hidden", false, r.boolean(&t.Hidden)},
		member{"description", false, r.text(&t.Description)},
		member{"requiresEnv", false, r.variables(&t.RequiresEnv)},
		member{"outputSchema", false, r.value(&t.Output)},
	)
	t.Disabled = !enabled
}

// noTool reports what is said of a tool where there can be none.
func (c *cliReader) noTool(n *Node, at *place, where string) {
	for _, key := range []string{"mcpTool", "mcpEnabled"} {
		if n.Get(key) != nil {
			c.export.blame(n, at, key, "%s on %s; only leaves below the root can have it", key, where)
		}
	}
}

// router reads what only routing nodes have.
func (c *cliReader) router(node *CLINode, n *Node, at *place) {
	var fallback, mode string
	r := c.export
	r.object(n, at,
		member{"fallbackCommand", false, r.text(&fallback)},
		member{"fallbackMode", false, r.oneOf(&mode, "missingOnly", "missingOrUnknown", "unknownOnly")},
		member{"commands", false, r.list(func(n *Node, at *place) {
			path := append(slices.Clip(node.Path), keyOf(n))
			node.Children = append(node.Children, c.node(n, at, path))
		})},
	)
	if len(node.Path) == 0 {
		c.noTool(n, at, "the root")
	} else {
		c.noTool(n, at, "a routing node")
	}
	if mode != "" && n.Get("fallbackCommand") == nil {
		r.blame(n, at, "fallbackMode", "fallbackMode without fallbackCommand")
	}
	if fallback != "" && !slices.ContainsFunc(node.Children, func(child *CLINode) bool { return child.Key == fallback }) {
		r.warn(at, "fallbackCommand %q is no command below it; it may be hidden", fallback)
	}
	c.checkChildren(node, at.member("commands"))
}

// program reads what only the root of what was dumped from the program has. What the manifest
// says is read later.
func (c *cliReader) program(n *Node, at *place) {
	r, cli := c.export, c.cli
	r.object(n, at, member{"version", false, r.text(&cli.Version)})
	r.object(n, at,
		member{"mcpServer", false, func(n *Node, at *place) {
			r.object(n, at,
				member{"name", false, r.text(&cli.Name)},
				member{"version", false, r.text(&cli.Version)},
				member{"schemaResourceUri", false, r.text(&cli.SchemaURI)},
				member{"shellEnv", false, c.shell(r)},
				member{"envFile", false, r.name(&cli.Exec.EnvFile)},
			)
		}},
	)
}

// checkChildren checks the keys of the commands below a routing node (cli-schema.md 2.6).
func (c *cliReader) checkChildren(node *CLINode, at *place) {
	first := map[string]int{}
	param := ""
	for i, child := range node.Children {
		here := at.element(i)
		here.what, here.whole = child.Label(), true
		if child.Key == "" {
			continue // reported before
		}
		if j, taken := first[child.Key]; taken {
			c.export.blame(child.Node, here, "key", "commands[%d] beside it has the key %q too", j, child.Key)
			continue
		}
		first[child.Key] = i
		if !child.IsParam() {
			continue
		}
		switch {
		case !isParamKey(child.Key):
			c.export.blame(child.Node, here, "key", "got the key %q, want a colon and a name of [A-Za-z0-9_] that begins with a letter", child.Key)
		case child.Leaf:
			c.export.blame(child.Node, here, "key", "a path parameter that is a leaf, want commands below it")
		case param != "":
			c.export.blame(child.Node, here, "key", "a path parameter beside %q, want one at most", param)
		}
		param = child.Key
	}
}

// isParamKey reports whether the key of a path parameter is sound.
func isParamKey(key string) bool {
	isLetter := func(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }
	if len(key) < 2 || !isLetter(key[1]) {
		return false
	}
	for _, c := range []byte(key[2:]) {
		if !isLetter(c) && (c < '0' || c > '9') && c != '_' {
			return false
		}
	}
	return true
}

// checkReserved reports commands of the program that the library would add itself. Only now
// the dialect is known.
func (c *cliReader) checkReserved() {
	root := c.cli.Root
	for i, child := range root.Children {
		if c.cli.Dialect.IsReserved(child.Key) {
			text := child.Label() + ": the key " + quote(child.Key) + " is reserved for the library"
			c.export.report.Add(child.Node.Get("key").Offset, strings.TrimPrefix(root.At+".commands["+strconv.Itoa(i)+"].key", "."), text)
		}
	}
}
