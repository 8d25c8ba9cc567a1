package pure

// Join appends the parts of a media result, one after the other.
func Join[T ~string | ~[]byte](dst []byte, parts []T) []byte {
	for _, p := range parts {
		dst = append(dst, p...)
	}
	return dst
}
