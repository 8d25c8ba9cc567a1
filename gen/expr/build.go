package expr

import (
	"regexp"
	"slices"
	"strings"

	"github.com/mcpgen/mcpgen/gen/ir"
)

// A builder turns terms into statements.
type builder struct {
	// fuel bounds the work of evaluating constants: what is left of it.
	fuel   int
	hasher hasher
}

// maxFuel is how many terms and parts of values may be evaluated in place of statements.
const maxFuel = 1 << 20

// spend takes n from the fuel; false if it is used up.
func (b *builder) spend(n int) bool {
	b.fuel -= n
	return b.fuel >= 0
}

// A block is a sequence of statements under construction.
type block struct {
	stmts []ir.Stmt
	ended bool // by Return or Throw: nothing may follow
}

func (blk *block) add(s ...ir.Stmt) { blk.stmts = append(blk.stmts, s...) }

func (blk *block) end(s ir.Stmt) {
	blk.add(s)
	blk.ended = true
}

func newVar(hint string, t *ir.Type) *ir.Var { return &ir.Var{Hint: hint, Type: t} }

// compilerMade matches the names that compilers make up, as .bracket_elem_12 and _do_4.
var compilerMade = regexp.MustCompile(`^(\.|_.*_\d+$)`)

// hintOf returns the name that the author gave a variable, without the number that the
// compiler puts behind it, as in x@3; "" if there is none.
func hintOf(name string) string {
	if i := strings.LastIndexByte(name, '@'); i > 0 {
		name = name[:i]
	}
	if compilerMade.MatchString(name) {
		return ""
	}
	return name
}

// A sink is where the value of a block goes: to a variable, or out of the command if that
// is nil.
type sink struct{ to *ir.Var }

// finish evaluates t as the last thing in blk.
func (b *builder) finish(blk *block, t term, out sink) operand {
	for {
		switch x := t.(type) {
		case *letTerm:
			b.bind(blk, x.binds)
			t = x.body
		case *ifTerm:
			if t = b.choose(blk, x, out); t == nil {
				return operand{}
			}
		default:
			o := b.eval(blk, t, "")
			switch {
			case blk.ended:
			case out.to != nil:
				blk.add(&ir.Assign{Var: out.to, Of: o.v})
			default:
				blk.end(&ir.Return{Of: o.v})
			}
			return o
		}
		if blk.ended {
			return operand{}
		}
	}
}

// choose evaluates a condition as the last thing in blk, and returns the branch that is
// left to be evaluated there, or nil.
func (b *builder) choose(blk *block, t *ifTerm, out sink) term {
	cond := b.eval(blk, t.cond, "")
	if blk.ended {
		return nil
	}
	if taken, known := t.taken(cond); known {
		return taken
	}
	var then, els block
	if out.to == nil && branches(t.then) && !branches(t.els) { // what is left is no deeper
		b.finish(&els, t.els, out)
		blk.add(&ir.If{Cond: cond.v, Else: els.stmts})
		return t.then
	}
	b.finish(&then, t.then, out)
	if then.ended {
		blk.add(&ir.If{Cond: cond.v, Then: then.stmts})
		return t.els
	}
	b.finish(&els, t.els, out)
	if els.ended {
		blk.add(&ir.If{Cond: cond.v, Else: els.stmts})
		blk.add(then.stmts...)
	} else {
		blk.add(&ir.If{Cond: cond.v, Then: then.stmts, Else: els.stmts})
	}
	return nil
}

// branches reports whether the last thing that t does is to choose.
func branches(t term) bool {
	for {
		let, ok := t.(*letTerm)
		if !ok {
			break
		}
		t = let.body
	}
	_, ok := t.(*ifTerm)
	return ok
}

// taken returns the branch for a constant condition.
func (t *ifTerm) taken(cond operand) (branch term, known bool) {
	lit, known := cond.constant.(*ir.Lit)
	switch {
	case !known:
		return nil, false
	case lit.Text == "true":
		return t.then, true
	}
	return t.els, true
}

// bind evaluates the arguments of lets, in order.
func (b *builder) bind(blk *block, binds []bind) {
	for _, bd := range binds {
		hint := hintOf(bd.to.name)
		o := b.eval(blk, bd.arg, hint)
		if blk.ended {
			return
		}
		bd.to.is = b.name(blk, o, hint)
	}
}

// name gives a value a variable, unless it is one.
func (b *builder) name(blk *block, o operand, hint string) operand {
	if _, ok := o.v.(*ir.Ref); ok {
		return o
	}
	v := newVar(orElse(hint, "value"), o.v.ValueType())
	blk.add(&ir.Let{Var: v, Of: o.v})
	o.v = &ir.Ref{Var: v}
	return o
}

// eval evaluates t in blk. What it returns is of no use if blk has ended. A variable that
// has to be made for the value gets the name hint, if there is one.
func (b *builder) eval(blk *block, t term, hint string) operand {
	for {
		b.fuel--
		switch x := t.(type) {
		case *letTerm:
			b.bind(blk, x.binds)
			if t = x.body; blk.ended {
				return operand{}
			}
		case *ifTerm:
			o, rest := b.either(blk, x, hint)
			if t = rest; t == nil {
				return o
			}
		case *catchTerm:
			o, rest := b.guard(blk, x, hint)
			if t = rest; t == nil {
				return o
			}
		default:
			return b.step(blk, t, hint)
		}
	}
}

// either evaluates a condition in the middle of blk: to a value, or to the term that is
// left to be evaluated.
func (b *builder) either(blk *block, t *ifTerm, hint string) (operand, term) {
	cond := b.eval(blk, t.cond, "")
	if blk.ended {
		return operand{}, nil
	}
	if taken, known := t.taken(cond); known {
		return operand{}, taken
	}
	var then, els block
	if isThrow(t.then) {
		b.finish(&then, t.then, sink{})
		blk.add(&ir.If{Cond: cond.v, Then: then.stmts})
		return operand{}, t.els
	}
	if isThrow(t.els) {
		b.finish(&els, t.els, sink{})
		blk.add(&ir.If{Cond: cond.v, Else: els.stmts})
		return operand{}, t.then
	}
	v := newVar(orElse(hint, "chosen"), t.t)
	b.finish(&then, t.then, sink{v})
	b.finish(&els, t.els, sink{v})
	blk.add(&ir.Declare{Var: v}, &ir.If{Cond: cond.v, Then: then.stmts, Else: els.stmts})
	blk.ended = then.ended && els.ended
	return operand{v: &ir.Ref{Var: v}}, nil
}

// guard evaluates a catch: to a value, or to the term that is left of it.
func (b *builder) guard(blk *block, t *catchTerm, hint string) (operand, term) {
	var body, fallback block
	o := b.eval(&body, t.fallible, "")
	if !raises(body.stmts) { // there is nothing to catch
		blk.add(body.stmts...)
		blk.ended = body.ended
		return o, nil
	}
	if throws(body.stmts) {
		return operand{}, t.fallback
	}
	v := newVar(orElse(hint, "result"), typeUnit)
	if t.t != nil { // else both throw, and nothing reads v
		v.Type = t.t
	}
	if !body.ended {
		if declared := undeclare(&body, o.v); declared != nil {
			declared.Hint = v.Hint
			v = declared
		} else {
			body.add(&ir.Assign{Var: v, Of: o.v})
		}
	}
	b.finish(&fallback, t.fallback, sink{v})
	blk.add(&ir.Catch{Var: v, Body: body.stmts, Fallback: fallback.stmts})
	blk.ended = body.ended && fallback.ended
	return operand{v: &ir.Ref{Var: v}}, nil
}

// raises reports whether statements can fail with a user error.
func raises(stmts []ir.Stmt) bool {
	for _, s := range stmts {
		switch s := s.(type) {
		case *ir.Call, *ir.Read, *ir.Load, *ir.Save, *ir.Throw:
			return true
		case *ir.If:
			if raises(s.Then) || raises(s.Else) {
				return true
			}
		case *ir.Map:
			if raises(s.Body) {
				return true
			}
		case *ir.Catch:
			if raises(s.Fallback) {
				return true
			}
		}
	}
	return false
}

// throws reports whether statements do nothing but throw.
func throws(stmts []ir.Stmt) bool {
	first := slices.IndexFunc(stmts, func(s ir.Stmt) bool {
		_, isLet := s.(*ir.Let)
		return !isLet
	})
	if first < 0 {
		return false
	}
	_, ok := stmts[first].(*ir.Throw)
	return ok
}

// undeclare returns the variable that v reads if the block declares it for its last
// statement, and drops the declaration.
func undeclare(blk *block, v ir.Value) *ir.Var {
	ref, ok := v.(*ir.Ref)
	n := len(blk.stmts)
	if !ok || n < 2 {
		return nil
	}
	d, ok := blk.stmts[n-2].(*ir.Declare)
	if !ok || d.Var != ref.Var {
		return nil
	}
	blk.stmts = append(blk.stmts[:n-2], blk.stmts[n-1])
	return d.Var
}

func orElse(hint, otherwise string) string {
	if hint == "" {
		return otherwise
	}
	return hint
}
