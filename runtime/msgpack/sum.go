package msgpack

import (
	"errors"
	"math"
	"strconv"
	"strings"

	"github.com/mcpgen/mcpgen/runtime/voidstar"
)

// enum reads the tag of an enum (manifest-next.md 4.2).
func (d *decoder) enum(at int, s *voidstar.Schema, t token) error {
	if t.form != formUint && t.form != formInt {
		return mismatch("int")
	}
	if t.form == formInt || t.bits >= uint64(len(s.Arms)) {
		names := make([]string, len(s.Arms))
		for i, a := range s.Arms {
			names[i] = a.Name
		}
		return errors.New("serialization error: enum tag " + t.decimal() + " is out of range; the type has " +
			strconv.Itoa(len(names)) + " constructors (" + strings.Join(names, ", ") + ")")
	}
	d.buf[at] = byte(t.bits)
	return nil
}

// variant reads an array of a tag and the fields: an array of them, nil for none.
func (d *decoder) variant(at int, s *voidstar.Schema, t token) error {
	if t.form != formArray || t.bits != 2 {
		return mismatch("array")
	}
	tag, err := d.next()
	switch {
	case err != nil:
		return err
	case tag.form != formUint && tag.form != formInt:
		return mismatch("int")
	case tag.form == formInt || tag.bits >= uint64(len(s.Arms)):
		return errors.New("serialization error: variant tag " + tag.decimal() + " is out of range; the type has " +
			strconv.Itoa(len(s.Arms)) + " arms")
	}
	d.buf[at] = byte(tag.bits)
	payload := s.Arms[tag.bits].Payload
	if payload == nil {
		le.PutUint64(d.buf[at+8:], math.MaxUint64)
		return d.nothing()
	}
	fields := d.block(payload.Width, payload.Align)
	le.PutUint64(d.buf[at+8:], uint64(fields))
	return d.within(fields, payload)
}

// nothing reads the fields of a constructor that has none.
func (d *decoder) nothing() error {
	t, err := d.next()
	if err == nil && t.form != formNil && (t.form != formArray || t.bits != 0) {
		err = mismatch("nil")
	}
	return err
}
