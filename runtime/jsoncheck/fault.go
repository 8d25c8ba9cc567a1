package jsoncheck

import (
	"slices"
	"strconv"
	"strings"
)

// A Fault says which value does not conform, and why, in the words of cli-schema.md 5.4. The
// zero Fault is none: all conforms.
type Fault struct {
	value   Value
	missing bool   // it is a member that value lacks
	name    string // of that member
	reason  string
}

// Fault returns the fault of v for a reason.
func (v Value) Fault(reason string) Fault { return Fault{value: v, reason: reason} }

// OK reports whether there is no fault.
func (f Fault) OK() bool { return f.reason == "" }

// Text returns the JSON pointer of what is wrong, unless that is the whole text, and the
// reason: "/a/0 must be string".
func (f Fault) Text() string { return describe(f.path(), f.reason) }

// Argument takes the text for the arguments of a call: the argument that is wrong, or that all
// together are, and the rest of the text. Arguments may have the name "".
func (f Fault) Argument() (name string, all bool, text string) {
	path := f.path()
	if len(path) == 0 {
		return "", true, f.reason
	}
	return path[0], false, describe(path[1:], f.reason)
}

func describe(path []string, reason string) string {
	if len(path) == 0 {
		return reason
	}
	var b strings.Builder
	for _, token := range path {
		b.WriteByte('/')
		b.WriteString(strings.ReplaceAll(strings.ReplaceAll(token, "~", "~0"), "/", "~1"))
	}
	return b.String() + " " + reason
}

// path returns the tokens of the pointer.
func (f Fault) path() []string {
	path := f.value.path()
	if f.missing {
		path = append(path, f.name)
	}
	return path
}

func (v Value) path() []string {
	if v.i == 0 {
		return nil
	}
	parent := v.parent()
	if parent.node().kind == Object {
		return append(parent.path(), v.tree.name(v.i))
	}
	i := 0
	for x := v.node().parent + 1; x != v.i; x = v.tree.nodes[x].next {
		i++
	}
	return append(parent.path(), strconv.Itoa(i))
}

// Faults gathers what is wrong with the arguments of a call, of which there may be very many.
type Faults struct {
	all  []Fault
	seen map[argument]bool
}

// An argument is what a fault is of: a member of the arguments, by its number or, if it is
// missing, by its name; or all of them.
type argument struct {
	i       uint32
	missing string
}

// argument returns the argument that f is of.
func (f Fault) argument() argument {
	v := f.value
	if v.i == 0 {
		return argument{missing: f.name}
	}
	for v.node().parent != 0 {
		v = v.parent()
	}
	return argument{i: v.i}
}

// Add adds a fault, if it is one and there is none of the same argument yet.
func (s *Faults) Add(f Fault) {
	if f.OK() {
		return
	}
	of := f.argument()
	if s.seen[of] {
		return
	}
	if s.seen == nil {
		s.seen = map[argument]bool{}
	}
	s.seen[of] = true
	s.all = append(s.all, f)
}

// InOrder returns what was added of arguments in the order of cli-schema.md 6.1: of those that
// nothing is known of, as they came, then of those that have names, in their order, then of all
// together. After an overrun that is all there is.
func (s *Faults) InOrder(arguments Value, names ...string) []Fault {
	if f := arguments.Overrun(); !f.OK() {
		return []Fault{f}
	}
	rank := make(map[string]int, len(names))
	for i, name := range names {
		rank[name] = i + 1
	}
	ranked := make([][]Fault, len(names)+2)
	for _, f := range s.all {
		i := len(names) + 1
		switch {
		case f.value.i != 0:
			i = rank[Value{f.value.tree, f.argument().i}.Name()]
		case f.missing:
			i = rank[f.name]
		}
		ranked[i] = append(ranked[i], f)
	}
	return slices.Concat(ranked...)
}

// Require adds a fault for each member that an object lacks.
func (s *Faults) Require(v Value, names ...string) {
	for _, name := range names {
		s.Add(v.Require(name))
	}
}
