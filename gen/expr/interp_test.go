package expr

import (
	"errors"
	"fmt"

	"github.com/mcpgen/mcpgen/gen/ir"
	"github.com/mcpgen/mcpgen/runtime/pure"
)

// An interp runs an ir.Func on constants: the oracle for what Compile writes. Files are a
// map from paths to what was saved.
type interp struct {
	vars  map[*ir.Var]ir.Value
	files map[string]ir.Value
	trace []string // what was saved and loaded, in order
}

// run evaluates f; results and arguments are constants.
func (in *interp) run(f *ir.Func, args []ir.Value) (ir.Value, error) {
	in.vars = map[*ir.Var]ir.Value{}
	if in.files == nil {
		in.files = map[string]ir.Value{}
	}
	for i, p := range f.Params {
		in.vars[p] = args[i]
	}
	return in.block(f.Body)
}

// block returns a value if it has returned.
func (in *interp) block(stmts []ir.Stmt) (ir.Value, error) {
	for _, s := range stmts {
		if v, err := in.stmt(s); v != nil || err != nil {
			return v, err
		}
	}
	return nil, nil
}

func (in *interp) stmt(s ir.Stmt) (ir.Value, error) {
	var err error
	switch s := s.(type) {
	case *ir.Let:
		in.vars[s.Var] = in.value(s.Of)
	case *ir.Declare:
		delete(in.vars, s.Var)
	case *ir.Assign:
		if len(s.Path) == 0 {
			in.vars[s.Var] = in.value(s.Of)
		} else {
			in.vars[s.Var] = assignPart(in.vars[s.Var], s.Path, in.value(s.Of))
		}
	case *ir.If:
		if in.value(s.Cond).(*ir.Lit).Text == "true" {
			return in.block(s.Then)
		}
		return in.block(s.Else)
	case *ir.Map:
		return nil, in.mapping(s)
	case *ir.Index:
		in.vars[s.Var], err = in.index(s)
	case *ir.Slice:
		in.vars[s.Var], err = in.slice(s)
	case *ir.Read:
		in.vars[s.Var], err = readOracle(s.Var.Type, in.value(s.Text).(*ir.Str).Text)
	case *ir.Load:
		path := in.value(s.Path).(*ir.Str).Text
		in.trace = append(in.trace, "load "+path)
		v, ok := in.files[path]
		if !ok {
			return nil, pure.Throw("@load: failed to load '" + path + "'")
		}
		in.vars[s.Var] = v
	case *ir.CheckLevel:
		if v := in.value(s.Level).(*ir.Lit); len(v.Text) != 1 {
			return nil, errors.New("@save compression level must be in 0..=9, got " + v.Text)
		}
	case *ir.Save:
		path := in.value(s.Path).(*ir.Str).Text
		in.trace = append(in.trace, "save "+path)
		in.files[path] = in.value(s.Of)
	case *ir.Throw:
		return nil, pure.Throw(in.value(s.Message).(*ir.Str).Text)
	case *ir.Catch:
		if _, err = in.block(s.Body); pure.IsUser(err) {
			_, err = in.block(s.Fallback)
		}
		if err == nil && in.vars[s.Var] == nil {
			panic("a catch did not assign its variable")
		}
	case *ir.Return:
		return in.value(s.Of), nil
	default:
		panic(fmt.Sprintf("statement %T", s))
	}
	return nil, err
}

func (in *interp) mapping(m *ir.Map) error {
	list := in.value(m.Over).(*ir.Make)
	out := &ir.Make{Type: m.Var.Type}
	for _, e := range list.Parts {
		in.vars[m.Elem] = e
		if _, err := in.block(m.Body); err != nil {
			return err
		}
		if m.Result != nil {
			out.Parts = append(out.Parts, in.value(m.Result))
		}
	}
	in.vars[m.Var] = out
	return nil
}

func (in *interp) index(s *ir.Index) (ir.Value, error) {
	list := in.value(s.Over).(*ir.Make)
	at := in.value(s.At)
	if some, ok := at.(*ir.Some); ok {
		at = some.Of
	}
	lit, ok := at.(*ir.Lit)
	if !ok {
		return nil, errors.New("Bracket index cannot be Null")
	}
	return indexOf(list.Parts, lit)
}

func (in *interp) slice(s *ir.Slice) (ir.Value, error) {
	var bounds [3]pure.Bound
	for i, v := range []ir.Value{s.Start, s.Stop, s.Step} {
		if v == nil {
			continue
		}
		v = in.value(v)
		if some, ok := v.(*ir.Some); ok {
			v = some.Of
		}
		if lit, ok := v.(*ir.Lit); ok {
			bounds[i] = boundOf(lit)
		}
	}
	part, err := pure.Slice(in.value(s.Over).(*ir.Make).Parts, bounds[0], bounds[1], bounds[2])
	return &ir.Make{Type: s.Var.Type, Parts: part}, err
}

func (in *interp) value(v ir.Value) ir.Value {
	switch v := v.(type) {
	case *ir.Lit, *ir.Str, *ir.None:
		return v
	case *ir.Ref:
		of := in.vars[v.Var]
		if of == nil {
			panic("variable " + v.Var.Hint + " has no value")
		}
		return of
	case *ir.Select:
		of := in.value(v.Of)
		for _, i := range v.Path {
			of = of.(*ir.Make).Parts[i]
		}
		return of
	case *ir.Make:
		return &ir.Make{Type: v.Type, Parts: in.values(v.Parts)}
	case *ir.Some:
		return &ir.Some{Type: v.Type, Of: in.value(v.Of)}
	case *ir.Concat:
		text := ""
		for _, p := range in.values(v.Parts) {
			text += p.(*ir.Str).Text
		}
		return &ir.Str{Type: v.Type, Text: text}
	case *ir.Show:
		return &ir.Str{Type: v.Type, Text: showText(in.value(v.Of))}
	case *ir.Hash:
		return &ir.Str{Type: v.Type, Text: hashText(in.value(v.Of))}
	}
	panic(fmt.Sprintf("value %T", v))
}

func (in *interp) values(vs []ir.Value) []ir.Value {
	out := make([]ir.Value, len(vs))
	for i, v := range vs {
		out[i] = in.value(v)
	}
	return out
}

func assignPart(v ir.Value, path []int, to ir.Value) ir.Value {
	if len(path) == 0 {
		return to
	}
	m := v.(*ir.Make)
	parts := append([]ir.Value(nil), m.Parts...)
	parts[path[0]] = assignPart(parts[path[0]], path[1:], to)
	return &ir.Make{Type: m.Type, Parts: parts}
}
