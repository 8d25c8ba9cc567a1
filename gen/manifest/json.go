package manifest

import (
	"strconv"
	"unicode/utf16"
	"unicode/utf8"
)

// MaxDepth is the number of levels that arrays and objects may nest. Expression trees of
// generated programs are deep; a limit keeps the reader's stack small.
const MaxDepth = 10_000

// A SyntaxError says where and why a document is not JSON.
type SyntaxError struct {
	Offset int // of the offending byte; the length of the document if it ends too early
	Text   string
}

func (e *SyntaxError) Error() string { return e.Text }

// ParseJSON reads one JSON document: strict RFC 8259 in UTF-8 without byte order mark, at
// most [MaxDepth] levels deep, with nothing but white space behind it. Objects keep the
// order of their members, and duplicates. An error is a [*SyntaxError].
func ParseJSON(src []byte) (*Node, error) {
	p := parser{src: src}
	p.space()
	root := p.value(0)
	if p.err == nil {
		p.space()
		if p.pos < len(src) {
			p.fail(p.pos, "unexpected data after the document")
		}
	}
	if p.err != nil {
		return nil, p.err
	}
	return root, nil
}

// parser is a cursor over a document. After the first error it reads nothing more.
type parser struct {
	src []byte
	pos int
	err *SyntaxError
}

// fail notes the first error and returns nil, for use in return statements.
func (p *parser) fail(offset int, text string) *Node {
	if p.err == nil {
		p.err = &SyntaxError{Offset: offset, Text: text}
	}
	return nil
}

// unexpected fails at the cursor; want says what should stand there.
func (p *parser) unexpected(want string) *Node {
	if p.pos >= len(p.src) {
		return p.fail(p.pos, "the document ends here, expected "+want)
	}
	return p.fail(p.pos, "unexpected "+quoteByte(p.src[p.pos])+", expected "+want)
}

func quoteByte(c byte) string {
	if c >= 0x20 && c < 0x7F {
		return "'" + string(rune(c)) + "'"
	}
	return "byte 0x" + string("0123456789ABCDEF"[c>>4]) + string("0123456789ABCDEF"[c&15])
}

func (p *parser) space() {
	for p.pos < len(p.src) {
		switch p.src[p.pos] {
		case ' ', '\t', '\n', '\r':
			p.pos++
		default:
			return
		}
	}
}

// take consumes c if it is next.
func (p *parser) take(c byte) bool {
	if p.pos < len(p.src) && p.src[p.pos] == c {
		p.pos++
		return true
	}
	return false
}

func (p *parser) value(depth int) *Node {
	n := p.openValue(depth)
	if n != nil {
		n.End = p.pos
	}
	return n
}

// openValue reads a value whose end is yet to be noted.
func (p *parser) openValue(depth int) *Node {
	if p.pos >= len(p.src) {
		return p.unexpected("a value")
	}
	n := &Node{Offset: p.pos}
	switch c := p.src[p.pos]; {
	case c == '{' || c == '[':
		if depth == MaxDepth {
			return p.fail(p.pos, "nested deeper than "+strconv.Itoa(MaxDepth)+" levels")
		}
		p.pos++
		if c == '{' {
			n.Kind = ObjectNode
			return p.object(n, depth+1)
		}
		n.Kind = ArrayNode
		return p.array(n, depth+1)
	case c == '"':
		n.Kind = StringNode
		n.Str = p.str()
	case c == '-' || c >= '0' && c <= '9':
		n.Kind = NumberNode
		n.Num = p.number()
	case p.word("null"):
		n.Kind = NullNode
	case p.word("true"):
		n.Kind, n.Bool = BoolNode, true
	case p.word("false"):
		n.Kind = BoolNode
	default:
		return p.unexpected("a value")
	}
	return n
}

func (p *parser) word(w string) bool {
	if len(p.src)-p.pos < len(w) || string(p.src[p.pos:p.pos+len(w)]) != w {
		return false
	}
	p.pos += len(w)
	return true
}

func (p *parser) object(n *Node, depth int) *Node {
	p.space()
	if p.take('}') {
		return n
	}
	for p.err == nil {
		p.space()
		m := Member{Offset: p.pos}
		if p.pos >= len(p.src) || p.src[p.pos] != '"' {
			return p.unexpected("a key in quotes")
		}
		m.Key = p.str()
		p.space()
		if p.err == nil && !p.take(':') {
			return p.unexpected("':'")
		}
		p.space()
		if p.err == nil {
			m.Value = p.value(depth)
		}
		n.Members = append(n.Members, m)
		if p.space(); p.err == nil && !p.take(',') {
			if p.take('}') {
				return n
			}
			return p.unexpected("',' or '}'")
		}
	}
	return nil
}

func (p *parser) array(n *Node, depth int) *Node {
	p.space()
	if p.take(']') {
		return n
	}
	for p.err == nil {
		p.space()
		n.Elements = append(n.Elements, p.value(depth))
		if p.space(); p.err == nil && !p.take(',') {
			if p.take(']') {
				return n
			}
			return p.unexpected("',' or ']'")
		}
	}
	return nil
}

// number reads a number by the grammar of JSON and returns it as written.
func (p *parser) number() string {
	start := p.pos
	p.take('-')
	if !p.take('0') && !p.digits() {
		return ""
	}
	if p.take('.') && !p.digits() {
		return ""
	}
	if p.take('e') || p.take('E') {
		if !p.take('+') {
			p.take('-')
		}
		if !p.digits() {
			return ""
		}
	}
	return string(p.src[start:p.pos])
}

func (p *parser) digits() bool {
	start := p.pos
	for p.pos < len(p.src) && p.src[p.pos] >= '0' && p.src[p.pos] <= '9' {
		p.pos++
	}
	if p.pos == start {
		p.unexpected("a digit")
		return false
	}
	return true
}

// str reads a string, from its opening quote, and resolves its escapes.
func (p *parser) str() string {
	p.pos++
	start := p.pos
	for p.pos < len(p.src) {
		switch c := p.src[p.pos]; {
		case c == '"':
			p.pos++
			return string(p.src[start : p.pos-1])
		case c == '\\':
			return p.escapedStr(p.src[start:p.pos])
		default:
			if !p.char(c) {
				return ""
			}
		}
	}
	p.unexpected("'\"'")
	return ""
}

// char steps over one unescaped character that begins with c.
func (p *parser) char(c byte) bool {
	if c < 0x20 {
		p.fail(p.pos, "unescaped control character "+quoteByte(c)[5:]+" in a string")
		return false
	}
	if c < utf8.RuneSelf {
		p.pos++
		return true
	}
	r, size := utf8.DecodeRune(p.src[p.pos:])
	if r == utf8.RuneError && size == 1 {
		p.fail(p.pos, "not UTF-8: unexpected "+quoteByte(c))
		return false
	}
	p.pos += size
	return true
}

// escapedStr goes on with a string at its first backslash.
func (p *parser) escapedStr(head []byte) string {
	buf := append([]byte(nil), head...)
	for p.pos < len(p.src) {
		switch c := p.src[p.pos]; {
		case c == '"':
			p.pos++
			return string(buf)
		case c == '\\':
			r, ok := p.escape()
			if !ok {
				return ""
			}
			buf = utf8.AppendRune(buf, r)
		default:
			from := p.pos
			if !p.char(c) {
				return ""
			}
			buf = append(buf, p.src[from:p.pos]...)
		}
	}
	p.unexpected("'\"'")
	return ""
}

// escape reads an escape sequence, from its backslash.
func (p *parser) escape() (rune, bool) {
	start := p.pos
	p.pos++
	if p.pos >= len(p.src) {
		p.unexpected("the rest of an escape sequence")
		return 0, false
	}
	c := p.src[p.pos]
	p.pos++
	switch c {
	case '"', '\\', '/':
		return rune(c), true
	case 'b':
		return '\b', true
	case 'f':
		return '\f', true
	case 'n':
		return '\n', true
	case 'r':
		return '\r', true
	case 't':
		return '\t', true
	case 'u':
		return p.unicode(start)
	}
	p.fail(start, "unknown escape sequence in a string")
	return 0, false
}

// unicode reads the digits of \uXXXX, and the second half of a surrogate pair.
func (p *parser) unicode(start int) (rune, bool) {
	r, ok := p.hex4(start)
	if !ok || !utf16.IsSurrogate(r) {
		return r, ok
	}
	if p.word(`\u`) {
		low, ok := p.hex4(start)
		if !ok {
			return 0, false
		}
		if r = utf16.DecodeRune(r, low); r != utf8.RuneError {
			return r, true
		}
	}
	p.fail(start, "half of a surrogate pair in a string")
	return 0, false
}

func (p *parser) hex4(start int) (rune, bool) {
	if len(p.src)-p.pos >= 4 {
		if v, err := strconv.ParseUint(string(p.src[p.pos:p.pos+4]), 16, 16); err == nil {
			p.pos += 4
			return rune(v), true
		}
	}
	p.fail(start, `\u needs four hexadecimal digits`)
	return 0, false
}
