package schema

import (
	"fmt"
	"strconv"

	"github.com/mcpgen/mcpgen/gen/ir"
)

// setTexts sets Text of all types. Each text stands for itself: what it refers to is
// declared in it.
func setTexts(types []made) *Error {
	total := 0
	for _, m := range types {
		p := printer{budget: maxText - total}
		p.typ(m.typ)
		if p.problem != "" {
			return &Error{p.problem, m.pos}
		}
		m.typ.Text = string(p.dst)
		total += len(p.dst)
	}
	return nil
}

// printer writes a type by the rules of scope that the parser reads by.
type printer struct {
	dst     []byte
	budget  int    // bytes that may be written
	problem string // the first, or ""
	scope   scope
}

func (p *printer) typ(t *ir.Type) {
	if p.problem != "" {
		return
	}
	if len(p.dst) > p.budget {
		p.problem = fmt.Sprintf("its parts need more than %d bytes written out", maxText)
		return
	}
	outer := p.scope.depth()
	if t.Name != "" && p.reference(t) {
		return
	}
	switch t.Kind {
	case ir.List:
		p.dst = append(p.dst, 'a')
		if t.Len > 0 {
			p.dst = strconv.AppendInt(append(p.dst, ':'), int64(t.Len), 10)
		}
		p.typ(t.Elem)
	case ir.Optional:
		p.dst = append(p.dst, '?')
		p.typ(t.Elem)
	case ir.Tuple:
		p.count('t', len(t.Fields))
		p.fields(t)
	case ir.Record:
		p.count('m', len(t.Fields))
		p.fields(t)
	case ir.Table:
		p.dst = append(p.dst, 'T')
		if len(t.Fields) > 0 {
			p.count(':', len(t.Fields))
			p.fields(t)
		}
	case ir.Enum:
		p.count('e', len(t.Arms))
		for _, a := range t.Arms {
			p.name(a.Name)
		}
	case ir.Variant:
		p.count('v', len(t.Arms))
		p.arms(t)
	default:
		p.dst = append(p.dst, codes[t.Kind]...)
	}
	p.scope.closeTo(outer)
}

func (p *printer) fields(t *ir.Type) {
	for _, f := range t.Fields {
		if t.Kind != ir.Tuple {
			p.name(f.Name)
		}
		p.typ(f.Type)
	}
}

func (p *printer) arms(t *ir.Type) {
	for _, a := range t.Arms {
		p.name(a.Name)
		if a.Payload == nil {
			p.dst = append(p.dst, digits[0])
			continue
		}
		p.dst = appendCount(p.dst, len(a.Payload.Fields))
		p.fields(a.Payload)
	}
}

// count writes a character and a count.
func (p *printer) count(code byte, n int) { p.dst = appendCount(append(p.dst, code), n) }

// appendCount appends a count as parser.size reads it.
func appendCount(dst []byte, n int) []byte {
	for ; n >= len(digits); n /= len(digits) {
		dst = append(dst, '=', digits[n%len(digits)])
	}
	return append(dst, digits[n])
}

func (p *printer) name(s string) {
	p.dst = append(appendCount(p.dst, len(s)), s...)
}

// reference writes ^ for a declared type that can be referred to here and reports true;
// else it begins a declaration.
func (p *printer) reference(t *ir.Type) bool {
	found, _ := p.scope.find(t.Name)
	if found == t {
		p.dst = append(p.dst, '^')
		p.name(t.Name)
		return true
	}
	if p.scope.isOpen(t) {
		p.problem = fmt.Sprintf("name '%s' is declared for two types that contain each other", t.Name)
		return true
	}
	p.dst = append(p.dst, '&')
	p.name(t.Name)
	p.scope.open(t.Name, t)
	return false
}

// codes are the texts of simple types.
var codes = func() map[ir.Kind]string {
	m := make(map[ir.Kind]string, len(simple))
	for code, kind := range simple {
		m[kind] = code
	}
	return m
}()
