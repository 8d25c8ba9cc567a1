package jsonx

import (
	"math"
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

// AppendFloat64 appends v as the shortest text that round-trips, in the form of
// encoding/json; what JSON has no number for becomes "nan", "inf" or "-inf".
func AppendFloat64(dst []byte, v float64) []byte {
	abs := math.Abs(v)
	if abs < 1<<53 && v == math.Trunc(v) && (v != 0 || !math.Signbit(v)) {
		return strconv.AppendInt(dst, int64(v), 10)
	}
	if 1e-3 <= abs && abs < 1e9 {
		if dst, ok := appendDecimal(dst, v, abs); ok {
			return dst
		}
	}
	return appendFloat(dst, v, 64)
}

// appendDecimal appends v if it is a decimal with few places, which is how people write
// numbers: then its shortest text is found faster than in general. Of all decimals with so
// many places n is the nearest to v; if it does not read back as v none does. The division
// is what reading is, as both its operands are exact.
func appendDecimal(dst []byte, v, abs float64) ([]byte, bool) {
	for places := 1; places <= 4; places++ {
		power := tens[places]
		n := uint64(abs*power + 0.5)
		if float64(n)/power != abs {
			continue
		}
		if v < 0 {
			dst = append(dst, '-')
		}
		whole := uint64(power)
		dst = strconv.AppendUint(dst, n/whole, 10)
		dst = append(dst, '.')
		fraction := n % whole
		for whole /= 10; whole > 0; whole /= 10 {
			dst = append(dst, '0'+byte(fraction/whole%10))
		}
		return dst, true
	}
	return dst, false
}

// AppendFloat32 is [AppendFloat64] for single precision: its shortest text is shorter.
func AppendFloat32(dst []byte, v float32) []byte { return appendFloat(dst, float64(v), 32) }

func appendFloat(dst []byte, v float64, bits int) []byte {
	low, high := 1e-6, 1e21
	if bits == 32 { // the limits of encoding/json, in the precision of the value
		low, high = float64(float32(1e-6)), float64(float32(1e21))
	}
	abs := math.Abs(v)
	switch {
	case abs >= low && abs < high || v == 0:
		return strconv.AppendFloat(dst, v, 'f', -1, bits)
	case v != v:
		return append(dst, `"nan"`...)
	case math.IsInf(v, 1):
		return append(dst, `"inf"`...)
	case math.IsInf(v, -1):
		return append(dst, `"-inf"`...)
	}
	dst = strconv.AppendFloat(dst, v, 'e', -1, bits)
	if n := len(dst); dst[n-4] == 'e' && dst[n-2] == '0' { // e-07 is e-7
		dst[n-2] = dst[n-1]
		dst = dst[:n-1]
	}
	return dst
}

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
