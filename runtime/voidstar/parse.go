package voidstar

import (
	"errors"
	"strconv"
	"strings"
)

const (
	base62     = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ+/"
	maxNesting = 1000    // of schema text
	maxWidth   = 1 << 30 // of a slot; keeps layouts from overflowing
)

var errEnd = errors.New("schema error: unexpected end of schema")

// ParseSchema parses schema text, with or without hints (pool-protocol 4.1). It is meant
// for text that was checked when the program was generated: types that are never served,
// tables and stream handles, are unknown to it.
func ParseSchema(text string) (*Schema, error) {
	p := parser{text: text}
	s, err := p.parse()
	if err != nil {
		return nil, err
	}
	if p.pos < len(text) {
		return nil, errors.New("schema error: trailing characters after schema at position " + strconv.Itoa(p.pos))
	}
	return s, p.layOut()
}

type parser struct {
	text  string
	pos   int
	depth int
	names []name

	structs []*Schema // tuples and records, laid out at the end
}

// A name is what & declares. Its schema is filled in when all of it has been parsed.
type name struct {
	text   string
	schema *Schema
	open   bool
}

// parse parses one type.
func (p *parser) parse() (*Schema, error) {
	p.depth++
	defer func() { p.depth-- }()
	if p.depth > maxNesting {
		return nil, errors.New("schema error: too deep at position " + strconv.Itoa(p.pos))
	}
	c, err := p.code()
	if err != nil {
		return nil, err
	}
	switch c {
	case 'z':
		return &Schema{Kind: KindUnit, Align: 1}, nil
	case 'b':
		return scalar(KindBool, 1), nil
	case 'i', 'u', 'f':
		return p.number(c)
	case 'j':
		return &Schema{Kind: KindInt, Width: 16, Align: 8}, nil
	case 's':
		return &Schema{Kind: KindString, Width: 16, Align: 8}, nil
	case 'a':
		return p.list()
	case '?':
		elem, err := p.parse()
		return &Schema{Kind: KindOptional, Elem: elem, Width: 8, Align: 8}, err
	case 't':
		return p.fields(KindTuple)
	case 'm':
		return p.fields(KindRecord)
	case 'e':
		return p.sum(KindEnum)
	case 'v':
		return p.sum(KindVariant)
	case '&':
		return p.declaration()
	case '^':
		return p.reference()
	}
	return nil, errors.New("schema error: unknown schema character " + quote(string(c)) + " at position " + strconv.Itoa(p.pos-1))
}

// code returns the next type code, past hints, which may hold hints.
func (p *parser) code() (byte, error) {
	hints := 0
	for ; p.pos < len(p.text); p.pos++ {
		switch c := p.text[p.pos]; {
		case c == '<':
			hints++
		case hints == 0:
			p.pos++
			return c, nil
		case c == '>':
			hints--
		}
	}
	return 0, errEnd
}

// digit returns the value of the next character.
func (p *parser) digit() (int, error) {
	if p.pos == len(p.text) {
		return 0, errEnd
	}
	n := strings.IndexByte(base62, p.text[p.pos])
	if n < 0 {
		return 0, errors.New("schema error: want a base-62 digit at position " + strconv.Itoa(p.pos))
	}
	p.pos++
	return n, nil
}

// count returns the next count or length: digits of base 64, the lowest first, each but
// the last behind a =. What it counts takes a byte of the text or more.
func (p *parser) count() (int, error) {
	n, unit := 0, 1
	for {
		more := strings.HasPrefix(p.text[p.pos:], "=")
		if more {
			p.pos++
		}
		d, err := p.digit()
		if err != nil {
			return 0, err
		}
		if n += d * unit; n > len(p.text)-p.pos {
			return 0, errEnd
		}
		if !more {
			return n, nil
		}
		if unit *= len(base62); unit > maxWidth {
			return 0, errors.New("schema error: count too large at position " + strconv.Itoa(p.pos))
		}
	}
}

// word returns the next length and as many bytes.
func (p *parser) word() (string, error) {
	n, err := p.count()
	if err != nil {
		return "", err
	}
	p.pos += n
	return p.text[p.pos-n : p.pos], nil
}

func scalar(k Kind, size int) *Schema { return &Schema{Kind: k, Width: size, Align: size} }

// number parses the size of a number of fixed width.
func (p *parser) number(c byte) (*Schema, error) {
	size, err := p.digit()
	if err != nil {
		return nil, err
	}
	log := strings.IndexByte("\x01\x02\x04\x08", byte(size)) // of size
	switch {
	case c == 'i' && log >= 0:
		return scalar(KindInt8+Kind(log), size), nil
	case c == 'u' && log >= 0:
		return scalar(KindUint8+Kind(log), size), nil
	case c == 'f' && log >= 2:
		return scalar(KindFloat32+Kind(log-2), size), nil
	}
	word := map[byte]string{'i': "integer", 'u': "unsigned integer", 'f': "float"}[c]
	return nil, errors.New("schema error: invalid " + word + " size " + strconv.Itoa(size))
}

// list parses what follows the code of a list.
func (p *parser) list() (*Schema, error) {
	s := &Schema{Kind: KindList, Width: 16, Align: 8}
	if rest, ok := strings.CutPrefix(p.text[p.pos:], ":"); ok {
		digits := rest[:len(rest)-len(strings.TrimLeft(rest, "0123456789"))]
		n, err := strconv.ParseInt(digits, 10, 32)
		if err != nil {
			return nil, errors.New("schema error: want a list length at position " + strconv.Itoa(p.pos+1))
		}
		s.Len = int(n)
		p.pos += 1 + len(digits)
	}
	var err error
	s.Elem, err = p.parse()
	return s, err
}

// fields parses what follows the code of a tuple or record.
func (p *parser) fields(k Kind) (*Schema, error) {
	n, err := p.count()
	if err != nil {
		return nil, err
	}
	s := &Schema{Kind: k, Fields: make([]Field, n)}
	p.structs = append(p.structs, s)
	for i := range s.Fields {
		f := &s.Fields[i]
		if k == KindRecord {
			if f.Name, err = p.word(); err != nil {
				return nil, err
			}
		}
		if f.Schema, err = p.parse(); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// declaration parses what follows &. Until it is complete, references to it stand for a
// schema that is filled in then.
func (p *parser) declaration() (*Schema, error) {
	text, err := p.word()
	if err != nil {
		return nil, err
	}
	declared := &Schema{}
	p.names = append(p.names, name{text, declared, true})
	i := len(p.names) - 1
	body, err := p.parse()
	if err != nil {
		return nil, err
	}
	if body.Kind == KindUnit && body.Align == 0 { // nothing but references
		return nil, p.selfContained()
	}
	*declared = *body
	if body.isStruct() {
		p.structs = append(p.structs, declared)
	}
	p.names[i].open = false
	return declared, nil
}

func (p *parser) selfContained() error {
	return errors.New("schema error: type contains itself at position " + strconv.Itoa(p.pos))
}

// layOut lays out tuples and records once all types are complete, those inside of others
// first.
func (p *parser) layOut() error {
	busy := map[*Schema]bool{}
	for _, s := range p.structs {
		if err := p.place(s, busy); err != nil {
			return err
		}
	}
	return nil
}

func (p *parser) place(s *Schema, busy map[*Schema]bool) error {
	if !s.isStruct() || s.Align != 0 {
		return nil
	}
	if busy[s] {
		return p.selfContained()
	}
	busy[s] = true
	for _, f := range s.Fields {
		if err := p.place(f.Schema, busy); err != nil {
			return err
		}
	}
	if s.place(); s.Width > maxWidth {
		return errors.New("schema error: type too wide at position " + strconv.Itoa(p.pos))
	}
	return nil
}

// reference parses what follows ^.
func (p *parser) reference() (*Schema, error) {
	text, err := p.word()
	if err != nil {
		return nil, err
	}
	for i := len(p.names) - 1; i >= 0; i-- {
		n := p.names[i]
		switch {
		case n.text != text:
			continue
		case n.open:
			return n.schema, nil // its alignment will be 8, as it holds a pointer
		case n.schema.isStruct():
			return n.schema, nil
		}
		s := *n.schema
		s.Align = 8 // of a reference
		return &s, nil
	}
	return nil, errors.New("schema error: back-reference to undeclared name " + quote(text))
}

func quote(s string) string { return "'" + s + "'" }
