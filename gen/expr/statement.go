package expr

import "github.com/mcpgen/mcpgen/gen/ir"

// valuesOf returns where a statement keeps the values it reads itself; those of its blocks
// and the Result of a Map, which is one of the loop, are not among them.
func valuesOf(s ir.Stmt) []*ir.Value {
	var vs []*ir.Value
	switch s := s.(type) {
	case *ir.Let:
		vs = []*ir.Value{&s.Of}
	case *ir.Assign:
		vs = []*ir.Value{&s.Of}
	case *ir.If:
		vs = []*ir.Value{&s.Cond}
	case *ir.Map:
		vs = []*ir.Value{&s.Over}
	case *ir.Index:
		vs = []*ir.Value{&s.Over, &s.At}
	case *ir.Slice:
		vs = []*ir.Value{&s.Over, &s.Start, &s.Stop, &s.Step}
	case *ir.Call:
		for i := range s.Args {
			vs = append(vs, &s.Args[i])
		}
	case *ir.Read:
		vs = []*ir.Value{&s.Text}
	case *ir.Load:
		vs = []*ir.Value{&s.Path}
	case *ir.CheckLevel:
		vs = []*ir.Value{&s.Level}
	case *ir.Save:
		vs = []*ir.Value{&s.Level, &s.Of, &s.Path}
	case *ir.Throw:
		vs = []*ir.Value{&s.Message}
	case *ir.Return:
		vs = []*ir.Value{&s.Of}
	}
	return vs
}

// blocksOf returns where a statement keeps its blocks, in the order of their execution.
func blocksOf(s ir.Stmt) []*[]ir.Stmt {
	switch s := s.(type) {
	case *ir.If:
		return []*[]ir.Stmt{&s.Then, &s.Else}
	case *ir.Map:
		return []*[]ir.Stmt{&s.Body}
	case *ir.Catch:
		return []*[]ir.Stmt{&s.Body, &s.Fallback}
	}
	return nil
}

// variableOf returns the variable that a statement introduces, or nil.
func variableOf(s ir.Stmt) *ir.Var {
	switch s := s.(type) {
	case *ir.Let:
		return s.Var
	case *ir.Declare:
		return s.Var
	case *ir.Map:
		return s.Var
	case *ir.Index:
		return s.Var
	case *ir.Slice:
		return s.Var
	case *ir.Call:
		return s.Var
	case *ir.Read:
		return s.Var
	case *ir.Load:
		return s.Var
	case *ir.Catch:
		return s.Var
	}
	return nil
}

// eachRef calls f for each reading of a variable in v, which may be nil.
func eachRef(v ir.Value, f func(*ir.Var)) {
	switch v := v.(type) {
	case *ir.Ref:
		f(v.Var)
	case *ir.Select:
		eachRef(v.Of, f)
	case *ir.Some:
		eachRef(v.Of, f)
	case *ir.Show:
		eachRef(v.Of, f)
	case *ir.Hash:
		eachRef(v.Of, f)
	case *ir.HasTag:
		eachRef(v.Of, f)
	case *ir.ArmField:
		eachRef(v.Of, f)
	case *ir.ArmOf:
		for _, p := range v.Parts {
			eachRef(p, f)
		}
	case *ir.Make:
		for _, p := range v.Parts {
			eachRef(p, f)
		}
	case *ir.Concat:
		for _, p := range v.Parts {
			eachRef(p, f)
		}
	}
}

// fails reports whether a statement itself can fail; a call may always, see settleCalls.
func fails(s ir.Stmt) bool {
	switch s.(type) {
	case *ir.Call, *ir.Index, *ir.Slice, *ir.Read, *ir.Load, *ir.CheckLevel, *ir.Save, *ir.Throw:
		return true
	}
	return false
}

// usesFiles reports whether a statement itself reads or writes a file.
func usesFiles(s ir.Stmt) bool {
	switch s.(type) {
	case *ir.Load, *ir.Save:
		return true
	}
	return false
}
