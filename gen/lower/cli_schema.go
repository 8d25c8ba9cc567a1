package lower

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/mcpgen/mcpgen/gen/assert"
	"github.com/mcpgen/mcpgen/gen/ir"
	"github.com/mcpgen/mcpgen/gen/manifest"
	"github.com/mcpgen/mcpgen/gen/names"
	"github.com/mcpgen/mcpgen/runtime/jsonx"
)

// schemas takes over what the author wrote in JSON.
func (b *cliLeaf) schemas() {
	t := &b.node.Tool
	if t.Input != nil {
		b.leaf.Input = b.authorSchema(t.Input)
		b.checkInput(t.Input)
	}
	if t.Output != nil {
		b.leaf.Output = b.authorSchema(t.Output)
	}
	if t.Annotations != nil {
		b.leaf.Annotations = jsonx.AppendCompact(nil, t.Annotations.Text())
	}
	if t.JSON {
		b.checkStdin()
	}
}

// authorSchema reads a schema as far as it is checked (cli-schema.md 5.4).
func (b *cliLeaf) authorSchema(v *manifest.CLIValue) *ir.AuthorSchema {
	s := &ir.AuthorSchema{Text: jsonx.AppendCompact(nil, v.Text())}
	typ := v.Node.Get("type")
	s.IsObject = typ != nil && typ.Kind == manifest.StringNode && typ.Str == "object"
	check, warnings, err := assert.Parse(s.Text)
	for _, w := range warnings {
		b.program.Warnings = append(b.program.Warnings, subject(b.node, lastKey(v.At))+w)
	}
	for _, err := range joined(err) {
		b.schemaProblem(v, err)
	}
	s.Check = check
	return s
}

// lastKey returns the key that a path ends with.
func lastKey(at string) string { return at[strings.LastIndexByte(at, '.')+1:] }

// joined returns the errors that were joined, none for nil.
func joined(err error) []error {
	if many, ok := err.(interface{ Unwrap() []error }); ok {
		return many.Unwrap()
	}
	if err != nil {
		return []error{err}
	}
	return nil
}

// schemaProblem reports a problem of an author's schema, at its place if there is one.
func (b *cliLeaf) schemaProblem(v *manifest.CLIValue, err error) {
	offset, text := v.Node.Offset, err.Error()
	if p, ok := errors.AsType[*assert.Problem](err); ok {
		offset = follow(v.Node, p.Pointer).Offset
	}
	b.valueProblem(v, offset, v.At, text)
}

// valueProblem reports a problem of what the author wrote, in the file where that is.
func (b *cliLeaf) valueProblem(v *manifest.CLIValue, offset int, at, text string) {
	b.export.In(v.File).Add(offset, at, subject(b.node, lastKey(v.At))+text)
}

// follow returns what a JSON pointer leads to, as far as it leads.
func follow(n *manifest.Node, pointer string) *manifest.Node {
	unescape := strings.NewReplacer("~1", "/", "~0", "~")
	for token := range strings.SplitSeq(strings.TrimPrefix(pointer, "/"), "/") {
		next := n.Get(unescape.Replace(token))
		if i, err := strconv.Atoi(token); err == nil && i >= 0 && i < len(n.Elements) {
			next = n.Elements[i]
		}
		if next == nil {
			break
		}
		n = next
	}
	return n
}

// checkInput checks what a schema of arguments must be.
func (b *cliLeaf) checkInput(v *manifest.CLIValue) {
	if !b.leaf.Input.IsObject {
		n := v.Node.Get("type")
		if n == nil {
			n = v.Node
		}
		b.valueProblem(v, n.Offset, v.At, `want the type "object" at its root`)
	}
	if properties := v.Node.Get("properties"); properties != nil {
		b.asked = properties.Members
	}
	for _, m := range b.asked {
		b.leaf.Input.Properties = append(b.leaf.Input.Properties, m.Key)
	}
}

// checkAsked reports properties of the author's schema that there is no way to pass to the
// program, and warns about those that the program must be given and the schema does not have.
func (b *cliLeaf) checkAsked() {
	v := b.node.Tool.Input
	if v == nil || b.leaf.Stdin {
		return
	}
	var known []string
	for _, p := range b.leaf.Properties {
		known = append(known, p.Name)
		if p.Required && !b.isAsked(p.Name) {
			b.warn(b.node, lastKey(v.At), "%q is required, but no property: no call can give it, and all fail", p.Name)
		}
	}
	for _, m := range b.asked {
		if slices.Contains(known, m.Key) {
			continue
		}
		text := fmt.Sprintf("property %q is no option, positional or path parameter of the command", m.Key)
		if name := names.Nearest(m.Key, known); name != "" {
			text += fmt.Sprintf("; did you mean %q?", name)
		}
		b.valueProblem(v, m.Offset, v.At+".properties", text)
	}
}

// checkStdin checks a leaf that takes its arguments from standard input.
func (b *cliLeaf) checkStdin() {
	n := b.node
	if n.Tool.Input == nil {
		b.problem(n, n.Node.Offset, n.At, "", `of kind "json" without an inputSchema`)
	}
	if len(n.Options) > 0 {
		o := n.Options[0]
		b.problem(n, o.Node.Offset, o.At, "option "+quoted(o.Name), `of kind "json", which has no options`)
	}
	if len(n.Positionals) > 0 {
		p := n.Positionals[0]
		b.problem(n, p.Node.Offset, p.At, "positional "+quoted(p.Name), `of kind "json", which has no positionals`)
	}
}

// isAsked reports whether the author's schema has a property.
func (b *cliLeaf) isAsked(name string) bool {
	return slices.ContainsFunc(b.asked, func(m manifest.Member) bool { return m.Key == name })
}
