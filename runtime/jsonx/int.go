package jsonx

import (
	"math/big"
	"strconv"
)

// An Int is an integer of any size, the type Int of Morloc. It is a value: copies do not
// share anything that changes. The zero Int is 0.
type Int struct {
	small int64
	big   *big.Int // nil if the value fits in small; never changed
}

// NewInt returns v.
func NewInt(v int64) Int { return Int{small: v} }

// FromBig returns the value of v, which is not kept.
func FromBig(v *big.Int) Int {
	if v.IsInt64() {
		return Int{small: v.Int64()}
	}
	return Int{big: new(big.Int).Set(v)}
}

// ParseInt reads decimal digits after an optional minus sign; ok is false for anything else.
func ParseInt(decimal string) (v Int, ok bool) {
	digits := decimal
	if len(digits) > 0 && digits[0] == '-' {
		digits = digits[1:]
	}
	if len(digits) == 0 {
		return Int{}, false
	}
	for i := range len(digits) {
		if digits[i]-'0' > 9 {
			return Int{}, false
		}
	}
	if len(digits) < 20 {
		if small, err := strconv.ParseInt(decimal, 10, 64); err == nil {
			return Int{small: small}, true
		}
	}
	b := bigOf(digits)
	if len(digits) < len(decimal) {
		b.Neg(b)
	}
	if b.IsInt64() { // leading zeros
		return Int{small: b.Int64()}, true
	}
	return Int{big: b}, true
}

// MustParseInt is [ParseInt] for constants of generated code.
func MustParseInt(decimal string) Int {
	v, ok := ParseInt(decimal)
	if !ok {
		panic("mcpgen: internal: integer constant " + strconv.Quote(decimal))
	}
	return v
}

// bigOf reads decimal digits. [big.Int.SetString] takes quadratic time, which a request
// line of 64 MiB would turn into hours; halves are joined by one multiplication instead.
func bigOf(digits string) *big.Int {
	const direct = 4000
	if len(digits) <= direct {
		v, _ := new(big.Int).SetString(digits, 10)
		return v
	}
	low := direct
	for low < (len(digits)+1)/2 {
		low *= 2 // so that few different powers are needed
	}
	high := bigOf(digits[:len(digits)-low])
	high.Mul(high, new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(low)), nil))
	return high.Add(high, bigOf(digits[len(digits)-low:]))
}

// Int64 returns the value; ok is false if it needs more than 64 bits.
func (v Int) Int64() (small int64, ok bool) { return v.small, v.big == nil }

// Parts returns the value as an int64, or if that is too small as a big integer, which is
// nil otherwise and must not be changed.
func (v Int) Parts() (small int64, large *big.Int) { return v.small, v.big }

// Sign returns -1, 0 or 1.
func (v Int) Sign() int {
	switch {
	case v.big != nil:
		return v.big.Sign()
	case v.small < 0:
		return -1
	case v.small > 0:
		return 1
	}
	return 0
}

// Big returns the value, for the caller to keep.
func (v Int) Big() *big.Int {
	if v.big != nil {
		return new(big.Int).Set(v.big)
	}
	return big.NewInt(v.small)
}

// String returns the value in decimal.
func (v Int) String() string { return string(AppendInt(nil, v)) }

// AppendInt appends v in decimal.
func AppendInt(dst []byte, v Int) []byte {
	if v.big != nil {
		return v.big.Append(dst, 10)
	}
	return strconv.AppendInt(dst, v.small, 10)
}
