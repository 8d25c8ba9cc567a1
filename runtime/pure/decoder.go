package pure

import (
	"errors"
	"strconv"
	"unicode/utf8"

	"github.com/mcpgen/mcpgen/runtime/jsonx"
)

// A Decoder reads a value of a known type from JSON text, by the lenient rules of read
// and load (pure-eval.md 3). The first error sticks: what is read after it is zero, so
// generated code checks nothing, and [Read] or [ReadBytes] reports it.
//
// Texts are those of the runtime that is replaced, which looks at a value from the outside
// in: the number of elements is wrong before one of them is, and fields are looked at in
// the order of their type.
type Decoder struct {
	lex jsonx.Lexer // of text that check has passed, so its errors are ignored
	err error
}

// Read reads the value that is all of text. It is what read evaluates to; errors are user
// errors.
func Read[T any](text string, f func(*Decoder) T) (v T, err error) {
	if text == "" {
		return v, Throw("@read: empty input string")
	}
	return ReadBytes([]byte(text), f)
}

// ReadBytes reads the value that is all of src, but for white space around it. Errors are
// user errors. The value does not alias src.
func ReadBytes[T any](src []byte, f func(*Decoder) T) (v T, err error) {
	if err := check(src); err != nil {
		return v, User(err)
	}
	d := Decoder{lex: jsonx.Lexer{Src: src}}
	d.lex.Space()
	if got := f(&d); d.err == nil {
		return got, nil
	}
	return v, User(d.err)
}

const prefix = "serialization error: "

// fail notes an error of reading a value.
func (d *Decoder) fail(text string) { d.err = errors.New(prefix + text) }

// skip moves past the value at hand.
func (d *Decoder) skip() { _ = d.lex.Value(0) }

// text moves past the value at hand and returns its text, which is never empty; ok is
// false after an error.
func (d *Decoder) text() (text []byte, ok bool) {
	if d.err != nil {
		return nil, false
	}
	start := d.lex.Pos
	d.skip()
	return d.lex.Src[start:d.lex.Pos], true
}

// Unit reads null.
func (d *Decoder) Unit() struct{} {
	if text, ok := d.text(); ok && string(text) != "null" {
		d.fail("expected null, got " + cut(text))
	}
	return struct{}{}
}

// Bool reads true or false.
func (d *Decoder) Bool() bool {
	text, ok := d.text()
	if ok && string(text) != "true" && string(text) != "false" {
		d.fail("expected bool, got " + cut(text))
	}
	return string(text) == "true"
}

// String reads a string.
func (d *Decoder) String() string {
	text, ok := d.text()
	switch {
	case !ok:
		return ""
	case text[0] != '"':
		d.fail("expected string: " + mismatch(text, "a string"))
		return ""
	}
	return unquote(text)
}

// unquote returns the content of a JSON string.
func unquote(text []byte) string {
	l := jsonx.Lexer{Src: text}
	raw, _ := l.Str()
	if l.Escaped {
		raw = jsonx.AppendUnescaped(nil, raw)
	}
	return string(raw)
}

// ReadOptional reads null, or a value by f.
func ReadOptional[T any](d *Decoder, f func(*Decoder) T) *T {
	if d.err != nil {
		return nil
	}
	if d.lex.Peek() == 'n' {
		d.skip()
		return nil
	}
	v := f(d)
	return &v
}

// ReadList reads an array, each element by f. It must have n elements unless n is 0.
func ReadList[T any](d *Decoder, n int, f func(*Decoder) T) (vs []T) {
	if d.err != nil {
		return nil
	}
	if d.lex.Peek() != '[' {
		text, _ := d.text()
		d.fail("expected JSON array: " + mismatch(text, "a sequence") + " (in " + cut(text) + ")")
		return nil
	}
	var s sequence
	for d.next(&s) {
		vs = append(vs, f(d))
	}
	if n > 0 {
		if got := d.end(&s); got != n {
			d.err = errors.New("Array length mismatch: expected " + strconv.Itoa(n) + ", got " + strconv.Itoa(got))
		}
	}
	return vs
}

// mismatch says that the text of a value is of another kind than the one wanted.
func mismatch(text []byte, want string) string {
	got, column := "", len(text)
	switch text[0] {
	case '{':
		got, column = "map", 0
	case '[':
		got, column = "sequence", 0
	case '"':
		got = "string " + cut(text)
	case 'n':
		got = "null"
	case 't', 'f':
		got = "boolean `" + string(text) + "`"
	default:
		got = "integer `" + cut(text) + "`"
		if !isInteger(text) {
			got = "floating point `" + cut(text) + "`"
		}
	}
	return "invalid type: " + got + ", expected " + want + " at line 1 column " + strconv.Itoa(column)
}

// cut returns text for a message: what is longer than 80 bytes loses its end.
func cut(text []byte) string {
	const most, dots = 80, "..."
	if len(text) <= most {
		return string(text)
	}
	n := most - len(dots)
	for !utf8.RuneStart(text[n]) {
		n--
	}
	return string(text[:n]) + dots
}
