package ir

import "slices"

// A CLI says how the command-line program is run whose leaf commands are the tools
// (cli-schema.md 3.2). Paths are as the author wrote them.
type CLI struct {
	Command     []string   // program and leading arguments; not empty
	Cwd         string     // working directory; "" is that of the server
	Env         []Variable // added to the environment, in the author's order
	EnvFile     string     // "" is none
	ShellEnv    string     // shell whose login environment is imported; "" is none
	TimeoutMS   int64      // of the commands that are run for resources; 0 is none
	MaxOutput   int64      // bytes of standard output, and of standard error
	MaxParallel int        // processes at a time
	Pipe        bool       // output is captured through a pipe, not in a file
	Equals      bool       // options are given as --name=value
	Dash        Dash
}

// LoginShell as the shell of [CLI.ShellEnv] is that of the user.
const LoginShell = "$SHELL"

// A Variable is an entry of an environment.
type Variable struct{ Name, Value string }

// A Dash says when "--" stands before positional words (cli-schema.md 6.4).
type Dash uint8

// Rules of [CLI.Dash].
const (
	DashAuto   Dash = iota // when a word could be taken for an option or a built-in command
	DashAlways             // whenever there is a word
	DashNever
)

// A Leaf is a command of a command-line program, published as a tool.
type Leaf struct {
	Path        []string // keys from below the root; empty for a root that is a leaf itself
	RequiresEnv []string // variables that must be set and not empty
	TimeoutMS   int64    // 0 is none

	Properties []*Property // published, in order: path parameters, options, positionals
	Argv       []Step      // what comes before the positionals
	Stdin      bool        // the arguments go to standard input, as JSON: it has no properties

	// Input is the author's JSON Schema of the arguments, verbatim, in place of that of the
	// properties; nil if there is none. Output is that of what the command prints.
	Input, Output *AuthorSchema
	Annotations   []byte // JSON, verbatim; nil if there are none
}

// An AuthorSchema is a JSON Schema that the author of a program wrote.
type AuthorSchema struct {
	Text     []byte // JSON, as it is published: the author's, without white space
	IsObject bool   // its root says that the type is "object"
	// Properties are the names of the properties at its root, in the author's order.
	Properties []string
	// Check is what the server checks of it; see [Check].
	Check *Check
}

// IsPublished reports whether the schema of a leaf's arguments has a property: the author's
// schema need not have all of them.
func (l *Leaf) IsPublished(name string) bool {
	return l.Input == nil || slices.Contains(l.Input.Properties, name)
}

// A Step is a part of a command line: a fixed word, or what a property gives: the argument
// of a path parameter, an option with its value, or nothing.
type Step struct {
	Word     string // a key or a flag that is always given; "" if Property is >= 0
	Property int    // index in Leaf.Properties; -1 for a word
}

// A Place says where in the command line a property goes.
type Place uint8

// Places of properties.
const (
	PathParam Place = iota
	Option
	Positional
)

// A Property is a property of a leaf's arguments.
type Property struct {
	Name        string
	Place       Place
	Kind        PropertyKind // of an option; others are texts
	Description string
	Required    bool

	Choices []string // of an enum
	Format  string   // of a text: "", duration, comma-list, date or date-time
	Pattern string   // of a text, as the author wrote it; "" is none
	RE2     string   // the same for Go's regexp; "" if it cannot be said there
	Default []byte   // JSON as it is published; nil is none

	Min, Max int      // words of a positional; Max 0 is any number
	Siblings []string // keys that the argument of a path parameter must not be
}

// A PropertyKind is the type of an option.
type PropertyKind uint8

// Kinds of options.
const (
	KindText PropertyKind = iota
	KindPresence
	KindNumber
	KindEnum
	KindJSON
)

// IsList reports whether a positional takes an array of words.
func (p *Property) IsList() bool { return p.Place == Positional && p.Max != 1 }

// A Resource is what resources/list shows and resources/read gives (cli-schema.md 9). Exactly
// one of Text, File and Args is set.
type Resource struct {
	URI         string
	JoinedURI   string // in a server of several programs; "" is URI
	Name        string
	Description string // "" is none
	MIME        string
	Text        *string
	File        string   // read at each request
	Args        []string // the program is run with them; what it prints is the resource
}
