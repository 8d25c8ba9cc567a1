package zstd

import (
	"encoding/binary"
	"errors"
	"math"
	"slices"

	"github.com/mcpgen/mcpgen/runtime/xxh64"
)

const (
	frameMagic    = 0xFD2FB528
	skippable     = 0x184D2A50 // to 0x184D2A5F
	maxBlock      = 128 << 10
	maxPrealloc   = 16 << 20 // what a header alone may make us allocate
	checksumWidth = 4
)

var (
	// ErrLimit is the error for frames that hold more than the caller wants.
	ErrLimit = errors.New("zstd: content exceeds the limit")
	// ErrDictionary is the error for a frame that was made with a dictionary.
	ErrDictionary = errors.New("zstd: frame needs a dictionary")
	// ErrChecksum is the error for content that does not match the checksum of its frame.
	ErrChecksum = errors.New("zstd: checksum mismatch")

	errMagic     = errors.New("zstd: not a frame")
	errTruncated = errors.New("zstd: unexpected end of frame")
	errCorrupt   = errors.New("zstd: corrupt frame")
)

var le = binary.LittleEndian

// Decode appends the content of src to dst and returns the extended slice. src holds
// whole frames, one or more, skippable ones among them. More than limit bytes of content
// are refused with [ErrLimit]; a checksum that is present is verified. On an error the
// content is not to be used.
func Decode(dst, src []byte, limit int) ([]byte, error) {
	if len(src) == 0 {
		return dst, errTruncated
	}
	var d decoder
	end := len(dst) + min(limit, math.MaxInt-len(dst))
	for len(src) > 0 {
		if len(src) < 4 {
			return dst, errTruncated
		}
		var err error
		switch magic := le.Uint32(src); {
		case magic == frameMagic:
			dst, src, err = d.frame(dst, src[4:], end)
		case magic&^0xF == skippable:
			src, err = skip(src[4:])
		default:
			err = errMagic
		}
		if err != nil {
			return dst, err
		}
	}
	return dst, nil
}

// skip moves past a skippable frame, whose magic is read already.
func skip(src []byte) (rest []byte, err error) {
	if len(src) < 4 {
		return nil, errTruncated
	}
	size := uint64(le.Uint32(src))
	if src = src[4:]; size > uint64(len(src)) {
		return nil, errTruncated
	}
	return src[size:], nil
}

// A header is what a frame says about itself.
type header struct {
	window   uint64 // how far back matches reach, in bytes
	size     uint64 // of the content, if sized
	sized    bool
	checksum bool
}

// parseHeader reads a frame header behind its magic (RFC 8878 3.1.1.1).
func parseHeader(src []byte) (h header, rest []byte, err error) {
	if len(src) == 0 {
		return h, nil, errTruncated
	}
	descriptor := src[0]
	single := descriptor&0x20 != 0
	h.checksum = descriptor&4 != 0
	dictWidth := [4]int{0, 1, 2, 4}[descriptor&3]
	sizeWidth := [4]int{0, 2, 4, 8}[descriptor>>6]
	if descriptor&8 != 0 {
		return h, nil, errCorrupt // reserved
	}
	src = src[1:]
	windowWidth := 1
	if single {
		windowWidth = 0
		sizeWidth = max(sizeWidth, 1)
	}
	if len(src) < windowWidth+dictWidth+sizeWidth {
		return h, nil, errTruncated
	}
	if !single {
		h.window = 1 << (10 + src[0]>>3)
		h.window += h.window / 8 * uint64(src[0]&7)
		src = src[1:]
	}
	if littleEndian(src[:dictWidth]) != 0 {
		return h, nil, ErrDictionary
	}
	src = src[dictWidth:]
	h.size = littleEndian(src[:sizeWidth])
	h.sized = sizeWidth > 0
	if sizeWidth == 2 {
		h.size += 256
	}
	if single {
		h.window = h.size
	}
	return h, src[sizeWidth:], nil
}

func littleEndian(src []byte) (v uint64) {
	for i, c := range src {
		v |= uint64(c) << (8 * i)
	}
	return v
}

// A decoder holds the tables that blocks of a frame share.
type decoder struct {
	huffman  huffmanTable
	literals []byte // scratch of one block
	kinds    [3]sequenceTable
	recent   recent

	start    int    // of the frame's content in the destination
	end      int    // what the destination may not outgrow
	window   uint64 // see header
	maxBlock int
}

// frame decodes a frame, whose magic is read already.
func (d *decoder) frame(dst, src []byte, end int) (out, rest []byte, err error) {
	h, src, err := parseHeader(src)
	if err != nil {
		return dst, nil, err
	}
	if h.sized && h.size > uint64(end-len(dst)) {
		return dst, nil, ErrLimit
	}
	d.reset(h, len(dst), end)
	if h.sized {
		dst = slices.Grow(dst, int(min(h.size, maxPrealloc)))
	}
	for last := false; !last && err == nil; {
		dst, src, last, err = d.block(dst, src)
	}
	if err != nil {
		return dst, nil, err
	}
	if h.sized && uint64(len(dst)-d.start) != h.size {
		return dst, nil, errCorrupt
	}
	if h.checksum {
		if len(src) < checksumWidth {
			return dst, nil, errTruncated
		}
		if le.Uint32(src) != uint32(xxh64.Sum(0, dst[d.start:])) {
			return dst, nil, ErrChecksum
		}
		src = src[checksumWidth:]
	}
	return dst, src, nil
}

// reset prepares for the blocks of a new frame: nothing is carried over from the last one.
func (d *decoder) reset(h header, start, end int) {
	d.huffman.bits = 0
	for i := range d.kinds {
		d.kinds[i] = sequenceTable{}
	}
	d.recent = newRecent
	d.start, d.end, d.window = start, end, h.window
	d.maxBlock = int(min(h.window, maxBlock))
}

// block decodes one block (RFC 8878 3.1.1.2).
func (d *decoder) block(dst, src []byte) (out, rest []byte, last bool, err error) {
	if len(src) < 3 {
		return dst, nil, false, errTruncated
	}
	head := littleEndian(src[:3])
	src = src[3:]
	last = head&1 != 0
	kind, size := head>>1&3, int(head>>3)
	if size > d.maxBlock {
		return dst, nil, false, errCorrupt
	}
	width := size
	if kind == blockRLE {
		width = 1
	}
	if width > len(src) {
		return dst, nil, false, errTruncated
	}
	body, rest := src[:width], src[width:]
	switch kind {
	case blockRaw:
		if size > d.end-len(dst) {
			return dst, nil, false, ErrLimit
		}
		dst = append(dst, body...)
	case blockRLE:
		if size > d.end-len(dst) {
			return dst, nil, false, ErrLimit
		}
		dst = appendRepeated(dst, body[0], size)
	case blockCompressed:
		dst, err = d.compressed(dst, body)
	default:
		err = errCorrupt
	}
	return dst, rest, last, err
}

const (
	blockRaw        = 0
	blockRLE        = 1
	blockCompressed = 2
)

func appendRepeated(dst []byte, c byte, n int) []byte {
	dst = slices.Grow(dst, n)
	end := len(dst) + n
	for len(dst) < end {
		dst = append(dst, c)
	}
	return dst
}
