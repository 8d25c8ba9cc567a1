package assert

import (
	"net/url"
	"strconv"
	"strings"

	"github.com/mcpgen/mcpgen/gen/ir"
	"github.com/mcpgen/mcpgen/gen/manifest"
)

// An anchor is a name that a schema gives itself, for references from its document.
type anchor struct {
	base *manifest.Node
	name string
}

// index notes where each value of the document is, and the names that schemas give
// themselves.
func (p *parser) index(at place) {
	p.places[at.node] = at
	if id := at.node.Get("$id"); id != nil && id.Kind == manifest.StringNode {
		p.ids[strings.TrimSuffix(id.Str, "#")] = at
		at.base = at.node
	}
	if a := at.node.Get("$anchor"); a != nil && a.Kind == manifest.StringNode {
		p.anchors[anchor{at.base, a.Str}] = p.places[at.node]
	}
	for _, m := range at.node.Members {
		p.index(at.below(m.Key, m.Value))
	}
	for i, n := range at.node.Elements {
		p.index(at.below(strconv.Itoa(i), n))
	}
}

// ref reads a $ref. What is outside of the document is not checked.
func (p *parser) ref(c *ir.Check, at place) {
	if !p.want(at, manifest.StringNode, "a reference") {
		return
	}
	document, fragment, _ := strings.Cut(at.node.Str, "#")
	base := at.base
	if document != "" {
		named, known := p.ids[document]
		if !known {
			p.warn(at.at, "published, not checked: "+strconv.Quote(document)+" is another document")
			return
		}
		base = named.node
	}
	target, ok := p.resolve(base, fragment)
	if !ok {
		p.fail(at.at, "there is no %q, want a schema of this document", at.node.Str)
		return
	}
	c.Ref = p.schema(target)
}

// resolve returns what a fragment names in a schema: a JSON pointer or an anchor.
func (p *parser) resolve(base *manifest.Node, fragment string) (target place, ok bool) {
	fragment, err := url.PathUnescape(fragment)
	if err != nil {
		return place{}, false
	}
	path, isPointer := strings.CutPrefix(fragment, "/")
	switch {
	case fragment == "":
		return p.places[base], true
	case !isPointer:
		target, ok = p.anchors[anchor{base, fragment}]
		return target, ok
	}
	n := base
	for token := range strings.SplitSeq(path, "/") {
		token = strings.NewReplacer("~1", "/", "~0", "~").Replace(token)
		if n.Kind == manifest.ArrayNode {
			n = elementOf(n, token)
		} else {
			n = n.Get(token)
		}
		if n == nil {
			return place{}, false
		}
	}
	return p.places[n], true
}

// elementOf returns the element whose index is a token of a JSON pointer, nil if there is none.
func elementOf(n *manifest.Node, token string) *manifest.Node {
	i, err := strconv.Atoi(token)
	if err != nil || i < 0 || i >= len(n.Elements) || token != strconv.Itoa(i) {
		return nil
	}
	return n.Elements[i]
}

// findCircles complains about references that come back to where they began without a step
// into the value: such a schema says nothing.
func (p *parser) findCircles() {
	const under, done = 1, 2
	state := map[*ir.Check]int{}
	var visit func(c *ir.Check)
	visit = func(c *ir.Check) {
		state[c] = under
		for _, next := range inPlace(c) {
			switch state[next] {
			case 0:
				visit(next)
			case under:
				p.fail(c.Path, "a circle of references that takes no step into the value")
			}
		}
		state[c] = done
	}
	for _, c := range p.order {
		if state[c] == 0 {
			visit(c)
		}
	}
}

// inPlace returns the checks that c applies to the same value.
func inPlace(c *ir.Check) []*ir.Check {
	var all []*ir.Check
	for _, some := range [][]*ir.Check{{c.Ref, c.Not}, c.AllOf, c.AnyOf, c.OneOf} {
		for _, next := range some {
			if next != nil {
				all = append(all, next)
			}
		}
	}
	return all
}
