package zstd

import "slices"

const (
	literalsRaw        = 0
	literalsRLE        = 1
	literalsCompressed = 2
	literalsTreeless   = 3 // with the tree of the block before
)

// readLiterals decodes the literals section of a block into d.literals and returns what
// follows it (RFC 8878 3.1.1.3.1).
func (d *decoder) readLiterals(src []byte) (rest []byte, err error) {
	if len(src) == 0 {
		return nil, errTruncated
	}
	kind, format := src[0]&3, src[0]>>2&3
	if kind == literalsCompressed || kind == literalsTreeless {
		return d.huffmanLiterals(src, kind == literalsCompressed, format)
	}
	width, shift := 1, 3
	switch format {
	case 1:
		width, shift = 2, 4
	case 3:
		width, shift = 3, 4
	}
	if len(src) < width {
		return nil, errTruncated
	}
	size := int(littleEndian(src[:width]) >> shift)
	src = src[width:]
	if size > d.maxBlock {
		return nil, errCorrupt
	}
	if kind == literalsRLE {
		if len(src) == 0 {
			return nil, errTruncated
		}
		d.literals = appendRepeated(d.literals[:0], src[0], size)
		return src[1:], nil
	}
	if len(src) < size {
		return nil, errTruncated
	}
	d.literals = append(d.literals[:0], src[:size]...)
	return src[size:], nil
}

// huffmanLiterals is readLiterals for compressed ones; own says that a tree comes first.
func (d *decoder) huffmanLiterals(src []byte, own bool, format byte) (rest []byte, err error) {
	width := [4]int{3, 3, 4, 5}[format]
	bits := [4]int{10, 10, 14, 18}[format] // of each of the two sizes
	if len(src) < width {
		return nil, errTruncated
	}
	sizes := littleEndian(src[:width]) >> 4
	src = src[width:]
	size, packed := int(sizes&(1<<bits-1)), int(sizes>>bits)
	if size > d.maxBlock {
		return nil, errCorrupt
	}
	if packed > len(src) {
		return nil, errTruncated
	}
	body, rest := src[:packed], src[packed:]
	if own {
		if body, err = d.huffman.read(body); err != nil {
			return nil, err
		}
	}
	if d.huffman.bits == 0 {
		return nil, errCorrupt
	}
	d.literals = slices.Grow(d.literals[:0], size)[:size]
	if format == 0 {
		err = d.huffman.decode(d.literals, body)
	} else {
		err = d.huffman.decodeFour(d.literals, body)
	}
	return rest, err
}
