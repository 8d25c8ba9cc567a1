package jsonx

import "errors"

// MaxDepth is the deepest nesting of arrays and objects that is accepted.
const MaxDepth = 1000

var (
	// ErrSyntax is the error for text that is not JSON, or nested too deeply.
	ErrSyntax = errors.New("invalid JSON")
	// ErrUTF8 is the error for a string that is not UTF-8 but could be repaired.
	ErrUTF8 = errors.New("invalid UTF-8 in a string")
)

// A Lexer moves through JSON text and checks what it passes: grammar, escapes, control
// characters, surrogates, UTF-8 and depth. Its methods start at Pos and leave Pos behind
// what they read; after an error Pos means nothing. What they return aliases Src.
type Lexer struct {
	Src     []byte
	Pos     int
	Escaped bool // the last string read holds escapes
}

// Peek returns the byte at Pos, or 0 at the end of the text.
func (l *Lexer) Peek() byte {
	if src, i := l.Src, uint(l.Pos); i < uint(len(src)) { // one comparison, as no Pos is negative
		return src[i]
	}
	return 0
}

// Space moves past white space.
func (l *Lexer) Space() {
	if src, i := l.Src, uint(l.Pos); i < uint(len(src)) && src[i] <= ' ' {
		l.spaces() // rare; the test above is inlined
	}
}

func (l *Lexer) spaces() {
	for l.Pos < len(l.Src) {
		switch l.Src[l.Pos] {
		case ' ', '\t', '\n', '\r':
			l.Pos++
		default:
			return
		}
	}
}

// Value moves past one value that is nested in depth others.
func (l *Lexer) Value(depth int) error {
	switch l.Peek() {
	case '"':
		_, err := l.Str()
		return err
	case '{':
		return l.members(depth + 1)
	case '[':
		return l.elements(depth + 1)
	case 't':
		return l.literal("true")
	case 'f':
		return l.literal("false")
	case 'n':
		return l.literal("null")
	}
	return l.Number()
}

func (l *Lexer) members(depth int) error {
	more, err := l.Open('}', depth)
	for more && err == nil {
		if _, err = l.Key(); err == nil {
			err = l.Value(depth)
		}
		if err == nil {
			more, err = l.Next('}')
		}
	}
	return err
}

func (l *Lexer) elements(depth int) error {
	more, err := l.Open(']', depth)
	decimals := true
	for more && err == nil {
		// Numbers are what long arrays are made of.
		if decimals {
			decimals = l.decimals()
			l.Space()
		}
		if c := l.Peek(); c-'0' < 10 || c == '-' {
			err = l.Number()
		} else {
			err = l.Value(depth)
		}
		if err == nil {
			more, err = l.Next(']')
		}
	}
	return err
}

// Open enters the object or array at Pos, which is the depth-th around what it holds, and
// reports whether it holds anything. It is told apart by what ends it.
func (l *Lexer) Open(end byte, depth int) (more bool, err error) {
	if depth > MaxDepth {
		return false, ErrSyntax
	}
	l.Pos++
	l.Space()
	if l.Peek() == end {
		l.Pos++
		return false, nil
	}
	return true, nil
}

// Next moves past the comma before another member or element, or past end.
func (l *Lexer) Next(end byte) (more bool, err error) {
	c := l.Peek()
	if c <= ' ' {
		l.spaces()
		c = l.Peek()
	}
	if c != ',' && c != end {
		return false, ErrSyntax
	}
	l.Pos++
	if c == end {
		return false, nil
	}
	l.Space()
	return true, nil
}

// Key moves to a member's value and returns the member's name, decoded.
func (l *Lexer) Key() (name []byte, err error) {
	if l.Peek() != '"' {
		return nil, ErrSyntax
	}
	if name, err = l.Str(); err != nil {
		return nil, err
	}
	if l.Escaped {
		name = AppendUnescaped(nil, name)
	}
	if l.Peek() != ':' {
		if l.Space(); l.Peek() != ':' {
			return nil, ErrSyntax
		}
	}
	l.Pos++
	l.Space()
	return name, nil
}

func (l *Lexer) literal(word string) error {
	end := l.Pos + len(word)
	if end > len(l.Src) || string(l.Src[l.Pos:end]) != word {
		return ErrSyntax
	}
	l.Pos = end
	return nil
}

// Number moves past a number.
func (l *Lexer) Number() error {
	src, i := l.Src, l.Pos
	if i < len(src) && src[i] == '-' {
		i++
	}
	start, end := i, pastDigits(src, i)
	ok := end == start+1 || end > start && src[start] != '0'
	if ok && end < len(src) && src[end] == '.' {
		i, end = end+1, pastDigits(src, end+1)
		ok = end > i
	}
	if ok && end < len(src) && src[end]|0x20 == 'e' {
		i = end + 1
		if i < len(src) && (src[i] == '+' || src[i] == '-') {
			i++
		}
		end = pastDigits(src, i)
		ok = end > i
	}
	if l.Pos = end; !ok {
		return ErrSyntax
	}
	return nil
}

// pastDigits returns the end of the run of decimal digits at i.
func pastDigits(src []byte, i int) int {
	for i < len(src) && src[i]-'0' < 10 {
		i++
	}
	return i
}
