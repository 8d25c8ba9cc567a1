package check

import (
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"
)

// data are the keywords whose values are no schemas, whatever they look like.
var data = []string{"const", "enum", "default", "examples"}

// externalRefs returns the references of a schema that a network would have to resolve.
func externalRefs(schema map[string]any) []string {
	ids := map[string]bool{}
	visit(schema, func(node map[string]any) {
		if id, ok := node["$id"].(string); ok {
			ids[strings.TrimSuffix(id, "#")] = true
		}
	})
	var refs []string
	visit(schema, func(node map[string]any) {
		ref, ok := node["$ref"].(string)
		if !ok {
			return
		}
		u, err := url.Parse(ref)
		if err != nil || u.Host == "" {
			return
		}
		u.Fragment = ""
		if !ids[u.String()] && !slices.Contains(refs, ref) {
			refs = append(refs, ref)
		}
	})
	slices.Sort(refs)
	return refs
}

// visit calls f for each object of a schema that may be a schema.
func visit(node any, f func(map[string]any)) {
	switch node := node.(type) {
	case []any:
		for _, child := range node {
			visit(child, f)
		}
	case map[string]any:
		f(node)
		for key, child := range node {
			if !slices.Contains(data, key) {
				visit(child, f)
			}
		}
	}
}

// checkLoops finds schemas that apply themselves to the same value without end, such as
// {"$ref":"#"}: a validator would follow them until its stack is full.
func checkLoops(tree any) error {
	g := graph{tree: tree, state: map[string]int{}}
	var err error
	g.places(tree, "", func(place string) {
		if err == nil {
			err = g.enter(place)
		}
	})
	return err
}

// A graph has the places of a schema, as JSON pointers, and edges to the schemas that
// apply to the same value.
type graph struct {
	tree  any
	state map[string]int // 1 while below a place, 2 when done with it
}

// places calls f with every place that has a reference.
func (g *graph) places(node any, at string, f func(string)) {
	switch node := node.(type) {
	case []any:
		for i, child := range node {
			g.places(child, at+"/"+strconv.Itoa(i), f)
		}
	case map[string]any:
		if node["$ref"] != nil || node["$dynamicRef"] != nil {
			f(at)
		}
		for _, key := range slices.Sorted(maps.Keys(node)) { // so that the same loop is found again
			if !slices.Contains(data, key) {
				g.places(node[key], at+"/"+escape(key), f)
			}
		}
	}
}

func (g *graph) enter(at string) error {
	switch g.state[at] {
	case 1:
		return fmt.Errorf("$ref at %q refers to itself without end", "#"+at)
	case 2:
		return nil
	}
	g.state[at] = 1
	node, _ := g.find(at).(map[string]any)
	for _, next := range g.edges(node, at) {
		if err := g.enter(next); err != nil {
			return err
		}
	}
	g.state[at] = 2
	return nil
}

// edges returns the places of the schemas that apply where one does.
func (g *graph) edges(node map[string]any, at string) []string {
	var to []string
	for _, key := range []string{"$ref", "$dynamicRef"} {
		if ref, ok := node[key].(string); ok {
			to = append(to, g.targets(ref)...)
		}
	}
	for _, key := range []string{"not", "if", "then", "else"} {
		if node[key] != nil {
			to = append(to, at+"/"+key)
		}
	}
	for _, key := range []string{"allOf", "anyOf", "oneOf"} {
		list, _ := node[key].([]any)
		for i := range list {
			to = append(to, at+"/"+key+"/"+strconv.Itoa(i))
		}
	}
	for _, key := range []string{"dependentSchemas", "dependencies"} {
		named, _ := node[key].(map[string]any)
		for _, name := range slices.Sorted(maps.Keys(named)) {
			to = append(to, at+"/"+key+"/"+escape(name))
		}
	}
	return to
}

// targets returns where a reference may lead: to a pointer, to each anchor of that name,
// or to each schema with that id. More than one is a guess on the safe side.
func (g *graph) targets(ref string) []string {
	base, fragment, _ := strings.Cut(ref, "#")
	if text, err := url.PathUnescape(fragment); err == nil {
		fragment = text
	}
	if base == "" && (fragment == "" || fragment[0] == '/') {
		return []string{fragment}
	}
	var found []string
	g.named(g.tree, "", func(at string, node map[string]any) {
		id, _ := node["$id"].(string)
		switch {
		case base == "" && (node["$anchor"] == fragment || node["$dynamicAnchor"] == fragment || id == "#"+fragment):
			found = append(found, at)
		case base != "" && id != "" && (strings.HasSuffix(base, lastPart(id)) || strings.HasSuffix(id, lastPart(base))):
			if strings.HasPrefix(fragment, "/") {
				at += fragment
			}
			found = append(found, at)
		}
	})
	return found
}

// lastPart returns an id without its fragment and the folders before it.
func lastPart(id string) string {
	id, _, _ = strings.Cut(id, "#")
	return id[strings.LastIndexByte(id, '/')+1:]
}

func (g *graph) named(node any, at string, f func(string, map[string]any)) {
	switch node := node.(type) {
	case []any:
		for i, child := range node {
			g.named(child, at+"/"+strconv.Itoa(i), f)
		}
	case map[string]any:
		f(at, node)
		for _, key := range slices.Sorted(maps.Keys(node)) {
			g.named(node[key], at+"/"+escape(key), f)
		}
	}
}

// find returns what is at a place, nil if there is nothing.
func (g *graph) find(at string) any {
	node := g.tree
	if at == "" {
		return node
	}
	for part := range strings.SplitSeq(at[1:], "/") {
		switch parent := node.(type) {
		case map[string]any:
			node = parent[unescape(part)]
		case []any:
			i, err := strconv.Atoi(part)
			if err != nil || i < 0 || i >= len(parent) {
				return nil
			}
			node = parent[i]
		default:
			return nil
		}
	}
	return node
}

func escape(key string) string {
	return strings.NewReplacer("~", "~0", "/", "~1").Replace(key)
}

func unescape(part string) string {
	return strings.NewReplacer("~1", "/", "~0", "~").Replace(part)
}
