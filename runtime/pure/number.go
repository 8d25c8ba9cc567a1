package pure

import (
	"bytes"
	"math"
	"strconv"
	"strings"

	"github.com/mcpgen/mcpgen/runtime/jsonx"
)

// An intType is what differs between the integer types of fixed width.
type intType struct {
	name string
	word string
	low  int64
	high uint64
}

const (
	signed   = "integer"
	unsigned = "unsigned integer"
)

var (
	typeI8  = intType{"I8", signed, math.MinInt8, math.MaxInt8}
	typeI16 = intType{"I16", signed, math.MinInt16, math.MaxInt16}
	typeI32 = intType{"I32", signed, math.MinInt32, math.MaxInt32}
	typeI64 = intType{"I64", signed, math.MinInt64, math.MaxInt64}
	typeU8  = intType{"U8", unsigned, 0, math.MaxUint8}
	typeU16 = intType{"U16", unsigned, 0, math.MaxUint16}
	typeU32 = intType{"U32", unsigned, 0, math.MaxUint32}
	typeU64 = intType{"U64", unsigned, 0, math.MaxUint64}
)

// Int8 reads an integer from -128 to 127.
func (d *Decoder) Int8() int8 { return int8(d.integer(&typeI8)) }

// Int16 reads an integer of 16 bits.
func (d *Decoder) Int16() int16 { return int16(d.integer(&typeI16)) }

// Int32 reads an integer of 32 bits.
func (d *Decoder) Int32() int32 { return int32(d.integer(&typeI32)) }

// Int64 reads an integer of 64 bits.
func (d *Decoder) Int64() int64 { return int64(d.integer(&typeI64)) }

// Uint8 reads an integer from 0 to 255.
func (d *Decoder) Uint8() uint8 { return uint8(d.integer(&typeU8)) }

// Uint16 reads an integer of 16 bits without sign.
func (d *Decoder) Uint16() uint16 { return uint16(d.integer(&typeU16)) }

// Uint32 reads an integer of 32 bits without sign.
func (d *Decoder) Uint32() uint32 { return uint32(d.integer(&typeU32)) }

// Uint64 reads an integer of 64 bits without sign.
func (d *Decoder) Uint64() uint64 { return d.integer(&typeU64) }

// integer reads an integer of a type; negative ones are returned in two's complement.
func (d *Decoder) integer(t *intType) uint64 {
	text, ok := d.text()
	if !ok {
		return 0
	}
	if !isInteger(text) {
		d.fail("expected " + t.word + " for " + t.name + ", got " + cut(text))
		return 0
	}
	v, ok := jsonx.ParseInt(string(text))
	if !ok {
		d.fail("invalid " + t.word + " for " + t.name + ": " + cut(text))
		return 0
	}
	small, large := v.Parts()
	switch {
	case large == nil && small >= t.low && (small < 0 || uint64(small) <= t.high):
		return uint64(small)
	case large != nil && large.IsUint64() && large.Uint64() <= t.high:
		return large.Uint64()
	}
	d.fail("value " + cut(text) + " out of range for " + t.name + " (range " +
		strconv.FormatInt(t.low, 10) + " to " + strconv.FormatUint(t.high, 10) + ")")
	return 0
}

// isInteger reports whether text can be an integer, which the runtime that is replaced
// tells from what a fraction or an exponent would need, in texts of any kind.
func isInteger(text []byte) bool { return !bytes.ContainsAny(text, ".eE") }

// Int reads an integer of any size, or its digits in a string.
func (d *Decoder) Int() jsonx.Int {
	text, ok := d.text()
	if !ok {
		return jsonx.Int{}
	}
	if !isInteger(text) {
		d.fail("expected integer for Int, got " + cut(text))
		return jsonx.Int{}
	}
	digits := string(text)
	if text[0] == '"' {
		digits = strings.TrimSpace(digits[1 : len(digits)-1])
	}
	v, ok := jsonx.ParseInt(digits)
	switch {
	case ok:
		return v
	case digits == "":
		d.fail("empty integer literal")
	case digits == "-":
		d.fail("integer literal has no digits")
	default:
		d.fail(`invalid integer literal: "` + cut([]byte(digits)) + `" (expected decimal digits)`)
	}
	return jsonx.Int{}
}

// Float32 reads a number and rounds it to single precision; see [Decoder.Float64].
func (d *Decoder) Float32() float32 { return float32(d.float("F32")) }

// Float64 reads a number, or a string that holds a number, "inf", "infinity" or "nan" in
// any case, with a sign or without. What is too large is an infinity.
func (d *Decoder) Float64() float64 { return d.float("F64") }

func (d *Decoder) float(name string) float64 {
	text, ok := d.text()
	if !ok {
		return 0
	}
	number := ""
	switch c := text[0]; {
	case c == '-' || c-'0' < 10:
		number = string(text)
	case c == '"':
		number = unquote(text)
	}
	v, ok := parseFloat(number)
	if !ok {
		d.fail("expected " + name + ", got " + cut(text))
	}
	return v
}

// parseFloat reads a decimal number, without what Go allows beyond that.
func parseFloat(s string) (v float64, ok bool) {
	if strings.ContainsAny(s, "_xXpP") {
		return 0, false
	}
	if strings.EqualFold(strings.TrimLeft(s, "+-"), "nan") && len(s) <= len("-nan") {
		return math.NaN(), true
	}
	v, err := strconv.ParseFloat(s, 64)
	return v, err == nil || math.IsInf(v, 0) // out of range
}
