package pattern

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// A translator is a cursor over an expression. After the first error it reads nothing more.
type translator struct {
	rest []rune
	out  []byte
	err  error
}

func (t *translator) fail(format string, args ...any) {
	if t.err == nil {
		t.err = fmt.Errorf(format, args...)
		t.rest = nil
	}
}

// take consumes text if it is next.
func (t *translator) take(text string) bool {
	r := []rune(text)
	if len(t.rest) < len(r) || !slices.Equal(t.rest[:len(r)], r) {
		return false
	}
	t.rest = t.rest[len(r):]
	return true
}

// next consumes a character.
func (t *translator) next() rune {
	if len(t.rest) == 0 {
		t.fail("it ends in the middle")
		return 0
	}
	r := t.rest[0]
	t.rest = t.rest[1:]
	return r
}

func (t *translator) write(s string) { t.out = append(t.out, s...) }

// literal writes a character that stands for itself.
func (t *translator) literal(r rune) { t.write(regexp.QuoteMeta(string(r))) }

// alternatives reads up to the end or to a closing parenthesis.
func (t *translator) alternatives(depth int) {
	if depth > maxDepth {
		t.fail("groups nest deeper than %d levels", maxDepth)
	}
	for len(t.rest) > 0 && t.rest[0] != ')' {
		if t.take("|") {
			t.write("|")
			continue
		}
		t.term(depth)
	}
}

// Sets of characters that the two languages write alike but mean differently, as the inside
// of a class.
const (
	spaces   = `\t-\r \x{A0}\x{1680}\x{2000}-\x{200A}\x{2028}\x{2029}\x{202F}\x{205F}\x{3000}\x{FEFF}`
	lineEnds = `\n\r\x{2028}\x{2029}`
	all      = `\x{0}-\x{10FFFF}`
)

// repeats are the characters that repeat what is before them.
const repeats = `*+?`

// term reads an assertion, or an atom with what repeats it.
func (t *translator) term(depth int) {
	switch {
	case t.take("^"):
		t.assertion(`^`)
		return
	case t.take("$"):
		t.assertion(`$`)
		return
	case t.take(`\b`):
		t.assertion(`\b`)
		return
	case t.take(`\B`):
		t.assertion(`\B`)
		return
	case t.take("("):
		t.group(depth)
	case t.take("["):
		t.class()
	case t.take("."):
		t.write(`[^` + lineEnds + `]`)
	case t.take(`\`):
		t.atomEscape()
	default:
		if strings.ContainsRune(repeats, t.rest[0]) || t.bounds() > 0 {
			t.fail("nothing to repeat before '%c'", t.rest[0])
			return
		}
		t.literal(t.next())
	}
	t.repetition()
}

// assertion writes what matches between characters. Nothing repeats it.
func (t *translator) assertion(re2 string) {
	t.write(re2)
	before := len(t.out)
	if t.repetition(); t.err == nil && len(t.out) > before {
		t.fail("an assertion is repeated")
	}
}

// group reads a group behind its opening parenthesis. No match is looked into, so that no
// group needs to capture.
func (t *translator) group(depth int) {
	for _, around := range []string{"?=", "?!", "?<=", "?<!"} {
		if t.take(around) {
			t.fail("Go's regexp cannot look around: (%s", around)
			return
		}
	}
	switch {
	case t.take("?:"):
	case t.take("?<"):
		name := ""
		for len(t.rest) > 0 && t.rest[0] != '>' {
			name += string(t.next())
		}
		if !t.take(">") || !groupName.MatchString(name) {
			t.fail("malformed group name %q", name)
		}
	case len(t.rest) > 0 && t.rest[0] == '?':
		t.fail("a group with modifiers")
	}
	t.write("(?:")
	t.alternatives(depth + 1)
	if t.err == nil && !t.take(")") {
		t.fail("missing ')'")
	}
	t.write(")")
}

var groupName = regexp.MustCompile(`^[\pL$_][\pL\pN$_]*$`)

// repetition reads what says how often an atom is repeated, if there is any.
func (t *translator) repetition() {
	switch {
	case t.take("*"):
		t.write("*")
	case t.take("+"):
		t.write("+")
	case t.take("?"):
		t.write("?")
	default:
		n := t.bounds()
		if n == 0 {
			return
		}
		for _, number := range strings.SplitAfter(string(t.rest[:n]), ",") {
			t.write(withoutZeros(number))
		}
		t.rest = t.rest[n:]
	}
	t.take("?") // what is found first makes no difference
	if t.bounds() > 0 || len(t.rest) > 0 && strings.ContainsRune(repeats, t.rest[0]) {
		t.fail("a repetition is repeated")
	}
}

// bounds returns the length of the braces that follow and say how often something is
// repeated; 0 if there are none. Other braces are characters as any other.
func (t *translator) bounds() int {
	i := 1
	digits := func() bool {
		start := i
		for i < len(t.rest) && t.rest[i] >= '0' && t.rest[i] <= '9' {
			i++
		}
		return i > start
	}
	is := func(r rune) bool { return i < len(t.rest) && t.rest[i] == r }
	if len(t.rest) == 0 || t.rest[0] != '{' || !digits() {
		return 0
	}
	if is(',') {
		i++
		digits()
	}
	if !is('}') {
		return 0
	}
	return i + 1
}

// withoutZeros drops the zeros before a number of a repetition, which Go does not know.
func withoutZeros(number string) string {
	if number, found := strings.CutPrefix(number, "{"); found {
		return "{" + withoutZeros(number)
	}
	for len(number) > 1 && number[0] == '0' && number[1] >= '0' && number[1] <= '9' {
		number = number[1:]
	}
	return number
}

// atomEscape reads what follows a backslash outside of a class.
func (t *translator) atomEscape() {
	if set := t.setEscape(); set != "" {
		t.write("[" + set + "]")
		return
	}
	if len(t.rest) > 0 && t.rest[0] >= '1' && t.rest[0] <= '9' {
		t.fail(`Go's regexp cannot refer to groups: \%c`, t.rest[0])
	}
	if r := t.charEscape(); t.err == nil {
		t.literal(r)
	}
}

// setEscape reads an escape that stands for a set of characters, and returns the inside of a
// class; "" if what follows is none.
func (t *translator) setEscape() string {
	switch {
	case t.take("d"):
		return `0-9`
	case t.take("D"):
		return `\D`
	case t.take("w"):
		return `0-9A-Za-z_`
	case t.take("W"):
		return `\W`
	case t.take("s"):
		return spaces
	case t.take("S"):
		return complement
	}
	return ""
}

// complement is the inside of a class of all characters that are no [spaces].
const complement = `\x{0}-\x{8}\x{E}-\x{1F}!-\x{9F}\x{A1}-\x{167F}\x{1681}-\x{1FFF}\x{200B}-\x{2027}` +
	`\x{202A}-\x{202E}\x{2030}-\x{205E}\x{2060}-\x{2FFF}\x{3001}-\x{FEFE}\x{FF00}-\x{10FFFF}`

// charEscape reads an escape that stands for one character.
func (t *translator) charEscape() rune {
	r := t.next()
	switch r {
	case 'f':
		return '\f'
	case 'n':
		return '\n'
	case 'r':
		return '\r'
	case 't':
		return '\t'
	case 'v':
		return '\v'
	case '0':
		if len(t.rest) > 0 && t.rest[0] >= '0' && t.rest[0] <= '9' {
			break
		}
		return 0
	case 'c':
		if c := t.next(); c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' {
			return c & 31
		}
	case 'x':
		return t.hex(2)
	case 'u':
		return t.codeUnits()
	default:
		// Other letters stand for themselves in ECMAScript without the flag u, and for
		// something else with it, as do digits.
		if !(r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z') {
			return r
		}
	}
	t.fail(`escape \%c: read in different ways`, r)
	return 0
}

func (t *translator) hex(digits int) rune {
	if len(t.rest) >= digits {
		if v, err := strconv.ParseUint(string(t.rest[:digits]), 16, 32); err == nil {
			t.rest = t.rest[digits:]
			return rune(v)
		}
	}
	t.fail("want %d hexadecimal digits", digits)
	return 0
}
