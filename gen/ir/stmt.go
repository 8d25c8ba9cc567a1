package ir

// A Func is a pure command, compiled to statements in A-normal form: whatever can fail or
// has an effect is a statement of its own, in the order of evaluation (pure-eval.md 6);
// the rest are values that nest.
type Func struct {
	Params []*Var // one for each argument, in order
	Result *Type
	Body   []Stmt // every path ends in Return or Throw
	Fails  bool   // some statement can fail
	Files  bool   // it reads or writes files

	// Funcs are the functions of its own that it calls, of a command only; each may call
	// all of them.
	Funcs []*Func
	// Name is what the input calls such a function, "" for a command.
	Name string
	// Recursive says that a call of it can lead to another one; it fails if too many are
	// under way.
	Recursive bool

	// Const is the result as JSON text in the form of tool results, if the command
	// takes no argument and always gives the same value; then Body is still complete.
	Const string
}

// A Var is a variable of a function. Names in the input are arbitrary text; Hint is one of
// them and ID is unique in the function. gen/emit makes a Go identifier of both.
type Var struct {
	Hint string
	ID   int
	Type *Type
	Uses int // how often it is read
}

// A Value is an expression that cannot fail and has no effect. Values are immutable.
type Value interface{ ValueType() *Type }

type (
	// A Lit is a scalar: Unit, Bool ("true", "false"), an integer (decimal), a float
	// (text ParseFloat takes, or "inf", "-inf", "nan") or an enum (its tag, decimal).
	Lit struct {
		Type *Type
		Text string
	}
	// A Str is a string; any bytes.
	Str struct {
		Type *Type
		Text string
	}
	// A Ref reads a variable.
	Ref struct{ Var *Var }
	// A Select reads a field, through nested tuples and records: Path is not empty.
	Select struct {
		Type *Type
		Of   Value
		Path []int // field indices
	}
	// A Make builds a List, Tuple or Record from all of its parts, in schema order.
	Make struct {
		Type  *Type
		Parts []Value
	}
	// An ArmOf builds a variant: the tag of a constructor and all of its fields.
	ArmOf struct {
		Type  *Type
		Tag   int
		Parts []Value
	}
	// A HasTag is true if an enum or a variant has a constructor.
	HasTag struct {
		Type *Type // Bool
		Of   Value
		Tag  int
	}
	// An ArmField reads a field of a variant, of which a [HasTag] has told that it has the
	// constructor: everything else is a fault of the program's compiler and panics.
	ArmField struct {
		Type  *Type
		Of    Value
		Tag   int
		Index int
	}
	// A Some is a present optional.
	Some struct {
		Type *Type
		Of   Value
	}
	// A None is an absent optional.
	None struct{ Type *Type }
	// A Concat joins strings; at least two parts.
	Concat struct {
		Type  *Type
		Parts []Value
	}
	// A Show is the JSON text of a value in the form of pure-eval.md 4.
	Show struct {
		Type *Type
		Of   Value
	}
	// A Hash is the structural hash of a value, 16 hex digits (pure-eval.md 6.7).
	Hash struct {
		Type *Type
		Of   Value
	}
)

// ValueType implements [Value].
func (v *Lit) ValueType() *Type      { return v.Type }
func (v *Str) ValueType() *Type      { return v.Type }
func (v *Ref) ValueType() *Type      { return v.Var.Type }
func (v *Select) ValueType() *Type   { return v.Type }
func (v *Make) ValueType() *Type     { return v.Type }
func (v *ArmOf) ValueType() *Type    { return v.Type }
func (v *HasTag) ValueType() *Type   { return v.Type }
func (v *ArmField) ValueType() *Type { return v.Type }
func (v *Some) ValueType() *Type     { return v.Type }
func (v *None) ValueType() *Type     { return v.Type }
func (v *Concat) ValueType() *Type   { return v.Type }
func (v *Show) ValueType() *Type     { return v.Type }
func (v *Hash) ValueType() *Type     { return v.Type }

// A Stmt is a step of a pure command.
type Stmt interface{ stmt() }

type (
	// Let gives a new variable its value.
	Let struct {
		Var *Var
		Of  Value
	}
	// Assign gives a variable that [Declare] introduced its value, or (Path not empty)
	// replaces a field of one that [Let] made a copy of.
	Assign struct {
		Var  *Var
		Path []int
		Of   Value
	}
	// Declare introduces a variable that each branch of the next statement assigns.
	Declare struct{ Var *Var }
	// If runs one branch. A branch that does not throw assigns what was declared before.
	If struct {
		Cond       Value
		Then, Else []Stmt
	}
	// Map makes a list: for each element of Over, in order, Body and then Result.
	Map struct {
		Var    *Var
		Over   Value
		Elem   *Var
		Body   []Stmt
		Result Value
	}
	// Index reads an element: At is an integer, or an optional one. Internal failure.
	Index struct {
		Var  *Var
		Over Value
		At   Value
	}
	// Slice cuts a list by the rules of Python. A nil bound takes its default; the others
	// are integers or optional ones. Internal failure (step 0).
	Slice struct {
		Var               *Var
		Over              Value
		Start, Stop, Step Value
	}
	// Call calls a function of the command's own. It fails as that does.
	Call struct {
		Var  *Var
		Func *Func
		Args []Value
	}
	// Read parses JSON text. User failure.
	Read struct {
		Var  *Var
		Text Value
	}
	// Load reads a file. User failure.
	Load struct {
		Var  *Var
		Path Value
	}
	// CheckLevel fails (internal) unless Level, an integer, is 0 to 9. It precedes Save.
	CheckLevel struct{ Level Value }
	// Save writes a file. User failure.
	Save struct {
		Format string // voidstar, msgpack, json
		Level  Value  // an integer; nil unless Format is voidstar
		Of     Value
		Path   Value
	}
	// Throw fails with a message, a string. User failure.
	Throw struct{ Message Value }
	// Catch runs Body; after a user failure it runs Fallback, in which Message, if there is
	// one, is the text of the failure. Both assign Var unless they throw. Other failures
	// pass.
	Catch struct {
		Var            *Var
		Body, Fallback []Stmt
		Message        *Var
	}
	// Return ends the command.
	Return struct{ Of Value }
)

func (*Let) stmt()        {}
func (*Assign) stmt()     {}
func (*Declare) stmt()    {}
func (*If) stmt()         {}
func (*Map) stmt()        {}
func (*Index) stmt()      {}
func (*Slice) stmt()      {}
func (*Call) stmt()       {}
func (*Read) stmt()       {}
func (*Load) stmt()       {}
func (*CheckLevel) stmt() {}
func (*Save) stmt()       {}
func (*Throw) stmt()      {}
func (*Catch) stmt()      {}
func (*Return) stmt()     {}
