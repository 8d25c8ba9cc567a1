package zstd

import "math/bits"

// Encode appends src as one frame to dst and returns the extended slice. The frame names
// its size, has no checksum and may need a window as large as src, so callers keep src at
// 16 MiB or below. A higher level (1 to 9) looks longer for repetitions; what does not
// shrink is stored.
func Encode(dst, src []byte, level int) []byte {
	dst = appendHeader(dst, len(src))
	m := newMatcher(src, level)
	r := newRecent
	for start := 0; ; {
		end := min(start+maxBlock, len(src))
		dst = appendBlock(dst, m, &r, start, end)
		if end == len(src) {
			return dst
		}
		start = end
	}
}

// appendHeader appends a header with the smallest field that holds the size.
func appendHeader(dst []byte, size int) []byte {
	const single = 0x20
	dst = le.AppendUint32(dst, frameMagic)
	switch {
	case size < 256:
		return append(dst, single, byte(size))
	case size < 256+1<<16:
		return le.AppendUint16(append(dst, single|1<<6), uint16(size-256))
	case size < 1<<32:
		return le.AppendUint32(append(dst, single|2<<6), uint32(size))
	}
	return le.AppendUint64(append(dst, single|3<<6), uint64(size))
}

// appendBlock appends src[start:end] in the smallest of the three forms.
func appendBlock(dst []byte, m *matcher, r *recent, start, end int) []byte {
	src := m.src[start:end]
	if len(src) > 1 && allEqual(src) {
		m.skip(start, end)
		return append(appendBlockHeader(dst, end == len(m.src), blockRLE, len(src)), src[0])
	}
	old := *r
	literals, sequences := m.sequences(start, end, r)
	if len(sequences) > 0 {
		at := len(dst)
		dst = appendBlockHeader(dst, end == len(m.src), blockCompressed, 0)
		dst = appendLiterals(dst, literals)
		dst = appendSequences(dst, sequences)
		if size := len(dst) - at - blockHeader; size < len(src) {
			appendBlockHeader(dst[:at], end == len(m.src), blockCompressed, size)
			return dst
		}
		dst = dst[:at]
		*r = old // the decoder will not see these sequences
	}
	return append(appendBlockHeader(dst, end == len(m.src), blockRaw, len(src)), src...)
}

const blockHeader = 3 // bytes

func appendBlockHeader(dst []byte, last bool, kind, size int) []byte {
	head := size<<3 | kind<<1
	if last {
		head |= 1
	}
	return append(dst, byte(head), byte(head>>8), byte(head>>16))
}

func allEqual(src []byte) bool {
	for _, c := range src[1:] {
		if c != src[0] {
			return false
		}
	}
	return true
}

// appendLiterals appends a section of raw literals.
func appendLiterals(dst, literals []byte) []byte {
	n := len(literals)
	switch {
	case n < 1<<5:
		dst = append(dst, byte(n<<3|literalsRaw))
	case n < 1<<12:
		dst = le.AppendUint16(dst, uint16(n<<4|1<<2|literalsRaw))
	default:
		head := n<<4 | 3<<2 | literalsRaw
		dst = append(dst, byte(head), byte(head>>8), byte(head>>16))
	}
	return append(dst, literals...)
}

// appendSequences appends a section of sequences, coded with the predefined tables. The
// decoder reads the bits backwards, so everything is written last to first.
func appendSequences(dst []byte, sequences []encoded) []byte {
	n := len(sequences)
	switch {
	case n < 128:
		dst = append(dst, byte(n))
	case n < 0x7F00:
		dst = append(dst, byte(n>>8+128), byte(n))
	default:
		dst = le.AppendUint16(append(dst, 255), uint16(n-0x7F00))
	}
	dst = append(dst, 0) // modes: all predefined
	tables := encoders()
	w := bitWriter{dst: dst}
	var states [3]uint
	for i := n - 1; i >= 0; i-- {
		s := &sequences[i]
		for _, kind := range [3]int{offsetCodes, matchLengths, literalLengths} {
			t := &tables[kind]
			if i == n-1 {
				states[kind] = t.first(s.codes[kind])
			} else {
				states[kind] = t.next(&w, states[kind], s.codes[kind])
			}
		}
		for _, kind := range [3]int{literalLengths, matchLengths, offsetCodes} {
			w.write(s.extra[kind], uint(s.width[kind]))
		}
	}
	for _, kind := range [3]int{matchLengths, offsetCodes, literalLengths} {
		w.write(uint64(states[kind]), tables[kind].log)
	}
	return w.end()
}

// An encoded is a sequence as its three codes with their extra bits.
type encoded struct {
	codes, width [3]uint8
	extra        [3]uint64
}

// encode codes a sequence of literals and a match; value is the offset value.
func encode(literals, match int, value uint32) (e encoded) {
	e.set(literalLengths, literalLengthCodes, uint32(literals))
	e.set(matchLengths, matchLengthCodes, uint32(match))
	k := bits.Len32(value) - 1
	e.codes[offsetCodes], e.width[offsetCodes] = uint8(k), uint8(k)
	e.extra[offsetCodes] = uint64(value) - 1<<k
	return e
}

func (e *encoded) set(kind int, codes []code, value uint32) {
	i := len(codes) - 1
	for codes[i].base > value {
		i--
	}
	e.codes[kind], e.width[kind] = uint8(i), codes[i].extra
	e.extra[kind] = uint64(value - codes[i].base)
}

// A bitWriter writes what a [bitReader] reads, in the opposite order.
type bitWriter struct {
	dst []byte
	acc uint64
	n   uint
}

// write appends the low k bits of v, at most 32.
func (w *bitWriter) write(v uint64, k uint) {
	w.acc |= v << w.n
	for w.n += k; w.n >= 8; w.n -= 8 {
		w.dst = append(w.dst, byte(w.acc))
		w.acc >>= 8
	}
}

// end appends the end mark and returns all that was written.
func (w *bitWriter) end() []byte {
	w.write(1, 1)
	if w.n > 0 {
		w.dst = append(w.dst, byte(w.acc))
	}
	return w.dst
}
