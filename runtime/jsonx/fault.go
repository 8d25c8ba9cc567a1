package jsonx

import (
	"errors"
	"strconv"
)

// ErrNotObject is the error for arguments that are no object.
var ErrNotObject = errors.New("'arguments' must be an object")

// An ArgumentError says what is wrong with the arguments of a known tool, in the words of
// tools.md 7.
type ArgumentError string

// Error implements error.
func (e ArgumentError) Error() string { return string(e) }

// A fault is something wrong at an offset of the arguments. Words are found only if they
// are needed.
type fault struct {
	at       int
	form     faultForm
	nullable bool // null would do as well
	text     string
}

type faultForm uint8

const (
	faultKind      faultForm = iota // text: what it must be
	faultRange                      // text: the type and its range
	faultLength                     // text: the number of elements
	faultMissing                    // at: the object; text: the member
	faultUnknown                    // at: the member's name
	faultDuplicate                  // at: the member's name

	faultConstructor // text: all that is to say
)

// Err ends the decoding of a call's arguments: nil, [ErrNotObject] or an [ArgumentError].
func (d *Decoder) Err() error {
	if d.misshapen {
		return ErrNotObject
	}
	if d.fault == nil {
		return nil
	}
	return ArgumentError(d.fault.describe(d.Src))
}

func (f *fault) describe(src []byte) string {
	path := ""
	if f.at > 0 { // else the arguments themselves
		path = locate(src, f.at)
	}
	switch f.form {
	case faultRange:
		return "argument '" + path + "' is out of range for " + f.text
	case faultLength:
		return "argument '" + path + "' must have exactly " + f.text + " elements"
	case faultMissing:
		if path != "" {
			path += "."
		}
		return "missing required argument '" + path + f.text + "'"
	case faultUnknown:
		return "unknown argument '" + path + "'"
	case faultConstructor:
		return "argument '" + path + "': " + f.text
	case faultDuplicate:
		return "duplicate argument '" + path + "'"
	}
	want := f.text
	if f.nullable {
		want += " or null"
	}
	return "argument '" + path + "' must be " + want
}

// locate returns the way to the value (or the member name) at an offset of the arguments,
// as in values[1].x. It is found again by walking there, so that decoders need not keep it.
func locate(src []byte, at int) (path string) {
	d := Decoder{Lexer: Lexer{Src: src}}
	for top := true; top || at > d.Pos; top = false {
		begin, end := byte('['), byte(']')
		if d.Peek() == '{' {
			begin, end = '{', '}'
		}
		for i := 0; d.step(begin, end); i++ {
			name := "[" + strconv.Itoa(i) + "]"
			if begin == '{' {
				key, _ := d.Lexer.Key()
				name = string(key)
				if !top {
					name = "." + name
				}
			}
			start := d.Pos
			if d.skip(); at < d.Pos {
				d.Pos = start
				path += name
				break
			}
		}
	}
	return path
}
