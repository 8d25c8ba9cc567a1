package jsonx

import (
	"math"
	"strconv"
	"strings"
)

// Int8 reads an integer from -128 to 127.
func (d *Decoder) Int8() int8 { return int8(d.integer(math.MinInt8, math.MaxInt8, rangeI8)) }

// Int16 reads an integer of 16 bits.
func (d *Decoder) Int16() int16 { return int16(d.integer(math.MinInt16, math.MaxInt16, rangeI16)) }

// Int32 reads an integer of 32 bits.
func (d *Decoder) Int32() int32 { return int32(d.integer(math.MinInt32, math.MaxInt32, rangeI32)) }

// Int64 reads an integer of 64 bits.
func (d *Decoder) Int64() int64 { return d.integer(math.MinInt64, math.MaxInt64, rangeI64) }

// Uint8 reads an integer from 0 to 255.
func (d *Decoder) Uint8() uint8 { return uint8(d.integer(0, math.MaxUint8, rangeU8)) }

// Uint16 reads an integer of 16 bits without sign.
func (d *Decoder) Uint16() uint16 { return uint16(d.integer(0, math.MaxUint16, rangeU16)) }

// Uint32 reads an integer of 32 bits without sign.
func (d *Decoder) Uint32() uint32 { return uint32(d.integer(0, math.MaxUint32, rangeU32)) }

// Uint64 reads an integer of 64 bits without sign.
func (d *Decoder) Uint64() uint64 {
	start := d.Pos
	v := d.Int()
	if small, large := v.Parts(); large == nil && small >= 0 {
		return uint64(small)
	} else if large != nil && large.IsUint64() {
		return large.Uint64()
	}
	d.complain(start, faultRange, rangeU64)
	return 0
}

// The types whose range is checked, as they are named in a complaint.
const (
	rangeI8  = "I8 (-128 to 127)"
	rangeI16 = "I16 (-32768 to 32767)"
	rangeI32 = "I32 (-2147483648 to 2147483647)"
	rangeI64 = "I64 (-9223372036854775808 to 9223372036854775807)"
	rangeU8  = "U8 (0 to 255)"
	rangeU16 = "U16 (0 to 65535)"
	rangeU32 = "U32 (0 to 4294967295)"
	rangeU64 = "U64 (0 to 18446744073709551615)"
	rangeF64 = "F64"
)

func (d *Decoder) integer(low, high int64, limits string) int64 {
	start := d.Pos
	v, ok := d.Int().Int64()
	if !ok || v < low || v > high {
		d.complain(start, faultRange, limits)
		return 0
	}
	return v
}

// Int reads an integer of any size. A number is one if its fraction is zero: 5, 5.0, 5e0.
func (d *Decoder) Int() Int {
	src, i := d.Src, d.Pos
	negative := i < len(src) && src[i] == '-'
	if negative {
		i++
	}
	start := i
	magnitude, i := digits(src, i, 0)
	v := int64(magnitude)
	if n := i - start; n > 0 && n < 19 && !(i < len(src) && (src[i] == '.' || src[i]|0x20 == 'e')) {
		d.Pos = i
		if negative {
			v = -v
		}
		return Int{small: v}
	}
	return d.longInt()
}

// longInt is [Decoder.Int] for what is not a short run of digits.
func (d *Decoder) longInt() Int {
	start := d.Pos
	if c := d.Peek(); c == '-' || c-'0' < 10 {
		_ = d.Number()
		if v, ok := integerOf(string(d.Src[start:d.Pos])); ok {
			return v
		}
		d.Pos = start
	}
	d.mistake(faultKind, "an integer")
	return Int{}
}

// maxExponentDigits is the longest integer that an exponent may stand for.
const maxExponentDigits = 10_000

// integerOf returns the value of a JSON number that is an integer.
func integerOf(number string) (v Int, ok bool) {
	digits, exponent := number, 0
	e := strings.IndexAny(number, "eE")
	if e >= 0 {
		digits = number[:e]
		exponent, _ = strconv.Atoi(number[e+1:]) // beyond the range of an int: its limit
		const limit = 1 << 30
		exponent = max(-limit, min(exponent, limit))
	}
	if point := strings.IndexByte(digits, '.'); point >= 0 {
		exponent -= len(digits) - point - 1
		digits = digits[:point] + digits[point+1:]
	}
	sign := ""
	if digits[0] == '-' {
		sign, digits = "-", digits[1:]
	}
	significant := strings.TrimRight(digits, "0")
	exponent += len(digits) - len(significant)
	significant = strings.TrimLeft(significant, "0")
	switch {
	case significant == "":
		return Int{}, true
	case exponent < 0, e >= 0 && len(significant)+exponent > maxExponentDigits:
		return Int{}, false
	}
	return ParseInt(sign + significant + strings.Repeat("0", exponent))
}
