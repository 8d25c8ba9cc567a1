package zstd

import "math/bits"

// A state is a row of an FSE decoding table: the symbol it stands for and how to reach
// the next state, base plus the value of the next bits.
type state struct {
	base   uint16
	symbol uint8
	bits   uint8
}

// maxFSESymbols bounds the alphabets of sequence codes and Huffman weights.
const maxFSESymbols = 64

// fseDistribution reads the probabilities of symbols 0..max and returns how many bytes
// they took (RFC 8878 4.1.1). A probability of -1 is "less than one".
func fseDistribution(src []byte, maxLog uint, max int) (probs []int16, log uint, size int, err error) {
	r := forwardReader{src: src}
	log = uint(r.read(4)) + 5
	if log > maxLog {
		return nil, 0, 0, errCorrupt
	}
	probs = make([]int16, 0, maxFSESymbols)
	for remaining := 1 << log; remaining > 0; {
		if len(probs) > max {
			return nil, 0, 0, errCorrupt
		}
		p := r.probability(remaining)
		probs = append(probs, int16(p))
		if p < 0 {
			p = -p
		}
		if remaining -= p; remaining < 0 {
			return nil, 0, 0, errCorrupt
		}
		for repeat := 3; p == 0 && repeat == 3; {
			repeat = int(r.read(2))
			for range repeat {
				probs = append(probs, 0)
			}
			if len(probs) > max+1 {
				return nil, 0, 0, errCorrupt
			}
		}
	}
	if size = (r.pos + 7) / 8; size > len(src) {
		return nil, 0, 0, errTruncated
	}
	return probs, log, size, nil
}

// A forwardReader reads bits from the lowest of the first byte on; behind the end are zeros.
type forwardReader struct {
	src []byte
	pos int // in bits
}

func (r *forwardReader) peek(k int) (v uint32) {
	for i := range k {
		at := r.pos + i
		if at/8 < len(r.src) {
			v |= uint32(r.src[at/8]>>(at%8)&1) << i
		}
	}
	return v
}

func (r *forwardReader) read(k int) uint32 {
	v := r.peek(k)
	r.pos += k
	return v
}

// probability reads a value of 0..remaining+1, less one. Small values take a bit less.
func (r *forwardReader) probability(remaining int) int {
	k := bits.Len(uint(remaining + 1))
	v := int(r.peek(k))
	half := 1<<(k-1) - 1
	short := 1<<k - 1 - (remaining + 1) // how many values take k-1 bits
	if v&half < short {
		r.pos += k - 1
		return v&half - 1
	}
	r.pos += k
	if v > half {
		v -= short
	}
	return v - 1
}

// buildFSE appends the decoding table of a distribution to table[:0].
func buildFSE(table []state, probs []int16, log uint) ([]state, error) {
	size := 1 << log
	if cap(table) < size {
		table = make([]state, size)
	}
	table = table[:size]
	var next [maxFSESymbols]uint16 // state number of the symbol's next row
	high := size
	for s, p := range probs {
		next[s] = uint16(p)
		if p == -1 {
			high--
			table[high].symbol = uint8(s)
			next[s] = 1
		}
	}
	pos, mask, step := 0, size-1, size>>1+size>>3+3
	for s, p := range probs {
		for range max(p, 0) {
			table[pos].symbol = uint8(s)
			pos = (pos + step) & mask
			for pos >= high {
				pos = (pos + step) & mask
			}
		}
	}
	if pos != 0 {
		return nil, errCorrupt
	}
	for i := range table {
		row := &table[i]
		n := next[row.symbol]
		next[row.symbol]++
		row.bits = uint8(log) + 1 - uint8(bits.Len16(n))
		row.base = n<<row.bits - uint16(size)
	}
	return table, nil
}
