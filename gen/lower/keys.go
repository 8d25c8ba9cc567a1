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

// key returns the property name of an argument that is published as one: the key that the
// manifest has, or one by the rules of compilers that wrote none (tools.md 4). Positionals
// without a name are counted from 1, those with one included.
func key(a *manifest.Arg, positionals int) string {
	if a.Key != "" {
		return a.Key
	}
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
	case manifest.Alt:
		return strings.ToLower(strings.TrimPrefix(a.TypeText, "?"))
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

// notes returns what the glossary says about the constructors of an argument's type: those
// with a text, as "Low: can wait; High: today" (manifest-next.md 6.4).
func notes(a *manifest.Arg, data []*manifest.DataType) string {
	name := strings.TrimRight(strings.TrimLeft(a.TypeText, "?["), "]")
	for _, d := range data {
		if d.Name != name {
			continue
		}
		var list []string
		for _, k := range d.Constructors {
			if text := strings.Join(k.Desc, " "); text != "" {
				list = append(list, k.Name+": "+text)
			}
		}
		return strings.Join(list, "; ")
	}
	return ""
}
