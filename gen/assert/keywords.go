package assert

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/mcpgen/mcpgen/gen/ir"
	"github.com/mcpgen/mcpgen/gen/manifest"
	"github.com/mcpgen/mcpgen/gen/pattern"
	"github.com/mcpgen/mcpgen/runtime/jsonx"
)

// keywords reads the keywords that mean something: each takes the keyword's value to the check.
var keywords map[string]func(p *parser, c *ir.Check, at place)

func init() { // they read schemas, which are read by them
	keywords = map[string]func(p *parser, c *ir.Check, at place){
		"$ref":        (*parser).ref,
		"$defs":       func(p *parser, _ *ir.Check, at place) { p.properties(at) },
		"definitions": func(p *parser, _ *ir.Check, at place) { p.properties(at) },

		"type":  func(p *parser, c *ir.Check, at place) { c.Types = p.types(at) },
		"const": func(p *parser, c *ir.Check, at place) { c.Const = p.json(at) },
		"enum": func(p *parser, c *ir.Check, at place) {
			if p.want(at, manifest.ArrayNode, "an array") {
				c.Enum = p.json(at)
			}
		},

		"minimum":          func(p *parser, c *ir.Check, at place) { c.Minimum = p.number(at) },
		"maximum":          func(p *parser, c *ir.Check, at place) { c.Maximum = p.number(at) },
		"exclusiveMinimum": func(p *parser, c *ir.Check, at place) { c.ExclusiveMinimum = p.number(at) },
		"exclusiveMaximum": func(p *parser, c *ir.Check, at place) { c.ExclusiveMaximum = p.number(at) },

		"minLength": func(p *parser, c *ir.Check, at place) { c.MinLength = *p.count(at) },
		"maxLength": func(p *parser, c *ir.Check, at place) { c.MaxLength = p.count(at) },
		"pattern":   (*parser).pattern,

		"prefixItems": func(p *parser, c *ir.Check, at place) { c.Prefix = p.schemas(at) },
		"items":       (*parser).items,
		"minItems":    func(p *parser, c *ir.Check, at place) { c.MinItems = *p.count(at) },
		"maxItems":    func(p *parser, c *ir.Check, at place) { c.MaxItems = p.count(at) },

		"properties":           func(p *parser, c *ir.Check, at place) { c.Properties = p.properties(at) },
		"additionalProperties": func(p *parser, c *ir.Check, at place) { c.Additional = p.schema(at) },
		"required":             func(p *parser, c *ir.Check, at place) { c.Required = p.names(at, "a name") },

		"allOf": func(p *parser, c *ir.Check, at place) { c.AllOf = p.schemas(at) },
		"anyOf": func(p *parser, c *ir.Check, at place) { c.AnyOf = p.schemas(at) },
		"oneOf": func(p *parser, c *ir.Check, at place) { c.OneOf = p.schemas(at) },
		"not":   func(p *parser, c *ir.Check, at place) { c.Not = p.schema(at) },
	}
}

// want reports whether a value is of a kind, or complains.
func (p *parser) want(at place, kind manifest.NodeKind, text string) bool {
	if at.node.Kind != kind {
		p.fail(at.at, "%v, want %s", at.node.Kind, text)
		return false
	}
	return true
}

// json returns the compact text of a value.
func (p *parser) json(at place) []byte {
	l := jsonx.Lexer{Src: p.text, Pos: at.node.Offset}
	_ = l.Value(0) // the document was read
	return jsonx.AppendCompact(nil, p.text[at.node.Offset:l.Pos])
}

func (p *parser) types(at place) []string {
	types := []string{at.node.Str}
	if at.node.Kind != manifest.StringNode {
		if at.node.Kind != manifest.ArrayNode {
			p.fail(at.at, "%v, want the name of a type or an array of them", at.node.Kind)
			return nil
		}
		if types = p.names(at, "the name of a type"); len(at.node.Elements) == 0 {
			p.fail(at.at, "no type, want one at least")
		}
	}
	for _, t := range types {
		if !slices.Contains(ir.SchemaTypes, t) {
			p.fail(at.at, "unknown type %q, want one of %s", t, strings.Join(ir.SchemaTypes, ", "))
		}
	}
	return types
}

// names reads an array of different strings; what says what each of them is.
func (p *parser) names(at place, what string) []string {
	if !p.want(at, manifest.ArrayNode, "an array") {
		return nil
	}
	var names []string
	for i, n := range at.node.Elements {
		element := at.below(strconv.Itoa(i), n)
		switch {
		case !p.want(element, manifest.StringNode, what):
		case slices.Contains(names, n.Str):
			p.fail(element.at, "%q is there twice, want each once", n.Str)
		default:
			names = append(names, n.Str)
		}
	}
	return names
}

// number returns the text of a number, "" if it is none.
func (p *parser) number(at place) string {
	p.want(at, manifest.NumberNode, "a number")
	return at.node.Num
}

// count reads a number of things. What is beyond any number of them is cut.
func (p *parser) count(at place) *int {
	const text = "an integer that is not negative"
	n := 0
	if p.want(at, manifest.NumberNode, text) {
		f, _ := strconv.ParseFloat(at.node.Num, 64) // beyond the range an infinity
		if f < 0 || f != math.Trunc(f) {
			p.fail(at.at, "%s, want %s", at.node.Num, text)
		}
		n = int(min(f, math.MaxInt32))
	}
	return &n
}

func (p *parser) pattern(c *ir.Check, at place) {
	if !p.want(at, manifest.StringNode, "a regular expression") {
		return
	}
	re, err := pattern.Translate(at.node.Str)
	if err != nil {
		p.warn(at.at, "published, not checked: "+err.Error())
		return
	}
	c.Pattern = re
}

// schemas reads an array of schemas.
func (p *parser) schemas(at place) []*ir.Check {
	if !p.want(at, manifest.ArrayNode, "an array of schemas") {
		return nil
	}
	if len(at.node.Elements) == 0 {
		p.fail(at.at, "no schema, want one at least")
	}
	var checks []*ir.Check
	for i, n := range at.node.Elements {
		checks = append(checks, p.schema(at.below(strconv.Itoa(i), n)))
	}
	return checks
}

// properties reads an object whose members are schemas.
func (p *parser) properties(at place) []ir.PropertyCheck {
	if !p.want(at, manifest.ObjectNode, "an object of schemas") {
		return nil
	}
	var checks []ir.PropertyCheck
	seen := map[string]bool{}
	for _, m := range at.node.Members {
		member := at.below(m.Key, m.Value)
		if seen[m.Key] {
			p.fail(member.at, "given twice")
			continue
		}
		seen[m.Key] = true
		checks = append(checks, ir.PropertyCheck{Name: m.Key, Check: p.schema(member)})
	}
	return checks
}

// items reads the check of elements; older drafts have an array in the place of prefixItems.
func (p *parser) items(c *ir.Check, at place) {
	if at.node.Kind == manifest.ArrayNode {
		c.Prefix = p.schemas(at)
		return
	}
	c.Items = p.schema(at)
}
