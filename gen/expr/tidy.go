package expr

import (
	"slices"

	"github.com/mcpgen/mcpgen/gen/ir"
)

// A tidier makes statements read as if they were written by hand: variables that are read
// once give way to their value, those that are never read go.
type tidier struct {
	reads   map[*ir.Var]int      // how often a variable is read
	loopOf  map[*ir.Var]*ir.Map  // the innermost loop of its last reading that was met
	fixed   map[*ir.Var]bool     // assigned after Let, or by a Catch: must stay
	loop    *ir.Map              // the innermost loop at hand
	inlined map[*ir.Var]ir.Value // what stands for a variable that is gone
}

// maxPasses bounds the repetitions of tidy: putting values in place of variables can make
// others superfluous.
const maxPasses = 8

func tidy(stmts []ir.Stmt) []ir.Stmt {
	t := &tidier{}
	stmts = t.dropUnread(stmts)
	for range maxPasses {
		t.inlined = map[*ir.Var]ir.Value{}
		stmts = t.inline(stmts)
		if len(t.inlined) == 0 {
			break
		}
		stmts = t.dropUnread(stmts)
	}
	return stmts
}

// dropUnread removes what only gives values to variables that are never read.
func (t *tidier) dropUnread(stmts []ir.Stmt) []ir.Stmt {
	t.reads = map[*ir.Var]int{}
	t.loopOf = map[*ir.Var]*ir.Map{}
	t.fixed = map[*ir.Var]bool{}
	return t.drop(stmts)
}

// drop goes backwards: a variable is read only behind the statement that introduces it.
func (t *tidier) drop(stmts []ir.Stmt) []ir.Stmt {
	var kept []ir.Stmt
	for _, s := range slices.Backward(stmts) {
		if t.keep(s) {
			kept = append(kept, s)
		}
	}
	slices.Reverse(kept)
	return kept
}

// keep decides about a statement and counts what it reads if it stays.
func (t *tidier) keep(s ir.Stmt) bool {
	switch s := s.(type) {
	case *ir.Let:
		if t.reads[s.Var] == 0 {
			return false
		}
	case *ir.Declare:
		return t.reads[s.Var] > 0
	case *ir.Assign:
		if t.reads[s.Var] == 0 && !t.fixed[s.Var] {
			return false
		}
		t.fixed[s.Var] = true
	case *ir.Slice:
		if t.reads[s.Var] == 0 && !sliceFails(s) {
			return false
		}
	case *ir.If:
		s.Then, s.Else = t.drop(s.Then), t.drop(s.Else)
		if len(s.Then)+len(s.Else) == 0 {
			return false
		}
	case *ir.Map:
		if t.reads[s.Var] == 0 && inert(s.Body) {
			return false
		}
		t.keepMap(s)
	case *ir.Catch:
		t.fixed[s.Var] = true // both blocks must assign it
		s.Fallback, s.Body = t.drop(s.Fallback), t.drop(s.Body)
	}
	for _, v := range valuesOf(s) {
		t.count(*v)
	}
	return true
}

func (t *tidier) keepMap(m *ir.Map) {
	outer := t.loop
	t.loop = m
	t.count(m.Result)
	m.Body = t.drop(m.Body)
	t.loop = outer
}

// inert reports whether statements neither fail nor have an effect.
func inert(stmts []ir.Stmt) bool {
	for _, s := range stmts {
		if slice, ok := s.(*ir.Slice); fails(s) && (!ok || sliceFails(slice)) {
			return false
		}
		for _, blk := range blocksOf(s) {
			if !inert(*blk) {
				return false
			}
		}
	}
	return true
}

func (t *tidier) count(v ir.Value) {
	eachRef(v, func(r *ir.Var) {
		t.reads[r]++
		t.loopOf[r] = t.loop
	})
}

// sliceFails reports whether a slice can fail: its step may be 0, or a bound too large.
func sliceFails(s *ir.Slice) bool {
	if s.Step != nil {
		if step, ok := s.Step.(*ir.Lit); !ok || step.Text == "0" {
			return true
		}
	}
	for _, v := range []ir.Value{s.Start, s.Stop, s.Step} {
		if v == nil {
			continue
		}
		t := v.ValueType()
		if t.Kind == ir.Optional {
			t = t.Elem
		}
		if t.Kind == ir.Int {
			return true
		}
	}
	return false
}

// inline puts the values of variables that are read once where they are read.
func (t *tidier) inline(stmts []ir.Stmt) []ir.Stmt {
	kept := stmts[:0]
	for _, s := range stmts {
		for _, v := range valuesOf(s) {
			*v = t.rewrite(*v)
		}
		if let, ok := s.(*ir.Let); ok && t.movable(let) {
			t.inlined[let.Var] = let.Of
			continue
		}
		outer := t.loop
		if m, ok := s.(*ir.Map); ok {
			t.loop = m
		}
		for _, blk := range blocksOf(s) {
			*blk = t.inline(*blk)
		}
		if m, ok := s.(*ir.Map); ok {
			m.Result = t.rewrite(m.Result)
		}
		t.loop = outer
		kept = append(kept, s)
	}
	return kept
}

// maxHeight is how deep a value may nest that takes the place of a variable.
const maxHeight = 5

// movable reports whether the value of a variable may stand where it is read: it is read
// once, and not again and again by a loop further in, unless reading it is no work.
func (t *tidier) movable(let *ir.Let) bool {
	if t.reads[let.Var] != 1 || t.fixed[let.Var] {
		return false
	}
	switch let.Of.(type) {
	case *ir.Lit, *ir.Str, *ir.None, *ir.Ref, *ir.Select:
		return true
	}
	return t.loopOf[let.Var] == t.loop && height(let.Of) <= maxHeight
}

// height returns how deep a value nests.
func height(v ir.Value) int {
	var parts []ir.Value
	switch v := v.(type) {
	case *ir.Select:
		return height(v.Of)
	case *ir.Some:
		return 1 + height(v.Of)
	case *ir.Show:
		return 1 + height(v.Of)
	case *ir.Hash:
		return 1 + height(v.Of)
	case *ir.HasTag:
		return height(v.Of)
	case *ir.ArmField:
		return height(v.Of)
	case *ir.ArmOf:
		parts = v.Parts
	case *ir.Make:
		parts = v.Parts
	case *ir.Concat:
		parts = v.Parts
	default:
		return 0
	}
	h := 0
	for _, p := range parts {
		h = max(h, height(p))
	}
	return h + 1
}

// rewrite puts values in place of variables that are gone.
func (t *tidier) rewrite(v ir.Value) ir.Value {
	switch v := v.(type) {
	case *ir.Ref:
		if of, ok := t.inlined[v.Var]; ok {
			return of
		}
	case *ir.Select:
		if of := t.rewrite(v.Of); of != v.Of {
			return selectPart(of, v.Path, v.Type)
		}
	case *ir.Some:
		if of := t.rewrite(v.Of); of != v.Of {
			return &ir.Some{Type: v.Type, Of: of}
		}
	case *ir.Show:
		if of := t.rewrite(v.Of); of != v.Of {
			return &ir.Show{Type: v.Type, Of: of}
		}
	case *ir.Hash:
		if of := t.rewrite(v.Of); of != v.Of {
			return &ir.Hash{Type: v.Type, Of: of}
		}
	case *ir.HasTag:
		if of := t.rewrite(v.Of); of != v.Of {
			return hasTag(of, v.Tag)
		}
	case *ir.ArmField:
		if of := t.rewrite(v.Of); of != v.Of {
			return armField(v.Type, of, v.Tag, v.Index)
		}
	case *ir.ArmOf:
		if parts, changed := t.rewriteAll(v.Parts); changed {
			return &ir.ArmOf{Type: v.Type, Tag: v.Tag, Parts: parts}
		}
	case *ir.Make:
		if parts, changed := t.rewriteAll(v.Parts); changed {
			return &ir.Make{Type: v.Type, Parts: parts}
		}
	case *ir.Concat:
		if parts, changed := t.rewriteAll(v.Parts); changed {
			return concat(v.Type, parts)
		}
	}
	return v
}

// rewriteAll rewrites values; the list is a new one if that changes any.
func (t *tidier) rewriteAll(vs []ir.Value) ([]ir.Value, bool) {
	for i, v := range vs {
		w := t.rewrite(v)
		if w == v {
			continue
		}
		changed := slices.Clone(vs)
		changed[i] = w
		for k := i + 1; k < len(vs); k++ {
			changed[k] = t.rewrite(vs[k])
		}
		return changed, true
	}
	return vs, false
}
