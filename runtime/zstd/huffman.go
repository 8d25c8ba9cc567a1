package zstd

import "math/bits"

const (
	maxHuffmanBits   = 11
	maxWeightLog     = 6
	maxWeights       = 255
	streamJumpWidth  = 6
	minFourStreams   = 6 // bytes of literals
	directWeightBase = 127
)

// A huffmanTable decodes literals: the next bits of the stream are the index of a code.
type huffmanTable struct {
	bits  uint // longest code; 0: there is no table
	codes [1 << maxHuffmanBits]struct{ symbol, bits uint8 }
}

// read reads the description of a tree and returns what follows it (RFC 8878 4.2.1).
func (t *huffmanTable) read(src []byte) (rest []byte, err error) {
	t.bits = 0
	if len(src) == 0 {
		return nil, errTruncated
	}
	head := int(src[0])
	src = src[1:]
	var weights [maxWeights + 1]uint8
	var n, size int
	if head > directWeightBase {
		n = head - directWeightBase
		if size = (n + 1) / 2; size > len(src) {
			return nil, errTruncated
		}
		for i := range n {
			weights[i] = src[i/2] >> (4 * (1 - i%2)) & 15
		}
	} else {
		if size = head; size > len(src) {
			return nil, errTruncated
		}
		if n, err = fseWeights(&weights, src[:size]); err != nil {
			return nil, err
		}
	}
	return src[size:], t.build(&weights, n)
}

// fseWeights decodes weights that two states of one table take turns to give.
func fseWeights(weights *[maxWeights + 1]uint8, src []byte) (n int, err error) {
	probs, log, size, err := fseDistribution(src, maxWeightLog, maxHuffmanBits)
	if err != nil {
		return 0, err
	}
	var buf [1 << maxWeightLog]state
	table, err := buildFSE(buf[:0], probs, log)
	if err != nil {
		return 0, err
	}
	r, ok := newBitReader(src[size:])
	if !ok {
		return 0, errCorrupt
	}
	r.fill()
	this, other := table[r.read(log)], table[r.read(log)]
	for n < maxWeights-1 {
		weights[n] = this.symbol
		n++
		r.fill()
		this = table[int(this.base)+int(r.read(uint(this.bits)))]
		if r.over { // the end is where a state cannot be renewed
			weights[n] = other.symbol
			return n + 1, nil
		}
		this, other = other, this
	}
	return 0, errCorrupt
}

// build fills the table; the weight of the symbol behind the last one is what is missing
// to a power of two.
func (t *huffmanTable) build(weights *[maxWeights + 1]uint8, n int) error {
	var count [maxHuffmanBits + 2]int
	sum := 0
	for _, w := range weights[:n] {
		if w > maxHuffmanBits {
			return errCorrupt
		}
		count[w]++
		sum += 1 << w >> 1
	}
	length := bits.Len(uint(sum))
	missing := 1<<length - sum
	if sum == 0 || length > maxHuffmanBits || missing&(missing-1) != 0 {
		return errCorrupt
	}
	weights[n] = uint8(bits.Len(uint(missing)))
	count[weights[n]]++
	if count[1] < 2 || count[1]%2 != 0 {
		return errCorrupt
	}
	var start [maxHuffmanBits + 2]int // of the codes of a weight; light ones come first
	for w := 1; w <= length; w++ {
		start[w+1] = start[w] + count[w]<<(w-1)
	}
	for s, w := range weights[:n+1] {
		if w == 0 {
			continue
		}
		span := 1 << (w - 1)
		for i := range span {
			code := &t.codes[start[w]+i]
			code.symbol, code.bits = uint8(s), uint8(length+1)-w
		}
		start[w] += span
	}
	t.bits = uint(length)
	return nil
}

// decode fills dst from one stream, which must hold exactly that much.
func (t *huffmanTable) decode(dst, src []byte) error {
	r, ok := newBitReader(src)
	if !ok {
		return errCorrupt
	}
	i := 0
	for ; i+4 < len(dst); i += 5 { // five codes fit in what fill makes ready
		r.fill()
		for k := range 5 {
			code := t.codes[r.peek(t.bits)]
			dst[i+k] = code.symbol
			r.skip(uint(code.bits))
		}
	}
	r.fill()
	for ; i < len(dst); i++ {
		code := t.codes[r.peek(t.bits)]
		dst[i] = code.symbol
		r.skip(uint(code.bits))
	}
	if !r.exhausted() {
		return errCorrupt
	}
	return nil
}

// decodeFour fills dst from four streams behind a table of the sizes of the first three.
func (t *huffmanTable) decodeFour(dst, src []byte) error {
	if len(src) < streamJumpWidth {
		return errTruncated
	}
	if len(dst) < minFourStreams {
		return errCorrupt
	}
	sizes := src[:streamJumpWidth]
	src = src[streamJumpWidth:]
	part := (len(dst) + 3) / 4
	for i := range 3 {
		n := int(le.Uint16(sizes[2*i:]))
		if n > len(src) {
			return errTruncated
		}
		if err := t.decode(dst[:part], src[:n]); err != nil {
			return err
		}
		dst, src = dst[part:], src[n:]
	}
	return t.decode(dst, src)
}
