package check

import (
	"maps"
	"regexp"
	"slices"
	"strings"
)

var headerToken = regexp.MustCompile("^[!#$%&'*+.^_`|~0-9A-Za-z-]+$")

// checkHeaders checks the annotations that turn arguments into headers (2026-07-28, over
// HTTP): token names, unique without regard to case, on texts, integers and booleans that
// are reached through properties alone.
func (c *checker) checkHeaders(schema map[string]any) {
	seen := map[string]bool{}
	c.walkHeaders(schema, true, seen)
}

func (c *checker) walkHeaders(node any, reachable bool, seen map[string]bool) {
	switch node := node.(type) {
	case []any:
		for _, child := range node {
			c.walkHeaders(child, false, seen)
		}
	case map[string]any:
		if raw, ok := node["x-mcp-header"]; ok {
			c.checkHeader(raw, node["type"], reachable, seen)
		}
		for _, key := range slices.Sorted(maps.Keys(node)) {
			properties, isObject := node[key].(map[string]any)
			switch {
			case slices.Contains(data, key):
			case key == "properties" && isObject:
				for _, name := range slices.Sorted(maps.Keys(properties)) {
					c.walkHeaders(properties[name], reachable, seen)
				}
			default:
				c.walkHeaders(node[key], false, seen)
			}
		}
	}
}

func (c *checker) checkHeader(raw, kind any, reachable bool, seen map[string]bool) {
	name, _ := raw.(string)
	switch {
	case !headerToken.MatchString(name):
		c.find("x-mcp-header", "%v is no name of a header", raw)
	case !reachable:
		c.find("x-mcp-header", "%q is not reached through properties alone", name)
	case kind != "string" && kind != "integer" && kind != "boolean":
		c.find("x-mcp-header", "%q is on a %v, want string, integer or boolean", name, kind)
	case seen[strings.ToLower(name)]:
		c.find("x-mcp-header", "%q is used twice", name)
	}
	seen[strings.ToLower(name)] = true
}
