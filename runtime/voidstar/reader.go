// Package voidstar reads values in the memory layout that language pools use: a value
// occupies a slot of fixed width, and what varies in size lies elsewhere, found by a
// pointer in the slot (pool-protocol 4.2). Values come inside of packets, in files and
// in shared memory.
//
// A [Reader] appends them as JSON, hands them out as Go values, or appends the bytes of
// media. Generated code calls it with the offsets of the value's type. [Schema] is for
// callers that know a type at run time only.
//
// The invariant to know: whatever a value points to, reading it neither panics nor runs
// without bound. What lies outside is read as empty and remembered, so code runs straight
// through and asks [Reader.Bad] once, at the end.
package voidstar

import (
	"encoding/binary"
	"errors"
)

var le = binary.LittleEndian

const (
	// MaxDepth is how deep lists and optionals may nest. A chain of 100,000 links,
	// each an optional in the one before, is a value that must pass.
	MaxDepth = 200_000

	// maxBudget is how many elements, optionals and groups of 16 string bytes may be
	// read. Pointers may share or loop, so the size of a payload alone bounds nothing.
	// A payload in which nothing is shared needs no more than its own size of it, and
	// gets twice that and some, for units, which take no bytes.
	maxBudget = 1 << 28
	minBudget = 1 << 20

	nullPtr   = 1 << 63 // bit of pointers that lead nowhere
	offsetLen = 48      // bits of an offset; those above are the index of a volume
	maxLength = 1 << 47 // of a string in bytes; keeps arithmetic from overflowing
)

// ErrMalformed is what to report if a reader is [Reader.Bad].
var ErrMalformed = errors.New("serialization error: value points outside of its payload or is too deep")

var (
	errNoBlock  = errors.New("shared memory error: no block at the address of the result")
	errReleased = errors.New("shared memory error: the result was released before it was read")
)

// A Reader reads one value after the other. An address is the offset of a slot in the
// payload or, in shared memory, an offset below the index of its volume in bits 48 to 62.
//
// A Reader may be reused with Reset or ResetShared; the zero Reader has no value. It is
// not safe for concurrent use.
type Reader struct {
	mem    []byte               // payload, or the volume at hand
	base   int                  // address of mem[0]
	mask   uint64               // bits of a pointer that make an address
	volume func(idx int) []byte // nil if the value is in a payload
	root   int
	depth  int
	budget int
	bad    bool
}

// Reset starts reading a value in a payload, its root at offset 0. Volume indices in
// pointers, which saved values may have, are ignored (pool-protocol 3.6).
func (r *Reader) Reset(payload []byte) {
	budget := min(minBudget+2*len(payload), maxBudget)
	*r = Reader{mem: payload, mask: 1<<offsetLen - 1, budget: budget}
}

// ResetShared starts reading a value in shared memory. volume returns the data region of
// a volume, nil if there is none; the reader keeps asking for it as pointers lead from
// volume to volume. An error says that there is no value at root, or no more
// (pool-protocol 5.4).
func (r *Reader) ResetShared(root int, volume func(index int) []byte) error {
	*r = Reader{mask: nullPtr - 1, budget: maxBudget, volume: volume, root: root, base: -1}
	const magic, header, releasing = 0x0cb10df0, 16, 1<<32 - 1
	block := r.at(root-header, header)
	switch {
	case root < header || le.Uint32(block) != magic:
		r.bad = true
		return errNoBlock
	case le.Uint32(block[4:]) == 0, le.Uint32(block[4:]) == releasing:
		r.bad = true
		return errReleased
	}
	return nil
}

// Root returns the address of the value.
func (r *Reader) Root() int { return r.root }

// Bad reports whether something read since the last Reset pointed outside, nested deeper
// than [MaxDepth] or went on for too long. What was read is then worth nothing.
func (r *Reader) Bad() bool { return r.bad }

var zeros [16]byte

// at returns the n bytes at an address, n <= 16; zeros if they are not there.
func (r *Reader) at(addr, n int) []byte {
	if off := addr - r.base; off >= 0 && off <= len(r.mem)-n {
		return r.mem[off : off+n]
	}
	if b := r.far(addr, n); b != nil {
		return b
	}
	return zeros[:n]
}

// data returns the n bytes at an address, nil if they are not there.
func (r *Reader) data(addr, n int) []byte {
	if off := addr - r.base; off >= 0 && off <= len(r.mem)-n {
		return r.mem[off : off+n]
	}
	return r.far(addr, n)
}

// far turns to the volume of an address that is not in the one at hand.
func (r *Reader) far(addr, n int) []byte {
	if r.volume != nil && addr >= 0 {
		index := addr >> offsetLen
		r.mem, r.base = r.volume(index), index<<offsetLen
		if off := addr - r.base; off <= len(r.mem)-n {
			return r.mem[off : off+n]
		}
	}
	r.bad = true
	return nil
}

// spend takes n from the budget.
func (r *Reader) spend(n int) bool {
	if n > r.budget {
		r.bad = true
		return false
	}
	r.budget -= n
	return true
}

// Bytes returns the bytes of the string at an address. They alias what is read from.
func (r *Reader) Bytes(addr int) []byte {
	f := r.at(addr, 16)
	n, ptr := le.Uint64(f), le.Uint64(f[8:])
	if n == 0 {
		return nil // the pointer may be anything
	}
	if ptr >= nullPtr || n > maxLength || !r.spend(int(n>>4)) {
		r.bad = true
		return nil
	}
	return r.data(int(ptr&r.mask), int(n))
}

// Elements returns the number of elements of the list at an address and the address of
// the first; width is that of an element in bytes.
func (r *Reader) Elements(addr, width int) (n, first int) {
	f := r.at(addr, 16)
	count, ptr := le.Uint64(f), le.Uint64(f[8:])
	if count == 0 {
		return 0, 0
	}
	if ptr >= nullPtr || count > maxBudget || !r.spend(int(count)) {
		r.bad = true
		return 0, 0
	}
	n, first = int(count), int(ptr&r.mask)
	if width > 0 && r.data(first, n*width) == nil {
		return 0, 0
	}
	return n, first
}

// Target returns the address of what the optional at an address holds; false if it holds
// nothing.
func (r *Reader) Target(addr int) (at int, ok bool) {
	ptr := le.Uint64(r.at(addr, 8))
	if ptr >= nullPtr || !r.spend(1) {
		return 0, false
	}
	return int(ptr & r.mask), true
}

// enter goes a level down, which leave takes back. It is false if that is too deep.
func (r *Reader) enter() bool {
	r.depth++
	if r.depth > MaxDepth {
		r.bad = true
	}
	return !r.bad
}

func (r *Reader) leave() { r.depth-- }
