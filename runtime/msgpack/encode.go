package msgpack

import (
	"errors"
	"math"

	"github.com/mcpgen/mcpgen/runtime/voidstar"
)

const codeNil = 0xc0

// errLong: msgpack counts in 32 bits.
var errLong = errors.New("serialization error: value of more than 4 GiB has no msgpack form")

// FromVoidstar translates the payload of a voidstar packet to msgpack: integers in their
// shortest form, floats as f64, tuples and records as arrays of their fields, lists of u1
// as arrays too, and integers beyond 64 bits as the bytes of their limbs.
func FromVoidstar(schema string, payload []byte) ([]byte, error) {
	s, err := voidstar.ParseSchema(schema)
	if err != nil {
		return nil, err
	}
	if uint64(len(payload)) > math.MaxUint32 {
		return nil, errLong
	}
	var e encoder
	e.r.Reset(payload)
	if err := e.value(s, e.r.Root()); err != nil {
		return nil, err
	}
	if e.r.Bad() {
		return nil, voidstar.ErrMalformed
	}
	return e.dst, nil
}

type encoder struct {
	r     voidstar.Reader
	dst   []byte
	depth int
}

// value appends the value at an address. If the reader is bad, it stops early and the
// caller is to ask.
func (e *encoder) value(s *voidstar.Schema, at int) error {
	switch s.Kind {
	case voidstar.KindList:
		return e.list(s.Elem, at)
	case voidstar.KindTuple, voidstar.KindRecord:
		return e.fields(s, at)
	case voidstar.KindOptional:
		if target, ok := e.r.Target(at); ok {
			return e.within(s.Elem, target)
		}
		e.dst = append(e.dst, codeNil)
	case voidstar.KindVariant:
		return e.variant(s, at)
	default:
		e.scalar(s, at)
	}
	return nil
}

// variant appends an array of the tag and an array of the fields, nil if there are none.
func (e *encoder) variant(s *voidstar.Schema, at int) error {
	tag := e.r.Arm(at, len(s.Arms))
	e.dst = appendUint(appendArray(e.dst, 2), uint64(tag))
	payload := s.Arms[tag].Payload
	if payload == nil {
		e.dst = append(e.dst, codeNil)
		return nil
	}
	if fields, ok := e.r.Payload(at); ok {
		return e.within(payload, fields)
	}
	return nil
}

// within appends a value that is reached through a list, an optional or a variant.
func (e *encoder) within(s *voidstar.Schema, at int) error {
	if e.depth == voidstar.MaxDepth {
		return errDeep
	}
	e.depth++
	err := e.value(s, at)
	e.depth--
	return err
}

func (e *encoder) list(elem *voidstar.Schema, at int) error {
	n, first := e.r.Elements(at, elem.Width)
	e.dst = appendArray(e.dst, n)
	for i := 0; i < n && !e.r.Bad(); i++ {
		if err := e.within(elem, first+i*elem.Width); err != nil {
			return err
		}
	}
	return nil
}

func (e *encoder) fields(s *voidstar.Schema, at int) error {
	e.dst = appendArray(e.dst, len(s.Fields))
	for _, f := range s.Fields {
		if err := e.value(f.Schema, at+f.Offset); err != nil {
			return err
		}
	}
	return nil
}

func (e *encoder) scalar(s *voidstar.Schema, at int) {
	switch s.Kind {
	case voidstar.KindUnit:
		e.dst = append(e.dst, codeNil)
	case voidstar.KindBool:
		if e.r.Bool(at) {
			e.dst = append(e.dst, 0xc3)
		} else {
			e.dst = append(e.dst, 0xc2)
		}
	case voidstar.KindInt8:
		e.dst = appendInt(e.dst, int64(e.r.Int8(at)))
	case voidstar.KindInt16:
		e.dst = appendInt(e.dst, int64(e.r.Int16(at)))
	case voidstar.KindInt32:
		e.dst = appendInt(e.dst, int64(e.r.Int32(at)))
	case voidstar.KindInt64:
		e.dst = appendInt(e.dst, e.r.Int64(at))
	case voidstar.KindUint8:
		e.dst = appendUint(e.dst, uint64(e.r.Uint8(at)))
	case voidstar.KindUint16:
		e.dst = appendUint(e.dst, uint64(e.r.Uint16(at)))
	case voidstar.KindUint32:
		e.dst = appendUint(e.dst, uint64(e.r.Uint32(at)))
	case voidstar.KindUint64:
		e.dst = appendUint(e.dst, e.r.Uint64(at))
	case voidstar.KindFloat32:
		e.dst = appendFloat(e.dst, float64(e.r.Float32(at)))
	case voidstar.KindFloat64:
		e.dst = appendFloat(e.dst, e.r.Float64(at))
	case voidstar.KindEnum:
		e.dst = appendUint(e.dst, uint64(e.r.Tag(at, len(s.Arms))))
	case voidstar.KindInt:
		e.unbounded(at)
	case voidstar.KindString:
		e.string(at)
	}
}

func (e *encoder) unbounded(at int) {
	small, limbs := e.r.Limbs(at)
	if limbs == nil {
		e.dst = appendInt(e.dst, small)
		return
	}
	e.dst = append(appendSized(e.dst, 0xc4, len(limbs)), limbs...)
}

func (e *encoder) string(at int) {
	s := e.r.Bytes(at)
	if len(s) < 32 {
		e.dst = append(e.dst, 0xa0|byte(len(s)))
	} else {
		e.dst = appendSized(e.dst, 0xd9, len(s))
	}
	e.dst = append(e.dst, s...)
}

// appendArray appends the lead of an array.
func appendArray(dst []byte, n int) []byte {
	switch {
	case n < 16:
		return append(dst, 0x90|byte(n))
	case n <= math.MaxUint16:
		return be.AppendUint16(append(dst, 0xdc), uint16(n))
	}
	return be.AppendUint32(append(dst, 0xdd), uint32(n))
}

// appendSized appends the lead of n bytes: code for lengths of 8 bits, or one of the two
// codes after it.
func appendSized(dst []byte, code byte, n int) []byte {
	switch {
	case n <= math.MaxUint8:
		return append(dst, code, byte(n))
	case n <= math.MaxUint16:
		return be.AppendUint16(append(dst, code+1), uint16(n))
	}
	return be.AppendUint32(append(dst, code+2), uint32(n))
}

func appendInt(dst []byte, v int64) []byte {
	switch {
	case v >= 0:
		return appendUint(dst, uint64(v))
	case v >= -32:
		return append(dst, byte(v))
	case v >= math.MinInt8:
		return append(dst, 0xd0, byte(v))
	case v >= math.MinInt16:
		return be.AppendUint16(append(dst, 0xd1), uint16(v))
	case v >= math.MinInt32:
		return be.AppendUint32(append(dst, 0xd2), uint32(v))
	}
	return be.AppendUint64(append(dst, 0xd3), uint64(v))
}

func appendUint(dst []byte, v uint64) []byte {
	switch {
	case v < 1<<7:
		return append(dst, byte(v))
	case v <= math.MaxUint8:
		return append(dst, 0xcc, byte(v))
	case v <= math.MaxUint16:
		return be.AppendUint16(append(dst, 0xcd), uint16(v))
	case v <= math.MaxUint32:
		return be.AppendUint32(append(dst, 0xce), uint32(v))
	}
	return be.AppendUint64(append(dst, 0xcf), v)
}

func appendFloat(dst []byte, v float64) []byte {
	return be.AppendUint64(append(dst, 0xcb), math.Float64bits(v))
}
