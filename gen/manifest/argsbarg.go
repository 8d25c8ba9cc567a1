package manifest

import (
	"errors"
	"regexp"
	"slices"

	"github.com/mcpgen/mcpgen/gen/ir"
	"github.com/mcpgen/mcpgen/gen/names"
	"github.com/mcpgen/mcpgen/runtime/jsonx"
)

// An input is what a document describes.
type input int

const (
	unknownInput input = iota
	morlocInput
	cliManifest // cli-schema.md 3.2
	cliExport   // cli-schema.md 2
)

// openFunc reads the file that a manifest names; the path is relative to the manifest.
type openFunc func(path string) (*File, error)

// cliReader reads the two parts of the description of a command line.
type cliReader struct {
	*reader // of the manifest
	cli     *CLI

	export *reader // of the file that the export lies in

	members []Member            // of the manifest's tools
	tools   map[string]cliEntry // the same, by path
	found   map[string]bool     // paths in the export; true if it is a leaf
	several map[string]bool     // those that more than one command has
	paths   []string            // of leaves, in the order of the export
	flags   map[string]bool     // names of options of kind "presence"

	dialect Dialect // of the manifest; 0 is to be found out
	notes   string  // of the manifest
}

// A cliEntry is what a manifest says of a tool.
type cliEntry struct {
	node *Node
	at   *place
	leaf *bool
}

func newCLIReader(r *reader) *cliReader {
	r.m.CLI = &CLI{
		File: r.m.File,
		Exec: ir.CLI{TimeoutMS: 300_000, MaxOutput: 8 << 20, MaxParallel: 8},
	}
	return &cliReader{
		reader: r, cli: r.m.CLI, export: r, notes: "auto",
		tools: map[string]cliEntry{}, found: map[string]bool{}, several: map[string]bool{}, flags: map[string]bool{},
	}
}

// readExport reads a raw export: a program of which its author says no more.
func (c *cliReader) readExport(root *Node) {
	c.schema(root, &place{})
	c.complete()
}

// readManifest reads cli-schema.md 3.2. What the export says of the server and of its tools
// has to be read before what the manifest says, which wins.
func (c *cliReader) readManifest(root *Node, open openFunc) {
	at := &place{}
	parts := map[string]cliEntry{}
	keep := func(n *Node, at *place) { parts[at.key] = cliEntry{node: n, at: at} }
	c.closed(root, at,
		member{"mcpgen", true, func(n *Node, at *place) {
			if n.Kind != NumberNode || n.Num != "1" {
				c.want(n, at, "1, the only version of this format")
			}
		}},
		member{"format", true, c.oneOf(new(string), "argsbarg")},
		member{"dialect", false, c.readDialect},
		member{"exec", false, keep},
		member{"server", false, keep},
		member{"tools", false, keep},
		member{"schema", false, keep},
		member{"schemaFile", false, keep},
	)
	if part, ok := parts["tools"]; ok {
		c.readTools(part.node, part.at)
	}
	c.findExport(root, parts["schema"], parts["schemaFile"], open)
	if part, ok := parts["exec"]; ok {
		c.readExec(part.node, part.at)
	}
	if part, ok := parts["server"]; ok {
		c.readServer(part.node, part.at)
	}
	c.checkTools()
	c.complete()
}

func (c *cliReader) readDialect(n *Node, at *place) {
	switch {
	case n.Kind == StringNode && n.Str == "auto":
	case n.Kind == NumberNode && n.Num == "1":
		c.dialect = Dialect1
	case n.Kind == NumberNode && n.Num == "7":
		c.dialect = Dialect7
	default:
		c.want(n, at, `"auto", 1 or 7`)
	}
}

// findExport reads the export, which is part of the manifest or a file.
func (c *cliReader) findExport(root *Node, inside, file cliEntry, open openFunc) {
	var name string
	switch {
	case inside.node != nil && file.node != nil:
		c.problem(file.node, file.at, "schema and schemaFile, want one of them")
	case inside.node != nil:
		c.schema(inside.node, inside.at)
	case file.node == nil:
		c.problem(root, &place{}, "neither schema nor schemaFile, "+wantExport)
	default:
		c.name(&name)(file.node, file.at)
		if name == "" {
			if file.node.Kind == StringNode {
				c.problem(file.node, file.at, "got %q, want the path of a file", file.node.Str)
			}
			return
		}
		f, err := open(name)
		if err != nil {
			c.problem(file.node, file.at, "%v", err)
			return
		}
		c.readFile(f)
	}
}

// errNoFolder is what opens files for a manifest that is none itself.
var errNoFolder = errors.New("only a manifest that is a file can name another")

// readFile reads an export that lies in a file of its own.
func (c *cliReader) readFile(f *File) {
	c.cli.File = f
	c.export = &reader{report: c.report.In(f), m: c.m}
	root, err := ParseJSON(f.Src)
	switch {
	case err != nil:
		c.export.syntax(f.Src, err, true)
	case root.Get("mcpgen") != nil:
		c.export.problem(root, &place{}, "this is a manifest, "+wantExport)
	default:
		c.schema(root, &place{})
	}
}

// schema reads the export.
func (c *cliReader) schema(n *Node, at *place) {
	if depth := n.depth(); depth > jsonx.MaxDepth {
		c.export.problem(n, at, "nested %d levels deep, want at most %d", depth, jsonx.MaxDepth)
		return
	}
	c.cli.Schema = n
	if n.Kind != ObjectNode {
		c.export.problem(n, at, "got %s, %s", n.Kind, wantExport)
		return
	}
	c.cli.Root = c.node(n, at, nil)
	c.program(n, at)
}

// complete fills in what depends on the export.
func (c *cliReader) complete() {
	cli := c.cli
	if cli.Root == nil {
		return
	}
	cli.Dialect = c.dialect
	if cli.Dialect == 0 {
		cli.Dialect = Dialect1
		if slices.Contains(cli.Builtins, "configure") {
			cli.Dialect = Dialect7
		}
	}
	cli.AppendNotes = c.notes == "append" || c.notes == "auto" && cli.Dialect == Dialect7
	if cli.Dialect == Dialect7 && cli.AutoFlags == nil {
		cli.AutoFlags = []string{"json", "yes"}
	}
	if cli.Dialect == Dialect7 && cli.HideFlags == nil {
		cli.HideFlags = []string{"json", "yes", "verbose"}
	}
	if cli.Exec.Command == nil {
		cli.Exec.Command = []string{cli.Root.Key}
	}
	if cli.Name == "" {
		cli.Name = cli.Root.Key
	}
	if cli.Version == "" {
		cli.Version = "0.0.0"
	}
	c.checkReserved()
}

// closed reads the members of an object that has no others.
func (r *reader) closed(n *Node, at *place, members ...member) {
	r.object(n, at, members...)
	known := make([]string, len(members))
	for i, m := range members {
		known[i] = m.key
	}
	for _, m := range n.Members {
		if slices.Contains(known, m.Key) {
			continue
		}
		text := at.subject() + "unknown key " + quote(m.Key)
		if name := names.Nearest(m.Key, known); name != "" {
			text += "; did you mean " + quote(name) + "?"
		}
		r.report.Add(m.Offset, at.member(m.Key).String(), text)
	}
}

// entries reads the members of an object whose keys its author chose.
func (r *reader) entries(n *Node, at *place, each func(key string, n *Node, at *place)) {
	if n.Kind != ObjectNode {
		r.want(n, at, "an object")
		return
	}
	seen := map[string]bool{}
	for _, m := range n.Members {
		if here := at.member(m.Key); seen[m.Key] {
			r.report.Add(m.Offset, here.String(), at.subject()+"key "+quote(m.Key)+" given twice")
		} else {
			seen[m.Key] = true
			each(m.Key, m.Value, here)
		}
	}
}

// beginsExport tells a document that cannot be read, but would be an export.
var beginsExport = regexp.MustCompile(`^[ \t\r\n]*\{[ \t\r\n]*"key"[ \t\r\n]*:`)
