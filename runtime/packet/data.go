package packet

import "strconv"

// A Frame is the size in bytes of an independently compressed part of a payload, before
// and after compression.
type Frame struct {
	Plain  uint64
	Packed uint64
}

// AppendData appends a data packet: the type schema of its value, without hints, and the
// payload that holds it.
func AppendData(dst []byte, schema string, format Format, payload []byte) []byte {
	head := len(dst)
	dst = appendHeader(dst, TypeData, SourceMessage, format)
	dst = appendSchema(dst, schema)
	return finish(dst, head, payload)
}

// AppendCompressed appends a data packet whose payload is made of zstd frames.
func AppendCompressed(dst []byte, schema string, format Format, frames []Frame, payload []byte) []byte {
	head := len(dst)
	dst = appendHeader(dst, TypeData, SourceMessage, format)
	dst[head+15] = 1
	dst = appendFrames(appendSchema(dst, schema), frames)
	return finish(dst, head, payload)
}

// AppendFailure appends the packet that tells a caller why its call failed.
func AppendFailure(dst []byte, text string) []byte {
	head := len(dst)
	dst = appendHeader(dst, TypeData, SourceMessage, FormatText)
	dst[head+17] = 1
	setSizes(dst[head:], 0, len(text))
	return append(dst, text...)
}

// finish completes the packet that starts at head and whose metadata ends dst.
func finish(dst []byte, head int, payload []byte) []byte {
	dst = pad(dst, head+HeaderSize, blockAlign)
	setSizes(dst[head:], len(dst)-head-HeaderSize, len(payload))
	return append(dst, payload...)
}

// appendHeader appends a header without sizes.
func appendHeader(dst []byte, t Type, s Source, f Format) []byte {
	head := len(dst)
	dst = extend(dst, HeaderSize)
	h := dst[head:]
	le.PutUint32(h, magic)
	h[12], h[13], h[14] = byte(t), byte(s), byte(f)
	return dst
}

// setSizes writes the sizes of metadata and payload into a header.
func setSizes(header []byte, meta, payload int) {
	le.PutUint32(header[20:], uint32(meta))
	le.PutUint64(header[24:], uint64(payload))
}

func decimal(v uint64) string { return strconv.FormatUint(v, 10) }
