package jsonx

import (
	"bytes"
	"unsafe"
)

// A Decoder reads the arguments of a call from text that a [Lexer] has checked. A method
// that finds a value of the wrong kind notes that, skips the value and returns zero, so
// callers check nothing until [Decoder.Err]. Strings alias the request line or the
// Decoder's own memory: they are valid until the next Reset.
//
// Of all that is wrong it keeps the one fault that the order of tools.md 7 puts first:
// in an object unknown and repeated members as the client sent them, then missing ones,
// then wrong values, member by member as the object's [Keys] list them.
type Decoder struct {
	Lexer
	key       []byte // name of the member at hand
	keyAt     int    // where it is
	text      []byte // decoded text of strings that hold escapes
	misshapen bool   // the arguments are no object
	fault     *fault // nil if there is none
}

var noArguments = []byte("{}")

// Reset makes d read arguments: the checked text of one value, or nothing, which like
// null stands for an empty object.
func (d *Decoder) Reset(arguments []byte) {
	misshapen := false
	if len(arguments) == 0 || arguments[0] != '{' {
		misshapen = len(arguments) > 0 && string(arguments) != "null"
		arguments = noArguments
	}
	*d = Decoder{
		Lexer:     Lexer{Src: arguments},
		text:      d.text[:0],
		misshapen: misshapen,
	}
}

// keepText is the largest buffer for unescaped text that is kept for the next call.
const keepText = 1 << 20

// Release gives up memory that one large call has grown.
func (d *Decoder) Release() {
	if cap(d.text) > keepText {
		d.text = nil
	}
}

// skip moves past the value at Pos, which is known to be valid.
func (d *Decoder) skip() { _ = d.Value(0) }

// mistake notes a fault of the value at Pos and skips it.
func (d *Decoder) mistake(form faultForm, text string) {
	d.complain(d.Pos, form, text)
	d.skip()
}

// complain notes a fault unless there is one already.
func (d *Decoder) complain(at int, form faultForm, text string) {
	if d.fault == nil {
		d.fault = &fault{at: at, form: form, text: text}
	}
}

// step moves to the next member or element of what is at hand; false at its end. The text
// is valid, so the byte at Pos tells whether it is entered, goes on or ends.
func (d *Decoder) step(begin, end byte) bool {
	d.Space()
	c := d.Peek()
	if c == begin || c == ',' {
		d.Pos++
		d.Space()
		if c == ',' || d.Peek() != end {
			return true
		}
	} else if c != end {
		panic("mcpgen: internal: a value was not read")
	}
	d.Pos++
	return false
}

// Null reports whether the value at hand is null, and moves past it if so.
func (d *Decoder) Null() bool {
	if d.Peek() != 'n' {
		return false
	}
	d.Pos += len("null")
	return true
}

// Unit reads null.
func (d *Decoder) Unit() struct{} {
	if !d.Null() {
		d.mistake(faultKind, "null")
	}
	return struct{}{}
}

// Bool reads true or false.
func (d *Decoder) Bool() bool {
	switch d.Peek() {
	case 't':
		d.Pos += len("true")
		return true
	case 'f':
		d.Pos += len("false")
		return false
	}
	d.mistake(faultKind, "a boolean")
	return false
}

// Text reads a string.
func (d *Decoder) Text() string {
	if d.Peek() != '"' {
		d.mistake(faultKind, "a string")
		return ""
	}
	s := d.Src[d.Pos+1:]
	raw := s[:bytes.IndexByte(s, '"')] // all of it if nothing is escaped
	if bytes.IndexByte(raw, '\\') < 0 {
		d.Pos += len(raw) + 2
	} else {
		raw, _ = d.Str()
		n := len(d.text)
		d.text = AppendUnescaped(d.text, raw)
		raw = d.text[n:]
	}
	return unsafe.String(unsafe.SliceData(raw), len(raw))
}

// Optional reads null, or a value by f.
func Optional[T any](d *Decoder, f func(*Decoder) T) *T {
	if d.Null() {
		return nil
	}
	start := d.Pos
	v := f(d)
	if d.fault != nil && d.fault.form == faultKind && d.fault.at == start {
		d.fault.nullable = true
	}
	return &v
}
