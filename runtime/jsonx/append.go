package jsonx

import (
	"strconv"
	"strings"
	"unsafe"
)

// AppendString appends s as a JSON string; s must be UTF-8. Only the quote, the
// backslash and control characters are escaped.
func AppendString(dst []byte, s string) []byte {
	dst = append(dst, '"')
	dst = AppendEscaped(dst, unsafe.Slice(unsafe.StringData(s), len(s)))
	return append(dst, '"')
}

// AppendEscaped appends s as the inside of a JSON string. It is also how a result that
// is JSON itself becomes the text of a content block.
func AppendEscaped(dst, s []byte) []byte {
	for len(s) > 0 {
		switch c := s[0]; {
		case c == '"' || c == '\\':
			dst = append(dst, '\\', c)
		case c < ' ':
			dst = appendControl(dst, c)
		default:
			n, _ := plain(s)
			dst = append(dst, s[:n]...)
			s = s[n:]
			continue
		}
		s = s[1:]
	}
	return dst
}

// AppendNested appends s as a JSON string inside of a JSON string: at once what AppendEscaped
// makes of what AppendString makes of it. s must be UTF-8.
func AppendNested(dst []byte, s string) []byte {
	const quote = `\"`
	dst = append(dst, quote...)
	for rest := unsafe.Slice(unsafe.StringData(s), len(s)); ; {
		n, _ := plain(rest)
		dst = append(dst, rest[:n]...)
		if n == len(rest) {
			return append(dst, quote...)
		}
		var once [6]byte // the longest escape sequence
		dst = AppendEscaped(dst, AppendEscaped(once[:0], rest[n:n+1]))
		rest = rest[n+1:]
	}
}

// appendControl appends the escape sequence of a control character.
func appendControl(dst []byte, c byte) []byte {
	if k := strings.IndexByte("\b\f\n\r\t", c); k >= 0 {
		return append(dst, '\\', "bfnrt"[k])
	}
	const hex = "0123456789abcdef"
	return append(dst, '\\', 'u', '0', '0', hex[c>>4], hex[c&15])
}

// AppendUnit appends null, the only value of the unit type.
func AppendUnit(dst []byte, _ struct{}) []byte { return append(dst, "null"...) }

// AppendBool appends true or false.
func AppendBool(dst []byte, v bool) []byte { return strconv.AppendBool(dst, v) }

// AppendInt8 appends v in decimal.
func AppendInt8(dst []byte, v int8) []byte { return strconv.AppendInt(dst, int64(v), 10) }

// AppendInt16 appends v in decimal.
func AppendInt16(dst []byte, v int16) []byte { return strconv.AppendInt(dst, int64(v), 10) }

// AppendInt32 appends v in decimal.
func AppendInt32(dst []byte, v int32) []byte { return strconv.AppendInt(dst, int64(v), 10) }

// AppendInt64 appends v in decimal.
func AppendInt64(dst []byte, v int64) []byte { return strconv.AppendInt(dst, v, 10) }

// AppendUint8 appends v in decimal.
func AppendUint8(dst []byte, v uint8) []byte { return strconv.AppendUint(dst, uint64(v), 10) }

// AppendUint16 appends v in decimal.
func AppendUint16(dst []byte, v uint16) []byte { return strconv.AppendUint(dst, uint64(v), 10) }

// AppendUint32 appends v in decimal.
func AppendUint32(dst []byte, v uint32) []byte { return strconv.AppendUint(dst, uint64(v), 10) }

// AppendUint64 appends v in decimal.
func AppendUint64(dst []byte, v uint64) []byte { return strconv.AppendUint(dst, v, 10) }

// AppendFloat64s appends vs as a JSON array.
func AppendFloat64s(dst []byte, vs []float64) []byte {
	dst = append(dst, '[')
	for i, v := range vs {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = AppendFloat64(dst, v)
	}
	return append(dst, ']')
}

// AppendList appends vs as a JSON array, each element by f.
func AppendList[T any](dst []byte, vs []T, f func([]byte, T) []byte) []byte {
	dst = append(dst, '[')
	for i, v := range vs {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = f(dst, v)
	}
	return append(dst, ']')
}

// AppendOptional appends *v by f, or null.
func AppendOptional[T any](dst []byte, v *T, f func([]byte, T) []byte) []byte {
	if v == nil {
		return append(dst, "null"...)
	}
	return f(dst, *v)
}
