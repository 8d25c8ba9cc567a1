package jsonx

import (
	"encoding/binary"
	"errors"
	"math/bits"
	"strings"
	"unicode/utf8"
)

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

// Str moves past a string and returns what is between its quotes, escapes and all.
func (l *Lexer) Str() (raw []byte, err error) {
	s, i := l.Src[l.Pos+1:], 0
	for ; i+8 <= len(s); i += 8 { // plain, without a call: most strings are short
		w := binary.LittleEndian.Uint64(s[i : i+8])
		if w&highBits != 0 {
			break
		}
		if m := special(w); m != 0 {
			if n := i + bits.TrailingZeros64(m)/8; n < len(s) && s[n] == '"' {
				l.Pos, l.Escaped = l.Pos+n+2, false
				return s[:n], nil
			}
			break
		}
	}
	return l.str(s, i)
}

// str is [Lexer.Str] for any string; s is what follows its first quote. There is nothing but
// plain ASCII before i.
func (l *Lexer) str(s []byte, i int) (raw []byte, err error) {
	l.Escaped = false
	var high uint64
	for {
		n, h := plain(s[i:])
		high |= h
		if i += n; i == len(s) {
			return nil, ErrSyntax
		}
		switch s[i] {
		case '"':
			if raw = s[:i]; high != 0 && !utf8.Valid(raw) {
				return nil, ErrUTF8
			}
			l.Pos += i + 2
			return raw, nil
		case '\\':
			_, n := escape(s[i:])
			if n == 0 {
				return nil, ErrSyntax
			}
			l.Escaped = true
			i += n
		default:
			return nil, ErrSyntax // a raw control character
		}
	}
}

const (
	lowBits  = 0x0101010101010101
	highBits = 0x8080808080808080
)

// special finds quotes, backslashes and control characters in eight bytes: the high bit of
// the first one, from the lowest byte on, is the lowest bit that is set.
func special(w uint64) uint64 {
	// Each term borrows into the high bit of a byte that is below 0x20, a quote or a
	// backslash; borrows run upwards only, so the lowest one is right.
	m := (w - 0x20*lowBits) | (w ^ '"'*lowBits - lowBits) | (w ^ '\\'*lowBits - lowBits)
	return m & ^w & highBits
}

// plain returns the number of bytes before the first quote, backslash or control character
// in s, or in all of it; high is not 0 if there are any from 0x80 on among them.
func plain(s []byte) (n int, high uint64) {
	for ; n+8 <= len(s); n += 8 {
		w := binary.LittleEndian.Uint64(s[n : n+8])
		if m := special(w); m != 0 {
			return n + bits.TrailingZeros64(m)/8, high | w&(m^(m-1))&highBits
		}
		high |= w & highBits
	}
	for ; n < len(s); n++ {
		c := s[n]
		if c < 0x20 || c == '"' || c == '\\' {
			break
		}
		high |= uint64(c & 0x80)
	}
	return n, high
}

// escape decodes the escape sequence at the start of s; n is its length, 0 if it is
// malformed or half of a surrogate pair.
func escape(s []byte) (r rune, n int) {
	if len(s) < 2 {
		return 0, 0
	}
	if i := strings.IndexByte(`"\/bfnrt`, s[1]); i >= 0 {
		return rune("\"\\/\b\f\n\r\t"[i]), 2
	}
	r, ok := hex4(s)
	if !ok || 0xDC00 <= r && r < 0xE000 {
		return 0, 0
	}
	if r < 0xD800 || 0xE000 <= r {
		return r, 6
	}
	low, ok := hex4(s[6:])
	if !ok || low < 0xDC00 || 0xE000 <= low {
		return 0, 0
	}
	return 0x10000 + (r-0xD800)<<10 + low - 0xDC00, 12
}

// hex4 decodes a sequence \uXXXX.
func hex4(s []byte) (r rune, ok bool) {
	if len(s) < 6 || s[0] != '\\' || s[1] != 'u' {
		return 0, false
	}
	for _, c := range s[2:6] {
		switch {
		case c-'0' < 10:
			c -= '0'
		case c|0x20-'a' < 6:
			c = c | 0x20 - 'a' + 10
		default:
			return 0, false
		}
		r = r<<4 | rune(c)
	}
	return r, true
}

// AppendUnescaped appends the text of a string that [Lexer.Str] accepted.
func AppendUnescaped(dst, raw []byte) []byte {
	for {
		i, _ := plain(raw)
		dst = append(dst, raw[:i]...)
		if i == len(raw) {
			return dst
		}
		r, n := escape(raw[i:])
		if n == 0 { // not reached for accepted text
			return dst
		}
		dst = utf8.AppendRune(dst, r)
		raw = raw[i+n:]
	}
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
