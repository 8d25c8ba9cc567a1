package manifest

import (
	"strings"

	"github.com/mcpgen/mcpgen/gen/ir"
)

// A CLI describes a command-line program: what it exports of itself, and what its author adds
// to that (cli-schema.md 2 and 3). What the author leaves out has its default here.
type CLI struct {
	File    *File // the export lies in: that of the manifest, or the one that it names
	Schema  *Node // the export, unchanged
	Dialect Dialect
	Root    *CLINode

	// Builtins are commands of the library that the export shows, which are at the root of the
	// program too.
	Builtins []string

	Exec      ir.CLI   // how it is run
	AutoFlags []string // options that are always given where they are declared
	HideFlags []string // options that are not published

	Name         string // of the server
	Version      string
	Instructions string // "" is none
	SchemaURI    string // of the resource that is the export; "" is the default
	Resources    []CLIResource
	Suffix       bool // colliding names of tools get numbers
	AppendNotes  bool // the notes of a command are part of the description of its tool
}

// A Dialect is a family of releases of the library that programs are written with
// (cli-schema.md 3.3).
type Dialect int

// Dialects, named after their first release.
const (
	Dialect1 Dialect = 1 // 1.3 to 4
	Dialect7 Dialect = 7 // 5 to 7
)

// IsReserved reports whether programs of a dialect keep a key for a command of the library.
func (d Dialect) IsReserved(key string) bool {
	switch key {
	case "completion", "mcp":
		return true
	case "configure", "version":
		return d == Dialect7
	}
	return false
}

// A CLINode is a command: a leaf, which does something, or a routing node, which has others
// below it. Commands that the library adds below leaves are left out.
type CLINode struct {
	Node *Node
	At   string   // its path in CLI.File
	Path []string // keys from below the root; empty for the root
	Key  string

	Description string
	Notes       string // "" is none
	Options     []*CLIOption

	Leaf        bool
	Positionals []*CLIPositional // of a leaf
	Tool        CLITool          // of a leaf

	Children []*CLINode // of a routing node
}

// Name returns the keys that lead to the command, as messages have them: "issue get", and ""
// for the root.
func (n *CLINode) Name() string { return strings.Join(n.Path, " ") }

// Label names the command in messages.
func (n *CLINode) Label() string {
	if len(n.Path) == 0 {
		return "root command"
	}
	return "command " + quote(n.Name())
}

// IsParam reports whether a command stands for any word, as :id does.
func (n *CLINode) IsParam() bool { return len(n.Path) > 0 && strings.HasPrefix(n.Key, ":") }

// A CLIOption is an option of a command.
type CLIOption struct {
	Node        *Node
	At          string
	Name        string // without --
	Description string
	Kind        ir.PropertyKind
	Short       string // one character, or ""
	Required    bool
	Choices     []string // of an enum: not empty, distinct
	Format      string   // of a text: "", duration, comma-list, date or date-time
	Pattern     string   // of a text: as the author wrote it; "" is none
	Default     *string  // of a number: text that is one
	Pipable     bool
}

// A CLIPositional is a word, or several, behind the options of a command.
type CLIPositional struct {
	Node        *Node
	At          string
	Name        string
	Description string
	Min, Max    int // words; Max 0 is any number
}

// A CLITool is what an author says of the tool that a leaf becomes, in the manifest or inside
// of the node; the manifest wins.
type CLITool struct {
	Disabled bool
	Hidden   bool
	Wanted   bool // the manifest says that it is enabled

	Name        string // "" is that of the path
	Description string // "" is that of the leaf
	RequiresEnv []string
	JSON        bool  // its arguments go to standard input
	TimeoutMS   int64 // of a call; 0 is none

	Input, Output, Annotations *CLIValue // objects; nil if there is none
}

// ProgramTimeout as the timeout of a tool is that of the program.
const ProgramTimeout = -1

// A CLIValue is JSON that is passed on as it is, and where it was read.
type CLIValue struct {
	File *File
	Node *Node
	At   string
}

// Text returns the JSON.
func (v *CLIValue) Text() []byte { return v.File.Text(v.Node) }

// A CLIResource is a resource that the manifest declares.
type CLIResource struct {
	Node *Node
	At   string
	ir.Resource
}
