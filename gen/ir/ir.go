// Package ir is the model between an input (the manifest of a compiled program, or the schema
// of a command line) and the emitted Go: plain data and predicates, ignorant of input formats
// and of Go syntax. It imports nothing of mcpgen.
//
// Who fills what: gen/schema makes [Type], gen/expr makes [Func], gen/lower makes the
// rest. gen/emit only reads.
package ir

// A Program is one compiled unit: one manifest, one server.
type Program struct {
	Module  string // name of the program; serverInfo.name
	Version string // build.morloc_version; serverInfo.version
	Source  string // base name of the manifest, for the header of generated files
	Hash    string // xxh64 of the manifest's bytes, 16 hex digits

	Pools    []Pool
	Tools    []*Tool // in the order of the manifest's commands
	Excluded []Excluded
	Warnings []string // what the author should know though the program is served

	Stage Stage // how its pools are driven
	// BlockRecords says that records of fixed width are hashed as one block, like tuples.
	BlockRecords bool

	UnsafeSkipNullCheck bool   // the guard against NUL in strings is off
	InlineSize          int64  // of the manifest; -1 if it has none
	TmpDir              string // of the manifest; "" if it has none

	CLI          *CLI       // set if the program is a command line: all tools are leaves then
	ServerName   string     // serverInfo.name, if it is not Module
	Instructions string     // for the model, sent at the handshake; "" is none
	Resources    []Resource // in the order of their list
}

// A Stage is a way of driving pools: what changed between compilers
// (pool-protocol-next.md 0.1). The runtime has a table of what each of them means.
type Stage uint8

// Stages in the order of their releases.
const (
	StageA  Stage = iota // 0.98 and 0.99.0
	StageA1              // 0.99.1: pools are found through a library path
	StageB               // 0.100 to 0.102
	StageC               // 0.103 to 0.108
	StageD               // from 0.109 on
)

// A Pool is one language process of a program.
type Pool struct {
	Lang            string
	Exec            []string // as in the manifest; the last element is a path
	Socket          string   // base name
	Hash            string   // 16 hex digits, or ""
	AllowStringNull bool
}

// Excluded is a command that is not published, and why.
type Excluded struct {
	Command string
	Reason  string
}

// Note returns the line that tells of it (tools.md 6).
func (x Excluded) Note() string {
	return "excluding command '" + x.Command + "' from the tool surface (" + x.Reason + ")"
}

// A Tool is a command that is published.
type Tool struct {
	Name  string   // as listed
	Index int      // in the manifest's commands
	Doc   []string // description, a line each

	Params []*Param // published properties, in order, without _render
	Slots  []Slot   // one for each argument of the function, in order

	Leaf *Leaf // set if the tool is a command of a CLI: it has nothing of what follows

	Raw     *Target  // what runs without _render
	Renders []Render // output actions that can be served, in order
}

// HasRender reports whether the tool publishes the property _render.
func (t *Tool) HasRender() bool { return len(t.Renders) > 0 }

// Targets returns what calls of the tool can run.
func (t *Tool) Targets() (all []*Target) {
	if t.Raw != nil {
		all = append(all, t.Raw)
	}
	for _, r := range t.Renders {
		all = append(all, r.Target)
	}
	return all
}

// A Render is an output action: a value of _render and what runs for it.
type Render struct {
	Name   string // the value of _render
	Target *Target
}

// A Target is something a call can run: a manifold of a pool, or a compiled expression.
// Exactly one of Remote and Func is set.
type Target struct {
	Command string // name of the command in the manifest
	Index   int    // in the manifest's commands
	Return  *Type
	Mime    string // media type of the result, or ""

	ReturnText string // the author's name for the return type, or ""

	Remote *Remote
	Func   *Func
}

// Remote is a manifold: a numbered entry point in a pool.
type Remote struct {
	Pool int // index into Program.Pools
	MID  uint32

	TimeoutMS int64 // how long a call may wait, and then take; 0 is as long as any
}

// A Param is one published property.
type Param struct {
	Key      string   // the JSON key
	Type     *Type    // for a flag: Bool
	TypeText string   // the author's name for the type, or ""
	Doc      []string // lines of its description
	Notes    string   // about the constructors of its type, for the description, or ""
	Required bool
	Flag     bool // a flag: null is no value of it

	// Default is the value of a missing argument; nil if there is none. A missing
	// argument without default is absent (an optional) or was required.
	Default     Value
	DefaultText string // as the manifest has it, for the description; see HasDefault
	HasDefault  bool   // the description names the default

	// Many says that the schema is published inside an array if it is no list itself.
	Many bool
	// Fields are the entries of a group published whole (one for each field of the
	// record Type, in the order of entries); nil otherwise.
	Fields []*Param
}

// A Slot is one element of the positional array a function is called with.
type Slot struct {
	Type *Type
	// Param is the index in Tool.Params of a value, a flag or a whole group.
	// For an unrolled group it is -1 and Fields has an index for each field of the
	// record Type, in field order; -1 there is a field without entry.
	Param  int
	Fields []int
	Group  string // name of an unrolled group's type, or ""
}
