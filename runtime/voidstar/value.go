package voidstar

import (
	"math"
	"math/big"
	"slices"

	"github.com/mcpgen/mcpgen/runtime/jsonx"
	"strings"
)

// Unit reads a unit.
func (r *Reader) Unit(int) struct{} { return struct{}{} }

// Bool reads a bool; whatever is not 0 is true.
func (r *Reader) Bool(at int) bool { return r.at(at, 1)[0] != 0 }

// Int8 reads an i1.
func (r *Reader) Int8(at int) int8 { return int8(r.at(at, 1)[0]) }

// Int16 reads an i2.
func (r *Reader) Int16(at int) int16 { return int16(le.Uint16(r.at(at, 2))) }

// Int32 reads an i4.
func (r *Reader) Int32(at int) int32 { return int32(le.Uint32(r.at(at, 4))) }

// Int64 reads an i8.
func (r *Reader) Int64(at int) int64 { return int64(le.Uint64(r.at(at, 8))) }

// Uint8 reads a u1.
func (r *Reader) Uint8(at int) uint8 { return r.at(at, 1)[0] }

// Uint16 reads a u2.
func (r *Reader) Uint16(at int) uint16 { return le.Uint16(r.at(at, 2)) }

// Uint32 reads a u4.
func (r *Reader) Uint32(at int) uint32 { return le.Uint32(r.at(at, 4)) }

// Uint64 reads a u8.
func (r *Reader) Uint64(at int) uint64 { return le.Uint64(r.at(at, 8)) }

// Float32 reads an f4.
func (r *Reader) Float32(at int) float32 { return math.Float32frombits(r.Uint32(at)) }

// Float64 reads an f8.
func (r *Reader) Float64(at int) float64 { return math.Float64frombits(r.Uint64(at)) }

// String reads a string. Bytes that are not UTF-8 become U+FFFD.
func (r *Reader) String(at int) string {
	return strings.ToValidUTF8(string(r.Bytes(at)), "\uFFFD")
}

// Limbs reads a j. One that fits 64 bits is small, and limbs is nil; of others it
// returns the bytes of their limbs: little-endian, two's complement, a multiple of 8,
// aliasing what is read from.
func (r *Reader) Limbs(at int) (small int64, limbs []byte) {
	f := r.at(at, 16)
	n, value := le.Uint64(f), le.Uint64(f[8:])
	switch {
	case n == 0:
		return 0, nil
	case n == 1:
		return int64(value), nil
	case value >= nullPtr || n > maxLength/8 || !r.spend(int(n>>1)):
		r.bad = true
		return 0, nil
	}
	return 0, r.data(int(value&r.mask), int(8*n))
}

// Int reads a j, an integer of any size.
func (r *Reader) Int(at int) jsonx.Int {
	small, limbs := r.Limbs(at)
	if limbs == nil {
		return jsonx.NewInt(small)
	}
	limbs = slices.Clone(limbs)
	slices.Reverse(limbs)
	v := new(big.Int).SetBytes(limbs)
	if limbs[0]&0x80 != 0 {
		v.Sub(v, new(big.Int).Lsh(big.NewInt(1), uint(8*len(limbs))))
	}
	return jsonx.FromBig(v)
}

// List reads a list; width is that of an element in bytes.
func List[T any](r *Reader, at, width int, f func(r *Reader, at int) T) []T {
	defer r.leave()
	if !r.enter() {
		return nil
	}
	n, first := r.Elements(at, width)
	vs := make([]T, n)
	for i := range vs {
		if vs[i] = f(r, first+i*width); r.bad {
			return nil
		}
	}
	return vs
}

// Optional reads what an optional holds, nil if it holds nothing.
func Optional[T any](r *Reader, at int, f func(r *Reader, at int) T) *T {
	target, ok := r.Target(at)
	if !ok {
		return nil
	}
	defer r.leave()
	if !r.enter() {
		return nil
	}
	v := f(r, target)
	return &v
}
