package jsonx

// AppendIndented appends checked JSON text spread over lines: two spaces a level, one
// member or element a line, nothing inside of what is empty.
func AppendIndented(dst, src []byte) []byte {
	depth := 0
	newline := func(depth int) {
		dst = append(dst, '\n')
		for range depth {
			dst = append(dst, "  "...)
		}
	}
	l := Lexer{Src: src}
	for l.Space(); l.Pos < len(src); l.Space() {
		start, c := l.Pos, src[l.Pos]
		switch c {
		case '"':
			if _, err := l.Str(); err != nil {
				return append(dst, src[start:]...)
			}
			dst = append(dst, src[start:l.Pos]...)
			continue
		case '{', '[':
			depth++
			dst = append(dst, c)
			l.Pos++
			l.Space()
			if next := l.Peek(); next == '}' || next == ']' {
				depth--
				dst = append(dst, next)
				l.Pos++
			} else {
				newline(depth)
			}
			continue
		case '}', ']':
			depth--
			newline(depth)
			dst = append(dst, c)
		case ',':
			dst = append(dst, c)
			newline(depth)
		case ':':
			dst = append(dst, ": "...)
		default:
			dst = append(dst, c)
		}
		l.Pos++
	}
	return dst
}
