package pure

import (
	"encoding/binary"
	"math/bits"
	"slices"

	"github.com/mcpgen/mcpgen/runtime/jsonx"
	"github.com/mcpgen/mcpgen/runtime/xxh64"
)

// The functions of this file compute structural hashes (pure-eval.md 6.7). Each takes the
// hash so far, 0 at first, and returns the one with a value added.

var le = binary.LittleEndian

// The tags of types in hashes. Tuples of fixed width have TagTuple in lists, too.
const (
	TagUnit uint64 = iota
	TagBool
	TagInt8
	TagInt16
	TagInt32
	TagInt64
	TagUint8
	TagUint16
	TagUint32
	TagUint64
	TagFloat32
	TagFloat64
	_ // not used by the language
	TagString
	TagList
	TagTuple
	TagRecord
	TagOptional
	TagInt

	TagEnum    uint64 = 25
	TagVariant uint64 = 26
)

func mix(a, b uint64) uint64 {
	return bits.RotateLeft64(a^b*xxh64.Prime1, 31) * xxh64.Prime2
}

// hashWord adds a value whose memory is the n lowest bytes of bits.
func hashWord(seed, tag, bits uint64, n int) uint64 {
	var buf [8]byte
	le.PutUint64(buf[:], bits)
	return xxh64.Sum(mix(seed, tag), buf[:n])
}

// HashUnit adds a unit.
func HashUnit(seed uint64, _ struct{}) uint64 { return hashWord(seed, TagUnit, 0, 0) }

// HashBool adds a bool.
func HashBool(seed uint64, v bool) uint64 {
	if v {
		return hashWord(seed, TagBool, 1, 1)
	}
	return hashWord(seed, TagBool, 0, 1)
}

// HashInt8 adds an i1.
func HashInt8(seed uint64, v int8) uint64 { return hashWord(seed, TagInt8, uint64(v), 1) }

// HashInt16 adds an i2.
func HashInt16(seed uint64, v int16) uint64 { return hashWord(seed, TagInt16, uint64(v), 2) }

// HashInt32 adds an i4.
func HashInt32(seed uint64, v int32) uint64 { return hashWord(seed, TagInt32, uint64(v), 4) }

// HashInt64 adds an i8.
func HashInt64(seed uint64, v int64) uint64 { return hashWord(seed, TagInt64, uint64(v), 8) }

// HashUint8 adds a u1.
func HashUint8(seed uint64, v uint8) uint64 { return hashWord(seed, TagUint8, uint64(v), 1) }

// HashUint16 adds a u2.
func HashUint16(seed uint64, v uint16) uint64 { return hashWord(seed, TagUint16, uint64(v), 2) }

// HashUint32 adds a u4.
func HashUint32(seed uint64, v uint32) uint64 { return hashWord(seed, TagUint32, uint64(v), 4) }

// HashUint64 adds a u8.
func HashUint64(seed uint64, v uint64) uint64 { return hashWord(seed, TagUint64, v, 8) }

// HashFloat32 adds an f4.
func HashFloat32(seed uint64, v float32) uint64 {
	return hashWord(seed, TagFloat32, uint64(bits32(v)), 4)
}

// HashFloat64 adds an f8.
func HashFloat64(seed uint64, v float64) uint64 { return hashWord(seed, TagFloat64, bits64(v), 8) }

// HashInt adds a j: its limbs of 64 bits in two's complement, as few as it needs.
func HashInt(seed uint64, v jsonx.Int) uint64 {
	seed = mix(seed, TagInt)
	small, large := v.Parts()
	if large == nil {
		var buf [8]byte
		le.PutUint64(buf[:], uint64(small))
		return xxh64.Sum(seed, buf[:])
	}
	// ^v = -v-1 is as wide as v and not negative, if v is.
	magnitude, flip := large, byte(0)
	if large.Sign() < 0 {
		magnitude, flip = v.Big(), 0xFF
		magnitude.Not(magnitude)
	}
	limbs := make([]byte, 8*(magnitude.BitLen()/64+1)) // with room for the sign
	magnitude.FillBytes(limbs)
	slices.Reverse(limbs)
	for i := range limbs {
		limbs[i] ^= flip
	}
	return xxh64.Sum(seed, limbs)
}

// HashString adds a string.
func HashString(seed uint64, v string) uint64 {
	seed = mix(mix(seed, TagString), uint64(len(v)))
	if v == "" {
		return xxh64.Sum(seed, nil)
	}
	return xxh64.Sum(mix(seed, TagUint8), []byte(v)) // which does not copy v
}

// HashList adds a list whose elements f adds, one after the other. It is not for those
// of fixed width, see [HashFixedList].
func HashList[T any](seed uint64, vs []T, f func(seed uint64, v T) uint64) uint64 {
	h := listSeed(seed, len(vs))
	if len(vs) == 0 {
		return xxh64.Sum(h, nil)
	}
	for _, v := range vs {
		h = f(h, v)
	}
	return h
}

// HashFixedList adds a list of elements of fixed width: units, bools, numbers but j, and
// tuples of those. tag is that of the elements; raw appends one as it lies in memory.
func HashFixedList[T any](seed uint64, vs []T, tag uint64, raw func(dst []byte, v T) []byte) uint64 {
	seed = listSeed(seed, len(vs))
	if len(vs) == 0 {
		return xxh64.Sum(seed, nil)
	}
	data := raw(nil, vs[0])
	data = slices.Grow(data, len(data)*(len(vs)-1))
	for _, v := range vs[1:] {
		data = raw(data, v)
	}
	return xxh64.Sum(mix(seed, tag), data)
}

func listSeed(seed uint64, n int) uint64 { return mix(mix(seed, TagList), uint64(n)) }

// HashOptional adds an optional whose value f adds if it is present.
func HashOptional[T any](seed uint64, v *T, f func(seed uint64, v T) uint64) uint64 {
	seed = mix(seed, TagOptional)
	if v == nil {
		return xxh64.Sum(seed, []byte{0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF})
	}
	return f(seed, *v)
}

// HashTuple returns the hash to which the fields of a tuple are added, in order. It is
// not for tuples of fixed width, see [HashFixedTuple].
func HashTuple(seed uint64) uint64 { return mix(seed, TagTuple) }

// HashRecord returns the hash to which the fields of a record are added, in order.
func HashRecord(seed uint64) uint64 { return mix(seed, TagRecord) }

// HashFixedTuple adds a tuple of fixed width, as it lies in memory: see [RawAlign].
func HashFixedTuple(seed uint64, raw []byte) uint64 {
	return xxh64.Sum(mix(seed, TagTuple), raw)
}

// HashFixedRecord adds a record of fixed width as programs from 0.103 on do, like a tuple.
func HashFixedRecord(seed uint64, raw []byte) uint64 {
	return xxh64.Sum(mix(seed, TagRecord), raw)
}

// HashEnum adds an enum, of which the tag is given.
func HashEnum(seed uint64, tag uint8) uint64 { return hashWord(seed, TagEnum, uint64(tag), 1) }

// HashVariant adds the tag of a variant, to which its fields are added as a tuple. Nothing
// is known of how the runtime that is replaced hashes variants.
func HashVariant(seed uint64, tag uint8) uint64 {
	return hashWord(seed, TagVariant, uint64(tag), 1)
}

// Hex16 returns a hash as the text that hash gives.
func Hex16(h uint64) string {
	const digits = "0123456789abcdef"
	var text [16]byte
	for i := range text {
		text[i] = digits[h>>(60-4*i)&15]
	}
	return string(text[:])
}
