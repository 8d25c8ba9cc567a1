package lower

import (
	"fmt"
	"path/filepath"
	"slices"

	"github.com/mcpgen/mcpgen/gen/ir"
	"github.com/mcpgen/mcpgen/gen/manifest"
	"github.com/mcpgen/mcpgen/gen/names"
	"github.com/mcpgen/mcpgen/runtime/xxh64"
)

// cliLowering is the work on the description of a command line.
type cliLowering struct {
	cli     *manifest.CLI
	export  *manifest.Report // of the file that the export lies in
	program *ir.Program
	leaves  []*cliLeaf // those that are tools

	warned map[string]bool // texts of warnings: an option is in the scope of many leaves
}

// lowerCLI turns the description of a command line into a program whose tools are its leaves.
func lowerCLI(m *manifest.Manifest) (*ir.Program, error) {
	cli := m.CLI
	report := manifest.NewReport(m.File)
	l := &cliLowering{
		cli:    cli,
		export: report.In(cli.File),
		warned: map[string]bool{},
		program: &ir.Program{
			Module:       names.Sanitized(cli.Root.Key),
			ServerName:   cli.Name,
			Version:      cli.Version,
			Source:       filepath.Base(m.File.Name),
			Hash:         hash(m),
			Warnings:     m.Warnings,
			Instructions: cli.Instructions,
			InlineSize:   -1,
			CLI:          &cli.Exec,
		},
	}
	l.walk([]*manifest.CLINode{cli.Root})
	l.nameTools()
	l.resources(report)
	if err := report.Err(); err != nil {
		return nil, err
	}
	return l.program, nil
}

// hash covers all files that a program was read from.
func hash(m *manifest.Manifest) string {
	sum := xxh64.Sum(0, m.File.Src)
	if m.CLI.File != m.File {
		sum = xxh64.Sum(sum, m.CLI.File.Src)
	}
	return fmt.Sprintf("%016x", sum)
}

// walk goes through the commands below the last of a chain, depth first, in the order of the
// document.
func (l *cliLowering) walk(chain []*manifest.CLINode) {
	n := chain[len(chain)-1]
	if n.Leaf {
		if reason := l.excluded(n); reason != "" {
			l.program.Excluded = append(l.program.Excluded, ir.Excluded{Command: l.fullName(n), Reason: reason})
			return
		}
		l.leaf(chain)
	}
	for _, child := range n.Children {
		l.walk(append(slices.Clip(chain), child))
	}
}

// excluded returns why a leaf is no tool, "" if it is one (cli-schema.md 5.1).
func (l *cliLowering) excluded(n *manifest.CLINode) string {
	switch t := &n.Tool; {
	case t.Disabled:
		return "disabled by its author"
	case t.Hidden:
		return "hidden by its author"
	case len(n.Path) > 0 && l.cli.Dialect.IsReserved(n.Key) && !t.Wanted:
		return "its name is reserved for the library"
	}
	return ""
}

// fullName returns what a command is called where it has to be called something: its keys,
// or that of the root.
func (l *cliLowering) fullName(n *manifest.CLINode) string {
	if len(n.Path) == 0 {
		return n.Key
	}
	return n.Name()
}

// problem reports a problem of a command in the export; part names the part of it, such as
// `option "gap"`, or is "".
func (l *cliLowering) problem(n *manifest.CLINode, offset int, at, part, text string) {
	l.export.Add(offset, at, subject(n, part)+text)
}

// subject names a command and a part of it, as the beginning of a message.
func subject(n *manifest.CLINode, part string) string {
	if part != "" {
		return n.Label() + ", " + part + ": "
	}
	return n.Label() + ": "
}

// warn notes what the author should know about a command, once.
func (l *cliLowering) warn(n *manifest.CLINode, part, format string, args ...any) {
	text := subject(n, part) + fmt.Sprintf(format, args...)
	if !l.warned[text] {
		l.warned[text] = true
		l.program.Warnings = append(l.program.Warnings, text)
	}
}
