// Package xxh64 computes XXH64, the 64-bit xxHash. Structural hashes of values and the
// checksums of zstd frames are made of it; it is not for anything that an adversary may
// choose the input of and gain by a collision.
package xxh64

import (
	"encoding/binary"
	"math/bits"
)

// The primes of XXH64. Prime1 and Prime2 are exported because the structural hash of
// values mixes with the same two (pure-eval.md 6.7).
const (
	Prime1 uint64 = 0x9E3779B185EBCA87
	Prime2 uint64 = 0xC2B2AE3D27D4EB4F
	prime3 uint64 = 0x165667B19E3779F9
	prime4 uint64 = 0x85EBCA77C2B2AE63
	prime5 uint64 = 0x27D4EB2F165667C5
)

var le = binary.LittleEndian

// Sum returns the hash of data under a seed. It neither keeps nor changes data, so
// Sum(seed, []byte(text)) does not copy the text.
func Sum(seed uint64, data []byte) uint64 {
	n := uint64(len(data))
	var h uint64
	if len(data) < 32 {
		h = seed + prime5
	} else {
		h, data = stripes(seed, data)
	}
	h += n
	for ; len(data) >= 8; data = data[8:] {
		h ^= round(0, le.Uint64(data))
		h = bits.RotateLeft64(h, 27)*Prime1 + prime4
	}
	if len(data) >= 4 {
		h ^= uint64(le.Uint32(data)) * Prime1
		h = bits.RotateLeft64(h, 23)*Prime2 + prime3
		data = data[4:]
	}
	for _, c := range data {
		h ^= uint64(c) * prime5
		h = bits.RotateLeft64(h, 11) * Prime1
	}
	h = (h ^ h>>33) * Prime2
	h = (h ^ h>>29) * prime3
	return h ^ h>>32
}

// stripes takes all whole blocks of 32 bytes and returns what is left.
func stripes(seed uint64, data []byte) (h uint64, rest []byte) {
	v1, v2, v3, v4 := seed+Prime1, seed, seed, seed
	v1, v2, v4 = v1+Prime2, v2+Prime2, v4-Prime1
	for ; len(data) >= 32; data = data[32:] {
		v1 = round(v1, le.Uint64(data))
		v2 = round(v2, le.Uint64(data[8:]))
		v3 = round(v3, le.Uint64(data[16:]))
		v4 = round(v4, le.Uint64(data[24:]))
	}
	h = bits.RotateLeft64(v1, 1) + bits.RotateLeft64(v2, 7) +
		bits.RotateLeft64(v3, 12) + bits.RotateLeft64(v4, 18)
	for _, v := range [...]uint64{v1, v2, v3, v4} {
		h = (h^round(0, v))*Prime1 + prime4
	}
	return h, data
}

func round(acc, lane uint64) uint64 {
	return bits.RotateLeft64(acc+lane*Prime2, 31) * Prime1
}
