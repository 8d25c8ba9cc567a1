package zstd

import (
	"math/bits"
	"sync"
)

const (
	hashBits  = 16
	minMatch  = 4
	niceMatch = 512 // long enough to stop looking for a longer one
	maxOffset = 1 << 27
)

// A matcher finds repetitions in src: positions with the same hash of four bytes form a
// chain, of which the newest few are tried.
type matcher struct {
	src   []byte
	heads [1 << hashBits]int32 // newest position + 1
	prev  []int32              // the position before it + 1
	depth int
}

func newMatcher(src []byte, level int) *matcher {
	return &matcher{src: src, prev: make([]int32, len(src)), depth: 1 << min(max(level, 1), 9)}
}

func (m *matcher) head(at int) *int32 {
	return &m.heads[le.Uint32(m.src[at:])*2654435761>>(32-hashBits)]
}

// skip remembers the positions of src[from:to].
func (m *matcher) skip(from, to int) {
	for at := from; at < min(to, len(m.src)-minMatch+1); at++ {
		head := m.head(at)
		m.prev[at] = *head
		*head = int32(at + 1)
	}
}

// sequences covers src[start:end]: the sequences and all their literals, last ones
// included. Offsets are remembered in r.
func (m *matcher) sequences(start, end int, r *recent) (literals []byte, out []encoded) {
	from := start // of the literals of the next sequence
	for at := start; at+minMatch <= end; {
		offset, n := m.longest(at, end)
		if n == 0 {
			m.skip(at, at+1)
			at++
			continue
		}
		literals = append(literals, m.src[from:at]...)
		value := uint32(offset) + 3
		if at > from && uint32(offset) == r[0] {
			value = 1
		}
		r.offset(value, at == from)
		out = append(out, encode(at-from, n, value))
		m.skip(at, at+n)
		at += n
		from = at
	}
	return append(literals, m.src[from:end]...), out
}

// longest returns the longest match for the text at a position that ends by end; n is 0
// if there is none.
func (m *matcher) longest(at, end int) (offset, n int) {
	n = minMatch - 1
	next := *m.head(at)
	for range m.depth {
		if next == 0 || at-int(next-1) > maxOffset {
			break
		}
		old := int(next - 1)
		if at+n < end && m.src[old+n] == m.src[at+n] {
			if k := common(m.src[old:], m.src[at:end]); k > n {
				offset, n = at-old, k
				if n >= niceMatch {
					break
				}
			}
		}
		next = m.prev[old]
	}
	if offset == 0 {
		return 0, 0
	}
	return offset, n
}

// common returns how many bytes a and b, the shorter one, begin with in common.
func common(a, b []byte) int {
	i := 0
	for ; i+8 <= len(b); i += 8 {
		if x := le.Uint64(a[i:]) ^ le.Uint64(b[i:]); x != 0 {
			return i + bits.TrailingZeros64(x)/8
		}
	}
	for i < len(b) && a[i] == b[i] {
		i++
	}
	return i
}

// A fseEncoder writes the codes of one predefined table.
type fseEncoder struct {
	log  uint
	rows [maxFSESymbols][]uint16 // of each code, in the order of the table
}

var encoders = sync.OnceValue(func() (tables [3]fseEncoder) {
	for kind, t := range predefined() {
		e := &tables[kind]
		e.log = t.log
		for i, row := range t.rows {
			e.rows[row.symbol] = append(e.rows[row.symbol], uint16(i))
		}
	}
	return tables
})

// first returns a state for the last code.
func (e *fseEncoder) first(code uint8) uint { return uint(e.rows[code][0]) }

// next writes the bits that lead a decoder from a state of code to a given one, and
// returns the state to come from.
func (e *fseEncoder) next(w *bitWriter, to uint, code uint8) uint {
	rows := e.rows[code]
	p := uint(len(rows))
	x := to + 1<<e.log
	k := e.log + 1 - uint(bits.Len(p))
	if x>>k < p {
		k--
	}
	w.write(uint64(x&(1<<k-1)), k)
	return uint(rows[x>>k-p])
}
