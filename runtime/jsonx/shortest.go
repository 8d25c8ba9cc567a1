package jsonx

import (
	"encoding/binary"
	"math"
	"math/bits"
	"strconv"
)

// AppendFloat64 appends v as the shortest text that round-trips, in the form of
// encoding/json; what JSON has no number for becomes "nan", "inf" or "-inf".
func AppendFloat64(dst []byte, v float64) []byte {
	// Decimals with few places are how people write numbers. Of all with so many places n is
	// the nearest to v. If it reads back as v no shorter decimal does, as different ones of up
	// to 15 digits are different floats; else none with so many places does. The division is
	// what reading is, as both its operands are exact.
	abs := math.Abs(v)
	if abs < 1e4 {
		if n := int64(abs*1e4 + 0.5); float64(n)/1e4 == abs {
			return appendFour(dst, uint64(n), math.Signbit(v))
		}
	}
	if 1e-3 <= abs && abs < 1e7 {
		if n := int64(abs*1e8 + 0.5); float64(n)/1e8 == abs {
			dst = appendWhole(appendSign(dst, v < 0), uint64(n)/1e8)
			return appendFraction(dst, uint64(n)%1e8)
		}
	}
	if abs < 1<<53 && abs == math.Trunc(abs) {
		return appendWhole(appendSign(dst, math.Signbit(v)), uint64(abs))
	}
	if 1.0/256 <= abs && abs < 1<<53 { // powers of two among them have no more than 8 places
		return appendShortest(appendSign(dst, v < 0), abs)
	}
	return appendFloat(dst, v, 64)
}

// appendFour appends the number of n ten-thousandths, which is below 10,000.
func appendFour(dst []byte, n uint64, negative bool) []byte {
	at := len(dst)
	dst = append(dst, "-0000.0000"...)
	if negative {
		at++
	}
	w := eightDigits(n)
	skip := bits.TrailingZeros64(w|1<<24) / 8 // the digit before the point stays
	fraction := uint32(w >> 32)
	zeros := bits.LeadingZeros32(fraction) / 8
	binary.LittleEndian.PutUint64(dst[at:], (w|asciiZeros)>>(8*skip&63))
	at += 4 - skip
	dst[at] = '.'
	binary.LittleEndian.PutUint32(dst[at+1:], fraction|asciiZeros32)
	return dst[:at+5-zeros-zeros/4] // without digits there is no point
}

// appendShortest appends the shortest decimal that reads back as v, and of those the nearest
// to v, for 1/256 <= v < 2^53 that is neither an integer nor a power of two, which has floats
// nearer to it below than above. Of the decimals with so many places as are computed here at
// least one reads back as v, but no two that end with a zero: if one does it is the shortest,
// without its zeros. All is exact: it takes 128 bits in this range.
func appendShortest(dst []byte, v float64) []byte {
	mantissa := math.Float64bits(v)&(1<<52-1) | 1<<52
	shift := 1075 - int(math.Float64bits(v)>>52) // v is mantissa / 2^shift; from 1 to 60
	places := shift*1233>>12 + 1                 // the least that makes steps no larger than floats have
	power := tens[places]

	// v in units of the last place is n, and rest / 2^shift.
	high, low := bits.Mul64(mantissa, power)
	n := high<<(64-shift) | low>>shift
	rest := low & (1<<shift - 1)

	// What is nearer to v than half the distance to the next float reads back as v. No decimal
	// with so few places is just as near.
	reach := power / 2
	last := n % 10
	down := last<<shift + rest // from n without its last digit, in 2^-shift units
	switch up := 10<<shift - down; {
	case down <= reach:
		n -= last
	case up <= reach:
		n += 10 - last
	case rest > 1<<(shift-1), rest == 1<<(shift-1) && n&1 == 1:
		n++
	}
	dst = appendWhole(dst, n/power)
	return appendPlaces(dst, n%power*tens[maxDigits-places])
}

// appendPlaces appends a point and the 19 digits of n, but for zeros at their end. They are
// not all zeros.
func appendPlaces(dst []byte, n uint64) []byte {
	first, second, third := n/1e11, n/1e3%1e8, n%1e3
	if second == 0 && third == 0 {
		return appendFraction(dst, first)
	}
	dst = append(dst, '.')
	dst = binary.LittleEndian.AppendUint64(dst, eightDigits(first)|asciiZeros)
	last := second
	if third != 0 {
		dst = binary.LittleEndian.AppendUint64(dst, eightDigits(second)|asciiZeros)
		last = third * 1e5
	}
	w := eightDigits(last)
	dst = binary.LittleEndian.AppendUint64(dst, w|asciiZeros)
	return dst[:len(dst)-bits.LeadingZeros64(w)/8]
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
