package lower

import (
	"strconv"
	"strings"

	"github.com/mcpgen/mcpgen/gen/manifest"
)

// keys returns the property names of a command in order, without _render.
func keys(c *manifest.Command) []string {
	var list []string
	positionals := 0
	for _, a := range c.Args {
		if a.Kind == manifest.Pos {
			positionals++
		}
		if a.Kind == manifest.Grp && !a.Whole {
			for _, e := range a.Entries {
				list = append(list, e.Key)
			}
			continue
		}
		list = append(list, key(a, positionals))
	}
	return list
}

// key returns the property name of an argument that is published as one (tools.md 4).
// Positionals without a name are counted from 1, those with one included.
func key(a *manifest.Arg, positionals int) string {
	switch a.Kind {
	case manifest.Pos:
		if a.Name != "" {
			return a.Name
		}
		return "_" + strconv.Itoa(positionals)
	case manifest.Grp:
		if a.TypeText == "" {
			return "group"
		}
		return strings.ToLower(a.TypeText)
	}
	if a.Long != "" {
		return a.Long
	}
	return a.Short
}

// typeText returns the author's name of a type without the remark that compilers put
// behind it: "Str    (a filename)".
func typeText(text string) string {
	name, _, _ := strings.Cut(text, "    (")
	return name
}
