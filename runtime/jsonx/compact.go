package jsonx

// AppendCompact appends a JSON text, which was checked, without the white space around its
// tokens. Members keep their order, strings their escapes and numbers their digits.
func AppendCompact(dst, src []byte) []byte {
	inString := false
	start := 0
	for i := 0; i < len(src); i++ {
		switch c := src[i]; {
		case c == '"':
			inString = !inString
		case inString && c == '\\':
			i++
		case !inString && c <= ' ':
			dst = append(dst, src[start:i]...)
			start = i + 1
		}
	}
	return append(dst, src[start:]...)
}
