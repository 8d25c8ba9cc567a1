package msgpack

import (
	"encoding/binary"
	"errors"
	"math"
	"strconv"

	"github.com/mcpgen/mcpgen/runtime/voidstar"
)

var le = binary.LittleEndian

var errDeep = errors.New("serialization error: value is nested too deep")

// ToVoidstar translates a msgpack value of a type to the payload of a voidstar packet.
// All of src must be that value. Besides what [FromVoidstar] writes, it takes integers in
// any form that fits, numbers of any form for floats, bytes for strings and for lists of
// u1, and records as maps by key, members that the type does not know ignored.
func ToVoidstar(schema string, src []byte) ([]byte, error) {
	s, err := voidstar.ParseSchema(schema)
	if err != nil {
		return nil, err
	}
	d := decoder{scanner: scanner{src: src}}
	if err := d.value(d.block(s.Width, 1), s); err != nil {
		return nil, err
	}
	if n := d.left(); n > 0 {
		return nil, errors.New("serialization error: " + strconv.Itoa(n) + " bytes after the msgpack value")
	}
	d.block(0, 8)
	return d.buf, nil
}

// A decoder appends to buf what it reads, in the layout of pool-protocol 4.3. Slots in
// buf are zero until they are filled.
type decoder struct {
	scanner
	buf   []byte
	depth int
}

// block appends size zeros at a multiple of align, a power of two, and returns their
// offset.
func (d *decoder) block(size, align int) int {
	start := len(d.buf) + -len(d.buf)&(align-1)
	d.buf = append(d.buf, make([]byte, start+size-len(d.buf))...)
	return start
}

// pair fills the slot at an offset with a count and a pointer, or with a value.
func (d *decoder) pair(at int, count, target uint64) {
	le.PutUint64(d.buf[at:], count)
	le.PutUint64(d.buf[at+8:], target)
}

// value reads a value into the slot at an offset.
func (d *decoder) value(at int, s *voidstar.Schema) error {
	if s.Kind == voidstar.KindOptional {
		return d.optional(at, s.Elem)
	}
	t, err := d.next()
	if err != nil {
		return err
	}
	switch s.Kind {
	case voidstar.KindList:
		return d.list(at, s, t)
	case voidstar.KindTuple:
		return d.fields(at, s, t)
	case voidstar.KindRecord:
		if t.form == formMap {
			return d.members(at, s, t.bits)
		}
		return d.fields(at, s, t)
	case voidstar.KindVariant:
		return d.variant(at, s, t)
	case voidstar.KindString:
		if t.form != formString && t.form != formBinary {
			return mismatch("string")
		}
		return d.bytes(at, t.bits, 1)
	}
	return d.scalar(at, s, t)
}

// mismatch is the error about a value of another form than its type has.
func mismatch(want string) error {
	return errors.New("serialization error: size calc " + want + ": the type decoded isn't match with the expected one")
}

func (d *decoder) optional(at int, elem *voidstar.Schema) error {
	if d.left() > 0 && d.src[d.pos] == codeNil {
		d.pos++
		le.PutUint64(d.buf[at:], math.MaxUint64)
		return nil
	}
	target := d.block(elem.Width, elem.Align)
	le.PutUint64(d.buf[at:], uint64(target))
	return d.within(target, elem)
}

// within reads a value into a slot that is reached through a list, an optional or a
// variant: only these nest without the type saying how deep.
func (d *decoder) within(at int, s *voidstar.Schema) error {
	if d.depth == voidstar.MaxDepth {
		return errDeep
	}
	d.depth++
	err := d.value(at, s)
	d.depth--
	return err
}

// bytes reads n bytes to a block of their own.
func (d *decoder) bytes(at int, n uint64, align int) error {
	b, err := d.take(n)
	if err != nil || n == 0 {
		return err
	}
	d.pair(at, n, uint64(d.block(0, align)))
	d.buf = append(d.buf, b...)
	return nil
}

func (d *decoder) list(at int, s *voidstar.Schema, t token) error {
	binary := t.form == formBinary && s.Elem.Kind == voidstar.KindUint8
	switch {
	case t.form != formArray && !binary:
		return mismatch("array")
	case s.Len > 0 && t.bits != uint64(s.Len):
		return errors.New("Array length mismatch: expected " + strconv.Itoa(s.Len) + ", got " + t.decimal())
	case binary:
		return d.bytes(at, t.bits, s.Elem.DataAlign())
	case t.bits > uint64(d.left()/least(s.Elem)):
		return errEnd
	case t.bits == 0:
		return nil
	}
	n, width := int(t.bits), s.Elem.Width
	first := d.block(n*width, s.Elem.DataAlign())
	d.pair(at, t.bits, uint64(first))
	for i := range n {
		if err := d.within(first+i*width, s.Elem); err != nil {
			return err
		}
	}
	return nil
}

// least returns the smallest number of bytes that a value of a type takes.
func least(s *voidstar.Schema) int {
	if s.Kind == voidstar.KindVariant {
		return 3 // an array, a tag and nil
	}
	n := 1
	for _, f := range s.Fields {
		n += least(f.Schema)
	}
	return n
}

// fields reads a tuple, or a record as an array.
func (d *decoder) fields(at int, s *voidstar.Schema, t token) error {
	if t.form != formArray {
		return mismatch("array")
	}
	if t.bits != uint64(len(s.Fields)) {
		return errors.New("serialization error: expected " + strconv.Itoa(len(s.Fields)) + " fields, got " + t.decimal())
	}
	for _, f := range s.Fields {
		if err := d.value(at+f.Offset, f.Schema); err != nil {
			return err
		}
	}
	return nil
}

// members reads a record as a map of n pairs.
func (d *decoder) members(at int, s *voidstar.Schema, n uint64) error {
	seen := make([]bool, len(s.Fields))
	for range n {
		i, err := d.key(s)
		switch {
		case err != nil:
			return err
		case i < 0:
			err = d.skip()
		case seen[i]:
			return errors.New("serialization error: duplicate field '" + s.Fields[i].Name + "' in record")
		default:
			seen[i] = true
			err = d.value(at+s.Fields[i].Offset, s.Fields[i].Schema)
		}
		if err != nil {
			return err
		}
	}
	for i, f := range s.Fields {
		if !seen[i] {
			return errors.New("serialization error: missing required field '" + f.Name + "' in record")
		}
	}
	return nil
}

// key reads a key and returns the index of the field that it names, -1 for none.
func (d *decoder) key(s *voidstar.Schema) (int, error) {
	start := d.pos
	t, err := d.next()
	if err != nil {
		return 0, err
	}
	if t.form != formString {
		d.pos = start
		return -1, d.skip()
	}
	name, err := d.take(t.bits)
	if err != nil {
		return 0, err
	}
	for i, f := range s.Fields {
		if f.Name == string(name) {
			return i, nil
		}
	}
	return -1, nil
}
