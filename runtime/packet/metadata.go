package packet

import (
	"bytes"
	"iter"
	"slices"
)

const (
	entryMark   = "mmh"
	entryHead   = len(entryMark) + 1 + 4 // mark, type, size
	entrySchema = 1
	entryFrames = 4
	frameSize   = 16
	blockAlign  = 32 // metadata blocks are multiples of it
)

// entries yields the entries of a metadata block: type and body. It ends, without
// complaint, where no further entry begins or one does not fit.
func entries(meta []byte) iter.Seq2[byte, []byte] {
	return func(yield func(byte, []byte) bool) {
		for len(meta) >= entryHead && string(meta[:len(entryMark)]) == entryMark {
			kind, size := meta[len(entryMark)], uint64(le.Uint32(meta[len(entryMark)+1:]))
			meta = meta[entryHead:]
			if size > uint64(len(meta)) || !yield(kind, meta[:size]) {
				return
			}
			meta = meta[size:]
		}
	}
}

// schemaOf returns the type schema of a metadata block, "" if it has none.
func schemaOf(meta []byte) string {
	for kind, body := range entries(meta) {
		if kind == entrySchema {
			text, _, _ := bytes.Cut(body, []byte{0})
			return string(text)
		}
	}
	return ""
}

// appendEntry appends the head of an entry whose body has size bytes.
func appendEntry(dst []byte, kind byte, size int) []byte {
	dst = append(dst, entryMark...)
	dst = append(dst, kind)
	return le.AppendUint32(dst, uint32(size))
}

// appendSchema appends the entry of a type schema.
func appendSchema(dst []byte, schema string) []byte {
	dst = appendEntry(dst, entrySchema, len(schema)+1)
	dst = append(dst, schema...)
	return append(dst, 0)
}

// appendFrames appends the index of compressed frames.
func appendFrames(dst []byte, frames []Frame) []byte {
	dst = appendEntry(dst, entryFrames, 4+frameSize*len(frames))
	dst = le.AppendUint32(dst, uint32(len(frames)))
	for _, f := range frames {
		dst = le.AppendUint64(dst, f.Plain)
		dst = le.AppendUint64(dst, f.Packed)
	}
	return dst
}

// pad appends zeros until what starts at from has a multiple of n bytes; n is a power
// of two.
func pad(dst []byte, from, n int) []byte { return extend(dst, -(len(dst)-from)&(n-1)) }

// extend appends n zeros.
func extend(dst []byte, n int) []byte {
	end := len(dst)
	dst = slices.Grow(dst, n)[:end+n]
	clear(dst[end:])
	return dst
}
