package voidstar

// The methods of this file append what a media result consists of: bytes, as they are
// (pool-protocol 6.6).

// AppendRawString appends the bytes of a string.
func (r *Reader) AppendRawString(dst []byte, at int) []byte {
	return append(dst, r.Bytes(at)...)
}

// AppendRawBytes appends the bytes of a list of u1.
func (r *Reader) AppendRawBytes(dst []byte, at int) []byte {
	return append(dst, r.Bytes(at)...) // laid out like a string
}

// AppendRawStrings appends the bytes of a list of strings.
func (r *Reader) AppendRawStrings(dst []byte, at int) []byte {
	return r.appendRaw(dst, at)
}

// AppendRawBytesList appends the bytes of a list of lists of u1.
func (r *Reader) AppendRawBytesList(dst []byte, at int) []byte {
	return r.appendRaw(dst, at)
}

func (r *Reader) appendRaw(dst []byte, at int) []byte {
	const width = 16
	n, first := r.Elements(at, width)
	for i := 0; i < n && !r.bad; i++ {
		dst = append(dst, r.Bytes(first+i*width)...)
	}
	return dst
}
