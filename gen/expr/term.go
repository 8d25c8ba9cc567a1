package expr

import "github.com/mcpgen/mcpgen/gen/ir"

// A term is a checked node. Names are resolved, patterns are steps, and sequences of lets
// are one term.
type term interface {
	// typ is the type of the value; nil if there never is one, because the term throws.
	typ() *ir.Type
}

// A binder is a variable of the tree: a parameter of the command, of a let or of a map.
type binder struct {
	name string
	typ  *ir.Type // nil if what is bound never has a value

	is operand // what it stands for, once that is built
}

// A bind gives a binder of a let its value.
type bind struct {
	to  *binder
	arg term
}

type (
	litTerm struct{ value ir.Value } // ir.Lit or ir.Str

	varTerm struct {
		binder *binder
		t      *ir.Type
	}

	// letTerm evaluates its arguments one after the other. A binder is seen by later
	// arguments only if the tree says so: names were resolved before.
	letTerm struct {
		binds []bind
		body  term
	}

	// makeTerm is a container: list, tuple, record or optional.
	makeTerm struct {
		t     *ir.Type
		elems []term
	}

	// getTerm reads the receiver; bounds are for the brackets of the selector.
	getTerm struct {
		t        *ir.Type
		sel      *selector
		bounds   []term
		receiver term
	}

	// setTerm replaces the ends of the selector by values.
	setTerm struct {
		t        *ir.Type
		sel      *selector
		receiver term
		values   []term
	}

	// joinTerm is an interpolation: len(texts) is len(args)+1.
	joinTerm struct {
		t     *ir.Type
		texts []string
		args  []term
	}

	ifTerm struct {
		t               *ir.Type
		cond, then, els term
	}

	mapTerm struct {
		t    *ir.Type
		list term
		elem *binder
		body term
	}

	// unaryTerm is show, hash, read or load.
	unaryTerm struct {
		op    unaryOp
		t     *ir.Type
		child term
	}

	throwTerm struct{ msg term }

	// tagTerm tests which constructor a value has.
	tagTerm struct {
		subject term
		tag     int
	}

	// armTerm makes a variant.
	armTerm struct {
		t      *ir.Type
		tag    int
		fields []term
	}

	// fieldTerm reads a field of a variant.
	fieldTerm struct {
		t          *ir.Type
		subject    term
		tag, index int
	}

	// tryTerm makes a variant of what its body gives, or of the text of its failure.
	tryTerm struct {
		t           *ir.Type
		ok, failure int // tags
		body        term
	}

	callTerm struct {
		t    *ir.Type
		fn   *function
		args []term
	}

	catchTerm struct {
		t                  *ir.Type
		fallible, fallback term
	}

	saveTerm struct {
		t                  *ir.Type
		format             string
		level, value, path term
	}
)

// A unaryOp is a node with one child.
type unaryOp uint8

const (
	showOp unaryOp = iota
	hashOp
	readOp
	loadOp
)

func (t *litTerm) typ() *ir.Type   { return t.value.ValueType() }
func (t *varTerm) typ() *ir.Type   { return t.t }
func (t *letTerm) typ() *ir.Type   { return t.body.typ() }
func (t *makeTerm) typ() *ir.Type  { return t.t }
func (t *getTerm) typ() *ir.Type   { return t.t }
func (t *setTerm) typ() *ir.Type   { return t.t }
func (t *joinTerm) typ() *ir.Type  { return t.t }
func (t *ifTerm) typ() *ir.Type    { return t.t }
func (t *mapTerm) typ() *ir.Type   { return t.t }
func (t *unaryTerm) typ() *ir.Type { return t.t }
func (t *throwTerm) typ() *ir.Type { return nil }
func (t *catchTerm) typ() *ir.Type { return t.t }
func (t *saveTerm) typ() *ir.Type  { return t.t }
func (t *tagTerm) typ() *ir.Type   { return typeBool }
func (t *armTerm) typ() *ir.Type   { return t.t }
func (t *fieldTerm) typ() *ir.Type { return t.t }
func (t *tryTerm) typ() *ir.Type   { return t.t }
func (t *callTerm) typ() *ir.Type  { return t.t }

// isThrow reports whether t does nothing but throw.
func isThrow(t term) bool {
	_, ok := t.(*throwTerm)
	return ok
}
