package jsonx

import (
	"math/bits"
	"strconv"
)

// A Set is a set of members of one object, by their index in its [Keys]: 64 a word.
type Set []uint64

// Keys are the members of an object: their names, and which of them must be there.
type Keys struct {
	Names    []string
	Required Set
}

// An Object is an object that is being read.
type Object struct {
	keys    *Keys
	seen    [4]uint64 // the members that have come
	more    Set       // those among them that seen has no place for; nil as long as there are none
	start   int       // offset of the object
	member  int       // index of the member that was read last
	wrongAt int       // index of the member that wrong belongs to
	wrong   *fault    // of the first wrong value, in the order of keys
	refused *fault    // an unknown or repeated member, the first one
	outer   *fault    // noted before this object
	done    bool      // it is no object, or was read to its end
	kind    bool      // it is no object
}

// Object enters the object at hand. The pattern is
//
//	o := d.Object(&keys)
//	for d.Member(&o) {
//		switch string(d.Key()) {
//		case "x":
//			if d.First(&o, 0) {
//				v.X = d.Float64()
//			}
//		default:
//			d.Unknown(&o)
//		}
//	}
//	d.EndObject(&o)
func (d *Decoder) Object(keys *Keys) Object {
	o := Object{keys: keys, start: d.Pos, outer: d.fault}
	d.fault = nil
	if d.Peek() != '{' {
		o.done, o.kind = true, true
		d.mistake(faultKind, "an object")
	}
	return o
}

// Member moves to the next member; false at the end.
func (d *Decoder) Member(o *Object) bool {
	if o.done {
		return false
	}
	if d.fault != nil {
		o.collect(d)
	}
	if !d.step('{', '}') {
		o.done = true
		return false
	}
	d.keyAt = d.Pos
	d.key, _ = d.Lexer.Key()
	return true
}

// Key returns the name of the member at hand, valid until the next [Decoder.Member].
func (d *Decoder) Key() []byte { return d.key }

// First notes that the member at hand has come and reports whether it was the first time;
// if not, its value is skipped.
func (d *Decoder) First(o *Object, member int) bool {
	if o.Has(member) {
		d.refuse(o, faultDuplicate)
		return false
	}
	word, bit := member/64, uint64(1)<<(member%64)
	if word < len(o.seen) {
		o.seen[word] |= bit
	} else {
		if o.more == nil {
			o.more = make(Set, (len(o.keys.Names)+63)/64-len(o.seen))
		}
		o.more[word-len(o.seen)] |= bit
	}
	o.member = member
	return true
}

// Has reports whether a member has come.
func (o *Object) Has(member int) bool { return o.word(member/64)>>(member%64)&1 != 0 }

// word returns a word of the set of members that have come.
func (o *Object) word(i int) uint64 {
	if i < len(o.seen) {
		return o.seen[i]
	}
	if o.more == nil {
		return 0
	}
	return o.more[i-len(o.seen)]
}

// Unknown notes that the object should not have the member at hand, and skips it.
func (d *Decoder) Unknown(o *Object) { d.refuse(o, faultUnknown) }

func (d *Decoder) refuse(o *Object, form faultForm) {
	if o.refused == nil {
		o.refused = &fault{at: d.keyAt, form: form}
	}
	d.skip()
}

// collect takes the fault of the member that was read last.
func (o *Object) collect(d *Decoder) {
	if o.wrong == nil || o.member < o.wrongAt {
		o.wrong, o.wrongAt = d.fault, o.member
	}
	d.fault = nil
}

// EndObject ends the object: of its faults the first is kept.
func (d *Decoder) EndObject(o *Object) {
	switch {
	case o.outer != nil:
		d.fault = o.outer
	case o.kind: // noted
	case o.refused != nil:
		d.fault = o.refused
	case !o.complete():
		d.fault = &fault{at: o.start, form: faultMissing, text: o.missing()}
	case o.wrong != nil:
		d.fault = o.wrong
	}
}

func (o *Object) complete() bool {
	for i, required := range o.keys.Required {
		if o.word(i)&required != required {
			return false
		}
	}
	return true
}

// missing returns the name of the first required member that has not come.
func (o *Object) missing() string {
	for i, required := range o.keys.Required {
		if absent := required &^ o.word(i); absent != 0 {
			return o.keys.Names[i*64+bits.TrailingZeros64(absent)]
		}
	}
	return ""
}

// An Array is an array that is being read.
type Array struct {
	want  int // number of elements it must have; -1 for any
	n     int // elements that have begun
	start int // offset of the array
	outer *fault
	done  bool // it is no array, or was read to its end
	kind  bool // it is no array
}

// Array enters the array at hand, which must have want elements; any number if want is
// negative. Elements follow by [Decoder.Element], and [Decoder.EndArray] ends it.
func (d *Decoder) Array(want int) Array {
	a := Array{want: want, start: d.Pos, outer: d.fault}
	if d.Peek() != '[' {
		a.done, a.kind = true, true
		d.mistake(faultKind, "an array")
	}
	return a
}

// Element moves to the next element; false at the end, and after the last one wanted.
func (d *Decoder) Element(a *Array) bool {
	if a.done || a.n == a.want {
		return false
	}
	if !d.step('[', ']') {
		a.done = true
		return false
	}
	a.n++
	return true
}

// EndArray ends the array and checks its length, which counts before its elements.
func (d *Decoder) EndArray(a *Array) {
	for !a.done {
		if d.step('[', ']') {
			a.n++
			d.skip()
		} else {
			a.done = true
		}
	}
	if !a.kind && a.want >= 0 && a.n != a.want && a.outer == nil {
		d.fault = &fault{at: a.start, form: faultLength, text: strconv.Itoa(a.want)}
	}
}

// List reads an array into dst, from its start, each element by f. It must have want
// elements; any number if want is negative.
func List[T any](d *Decoder, dst []T, want int, f func(*Decoder) T) []T {
	dst = dst[:0]
	a := d.Array(want)
	for d.Element(&a) {
		dst = append(dst, f(d))
	}
	d.EndArray(&a)
	return dst
}
