package voidstar

import (
	"bytes"
	"strconv"
	"unicode/utf8"
	"unsafe"

	"github.com/mcpgen/mcpgen/runtime/jsonx"
)

// An Append appends the value at an address, as JSON or as the bytes of media. The
// methods of [Reader] whose names start with Append are such functions, by their method
// expressions, and generated code adds one for each tuple and record.
type Append = func(r *Reader, dst []byte, at int) []byte

// AppendUnit appends a unit.
func (r *Reader) AppendUnit(dst []byte, _ int) []byte { return append(dst, "null"...) }

// AppendBool appends a bool; whatever is not 0 is true.
func (r *Reader) AppendBool(dst []byte, at int) []byte {
	return strconv.AppendBool(dst, r.Bool(at))
}

// AppendInt8 appends an i1.
func (r *Reader) AppendInt8(dst []byte, at int) []byte {
	return strconv.AppendInt(dst, int64(r.Int8(at)), 10)
}

// AppendInt16 appends an i2.
func (r *Reader) AppendInt16(dst []byte, at int) []byte {
	return strconv.AppendInt(dst, int64(r.Int16(at)), 10)
}

// AppendInt32 appends an i4.
func (r *Reader) AppendInt32(dst []byte, at int) []byte {
	return strconv.AppendInt(dst, int64(r.Int32(at)), 10)
}

// AppendInt64 appends an i8.
func (r *Reader) AppendInt64(dst []byte, at int) []byte {
	return strconv.AppendInt(dst, r.Int64(at), 10)
}

// AppendUint8 appends a u1.
func (r *Reader) AppendUint8(dst []byte, at int) []byte {
	return strconv.AppendUint(dst, uint64(r.Uint8(at)), 10)
}

// AppendUint16 appends a u2.
func (r *Reader) AppendUint16(dst []byte, at int) []byte {
	return strconv.AppendUint(dst, uint64(r.Uint16(at)), 10)
}

// AppendUint32 appends a u4.
func (r *Reader) AppendUint32(dst []byte, at int) []byte {
	return strconv.AppendUint(dst, uint64(r.Uint32(at)), 10)
}

// AppendUint64 appends a u8.
func (r *Reader) AppendUint64(dst []byte, at int) []byte {
	return strconv.AppendUint(dst, r.Uint64(at), 10)
}

// AppendFloat32 appends an f4: the shortest number that reads back as the same f4, or
// a string for what JSON has no number for.
func (r *Reader) AppendFloat32(dst []byte, at int) []byte {
	return jsonx.AppendFloat32(dst, r.Float32(at))
}

// AppendFloat64 appends an f8, as [Reader.AppendFloat32] does.
func (r *Reader) AppendFloat64(dst []byte, at int) []byte {
	return jsonx.AppendFloat64(dst, r.Float64(at))
}

// AppendInt appends a j, an integer of any size.
func (r *Reader) AppendInt(dst []byte, at int) []byte {
	return jsonx.AppendInt(dst, r.Int(at))
}

// AppendString appends a string. Bytes that are not UTF-8 become U+FFFD.
func (r *Reader) AppendString(dst []byte, at int) []byte {
	s := r.Bytes(at)
	if !utf8.Valid(s) {
		s = bytes.ToValidUTF8(s, []byte("\uFFFD"))
	}
	return jsonx.AppendString(dst, unsafe.String(unsafe.SliceData(s), len(s))) // no copy; s does not change meanwhile
}

// AppendList appends a list; width is that of an element in bytes.
func (r *Reader) AppendList(dst []byte, at, width int, f Append) []byte {
	dst = append(dst, '[')
	if r.enter() {
		n, first := r.Elements(at, width)
		for i := 0; i < n && !r.bad; i++ {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = f(r, dst, first+i*width)
		}
	}
	r.leave()
	return append(dst, ']')
}

// AppendOptional appends what an optional holds, null if it holds nothing.
func (r *Reader) AppendOptional(dst []byte, at int, f Append) []byte {
	target, ok := r.Target(at)
	if !ok {
		return append(dst, "null"...)
	}
	if r.enter() {
		dst = f(r, dst, target)
	}
	r.leave()
	return dst
}
