package pattern

import (
	"fmt"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// class reads a class behind its opening bracket.
func (t *translator) class() {
	negated := t.take("^")
	inside := ""
	for t.err == nil && !t.take("]") {
		inside += t.classItem()
	}
	switch {
	case inside == "" && negated:
		t.write("[" + all + "]")
	case inside == "":
		t.write("[^" + all + "]")
	case negated:
		t.write("[^" + inside + "]")
	default:
		t.write("[" + inside + "]")
	}
}

// classItem reads a character, a range or a set in a class and returns it in Go's syntax.
func (t *translator) classItem() string {
	low, set := t.classAtom()
	if set != "" {
		if t.isRange() {
			t.fail("a range begins with a set of characters")
		}
		return set
	}
	if !t.isRange() {
		return quoted(low)
	}
	t.next()
	high, set := t.classAtom()
	switch {
	case set != "":
		t.fail("a range ends with a set of characters")
	case high < low:
		t.fail("a range ends before it begins")
	}
	return quoted(low) + "-" + quoted(high)
}

// isRange reports whether a hyphen follows that is not the last character of the class.
func (t *translator) isRange() bool {
	return len(t.rest) > 1 && t.rest[0] == '-' && t.rest[1] != ']'
}

// classAtom reads a character, or a set: the inside of a class.
func (t *translator) classAtom() (r rune, set string) {
	if !t.take(`\`) {
		return t.next(), ""
	}
	if set := t.setEscape(); set != "" {
		return 0, set
	}
	switch {
	case t.take("b"):
		return '\b', ""
	case t.take("-"):
		return '-', ""
	}
	return t.charEscape(), ""
}

// quoted returns a character as it is written in a class, whatever it is.
func quoted(r rune) string {
	switch {
	case r < ' ' || r > '~':
		return fmt.Sprintf(`\x{%X}`, r)
	case strings.ContainsRune(`[]^-\`, r):
		return `\` + string(r)
	}
	return string(r)
}

// codeUnits reads the digits of \uXXXX, and the second half of a surrogate pair.
func (t *translator) codeUnits() rune {
	r := t.hex(4)
	if !utf16.IsSurrogate(r) {
		return r
	}
	if t.take(`\u`) {
		if r = utf16.DecodeRune(r, t.hex(4)); r != utf8.RuneError {
			return r
		}
	}
	t.fail("half of a surrogate pair")
	return 0
}
