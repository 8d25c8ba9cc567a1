package pure_test

import (
	"encoding/binary"
	"math"
	"math/bits"
	"testing"

	"github.com/mcpgen/mcpgen/runtime/jsonx"
	"github.com/mcpgen/mcpgen/runtime/pure"
	"github.com/mcpgen/mcpgen/runtime/xxh64"
)

// A mixed is a tuple (i1, i4, f8), of fixed width; the methods are what is generated.
type mixed struct {
	F0 int8
	F1 int32
	F2 float64
}

func rawMixed(dst []byte, v mixed) []byte {
	from := len(dst)
	dst = pure.RawInt8(dst, v.F0)
	dst = pure.RawInt32(pure.RawAlign(dst, from, 4), v.F1)
	dst = pure.RawFloat64(pure.RawAlign(dst, from, 8), v.F2)
	return pure.RawAlign(dst, from, 8)
}

// The table of pure-eval.md 6.7, then what is told apart by tests only.
func TestHash(t *testing.T) {
	t.Parallel()
	ints := []jsonx.Int{jsonx.NewInt(1), jsonx.NewInt(2), jsonx.NewInt(3)}
	triple := pure.HashTuple(0)
	for _, v := range ints {
		triple = pure.HashInt(triple, v)
	}
	tests := []struct {
		name string
		got  uint64
		want string
	}{
		{"s", pure.HashString(0, "hello"), "447c3bd1a33eb4df"},
		{"s empty", pure.HashString(0, ""), "1d85ae7ecf298135"},
		{"j", pure.HashInt(0, jsonx.NewInt(42)), "a311d4bf7eb5bec4"},
		{"j 0", pure.HashInt(0, jsonx.NewInt(0)), "77541e6e96726dd0"},
		{"j -1", pure.HashInt(0, jsonx.NewInt(-1)), "a5ff8c35401a05b7"},
		{"t3jjj", triple, "48fe6b3478393bbf"},
		{"b", pure.HashBool(0, true), "1064fdbfb64d6fc3"},
		{"f8", pure.HashFloat64(0, 3.14), "ad3352bcad3bb045"},
		{"i8", pure.HashInt64(0, 42), "b23466ab9607f80e"},
		{"aj", pure.HashList(0, ints, pure.HashInt), "f11730e80b59340e"},
		{"ai4", pure.HashFixedList(0, []int32{1, 2, 3}, pure.TagInt32, pure.RawInt32), "256fd9cb41a2b4e7"},
		{"aj empty", pure.HashList(0, nil, pure.HashInt), "7531e5cbb4d34059"},
		{"ai4 empty", pure.HashFixedList(0, nil, pure.TagInt32, pure.RawInt32), "7531e5cbb4d34059"},
		{"as", pure.HashList(0, []string{"a", "bc"}, pure.HashString), "a7dc075a48efb3da"},
		{"z", pure.HashUnit(0, struct{}{}), "ef46db3751d8e999"},
		{"t3i1i4f8", pure.HashFixedTuple(0, rawMixed(nil, mixed{1, -2, 0.5})), "4d297bb9b415030e"},
		{"?j", pure.HashOptional(0, nil, pure.HashInt), "d92070dee12588e9"},
		{"?j present", pure.HashOptional(0, &[]jsonx.Int{jsonx.NewInt(5)}[0], pure.HashInt), "0ea689ce47edd68c"},
		{"j of two limbs", pure.HashInt(0, jsonx.MustParseInt("123456789012345678901234567890")), "b96a75462032222c"},
		{"j 2^64-1", pure.HashInt(0, jsonx.MustParseInt("18446744073709551615")), "96faa47fcd8da22d"},
	}
	for _, tt := range tests {
		if got := pure.Hex16(tt.got); got != tt.want {
			t.Errorf("hash of %s = %s, want %s", tt.name, got, tt.want)
		}
	}
}

func TestRaw(t *testing.T) {
	t.Parallel()
	nan := math.Float64frombits(0x7FF8000000000001)
	tests := []struct {
		name string
		got  []byte
		want string
	}{
		{"unit", pure.RawUnit(nil, struct{}{}), ""},
		{"bools", pure.RawBool(pure.RawBool(nil, false), true), "\x00\x01"},
		{"i1", pure.RawInt8(nil, -2), "\xfe"},
		{"i2", pure.RawInt16(nil, -2), "\xfe\xff"},
		{"i4", pure.RawInt32(nil, -2), "\xfe\xff\xff\xff"},
		{"i8", pure.RawInt64(nil, -2), "\xfe\xff\xff\xff\xff\xff\xff\xff"},
		{"u1", pure.RawUint8(nil, 254), "\xfe"},
		{"u2", pure.RawUint16(nil, 0x102), "\x02\x01"},
		{"u4", pure.RawUint32(nil, 0x102), "\x02\x01\x00\x00"},
		{"u8", pure.RawUint64(nil, 0x102), "\x02\x01\x00\x00\x00\x00\x00\x00"},
		{"f4", pure.RawFloat32(nil, 1), "\x00\x00\x80\x3f"},
		{"f4 nan", pure.RawFloat32(nil, float32(nan)), "\x00\x00\xc0\x7f"},
		{"f8", pure.RawFloat64(nil, 1), "\x00\x00\x00\x00\x00\x00\xf0\x3f"},
		{"f8 nan", pure.RawFloat64(nil, nan), "\x00\x00\x00\x00\x00\x00\xf8\x7f"},
		{"tuple", rawMixed([]byte("xyz"), mixed{1, -2, 1}), "xyz\x01\x00\x00\x00\xfe\xff\xff\xff\x00\x00\x00\x00\x00\x00\xf0\x3f"},
	}
	for _, tt := range tests {
		if string(tt.got) != tt.want {
			t.Errorf("memory of %s = %x, want %x", tt.name, tt.got, tt.want)
		}
	}
}

// Each type has a hash of its own for the same memory, and the seed matters.
func TestHashTellsTypesApart(t *testing.T) {
	t.Parallel()
	seen := map[uint64]string{}
	for name, h := range map[string]uint64{
		"z": pure.HashUnit(1, struct{}{}), "b": pure.HashBool(1, false),
		"i1": pure.HashInt8(1, 0), "i2": pure.HashInt16(1, 0), "i4": pure.HashInt32(1, 0), "i8": pure.HashInt64(1, 0),
		"u1": pure.HashUint8(1, 0), "u2": pure.HashUint16(1, 0), "u4": pure.HashUint32(1, 0), "u8": pure.HashUint64(1, 0),
		"f4": pure.HashFloat32(1, 0), "f8": pure.HashFloat64(1, 0), "f8 -0": pure.HashFloat64(1, math.Copysign(0, -1)),
		"j": pure.HashInt(1, jsonx.NewInt(0)), "s": pure.HashString(1, ""), "a": pure.HashList(1, nil, pure.HashString),
		"t": pure.HashTuple(1), "m": pure.HashRecord(1), "?": pure.HashOptional(1, nil, pure.HashUnit),
		"seed 2": pure.HashUnit(2, struct{}{}),
	} {
		if other, ok := seen[h]; ok {
			t.Errorf("%s and %s have the same hash", name, other)
		}
		seen[h] = name
	}
}

// Two's complement at the edges of limbs, against the definition by big integers.
func TestHashIntLimbs(t *testing.T) {
	t.Parallel()
	tests := []struct {
		value string
		limbs []uint64
	}{
		{"9223372036854775808", []uint64{1 << 63, 0}},
		{"-9223372036854775809", []uint64{1<<63 - 1, math.MaxUint64}},
		{"-18446744073709551616", []uint64{0, math.MaxUint64}},
		{"170141183460469231731687303715884105727", []uint64{math.MaxUint64, 1<<63 - 1}},
		{"-170141183460469231731687303715884105728", []uint64{0, 1 << 63}},
		{"170141183460469231731687303715884105728", []uint64{0, 1 << 63, 0}},
	}
	for _, tt := range tests {
		want := hashLimbs(tt.limbs)
		if got := pure.HashInt(0, jsonx.MustParseInt(tt.value)); got != want {
			t.Errorf("hash of %s = %016x, want %016x", tt.value, got, want)
		}
	}
}

func TestHashDoesNotAllocate(t *testing.T) {
	words := []string{"some", "words"}
	if n := testing.AllocsPerRun(100, func() {
		h := pure.HashList(0, words, pure.HashString)
		h = pure.HashFloat64(h, 1.5)
		pure.HashInt(h, jsonx.NewInt(7))
	}); n != 0 {
		t.Errorf("hashing allocates %v times, want 0", n)
	}
}

// hashLimbs is the hash of an integer of several limbs, from its definition.
func hashLimbs(limbs []uint64) uint64 {
	var raw []byte
	for _, limb := range limbs {
		raw = binary.LittleEndian.AppendUint64(raw, limb)
	}
	tag := pure.TagInt
	seed := bits.RotateLeft64(tag*xxh64.Prime1, 31) * xxh64.Prime2
	return xxh64.Sum(seed, raw)
}
