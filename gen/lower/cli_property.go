package lower

import (
	"fmt"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"github.com/mcpgen/mcpgen/gen/ir"
	"github.com/mcpgen/mcpgen/gen/manifest"
	"github.com/mcpgen/mcpgen/gen/pattern"
	"github.com/mcpgen/mcpgen/runtime/argv"
	"github.com/mcpgen/mcpgen/runtime/jsonx"
)

// property publishes a property. Its name is taken once (cli-schema.md 5.4).
func (b *cliLeaf) property(p *ir.Property, n *manifest.Node, at string) {
	if _, taken := b.index[p.Name]; taken {
		b.export.Add(n.Offset, at, fmt.Sprintf("duplicate property %q in %q", p.Name, b.fullName(b.node)))
		return
	}
	b.index[p.Name] = len(b.leaf.Properties)
	b.leaf.Properties = append(b.leaf.Properties, p)
}

// pathParams publishes the words of the path that the caller chooses.
func (b *cliLeaf) pathParams() {
	for i, n := range b.chain {
		if !n.IsParam() {
			continue
		}
		if b.leaf.Stdin {
			b.problem(b.node, b.node.Node.Offset, b.node.At, "",
				fmt.Sprintf("of kind \"json\" below the path parameter %q, which its arguments cannot give", n.Key))
			continue
		}
		name := n.Key[1:]
		p := &ir.Property{Name: name, Place: ir.PathParam, Description: "Path parameter " + name + ".", Required: true, Min: 1, Max: 1}
		for _, sibling := range b.chain[i-1].Children {
			if !sibling.IsParam() {
				p.Siblings = append(p.Siblings, sibling.Key)
			}
		}
		if i == 1 { // the program would run its own instead
			p.Siblings = append(p.Siblings, b.cli.Builtins...)
		}
		b.property(p, n.Node, n.At)
	}
}

// options publishes the options in scope, and says how those are given that the caller has no
// say in. A leaf that reads its arguments from standard input has none: the path is all of its
// command line (cli-schema.md 6.5).
func (b *cliLeaf) options() {
	for _, n := range b.chain {
		for _, o := range b.counting(n) {
			if b.leaf.Stdin {
				if o.Required && n != b.node { // those of its own are reported
					b.warn(b.node, "option "+quoted(o.Name), "required by the %s, but a command of kind \"json\" is given none: all calls fail", n.Label())
				}
				continue
			}
			flag := o.Kind == ir.KindPresence
			always := flag && slices.Contains(b.cli.AutoFlags, o.Name)
			hidden := flag && slices.Contains(b.cli.HideFlags, o.Name) && !b.isAsked(o.Name)
			if always {
				b.steps[o] = ir.Step{Word: "--" + o.Name, Property: -1}
			}
			if hidden {
				continue
			}
			b.property(b.option(o), o.Node, o.At)
			if !always {
				b.steps[o] = ir.Step{Property: b.index[o.Name]}
			}
		}
	}
}

// option lowers an option.
func (b *cliLeaf) option(o *manifest.CLIOption) *ir.Property {
	p := &ir.Property{
		Name: o.Name, Place: ir.Option, Kind: o.Kind, Description: o.Description, Required: o.Required,
		Choices: o.Choices, Format: o.Format, Pattern: o.Pattern, Min: 1, Max: 1,
	}
	part := "option " + quoted(o.Name)
	if o.Pattern != "" {
		re, err := pattern.Translate(o.Pattern)
		if err != nil {
			b.warn(b.owner[o], part, "pattern %q is published, but not checked: %v", o.Pattern, err)
		}
		p.RE2 = re
	}
	switch d := o.Default; {
	case d == nil:
	case o.Kind == ir.KindNumber:
		var ok bool
		if p.Default, ok = jsonNumber(*d); !ok {
			b.problem(b.owner[o], o.Node.Get("default").Offset, o.At+".default", part, fmt.Sprintf("default %q is out of range", *d))
		}
	case o.Kind == ir.KindEnum && !slices.Contains(o.Choices, *d):
		b.warn(b.owner[o], part, "default %q is no choice", *d)
		fallthrough
	default:
		p.Default = jsonx.AppendString(nil, *d)
	}
	return p
}

// jsonNumber returns as JSON what the program takes for a number (cli-schema.md 6.6).
// Integers keep all their digits. It is not ok if s is beyond the range of a double.
func jsonNumber(s string) (number []byte, ok bool) {
	s = strings.TrimPrefix(argv.Trim(s), "+")
	base := 10
	if len(s) > 1 && s[0] == '0' && s[1] > '9' {
		base = 0 // as the letter says
	}
	if i, ok := new(big.Int).SetString(s, base); ok {
		return i.Append(nil, 10), true
	}
	v, err := strconv.ParseFloat(s, 64)
	if err != nil {
		return nil, false
	}
	if v == 0 {
		v = 0 // of zeros the positive one
	}
	return jsonx.AppendFloat64(nil, v), true
}

// positionals publishes the words behind the options.
func (b *cliLeaf) positionals() {
	if b.leaf.Stdin {
		return // reported with what else it must not have
	}
	for _, p := range b.node.Positionals {
		b.property(&ir.Property{
			Name: p.Name, Place: ir.Positional, Description: p.Description, Required: p.Min > 0, Min: p.Min, Max: p.Max,
		}, p.Node, p.At)
	}
}
