package expr

import (
	"github.com/mcpgen/mcpgen/gen/ir"
	"github.com/mcpgen/mcpgen/gen/manifest"
	"github.com/mcpgen/mcpgen/gen/schema"
)

// maxDepth is how deep nodes may nest; lets inside the bodies of lets do not count.
const maxDepth = 10_000

// A checker turns nodes into terms. Problems are collected in errs; a term is only of use
// if there are none.
type checker struct {
	errs    Errors
	schemas map[string]*ir.Type  // by text; nil for what does not parse
	scope   map[string][]*binder // by name, the innermost last
	depth   int
	tables  bool // a type was met that is never served

	functions map[string]*function // named ones, by name
	looked    int                  // nodes that were looked at for the types of variables
}

// broken stands for what has an error: like a throw it fits everywhere.
var broken term = &throwTerm{}

func (c *checker) fail(e *Error) {
	if len(c.errs) < maxErrors {
		c.errs = append(c.errs, e)
	}
}

// term checks a node whose value shall have the type want; nil stands for any.
func (c *checker) term(p *place, want *ir.Type) term {
	if c.depth == maxDepth {
		c.fail(p.errorf("nested too deep: want at most %d nodes inside each other", maxDepth))
		return broken
	}
	c.depth++
	defer func() { c.depth-- }()

	tag, ok := c.tag(p)
	if !ok {
		return broken
	}
	switch tag {
	case "lit":
		return c.lit(p, want)
	case "str":
		return c.str(p, want)
	case "container":
		return c.container(p, want)
	case "bound":
		return c.bound(p, want)
	case "app":
		return c.app(p, want)
	case "if":
		return c.branch(p, want)
	case "map":
		return c.mapping(p, want)
	case "show", "hash":
		return c.textOf(p, want, tag)
	case "read":
		return c.parsed(p, want, readOp)
	case "load":
		return c.parsed(p, want, loadOp)
	case "throw":
		return &throwTerm{msg: c.term(p.get("msg"), typeString)}
	case "catch":
		return c.catch(p, want)
	case "save":
		return c.save(p, want)
	case "tagtest":
		return c.tagTest(p, want)
	case "ctormake":
		return c.makeArm(p, want)
	case "ctorfield":
		return c.armField(p, want)
	case "try":
		return c.try(p, want)
	case "call":
		return c.call(p, want)
	case "named":
		c.fail(p.get("tag").errorf("named functions in place of a value: want them only around the whole command"))
		return broken
	case "lambda", "pattern", "interpolation":
		c.fail(p.get("tag").errorf("%s in place of a value: want it only as a function", tag))
		return broken
	}
	c.fail(p.get("tag").errorf("unknown expression tag %q", tag))
	return broken
}

var (
	typeUnit   = mustParse("z")
	typeBool   = mustParse("b")
	typeString = mustParse("s")
)

func mustParse(text string) *ir.Type {
	t, err := schema.Parse(text)
	if err != nil {
		panic("mcpgen: internal: " + err.Error())
	}
	return t
}

// same reports whether two types are equal; nil equals everything.
func same(a, b *ir.Type) bool {
	return a == nil || b == nil || a == b || a.Text == b.Text || schema.Equal(a, b)
}

// fits checks that a type is the one that is wanted at p.
func (c *checker) fits(p *place, found, want *ir.Type) bool {
	if same(found, want) {
		return true
	}
	c.fail(p.errorf("type is %s: want %s", found.Text, want.Text))
	return false
}

// declared reads the schema of a node, which shall be the type want. It returns nil if
// there is none.
func (c *checker) declared(p *place, want *ir.Type) *ir.Type {
	p = p.get("schema")
	text, ok := c.text(p)
	if !ok {
		return nil
	}
	t, seen := c.schemas[text]
	if !seen {
		var err error
		if t, _, err = schema.ParseLenient(text); err != nil {
			t = nil
			c.fail(p.errorf("%q: %v", text, err))
		}
		c.schemas[text] = t
	}
	if t == nil {
		return nil
	}
	c.tables = c.tables || !t.IsServable()
	if want != nil && want.Kind == ir.Enum && t.Kind == ir.Uint8 {
		return want // constants of enums are written as bytes (manifest-next.md 9)
	}
	c.fits(p, t, want)
	return t
}

// tag reads the tag of a node.
func (c *checker) tag(p *place) (string, bool) {
	if p.node == nil || p.node.Kind != manifest.ObjectNode {
		c.fail(p.mistaken("an expression node"))
		return "", false
	}
	return c.text(p.get("tag"))
}

// text reads a string.
func (c *checker) text(p *place) (string, bool) {
	if p.node == nil || p.node.Kind != manifest.StringNode {
		c.fail(p.mistaken("a string"))
		return "", false
	}
	return p.node.Str, true
}

// list reads an array; ok is false if there is none.
func (c *checker) list(p *place) (elems []*place, ok bool) {
	if p.node == nil || p.node.Kind != manifest.ArrayNode {
		c.fail(p.mistaken("an array"))
		return nil, false
	}
	elems = make([]*place, len(p.node.Elements))
	for i := range elems {
		elems[i] = p.at(i)
	}
	return elems, true
}

// texts reads an array of strings.
func (c *checker) texts(p *place) (texts []string, ok bool) {
	elems, ok := c.list(p)
	for _, e := range elems {
		text, isText := c.text(e)
		texts, ok = append(texts, text), ok && isText
	}
	return texts, ok
}
