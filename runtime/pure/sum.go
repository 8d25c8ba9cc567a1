package pure

import (
	"strconv"
	"strings"
)

// Enum reads the name of one of the constructors and returns its tag.
func (d *Decoder) Enum(names []string) uint8 {
	text, ok := d.text()
	switch {
	case !ok:
		return 0
	case text[0] != '"':
		d.fail("expected one of " + strings.Join(names, ", ") + ", got " + cut(text))
		return 0
	}
	return d.constructor(unquote(text), names)
}

// constructor returns the tag of a constructor; there is an error if it is none.
func (d *Decoder) constructor(name string, names []string) uint8 {
	for i, n := range names {
		if n == name {
			return uint8(i)
		}
	}
	d.fail("'" + name + "' is not a constructor of this type; expected one of " + strings.Join(names, ", "))
	return 0
}

// A Variant is where a decoder is in a variant.
type Variant struct {
	Tag    uint8 // of the constructor
	Fields bool  // it has fields, an array at hand, which the caller must read

	object bool
	at     int // start of the member's value
}

// Variant begins a variant whose constructors have names and numbers of fields. If it has
// fields, the caller reads them as a tuple; EndVariant ends it.
func (d *Decoder) Variant(names []string, fields []int) Variant {
	var v Variant
	if d.err != nil {
		return v
	}
	switch d.lex.Peek() {
	case '"':
		text, _ := d.text()
		v.Tag = d.constructor(unquote(text), names)
		if n := fields[v.Tag]; d.err == nil && n > 0 {
			d.fail("constructor '" + names[v.Tag] + "' takes " + strconv.Itoa(n) + " fields but was given none")
		}
	case '{':
		d.single(&v, names, fields)
	default:
		text, _ := d.text()
		d.fail("expected a tagged variant object, got " + cut(text))
	}
	return v
}

const errKeys = "a variant object must have exactly one key, the constructor name"

// single enters the only member of an object.
func (d *Decoder) single(v *Variant, names []string, fields []int) {
	if more, _ := d.lex.Open('}', 0); !more {
		d.fail(errKeys)
		return
	}
	name, _ := d.lex.Key()
	v.object, v.at = true, d.lex.Pos
	v.Tag = d.constructor(string(name), names)
	switch {
	case d.err != nil:
	case fields[v.Tag] == 0:
		text, _ := d.text()
		inner := strings.TrimSuffix(strings.TrimPrefix(string(text), "["), "]")
		if string(text) != "null" && (text[0] != '[' || strings.TrimSpace(inner) != "") {
			d.fail("expected JSON array, got " + cut(text))
		}
	case d.lex.Peek() != '[':
		text, _ := d.text()
		d.fail("expected JSON array, got " + cut(text))
	default:
		v.Fields = true
	}
}

// EndVariant ends the variant. That there is more than one member counts before what is
// wrong in the first.
func (d *Decoder) EndVariant(v *Variant) {
	if !v.object {
		return
	}
	if d.err != nil { // who knows where
		d.lex.Pos = v.at
		d.skip()
	}
	more, _ := d.lex.Next('}')
	if !more {
		return
	}
	for more {
		_, _ = d.lex.Key()
		d.skip()
		more, _ = d.lex.Next('}')
	}
	d.fail(errKeys)
}
