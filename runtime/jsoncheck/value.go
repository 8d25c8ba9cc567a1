package jsoncheck

import (
	"iter"
	"regexp"
	"slices"
	"unicode/utf8"
)

// Types is a set of the types of JSON Schema.
type Types uint8

// The types. A number whose fraction is zero is an Integer too, however it is written.
const (
	Null Types = 1 << iota
	Boolean
	Number
	Integer
	String
	Array
	Object
)

// A Value is a value of a JSON text. It is small, and good as long as the text is not changed.
// The zero Value has no methods.
type Value struct {
	tree *tree
	i    uint32
}

func (v Value) node() *node { return &v.tree.nodes[v.i] }

// raw returns the text of v, to be read.
func (v Value) raw() []byte {
	n := v.node()
	v.tree.step(int(n.end - n.start))
	return v.tree.text[n.start:n.end]
}

// Is reports whether v is of one of the types.
func (v Value) Is(types Types) bool {
	kind := v.node().kind
	return kind&types != 0 || kind == Number && types&Integer != 0 && isInteger(v.raw())
}

// Append appends v as compact JSON: without white space, of members with the same name only
// the last one, and else as it was written.
func (v Value) Append(dst []byte) []byte { return v.tree.compact(dst, v.i) }

// Name returns the name of a member; "" if v is none.
func (v Value) Name() string {
	if v.i == 0 || v.parent().node().kind != Object {
		return ""
	}
	return v.tree.name(v.i)
}

func (v Value) parent() Value { return Value{v.tree, v.node().parent} }

// Members yields the members of an object as they were written; nothing for other values.
func (v Value) Members() iter.Seq[Value] { return v.inside(Object) }

// Elements yields the elements of an array; nothing for other values.
func (v Value) Elements() iter.Seq2[int, Value] {
	return func(yield func(int, Value) bool) {
		i := 0
		for x := range v.inside(Array) {
			if !yield(i, x) {
				return
			}
			i++
		}
	}
}

func (v Value) inside(kind Types) iter.Seq[Value] {
	return func(yield func(Value) bool) {
		n := v.node()
		if n.kind != kind {
			return
		}
		for i := v.i + 1; i < n.next; i = v.tree.nodes[i].next {
			if !v.tree.step(v.tree.nameLength(i)) || !v.tree.nodes[i].gone && !yield(Value{v.tree, i}) {
				return
			}
		}
	}
}

// Member returns the member of that name; false if there is none.
func (v Value) Member(name string) (m Value, ok bool) {
	for m := range v.Members() {
		if m.Name() == name {
			return m, true
		}
	}
	return Value{}, false
}

// Require returns the fault that an object lacks a member, the first one of names; other
// values lack none.
func (v Value) Require(names ...string) Fault {
	if v.node().kind == Object {
		for _, name := range names {
			if _, ok := v.Member(name); !ok {
				return Fault{value: v, missing: true, name: name, reason: "is required"}
			}
		}
	}
	return Fault{}
}

// NoMembers returns the fault that an object has a member; other values have none.
func (v Value) NoMembers() Fault {
	for m := range v.Members() {
		return m.Fault(notAllowed)
	}
	return Fault{}
}

// NoElements returns the fault that an array has an element at an index or behind it; other
// values have none.
func (v Value) NoElements(from int) Fault {
	for i, x := range v.Elements() {
		if i >= from {
			return x.Fault(notAllowed)
		}
	}
	return Fault{}
}

const notAllowed = "is not allowed"

// Fewer reports whether v is an array of fewer than n elements, More of more than n.
func (v Value) Fewer(n int) bool { return v.node().kind == Array && int(v.node().count) < n }

// More: see [Value.Fewer].
func (v Value) More(n int) bool { return v.node().kind == Array && int(v.node().count) > n }

// Shorter reports whether v is a string of less than n code points, Longer of more than n.
func (v Value) Shorter(n int) bool { return v.node().kind == String && v.length() < n }

// Longer: see [Value.Shorter].
func (v Value) Longer(n int) bool { return v.node().kind == String && v.length() > n }

func (v Value) text() string { return unquote(v.raw()) }

func (v Value) length() int { return utf8.RuneCountInString(v.text()) }

// Differs reports whether v is a string in which an expression does not match.
func (v Value) Differs(re *regexp.Regexp) bool {
	return v.node().kind == String && !re.MatchString(v.text())
}

// Below reports whether v is a number less than one that is written in JSON; AtMost the same
// for one that is not greater, AtLeast for one that is not less, and Above for one that is
// greater.
func (v Value) Below(number string) bool { return v.node().kind == Number && v.compare(number) < 0 }

// AtMost: see [Value.Below].
func (v Value) AtMost(number string) bool { return v.node().kind == Number && v.compare(number) <= 0 }

// AtLeast: see [Value.Below].
func (v Value) AtLeast(number string) bool { return v.node().kind == Number && v.compare(number) >= 0 }

// Above: see [Value.Below].
func (v Value) Above(number string) bool { return v.node().kind == Number && v.compare(number) > 0 }

func (v Value) compare(number string) int { return compareNumbers(v.raw(), []byte(number)) }

// OneOf returns the fault that v equals no element of an array.
func (v Value) OneOf(array Value) Fault {
	for _, x := range array.Elements() {
		if v.Equal(x) {
			return Fault{}
		}
	}
	return v.Fault("must be one of " + string(array.Append(nil)))
}

// Equal reports whether two values are equal as JSON Schema has it: numbers by their value,
// strings by their characters, objects whatever the order of their members.
func (v Value) Equal(w Value) bool {
	a, b := v.node(), w.node()
	if a.kind != b.kind || a.count != b.count {
		return false
	}
	switch a.kind {
	case Number:
		return compareNumbers(v.raw(), w.raw()) == 0
	case String:
		return v.text() == w.text()
	case Array:
		return slices.EqualFunc(slices.Collect(v.inside(Array)), slices.Collect(w.inside(Array)), Value.Equal)
	case Object:
		for m := range v.Members() {
			if other, ok := w.Member(m.Name()); !ok || !m.Equal(other) {
				return false
			}
		}
		return true
	}
	return string(v.raw()) == string(w.raw()) // null, true, false
}

// Count returns how many conditions are true.
func Count(conditions ...bool) int {
	n := 0
	for _, c := range conditions {
		if c {
			n++
		}
	}
	return n
}
