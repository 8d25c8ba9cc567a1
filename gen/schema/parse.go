package schema

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/mcpgen/mcpgen/gen/ir"
)

// parser is a cursor over a schema. After the first error it reads nothing more.
type parser struct {
	text  string
	pos   int
	err   *Error
	types []made // all types, each before its parts
	scope scope
	later []made // back-references to declarations that were finished
	runes bool   // the lengths of names count characters, not bytes
}

// made is a type and the place it was read at.
type made struct {
	typ *ir.Type
	pos int
}

func (p *parser) fail(pos int, format string, args ...any) {
	if p.err == nil {
		p.err = &Error{fmt.Sprintf(format, args...), pos}
	}
}

// typ reads a type. It returns nil after an error.
func (p *parser) typ(depth int) *ir.Type {
	if depth == MaxDepth {
		p.fail(p.pos, "schema nesting exceeds %d levels", MaxDepth)
		return nil
	}
	t := &ir.Type{}
	outer := p.scope.depth()
	for p.err == nil {
		if p.pos == len(p.text) {
			p.fail(p.pos, "unexpected end of schema")
			break
		}
		start := p.pos
		p.pos++
		switch p.text[start] {
		case '<':
			p.hint(start)
		case '&':
			name := p.name("schema name", "expected name length")
			if name == "" { // types with a name are told from others by it
				p.fail(start, "declaration without a name")
			}
			if t.Name == "" {
				t.Name = name
			}
			p.scope.open(name, t)
		case '^':
			return p.backReference(start, t)
		default:
			p.types = append(p.types, made{t, start})
			p.body(start, t, depth)
			p.scope.closeTo(outer)
			return t
		}
	}
	return nil
}

// hint skips a hint whose < is behind.
func (p *parser) hint(start int) {
	for open := 1; open > 0; p.pos++ {
		if p.pos == len(p.text) {
			p.fail(start, "unclosed '<' in hint")
			return
		}
		switch p.text[p.pos] {
		case '<':
			open++
		case '>':
			open--
		}
	}
}

func (p *parser) backReference(start int, self *ir.Type) *ir.Type {
	name := p.name("schema name", "expected name length")
	if p.err != nil {
		return nil
	}
	if self.Name != "" {
		p.fail(start, "declaration '%s' names a back-reference", self.Name)
		return nil
	}
	t, open := p.scope.find(name)
	if t == nil {
		p.fail(start, "back-reference to undeclared name '%s'", name)
	} else if !open {
		p.later = append(p.later, made{t, start})
	}
	return t
}

// simple are the types that one or two characters name.
var simple = map[string]ir.Kind{
	"z": ir.Unit, "b": ir.Bool, "s": ir.String, "j": ir.Int,
	"i1": ir.Int8, "i2": ir.Int16, "i4": ir.Int32, "i8": ir.Int64,
	"u1": ir.Uint8, "u2": ir.Uint16, "u4": ir.Uint32, "u8": ir.Uint64,
	"f4": ir.Float32, "f8": ir.Float64,
	"F": ir.IFile, "O": ir.OStream, "I": ir.IStream,
}

// body reads a type behind its first character, at start, into t.
func (p *parser) body(start int, t *ir.Type, depth int) {
	switch c := p.text[start]; c {
	case 'z', 'b', 's', 'j', 'F', 'O', 'I':
		t.Kind = simple[p.text[start:p.pos]]
	case 'i', 'u':
		p.sized(start, t, "integer", "expected size after 'i'/'u'")
	case 'f':
		p.sized(start, t, "float", "expected size after 'f'")
	case 'a':
		t.Kind = ir.List
		if p.take(':') {
			t.Len = p.length()
		}
		t.Elem = p.typ(depth + 1)
	case '?':
		t.Kind = ir.Optional
		t.Elem = p.typ(depth + 1)
	case 't':
		t.Kind = ir.Tuple
		for range p.size("expected tuple size") {
			if p.err != nil {
				return
			}
			t.Fields = append(t.Fields, ir.Field{Type: p.typ(depth + 1)})
		}
	case 'm':
		t.Kind = ir.Record
		p.fields(t, p.size("expected map size"), "map key", depth)
	case 'T':
		t.Kind = ir.Table
		if p.take(':') {
			p.fields(t, p.size("expected table column count after ':'"), "table column key", depth)
		}
	case 'e', 'v':
		p.sum(start, t, depth)
	default:
		r, _ := utf8.DecodeRuneInString(p.text[start:])
		p.fail(start, "unknown schema character %q", r)
	}
}

// sized reads the width of a number.
func (p *parser) sized(start int, t *ir.Type, what, missing string) {
	n := p.digit(missing)
	kind, ok := simple[p.text[start:p.pos]]
	if !ok {
		p.fail(start+1, "invalid %s size %d", what, n)
	}
	t.Kind = kind
}

// fields reads the fields of a record or the columns of a table.
func (p *parser) fields(t *ir.Type, n int, what string, depth int) {
	seen := map[string]bool{}
	for range n {
		start := p.pos
		name := p.name(what, "expected "+what+" length")
		if seen[name] {
			p.fail(start, "%s %q given twice", what, name)
		}
		if p.err != nil {
			return
		}
		seen[name] = true
		t.Fields = append(t.Fields, ir.Field{Name: name, Type: p.typ(depth + 1)})
	}
}

// name reads a length and as many bytes; see parser.runes.
func (p *parser) name(what, missing string) string {
	start := p.pos
	n := p.size(missing)
	if p.err != nil {
		return ""
	}
	end := p.pos + n
	if p.runes {
		end = runeEnd(p.text, p.pos, n)
	}
	if n > len(p.text)-p.pos || end > len(p.text) {
		p.fail(start, "%s extends past end", what)
		return ""
	}
	name := p.text[p.pos:end]
	p.pos = end
	if !utf8.ValidString(name) {
		p.fail(start, "invalid UTF-8 in %s", what)
	} else if strings.ContainsRune(name, 0) {
		p.fail(start, "NUL in %s", what)
	}
	return name
}

// runeEnd returns where n characters from pos on end, a place behind the text if there are
// not as many.
func runeEnd(text string, pos, n int) int {
	for ; n > 0; n-- {
		if pos >= len(text) {
			return len(text) + 1
		}
		_, size := utf8.DecodeRuneInString(text[pos:])
		pos += size
	}
	return pos
}

// digits are the characters of a count, by value.
const digits = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ+/"

// digit reads one digit.
func (p *parser) digit(missing string) int {
	if p.err != nil {
		return 0
	}
	if p.pos == len(p.text) {
		p.fail(p.pos, "%s", missing)
		return 0
	}
	n := strings.IndexByte(digits, p.text[p.pos])
	if n < 0 {
		r, _ := utf8.DecodeRuneInString(p.text[p.pos:])
		p.fail(p.pos, "invalid base-62 size character %q", r)
		return 0
	}
	p.pos++
	return n
}

// maxCount is more than any schema can hold; larger counts overflow.
const maxCount = 1 << 40

// size reads a count or a length: digits of base 64, the lowest first, each but the last
// behind a =.
func (p *parser) size(missing string) int {
	start, n, unit := p.pos, 0, 1
	for p.err == nil && p.take('=') {
		n += unit * p.digit("truncated escaped count: '=' with no digit")
		if unit *= len(digits); unit > maxCount {
			p.fail(start, "count overflows a usize")
			return 0
		}
		missing = "truncated escaped count: '=' with no digit"
	}
	return n + unit*p.digit(missing)
}

// length reads the decimal length of a list.
func (p *parser) length() int {
	const limit = 1<<31 - 1
	start, n := p.pos, 0
	for p.pos < len(p.text) && p.text[p.pos] >= '0' && p.text[p.pos] <= '9' {
		if n = n*10 + int(p.text[p.pos]-'0'); n > limit {
			p.fail(start, "list length exceeds %d", limit)
			return 0
		}
		p.pos++
	}
	if p.pos == start {
		p.fail(p.pos, "expected decimal digit")
	}
	return n
}

// take consumes c if it is next.
func (p *parser) take(c byte) bool {
	if p.pos < len(p.text) && p.text[p.pos] == c {
		p.pos++
		return true
	}
	return false
}
