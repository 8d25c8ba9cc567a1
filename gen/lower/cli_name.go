package lower

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/mcpgen/mcpgen/gen/names"
)

// nameTools names the tools (cli-schema.md 5.2). Names that the author chose stay.
func (l *cliLowering) nameTools() {
	groups := map[string][]*cliLeaf{}
	var order []string
	for _, b := range l.leaves {
		name := b.node.Tool.Name
		if name == "" {
			name = names.Tool(b.node.Path)
		}
		if name == "" {
			name = names.Sanitized(b.node.Key)
		}
		b.tool.Name = name
		if groups[name] == nil {
			order = append(order, name)
		}
		groups[name] = append(groups[name], b)
	}
	taken := map[string]bool{}
	for _, name := range order {
		taken[name] = true
	}
	for _, name := range order {
		if group := groups[name]; len(group) > 1 {
			l.separate(name, group, taken)
		}
	}
	for _, b := range l.leaves {
		b.checkName()
	}
}

// separate gives numbers to tools of one name, if the author wants that.
func (l *cliLowering) separate(name string, group []*cliLeaf, taken map[string]bool) {
	keeper, chosen := group[0], 0
	for _, b := range group {
		if b.node.Tool.Name != "" {
			if chosen == 0 {
				keeper = b
			}
			chosen++
		}
	}
	if !l.cli.Suffix || chosen > 1 {
		var paths []string
		for _, b := range group {
			paths = append(paths, quoted(b.node.Name()))
		}
		second := group[1].node
		l.export.Add(second.Node.Offset, second.At, fmt.Sprintf("tool name collision: %q: %s", name, strings.Join(paths, ", ")))
		return
	}
	n := 2
	for _, b := range group {
		if b == keeper {
			continue
		}
		for taken[b.tool.Name] {
			b.tool.Name = name + "_" + strconv.Itoa(n)
			n++
		}
		taken[b.tool.Name] = true
	}
}

// checkName checks the length of a name that was derived, as it is listed over HTTP.
func (b *cliLeaf) checkName() {
	listed := b.program.Module + "__" + b.tool.Name
	if n := len(listed); n > names.MaxToolLength && b.node.Tool.Name == "" {
		b.problem(b.node, b.node.Node.Offset, b.node.At, "",
			fmt.Sprintf("the tool name %q has %d characters, want at most %d; give it another in tools", listed, n, names.MaxToolLength))
	} else if want := names.CheckTool(b.tool.Name); want != "" {
		b.warn(b.node, "", "tool name %q: %s", b.tool.Name, want)
	}
}
