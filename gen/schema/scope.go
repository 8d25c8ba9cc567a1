package schema

import "github.com/mcpgen/mcpgen/gen/ir"

// scope holds the declarations met so far. The zero value is empty.
type scope struct {
	opened   []declaration // enclosing, from the outside in
	finished []declaration // in the order of their ends
}

type declaration struct {
	name string
	typ  *ir.Type
}

func (s *scope) depth() int { return len(s.opened) }

// open enters a declaration.
func (s *scope) open(name string, t *ir.Type) {
	s.opened = append(s.opened, declaration{name, t})
}

// closeTo leaves declarations until there are depth.
func (s *scope) closeTo(depth int) {
	for i := len(s.opened) - 1; i >= depth; i-- {
		s.finished = append(s.finished, s.opened[i])
	}
	s.opened = s.opened[:depth]
}

// find returns what a name refers to here, nil if nothing, and whether that declaration is
// an enclosing one.
func (s *scope) find(name string) (t *ir.Type, open bool) {
	if t = latest(s.opened, name); t != nil {
		return t, true
	}
	return latest(s.finished, name), false
}

// isOpen reports whether t is being declared.
func (s *scope) isOpen(t *ir.Type) bool {
	for _, d := range s.opened {
		if d.typ == t {
			return true
		}
	}
	return false
}

func latest(ds []declaration, name string) *ir.Type {
	for i := len(ds) - 1; i >= 0; i-- {
		if ds[i].name == name {
			return ds[i].typ
		}
	}
	return nil
}

// checkReferences refuses references to finished declarations of types that do not contain
// themselves. No compiler writes them (it declares recursive types only), and they would
// let a short schema describe an enormous type.
func (p *parser) checkReferences() {
	known := map[*ir.Type]bool{}
	for _, r := range p.later {
		if known[r.typ] {
			continue
		}
		if !reaches(r.typ, r.typ, map[*ir.Type]bool{}) {
			p.fail(r.pos, "back-reference to '%s', which is not recursive", r.typ.Name)
			return
		}
		known[r.typ] = true
	}
}

// reaches reports whether target is a part of t.
func reaches(t, target *ir.Type, seen map[*ir.Type]bool) bool {
	for part := range parts(t) {
		if part == target {
			return true
		}
		if !seen[part] {
			seen[part] = true
			if reaches(part, target, seen) {
				return true
			}
		}
	}
	return false
}

// parts yields the direct parts of t in the order of its text.
func parts(t *ir.Type) func(yield func(*ir.Type) bool) {
	return func(yield func(*ir.Type) bool) {
		if t.Elem != nil && !yield(t.Elem) {
			return
		}
		for _, f := range t.Fields {
			if !yield(f.Type) {
				return
			}
		}
		for _, a := range t.Arms {
			if a.Payload != nil && !yield(a.Payload) {
				return
			}
		}
	}
}
