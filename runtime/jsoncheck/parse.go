package jsoncheck

import (
	"bytes"
	"math"
	"unsafe"

	"github.com/mcpgen/mcpgen/runtime/jsonx"
)

// A tree is a JSON text and its values: each before those inside of it, in their order.
type tree struct {
	text  []byte
	nodes []node

	bounded bool  // steps are counted
	steps   int64 // that are left; see [Value.Overrun]
}

// A node is a value. It has no pointers, so that large texts cost the collector nothing.
type node struct {
	start, end uint32 // of its text
	name       uint32 // where the text of its name begins, with its quote, if it is a member
	parent     uint32
	next       uint32 // the node behind it and all inside of it
	count      uint32 // of its members or elements
	kind       Types
	gone       bool // a member whose name comes again
}

// Parse reads text that is exactly one JSON text (RFC 8259, in UTF-8, no deeper than
// [jsonx.MaxDepth]), with white space around it. The value keeps text, which must not be
// changed. It is for one goroutine, and for so much work; see [Value.Overrun].
func Parse(text []byte) (v Value, ok bool) {
	if len(text) >= math.MaxUint32 {
		return Value{}, false
	}
	p := parser{Lexer: jsonx.Lexer{Src: text}}
	p.Space()
	err := p.value(0, 0, 0)
	if p.Space(); err != nil || p.Pos < len(text) {
		return Value{}, false
	}
	return Value{tree: &tree{text: text, nodes: p.nodes, bounded: true, steps: stepsFor(text, p.nodes)}}, true
}

// MustParse is [Parse] for a constant, which any number of goroutines may use.
func MustParse(text string) Value {
	v, ok := Parse([]byte(text))
	if !ok {
		panic("mcpgen: internal: not JSON: " + text)
	}
	v.tree.bounded = false
	return v
}

type parser struct {
	jsonx.Lexer
	nodes []node
}

// value reads the value at Pos, nested in depth others, the nearest of which is parent. Its
// name, if it is a member, begins at an offset.
func (p *parser) value(parent, name uint32, depth int) error {
	i := uint32(len(p.nodes))
	p.nodes = append(p.nodes, node{start: uint32(p.Pos), name: name, parent: parent, kind: kindOf(p.Peek())})
	var err error
	switch p.nodes[i].kind {
	case Object:
		err = p.members(i, depth+1)
	case Array:
		err = p.elements(i, depth+1)
	default:
		err = p.Value(depth)
	}
	p.nodes[i].end, p.nodes[i].next = uint32(p.Pos), uint32(len(p.nodes))
	return err
}

// kindOf returns the type of a value by its first byte; anything that begins no other value
// is taken for a number.
func kindOf(c byte) Types {
	switch c {
	case '{':
		return Object
	case '[':
		return Array
	case '"':
		return String
	case 't', 'f':
		return Boolean
	case 'n':
		return Null
	}
	return Number
}

func (p *parser) elements(i uint32, depth int) error {
	more, err := p.Open(']', depth)
	for more && err == nil {
		p.nodes[i].count++
		if err = p.value(i, 0, depth); err == nil {
			more, err = p.Next(']')
		}
	}
	return err
}

func (p *parser) members(i uint32, depth int) error {
	more, err := p.Open('}', depth)
	for more && err == nil {
		p.nodes[i].count++
		name := uint32(p.Pos)
		if _, err = p.Key(); err == nil {
			err = p.value(i, name, depth)
		}
		if err == nil {
			more, err = p.Next('}')
		}
	}
	if err == nil && p.nodes[i].count > 1 {
		p.dropRepeated(i)
	}
	return err
}

// fewMembers is how many names are compared each with each; more are put in a table.
const fewMembers = 16

// dropRepeated drops members of the object i whose names come again.
func (p *parser) dropRepeated(i uint32) {
	t := tree{text: p.Src, nodes: p.nodes}
	end := uint32(len(p.nodes))
	if p.nodes[i].count > fewMembers {
		last := make(map[string]uint32, p.nodes[i].count)
		for m := i + 1; m < end; m = t.nodes[m].next {
			name := t.name(m)
			if before, ok := last[name]; ok {
				p.drop(i, before)
			}
			last[name] = m
		}
		return
	}
	for m := i + 1; m < end; m = t.nodes[m].next {
		name := t.name(m)
		for again := t.nodes[m].next; again < end; again = t.nodes[again].next {
			if t.name(again) == name {
				p.drop(i, m)
				break
			}
		}
	}
}

func (p *parser) drop(object, member uint32) {
	p.nodes[member].gone = true
	p.nodes[object].count--
}

// name returns the name of a member, decoded.
func (t *tree) name(i uint32) string { return unquote(t.text[t.nodes[i].name:]) }

// nameLength returns about how many bytes there are to read for the name of a member; 0 if the
// value i is an element, which has none.
func (t *tree) nameLength(i uint32) int {
	n := &t.nodes[i]
	if n.name == 0 {
		return 0
	}
	return int(n.start - n.name)
}

// unquote returns the text of the JSON string that src begins with. It aliases src unless the
// string holds escapes.
func unquote(src []byte) string {
	l := jsonx.Lexer{Src: src}
	raw, _ := l.Str()
	if l.Escaped {
		raw = jsonx.AppendUnescaped(make([]byte, 0, len(raw)), raw)
	}
	return unsafe.String(unsafe.SliceData(raw), len(raw))
}

// compact appends the value i without white space and without members that are gone.
func (t *tree) compact(dst []byte, i uint32) []byte {
	n := &t.nodes[i]
	if n.kind != Object && n.kind != Array {
		return append(dst, t.text[n.start:n.end]...)
	}
	closing := byte('}')
	if n.kind == Array {
		closing = ']'
	}
	dst = append(dst, t.text[n.start])
	first := true
	for child := i + 1; child < n.next; child = t.nodes[child].next {
		c := &t.nodes[child]
		if c.gone {
			continue
		}
		if !first {
			dst = append(dst, ',')
		}
		first = false
		if n.kind == Object {
			name := t.text[c.name:c.start]
			dst = append(dst, name[:bytes.LastIndexByte(name, '"')+1]...)
			dst = append(dst, ':')
		}
		dst = t.compact(dst, child)
	}
	return append(dst, closing)
}
