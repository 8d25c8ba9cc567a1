package expr

import (
	"fmt"
	"maps"

	"github.com/mcpgen/mcpgen/gen/ir"
)

// verify checks what stmt.go promises about a function: variables are introduced before
// they are read, assignments go to variables that wait for one, every path ends, types fit,
// and the counts and flags are right.
func verify(f *ir.Func) error {
	v := verifier{f: f, uses: map[*ir.Var]int{}, ids: map[int]bool{}}
	known := map[*ir.Var]bool{}
	for _, p := range f.Params {
		v.introduce(p, known)
	}
	if !v.block(f.Body, known) {
		v.fault("a path does not end")
	}
	for p, uses := range v.uses {
		if p.Uses != uses {
			v.fault("variable %s.%d: Uses is %d, read %d times", p.Hint, p.ID, p.Uses, uses)
		}
	}
	if v.fails != f.Fails || v.files != f.Files {
		v.fault("Fails %v, Files %v: want %v, %v", f.Fails, f.Files, v.fails, v.files)
	}
	return v.err
}

type verifier struct {
	f            *ir.Func
	uses         map[*ir.Var]int
	ids          map[int]bool
	fails, files bool
	err          error
}

func (v *verifier) fault(format string, args ...any) {
	if v.err == nil {
		v.err = fmt.Errorf(format, args...)
	}
}

func (v *verifier) introduce(x *ir.Var, known map[*ir.Var]bool) {
	if v.ids[x.ID] || known[x] {
		v.fault("variable %s.%d is introduced twice", x.Hint, x.ID)
	}
	if x.Type == nil {
		v.fault("variable %s.%d has no type", x.Hint, x.ID)
	}
	v.ids[x.ID] = true
	known[x] = true
	v.uses[x] += 0
}

// block reports whether it ends on all paths.
func (v *verifier) block(stmts []ir.Stmt, outer map[*ir.Var]bool) bool {
	known := maps.Clone(outer)
	ended := false
	for _, s := range stmts {
		if ended {
			v.fault("a statement %T behind the end", s)
		}
		ended = v.stmt(s, known)
	}
	return ended
}

func (v *verifier) stmt(s ir.Stmt, known map[*ir.Var]bool) bool {
	v.fails = v.fails || fails(s)
	v.files = v.files || usesFiles(s)
	for _, at := range valuesOf(s) {
		v.value(*at, known)
	}
	v.types(s)
	switch s := s.(type) {
	case *ir.If:
		then, els := v.block(s.Then, known), v.block(s.Else, known)
		return then && els
	case *ir.Map:
		inner := maps.Clone(known)
		v.introduce(s.Elem, inner)
		ended := v.loop(s, inner)
		if ended != (s.Result == nil) {
			v.fault("result of a map that ends %v is %v", ended, s.Result)
		}
	case *ir.Catch:
		inner := maps.Clone(known)
		inner[s.Var] = true
		ended := v.block(s.Body, inner)
		ended = v.block(s.Fallback, inner) && ended
		v.introduce(s.Var, known)
		return ended
	case *ir.Assign:
		if !known[s.Var] {
			v.fault("assignment to variable %s, which is not known", s.Var.Hint)
		}
	case *ir.Return, *ir.Throw:
		return true
	case *ir.Let:
		if s.Var.Uses == 0 {
			v.fault("variable %s is never read", s.Var.Hint)
		}
	case *ir.Declare:
		if s.Var.Uses == 0 {
			v.fault("variable %s is never read", s.Var.Hint)
		}
	}
	if x := variableOf(s); x != nil {
		v.introduce(x, known)
	}
	return false
}

func (v *verifier) loop(m *ir.Map, known map[*ir.Var]bool) bool {
	ended := false
	for _, s := range m.Body {
		ended = v.stmt(s, known)
	}
	v.value(m.Result, known)
	return ended
}

func (v *verifier) value(x ir.Value, known map[*ir.Var]bool) {
	eachRef(x, func(r *ir.Var) {
		v.uses[r]++
		if !known[r] {
			v.fault("variable %s is read where it is not known", r.Hint)
		}
	})
}

// types checks the types of a statement.
func (v *verifier) types(s ir.Stmt) {
	switch s := s.(type) {
	case *ir.Let:
		v.typed(s.Of, s.Var.Type)
	case *ir.Assign:
		t := s.Var.Type
		for _, i := range s.Path {
			t = t.Fields[i].Type
		}
		v.typed(s.Of, t)
	case *ir.If:
		v.typed(s.Cond, typeBool)
	case *ir.Map:
		v.typed(s.Over, &ir.Type{Kind: ir.List, Elem: s.Elem.Type})
		if s.Result != nil {
			v.typed(s.Result, s.Var.Type.Elem)
		}
	case *ir.Index:
		v.typed(s.Over, &ir.Type{Kind: ir.List, Elem: s.Var.Type})
		v.integer(s.At)
	case *ir.Slice:
		v.typed(s.Over, s.Var.Type)
		for _, b := range []ir.Value{s.Start, s.Stop, s.Step} {
			if b != nil {
				v.integer(b)
			}
		}
	case *ir.Read:
		v.typed(s.Text, typeString)
	case *ir.Load:
		v.typed(s.Path, typeString)
	case *ir.CheckLevel:
		v.integer(s.Level)
	case *ir.Save:
		v.typed(s.Path, typeString)
		v.typed(s.Of, s.Of.ValueType())
	case *ir.Throw:
		v.typed(s.Message, typeString)
	case *ir.Return:
		v.typed(s.Of, v.f.Result)
	}
}

func (v *verifier) integer(x ir.Value) {
	t := x.ValueType()
	v.typed(x, t)
	if t.Kind == ir.Optional {
		t = t.Elem
	}
	if !t.IsInteger() {
		v.fault("bound of type %s", t.Text)
	}
}

// typed checks that a value is one of type t, all through.
func (v *verifier) typed(x ir.Value, t *ir.Type) {
	if !same(x.ValueType(), t) {
		v.fault("value of type %s where %s is wanted", x.ValueType().Text, t.Text)
		return
	}
	switch x := x.(type) {
	case *ir.Lit:
		if x.Type.Kind == ir.String || x.Type.Kind > ir.String {
			v.fault("literal of type %s", x.Type.Text)
			return
		}
		scalar(x) // panics if the text is not one of the type
	case *ir.Str, *ir.Show, *ir.Hash:
		if t.Kind != ir.String {
			v.fault("text of type %s", t.Text)
		}
	case *ir.Select:
		of := x.Of.ValueType()
		v.typed(x.Of, of)
		for _, i := range x.Path {
			if i >= len(of.Fields) {
				v.fault("no field %d in %s", i, of.Text)
				return
			}
			of = of.Fields[i].Type
		}
		if !same(of, x.Type) {
			v.fault("selection of type %s of a field of type %s", x.Type.Text, of.Text)
		}
	case *ir.Some:
		if t.Kind != ir.Optional {
			v.fault("optional of type %s", t.Text)
			return
		}
		v.typed(x.Of, t.Elem)
	case *ir.None:
		if t.Kind != ir.Optional {
			v.fault("optional of type %s", t.Text)
		}
	case *ir.Concat:
		if t.Kind != ir.String || len(x.Parts) < 2 {
			v.fault("concatenation of %d parts of type %s", len(x.Parts), t.Text)
		}
		for _, p := range x.Parts {
			v.typed(p, typeString)
		}
	case *ir.Make:
		for i, p := range x.Parts {
			switch {
			case t.Kind == ir.List:
				v.typed(p, t.Elem)
			case len(x.Parts) == len(t.Fields):
				v.typed(p, t.Fields[i].Type)
			default:
				v.fault("%d parts for type %s", len(x.Parts), t.Text)
				return
			}
		}
	}
}
