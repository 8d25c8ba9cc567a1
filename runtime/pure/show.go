package pure

import (
	"math"
	"strconv"
	"unicode/utf8"

	"github.com/mcpgen/mcpgen/runtime/jsonx"
)

// The functions of this file append the text that show gives and save writes as JSON
// (pure-eval.md 4). It differs from that of tool results in floats and slashes. Lists
// and optionals are made by jsonx.AppendList and jsonx.AppendOptional with these.

// ShowUnit appends null.
func ShowUnit(dst []byte, v struct{}) []byte { return jsonx.AppendUnit(dst, v) }

// ShowBool appends true or false.
func ShowBool(dst []byte, v bool) []byte { return jsonx.AppendBool(dst, v) }

// ShowInt8 appends v in decimal.
func ShowInt8(dst []byte, v int8) []byte { return jsonx.AppendInt8(dst, v) }

// ShowInt16 appends v in decimal.
func ShowInt16(dst []byte, v int16) []byte { return jsonx.AppendInt16(dst, v) }

// ShowInt32 appends v in decimal.
func ShowInt32(dst []byte, v int32) []byte { return jsonx.AppendInt32(dst, v) }

// ShowInt64 appends v in decimal.
func ShowInt64(dst []byte, v int64) []byte { return jsonx.AppendInt64(dst, v) }

// ShowUint8 appends v in decimal.
func ShowUint8(dst []byte, v uint8) []byte { return jsonx.AppendUint8(dst, v) }

// ShowUint16 appends v in decimal.
func ShowUint16(dst []byte, v uint16) []byte { return jsonx.AppendUint16(dst, v) }

// ShowUint32 appends v in decimal.
func ShowUint32(dst []byte, v uint32) []byte { return jsonx.AppendUint32(dst, v) }

// ShowUint64 appends v in decimal.
func ShowUint64(dst []byte, v uint64) []byte { return jsonx.AppendUint64(dst, v) }

// ShowInt appends v in decimal.
func ShowInt(dst []byte, v jsonx.Int) []byte { return jsonx.AppendInt(dst, v) }

// ShowFloat32 appends v with 7 significant digits.
func ShowFloat32(dst []byte, v float32) []byte { return showFloat(dst, float64(v), 7) }

// ShowFloat64 appends v with 15 significant digits.
func ShowFloat64(dst []byte, v float64) []byte { return showFloat(dst, v, 15) }

// showFloat appends what C prints with %g, or the name of what JSON has no number for.
func showFloat(dst []byte, v float64, digits int) []byte {
	switch {
	case v != v:
		return append(dst, `"nan"`...)
	case math.IsInf(v, 1):
		return append(dst, `"inf"`...)
	case math.IsInf(v, -1):
		return append(dst, `"-inf"`...)
	}
	return strconv.AppendFloat(dst, v, 'g', digits, 64)
}

// ShowString appends v as a JSON string whose slashes are escaped too. One that is not
// UTF-8 is shown as empty.
func ShowString(dst []byte, v string) []byte {
	if !utf8.ValidString(v) {
		v = ""
	}
	start := len(dst)
	dst = jsonx.AppendString(dst, v)
	return escapeSlashes(dst, start)
}

// escapeSlashes puts a backslash before each slash of dst[start:].
func escapeSlashes(dst []byte, start int) []byte {
	slashes := 0
	for _, c := range dst[start:] {
		if c == '/' {
			slashes++
		}
	}
	from := len(dst)
	dst = append(dst, make([]byte, slashes)...)
	for to := len(dst); to > from; {
		from--
		to--
		dst[to] = dst[from]
		if dst[from] == '/' {
			to--
			dst[to] = '\\'
		}
	}
	return dst
}
