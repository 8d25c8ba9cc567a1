package pure

import "math"

// The functions of this file append values of fixed width as they lie in memory, which
// is what their hashes are made of. A tuple is its fields in order, each after
// RawAlign(dst, from, alignment of the field), and at the end RawAlign(dst, from, n) with
// the largest alignment; from is where the tuple starts.

// What the runtime that is replaced keeps for NaN; Go has other ones.
const (
	nan32 = 0x7FC00000
	nan64 = 0x7FF8000000000000
)

// RawAlign appends zeros until dst[from:] is a multiple of n bytes long.
func RawAlign(dst []byte, from, n int) []byte {
	for (len(dst)-from)%n != 0 {
		dst = append(dst, 0)
	}
	return dst
}

// RawUnit appends a unit, which takes no bytes.
func RawUnit(dst []byte, _ struct{}) []byte { return dst }

// RawBool appends a bool.
func RawBool(dst []byte, v bool) []byte {
	if v {
		return append(dst, 1)
	}
	return append(dst, 0)
}

// RawInt8 appends an i1.
func RawInt8(dst []byte, v int8) []byte { return append(dst, byte(v)) }

// RawInt16 appends an i2.
func RawInt16(dst []byte, v int16) []byte { return le.AppendUint16(dst, uint16(v)) }

// RawInt32 appends an i4.
func RawInt32(dst []byte, v int32) []byte { return le.AppendUint32(dst, uint32(v)) }

// RawInt64 appends an i8.
func RawInt64(dst []byte, v int64) []byte { return le.AppendUint64(dst, uint64(v)) }

// RawUint8 appends a u1.
func RawUint8(dst []byte, v uint8) []byte { return append(dst, v) }

// RawUint16 appends a u2.
func RawUint16(dst []byte, v uint16) []byte { return le.AppendUint16(dst, v) }

// RawUint32 appends a u4.
func RawUint32(dst []byte, v uint32) []byte { return le.AppendUint32(dst, v) }

// RawUint64 appends a u8.
func RawUint64(dst []byte, v uint64) []byte { return le.AppendUint64(dst, v) }

// RawFloat32 appends an f4.
func RawFloat32(dst []byte, v float32) []byte { return le.AppendUint32(dst, bits32(v)) }

// RawFloat64 appends an f8.
func RawFloat64(dst []byte, v float64) []byte { return le.AppendUint64(dst, bits64(v)) }

func bits32(v float32) uint32 {
	if v != v {
		return nan32
	}
	return math.Float32bits(v)
}

func bits64(v float64) uint64 {
	if v != v {
		return nan64
	}
	return math.Float64bits(v)
}
