// Package assert reads the JSON Schemas that authors write for arguments and output, as far
// as a server checks them (cli-schema.md 5.4): text in, [ir.Check] out. A schema is read as
// one of draft 2020-12; of older drafts it takes what does not contradict that, such as
// definitions and arrays of items.
//
// A keyword is checked, or is an assertion that is not (a warning: the schema is published
// with it), or an annotation, which like any unknown keyword means nothing here. Format is an
// annotation.
package assert

import (
	"errors"
	"fmt"
	"strings"

	"github.com/mcpgen/mcpgen/gen/ir"
	"github.com/mcpgen/mcpgen/gen/manifest"
	"github.com/mcpgen/mcpgen/runtime/jsonx"
)

// A Problem says what is wrong with a schema.
type Problem struct {
	Pointer string // JSON pointer of what is wrong, in the schema's document
	Text    string // with what was wanted
}

// Error implements error.
func (p *Problem) Error() string {
	if p.Pointer == "" {
		return p.Text
	}
	return p.Pointer + ": " + p.Text
}

// Parse reads the JSON text of a schema. The warnings name assertions that are not checked, a
// line each that begins with a JSON pointer. An error joins all problems, of type [*Problem].
func Parse(text []byte) (c *ir.Check, warnings []string, err error) {
	root, err := parseJSON(text)
	if err != nil {
		return nil, nil, err
	}
	p := &parser{
		text:    text,
		places:  map[*manifest.Node]place{},
		ids:     map[string]place{},
		anchors: map[anchor]place{},
		checks:  map[*manifest.Node]*ir.Check{},
	}
	whole := place{node: root, base: root}
	p.index(whole)
	c = p.schema(whole)
	p.findCircles()
	if len(p.problems) > 0 {
		return nil, nil, errors.Join(p.problems...)
	}
	simplify(c, map[*ir.Check]bool{})
	return c, p.warnings, nil
}

// parseJSON reads JSON that nests no deeper than what a server reads.
func parseJSON(text []byte) (*manifest.Node, error) {
	root, err := manifest.ParseJSON(text)
	if err != nil {
		return nil, &Problem{Text: err.Error()}
	}
	l := jsonx.Lexer{Src: text, Pos: root.Offset}
	if l.Value(0) != nil {
		return nil, &Problem{Text: fmt.Sprintf("nested deeper than %d levels", jsonx.MaxDepth)}
	}
	return root, nil
}

// A place is a value of the document.
type place struct {
	node *manifest.Node
	at   string         // JSON pointer
	base *manifest.Node // the schema that a $ref starts from: the nearest with an $id
}

// below returns the place of a member or element of p.
func (p place) below(token string, n *manifest.Node) place {
	token = strings.NewReplacer("~", "~0", "/", "~1").Replace(token)
	return place{node: n, at: p.at + "/" + token, base: p.base}
}

// A parser holds what is known of a document.
type parser struct {
	text     []byte
	places   map[*manifest.Node]place // of all values
	ids      map[string]place         // schemas by their $id
	anchors  map[anchor]place
	checks   map[*manifest.Node]*ir.Check
	order    []*ir.Check // in which they were made
	warnings []string
	problems []error
}

func (p *parser) fail(at, format string, args ...any) {
	p.problems = append(p.problems, &Problem{Pointer: at, Text: fmt.Sprintf(format, args...)})
}

func (p *parser) warn(at, text string) { p.warnings = append(p.warnings, at+": "+text) }

// schema returns the check of a schema. Each is made once, so that circles close.
func (p *parser) schema(at place) *ir.Check {
	if c := p.checks[at.node]; c != nil {
		return c
	}
	c := &ir.Check{Path: at.at}
	p.checks[at.node] = c
	p.order = append(p.order, c)
	switch at.node.Kind {
	case manifest.BoolNode:
		c.Never = !at.node.Bool
	case manifest.ObjectNode:
		if at.node.Get("$id") != nil {
			at.base = at.node
		}
		p.keywords(c, at)
	default:
		p.fail(at.at, "%v, want a schema: an object or a boolean", at.node.Kind)
	}
	return c
}

// keywords reads the members of a schema.
func (p *parser) keywords(c *ir.Check, at place) {
	seen := map[string]bool{}
	for _, m := range at.node.Members {
		value := at.below(m.Key, m.Value)
		if seen[m.Key] {
			p.fail(value.at, "keyword given twice")
			continue
		}
		seen[m.Key] = true
		if read := keywords[m.Key]; read != nil {
			read(p, c, value)
		} else if unchecked[m.Key] {
			p.warn(value.at, "published, not checked")
		}
	}
	p.siblings(c, at)
}

// siblings reads the keywords whose meaning depends on others.
func (p *parser) siblings(c *ir.Check, at place) {
	// Of older drafts: it is about what is behind an array of items, and else about nothing.
	if n := at.node.Get("additionalItems"); n != nil {
		check := p.schema(at.below("additionalItems", n))
		if items := at.node.Get("items"); items != nil && items.Kind == manifest.ArrayNode {
			c.Items = check
		}
	}
	if c.Additional != nil && at.node.Get("patternProperties") != nil {
		// What is additional depends on the patterns.
		c.Additional = nil
		p.warn(at.at+"/additionalProperties", "published, not checked beside patternProperties")
	}
}

// unchecked are the assertions that are not checked.
var unchecked = map[string]bool{
	"multipleOf": true, "uniqueItems": true, "contains": true, "minContains": true, "maxContains": true,
	"minProperties": true, "maxProperties": true, "patternProperties": true, "propertyNames": true,
	"dependencies": true, "dependentRequired": true, "dependentSchemas": true,
	"if": true, "then": true, "else": true,
	"unevaluatedItems": true, "unevaluatedProperties": true,
	"$dynamicRef": true, "$recursiveRef": true,
}
