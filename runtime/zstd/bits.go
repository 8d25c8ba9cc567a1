package zstd

import "math/bits"

// A bitReader reads a bit stream backwards: from the last byte to the first, each from
// its highest bit. The highest bit set of the last byte only marks the end.
type bitReader struct {
	src  []byte // bytes not in acc yet
	acc  uint64 // the low n bits are to be read next, highest first
	n    uint
	over bool // more was read than there is; such bits are zero
}

// newBitReader drops the end mark; ok is false if there is none.
func newBitReader(src []byte) (r bitReader, ok bool) {
	if len(src) == 0 || src[len(src)-1] == 0 {
		return r, false
	}
	last := src[len(src)-1]
	r.src = src[:len(src)-1]
	r.n = uint(bits.Len8(last)) - 1
	r.acc = uint64(last)
	return r, true
}

// fill makes at least 56 bits ready, or all that are left.
func (r *bitReader) fill() {
	if r.n <= 32 && len(r.src) >= 4 {
		k := len(r.src) - 4
		r.acc = r.acc<<32 | uint64(le.Uint32(r.src[k:]))
		r.src = r.src[:k]
		r.n += 32
	}
	for r.n <= 56 && len(r.src) > 0 {
		k := len(r.src) - 1
		r.acc = r.acc<<8 | uint64(r.src[k])
		r.src = r.src[:k]
		r.n += 8
	}
}

// peek returns the next k bits (at most 56, made ready by fill); missing ones are zero.
func (r *bitReader) peek(k uint) uint64 {
	if k > r.n {
		return r.acc << (k - r.n) & (1<<k - 1)
	}
	return r.acc >> (r.n - k) & (1<<k - 1)
}

// skip moves past k bits.
func (r *bitReader) skip(k uint) {
	if k > r.n {
		r.over, r.n = true, 0
		return
	}
	r.n -= k
}

// read returns the next k bits, like peek, and moves past them.
func (r *bitReader) read(k uint) uint64 {
	v := r.peek(k)
	r.skip(k)
	return v
}

// exhausted reports that exactly all bits were read.
func (r *bitReader) exhausted() bool { return r.n == 0 && len(r.src) == 0 && !r.over }
