package manifest

import "github.com/mcpgen/mcpgen/gen/ir"

// A Manifest describes a program: a compiled one (manifest.md 3), or a command line. Keys that
// only the command line reads, or nobody, are checked but not kept.
type Manifest struct {
	File *File
	Path string // of the file, absolute and without symbolic links; "" if there is none

	Name                string
	Version             string // build.morloc_version
	Release             Release
	Warnings            []string // what is odd but understood
	Desc                []string
	Pools               []*Pool
	Commands            []*Command
	UnsafeSkipNullCheck bool
	InlineSize          int64 // -1 if there is none
	NoSHM               bool
	TmpDir              string // "" if there is none

	CLI *CLI // set if the input is about a command line: it has nothing of the other kind
}

// A Pool is a language process.
type Pool struct {
	Lang            string
	Exec            []string // not empty
	Socket          string   // a base name
	Hash            string
	AllowStringNull bool
}

// A Command is an exported function, or an internal entry that output actions run.
type Command struct {
	Index    int // in Manifest.Commands
	Node     *Node
	Name     string
	Pure     bool // Expr is set; else MID and Pool are
	MID      uint32
	Pool     int
	Desc     []string
	Args     []*Arg
	Return   Return
	Expr     *Node
	Internal bool
	Streams  bool // it has a non-null stream: it writes to standard output
	Actions  []*Terminal
	Data     []*DataType // the data types in its signature
}

// A DataType is a sum type by the name that the author gave it.
type DataType struct {
	Name         string
	Constructors []Constructor // by their tags
}

// A Constructor is what the glossary says of one.
type Constructor struct {
	Name string
	Desc []string
}

// An ArgKind says how the command line takes an argument.
type ArgKind uint8

// Kinds of arguments, named as in the manifest.
const (
	Pos  ArgKind = iota // positional
	Opt                 // option with a value
	Flag                // switch
	Grp                 // record, made of options and flags
	Alt                 // sum type, made of a switch for each constructor
)

// An Arg is an argument of a command, or of a record's field.
type Arg struct {
	Kind     ArgKind
	Node     *Node
	Type     *ir.Type // of a Flag: Bool; of a field: the field's
	TypeText string   // the author's name of the type, or ""
	Key      string   // published name; "" if the manifest is of a compiler that writes none
	Name     string   // of a Pos; "" if it has none
	Long     string   // of Opt and Flag, like Short: one of them is set
	Short    string   // one character
	Many     bool
	Stdin    bool
	Required bool    // of an Alt
	Default  *string // JSON text; of a Flag nil, "true" or "false"
	Desc     []string
	Whole    bool // of a Grp: the record is published as one property
	Entries  []*Entry
}

// An Entry is an argument for a field of a record.
type Entry struct {
	Key   string // name of the field
	Field int    // its index in the record
	Arg   *Arg   // Opt or Flag
}

// Return is what a command gives back.
type Return struct {
	Type     *ir.Type
	TypeText string
	Mime     string // media type, or ""
}

// A Terminal is an output action.
type Terminal struct {
	Long        string
	Entry       *Command // what runs; nil if it is for the command line alone
	Description string
}
