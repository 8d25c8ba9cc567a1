package lower

import (
	"fmt"
	"slices"
	"strings"

	"github.com/mcpgen/mcpgen/gen/ir"
	"github.com/mcpgen/mcpgen/gen/manifest"
	"github.com/mcpgen/mcpgen/gen/names"
	"github.com/mcpgen/mcpgen/runtime/argv"
)

// A cliLeaf is a leaf on its way to a tool.
type cliLeaf struct {
	*cliLowering
	chain []*manifest.CLINode // from the root to the leaf
	node  *manifest.CLINode
	tool  *ir.Tool
	leaf  *ir.Leaf

	index map[string]int                            // of properties, by name
	steps map[*manifest.CLIOption]ir.Step           // of options that are given
	scope map[string]*manifest.CLIOption            // the options that count, by name
	owner map[*manifest.CLIOption]*manifest.CLINode // of the options of the chain
	asked []manifest.Member                         // properties of the author's schema
}

// leaf makes a tool of the last command of a chain.
func (l *cliLowering) leaf(chain []*manifest.CLINode) {
	n := chain[len(chain)-1]
	t := &n.Tool
	b := &cliLeaf{
		cliLowering: l,
		chain:       chain,
		node:        n,
		leaf:        &ir.Leaf{Path: n.Path, RequiresEnv: t.RequiresEnv, TimeoutMS: t.TimeoutMS, Stdin: t.JSON},
		index:       map[string]int{},
		steps:       map[*manifest.CLIOption]ir.Step{},
		scope:       map[string]*manifest.CLIOption{},
		owner:       map[*manifest.CLIOption]*manifest.CLINode{},
	}
	b.tool = &ir.Tool{Index: len(l.leaves), Doc: strings.Split(l.description(n), "\n"), Leaf: b.leaf}
	if t.TimeoutMS == manifest.ProgramTimeout {
		b.leaf.TimeoutMS = l.cli.Exec.TimeoutMS
	}
	b.schemas()
	b.findScope()
	b.pathParams()
	b.options()
	b.positionals()
	b.argv()
	b.checkAsked()
	b.check()
	l.leaves = append(l.leaves, b)
	l.program.Tools = append(l.program.Tools, b.tool)
}

// description returns the description of the tool that a leaf becomes (cli-schema.md 5.3).
func (l *cliLowering) description(n *manifest.CLINode) string {
	t := &n.Tool
	text := t.Description
	if text == "" {
		text = l.fullName(n) + " — " + n.Description
		if len(t.RequiresEnv) > 0 {
			text += " [requires env: " + strings.Join(t.RequiresEnv, ", ") + "]"
		}
	}
	key := l.cli.Root.Key
	notes := argv.Trim(strings.NewReplacer("{app}", key, "{argsbarg:program}", key).Replace(n.Notes))
	if l.cli.AppendNotes && notes != "" {
		text += "\n\n" + notes
	}
	return text
}

// findScope finds the options that count: of each name the innermost (cli-schema.md 4).
func (b *cliLeaf) findScope() {
	for _, n := range b.chain {
		for _, o := range n.Options {
			b.owner[o] = n
			if outer, taken := b.scope[o.Name]; taken {
				b.warn(n, "option "+quoted(o.Name), "the %s has it too; this one counts", b.owner[outer].Label())
			}
			b.scope[o.Name] = o
		}
	}
}

func quoted(s string) string { return fmt.Sprintf("%q", s) }

// counting returns the options of a command of the chain that count.
func (b *cliLeaf) counting(n *manifest.CLINode) []*manifest.CLIOption {
	return slices.DeleteFunc(slices.Clone(n.Options), func(o *manifest.CLIOption) bool { return b.scope[o.Name] != o })
}

// argv lays out what comes before the positionals (cli-schema.md 6.3). An option is only
// taken right behind the command that declares it.
func (b *cliLeaf) argv() {
	for _, n := range b.chain {
		switch {
		case n.IsParam():
			if i, ok := b.index[n.Key[1:]]; ok {
				b.leaf.Argv = append(b.leaf.Argv, ir.Step{Property: i})
			}
		case len(n.Path) > 0:
			b.leaf.Argv = append(b.leaf.Argv, ir.Step{Word: n.Key, Property: -1})
		}
		for _, o := range b.counting(n) {
			if step, given := b.steps[o]; given {
				b.leaf.Argv = append(b.leaf.Argv, step)
			}
		}
	}
}

// check notes what clients have trouble with.
func (b *cliLeaf) check() {
	for _, p := range b.leaf.Properties {
		if want := names.CheckProperty(p.Name); want != "" {
			n := b.node
			if p.Place == ir.Option {
				n = b.owner[b.scope[p.Name]]
			}
			b.warn(n, "", "property name %q: %s", p.Name, want)
		}
	}
}
