package jsoncheck

import (
	"bytes"
	"cmp"
	"strconv"
)

// A decimal is a number by its digits: 0.DIGITS times ten to the power of point, the digits
// without zeros at either end. Zero has none.
type decimal struct {
	negative bool
	digits   []byte
	point    int64
}

// farExponent stands for exponents that are further from zero than any text has digits.
// Numbers beyond it are equal if their digits are.
const farExponent = 1 << 60

// decimalOf reads a JSON number.
func decimalOf(number []byte) decimal {
	var d decimal
	if number[0] == '-' {
		d.negative = true
		number = number[1:]
	}
	if e := bytes.IndexAny(number, "eE"); e >= 0 {
		exponent, _ := strconv.ParseInt(string(number[e+1:]), 10, 64) // out of range: its limit
		d.point = max(-farExponent, min(exponent, farExponent))
		number = number[:e]
	}
	whole, fraction, _ := bytes.Cut(number, []byte("."))
	d.point += int64(len(whole))
	digits := whole
	if fraction = bytes.TrimRight(fraction, "0"); len(fraction) > 0 {
		digits = append(append(make([]byte, 0, len(number)), whole...), fraction...)
	}
	d.digits = bytes.TrimLeft(digits, "0")
	d.point -= int64(len(digits) - len(d.digits))
	if d.digits = bytes.TrimRight(d.digits, "0"); len(d.digits) == 0 {
		return decimal{}
	}
	return d
}

// isInteger reports whether the fraction of a JSON number is zero.
func isInteger(number []byte) bool {
	if !bytes.ContainsAny(number, ".eE") {
		return true
	}
	d := decimalOf(number)
	return int64(len(d.digits)) <= d.point || len(d.digits) == 0
}

// compareNumbers compares JSON numbers: negative if a is less than b, 0 if they are equal.
func compareNumbers(a, b []byte) int {
	x, y := decimalOf(a), decimalOf(b)
	if c := cmp.Compare(x.sign(), y.sign()); c != 0 {
		return c
	}
	c := cmp.Compare(x.point, y.point)
	if c == 0 {
		c = bytes.Compare(x.digits, y.digits)
	}
	return c * x.sign()
}

func (d *decimal) sign() int {
	switch {
	case len(d.digits) == 0:
		return 0
	case d.negative:
		return -1
	}
	return 1
}
