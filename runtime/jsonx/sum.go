package jsonx

import (
	"strconv"
	"strings"
)

// Arms are the constructors of a variant, by their tags.
type Arms struct {
	Names  []string
	Fields []int // how many fields each has
}

// AppendName appends the constructor of an enum: its name, as a string.
func AppendName[T ~uint8](dst []byte, tag T, names []string) []byte {
	return AppendString(dst, names[tag])
}

// Enum reads the name of one of the constructors and returns its tag.
func (d *Decoder) Enum(names []string) uint8 {
	if d.Peek() != '"' {
		d.mistake(faultKind, "one of "+strings.Join(names, ", "))
		return 0
	}
	at := d.Pos
	tag, name := d.constructor(names)
	if tag < 0 {
		d.complain(at, faultConstructor, notOne(name, names))
		return 0
	}
	return uint8(tag)
}

// constructor reads a string; tag is -1 if it is not one of names.
func (d *Decoder) constructor(names []string) (tag int, name []byte) {
	name, _ = d.Str()
	if d.Escaped {
		name = AppendUnescaped(nil, name)
	}
	return tagOf(name, names), name
}

func tagOf(name []byte, names []string) int {
	for i, n := range names {
		if n == string(name) {
			return i
		}
	}
	return -1
}

// maxQuoted is how much of a name that is none is told.
const maxQuoted = 80

// notOne says that there is no such constructor.
func notOne(name []byte, names []string) string {
	text := string(name)
	if len(text) > maxQuoted {
		text = strings.ToValidUTF8(text[:maxQuoted], "") + "..."
	}
	return "'" + text + "' is not one of " + strings.Join(names, ", ")
}

// A Variant is a value of a variant type that is being read.
type Variant struct {
	Tag    uint8 // of the constructor; 0 if the value is none
	Fields bool  // it has fields, an array at hand, which the caller must read

	start  int // offset of the value
	object bool
	outer  *fault // noted before it
}

// Variant enters the variant at hand. The pattern is
//
//	x := d.Variant(&arms)
//	v.Tag = x.Tag
//	if x.Fields {
//		switch x.Tag {
//		case 0:
//			v.Circle = decodeCircle(d)
//		}
//	}
//	d.EndVariant(&x)
func (d *Decoder) Variant(arms *Arms) Variant {
	v := Variant{start: d.Pos, outer: d.fault}
	switch d.Peek() {
	case '"':
		d.bare(&v, arms)
	case '{':
		v.object = true
		d.single(&v, arms)
	default:
		d.mistake(faultKind, noVariant)
	}
	return v
}

const noVariant = "a constructor name or an object with one constructor"

// bare reads a constructor that has no fields.
func (d *Decoder) bare(v *Variant, arms *Arms) {
	tag, name := d.constructor(arms.Names)
	switch {
	case tag < 0:
		d.complain(v.start, faultConstructor, notOne(name, arms.Names))
	case arms.Fields[tag] > 0:
		d.complain(v.start, faultConstructor, "constructor '"+arms.Names[tag]+"' takes "+fields(arms.Fields[tag]))
	default:
		v.Tag = uint8(tag)
	}
}

func fields(n int) string {
	if n == 1 {
		return "1 field"
	}
	return strconv.Itoa(n) + " fields"
}

// single enters the only member of an object.
func (d *Decoder) single(v *Variant, arms *Arms) {
	if !d.step('{', '}') {
		v.object = false
		d.complain(v.start, faultKind, noVariant)
		return
	}
	name, _ := d.Lexer.Key()
	tag := tagOf(name, arms.Names)
	v.Tag = uint8(max(tag, 0))
	switch {
	case tag < 0:
		d.complain(v.start, faultConstructor, notOne(name, arms.Names))
		d.skip()
	case arms.Fields[tag] > 0:
		v.Fields = true
	case !d.Null(): // a constructor without fields
		a := d.Array(0)
		d.EndArray(&a)
	}
}

// EndVariant ends the variant. That it is an object with more members than one counts
// before what is in it.
func (d *Decoder) EndVariant(v *Variant) {
	if !v.object || !d.step('{', '}') {
		return
	}
	for more := true; more; more = d.step('{', '}') {
		_, _ = d.Lexer.Key()
		d.skip()
	}
	if v.outer == nil {
		d.fault = &fault{at: v.start, form: faultKind, text: noVariant}
	}
}
