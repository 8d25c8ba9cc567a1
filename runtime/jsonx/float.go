package jsonx

import (
	"encoding/binary"
	"math"
	"math/bits"
	"strconv"
	"unsafe"
)

// Float32 reads a number and rounds it to single precision, beyond its range to an
// infinity; or one of the strings "inf", "-inf" and "nan".
func (d *Decoder) Float32() float32 { return float32(d.floating("")) }

// Float64 reads a number, or one of the strings "inf", "-inf" and "nan".
func (d *Decoder) Float64() float64 { return d.floating(rangeF64) }

// floating reads a number; one beyond the range of a float64 is an infinity, and a fault
// if there is a name for the limits.
func (d *Decoder) floating(limits string) float64 {
	start := d.Pos
	switch c := d.Peek(); {
	case c == '-' || c-'0' < 10:
		v, ok := d.float()
		if !ok && limits != "" {
			d.complain(start, faultRange, limits)
		}
		return v
	case c == '"':
		raw, _ := d.Str()
		if d.Escaped {
			raw = AppendUnescaped(nil, raw)
		}
		switch string(raw) {
		case "inf":
			return math.Inf(1)
		case "-inf":
			return math.Inf(-1)
		case "nan":
			return math.NaN()
		}
		d.Pos = start
	}
	d.mistake(faultKind, "a number")
	return 0
}

// Float64s reads an array of numbers into dst, from its start.
func (d *Decoder) Float64s(dst []float64) []float64 {
	dst = dst[:0]
	a := d.Array(-1)
	for d.Element(&a) {
		dst = append(dst, d.Float64())
		// Most are followed by a comma and another decimal. This is [Decoder.Element] and
		// [Decoder.Float64] for these, without storing how far it is before the next one.
		for i := d.Pos; d.Src[i] == ','; {
			v, end := decimalAt(d.Src, i+1)
			if end == 0 {
				break
			}
			dst = append(dst, v)
			i, d.Pos = end, end
		}
	}
	d.EndArray(&a)
	return dst
}

// float reads a number; ok is false if it is beyond the range of a float64.
func (l *Lexer) float() (v float64, ok bool) {
	if v, end := decimalAt(l.Src, l.Pos); end > 0 {
		l.Pos = end
		return v, true
	}
	start := l.Pos
	_ = l.Number()
	text := l.Src[start:l.Pos]
	v, err := strconv.ParseFloat(unsafe.String(unsafe.SliceData(text), len(text)), 64)
	return v, err == nil
}

// decimalAt reads the number at i and returns its end; 0 if there is none, or one with an
// exponent or more than maxDigits.
func decimalAt(src []byte, i int) (v float64, end int) {
	sign := 0
	if src[i] == '-' {
		sign = 1
	}
	i += sign
	if v, end = shortDecimalAt(src, i); end == 0 {
		v, end = longDecimalAt(src, i)
	}
	return math.Float64frombits(math.Float64bits(v) | uint64(sign)<<63), end
}

// shortDecimalAt is decimalAt for eight characters without a sign, or fewer, in an array. It
// has no branches on which they are.
func shortDecimalAt(src []byte, i int) (v float64, end int) {
	if i+8 >= len(src) {
		return 0, 0
	}
	w := binary.LittleEndian.Uint64(src[i:i+8]) ^ asciiZeros
	others := notDigits(w)
	x := w ^ ('.'^'0')*lowBits
	n := bits.TrailingZeros64(others&(x&^highBits+(0x80-1)*lowBits|x)) / 8 // all before are digits and points
	if c := src[i+n]; c != ',' && c != ']' {
		return 0, 0
	}
	shift := (64 - 8*n) & 63 // as if there were zeros in front
	point := others << shift >> 7
	v = float64(int64(withoutPoint(w<<shift, point)))
	return v / powers[bits.LeadingZeros64(point)/8], i + n
}

// withoutPoint returns the number that eight characters, less those of zeros, stand for, which
// are digits and at most one point: the lowest bit of that is given.
func withoutPoint(w, point uint64) uint64 {
	before := point - 1 // all bits before it, but none if there is no point
	before &^= uint64(int64(before) >> 63)
	return eightOf(w&before<<8 | w&^before&^(point<<8-point))
}

// powers are what to divide by for so many places of a decimal in a word; there are eight if
// it has no point.
var powers = [...]float64{1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1}

// longDecimalAt is decimalAt without a sign.
func longDecimalAt(src []byte, i int) (v float64, end int) {
	n, end := digits(src, i, 0)
	count, places := end-i, 0
	if end < len(src) && src[end] == '.' {
		point := end
		n, end = digits(src, end+1, n)
		places = end - point - 1
		count += places
	}
	if count == 0 || count > maxDigits || end < len(src) && src[end]|0x20 == 'e' {
		return 0, 0
	}
	return quotient(n, places), end
}

// quotient returns the float nearest to n / 10^places, for up to 19 places.
func quotient(n uint64, places int) float64 {
	if n < 1<<53 { // a quotient of two exact floats is rounded once
		return float64(n) / float64(tens[places])
	}
	// As a quotient of integers, of 63 or 64 bits. Its last bit is set as well if more would
	// follow, which is all that they change in rounding it.
	power := tens[places]
	up, down := bits.LeadingZeros64(n), bits.LeadingZeros64(power)
	q, rest := bits.Div64(n<<up>>1, n<<up<<63, power<<down)
	if rest != 0 {
		q |= 1
	}
	exponent := uint64(1023 - 63 - up + down)
	return float64(q) * math.Float64frombits(exponent<<52)
}
