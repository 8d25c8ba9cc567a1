package jsonx

import (
	"encoding/binary"
	"math/bits"
	"strconv"
)

// The functions of this file handle eight digits at once, in the bytes of a word whose
// lowest byte is the first one of the text. They have no branches on what the digits are:
// lengths of numbers are what a processor guesses worst.

// asciiZeros is the text of eight zeros, and what makes digits of their values.
const (
	asciiZeros   = '0' * lowBits
	asciiZeros32 = asciiZeros & (1<<32 - 1)
)

// tens are the powers of ten that fit in 64 bits.
var tens = [20]uint64{1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10,
	1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19}

// notDigits sets the high bit of each byte whose value is not from 0 to 9.
func notDigits(w uint64) uint64 { return (w&^highBits + (0x80-10)*lowBits | w) & highBits }

// eightOf returns the number that eight values from 0 to 9 stand for: neighbours are joined
// to pairs, these to fours, these to eight.
func eightOf(w uint64) uint64 {
	w = (w*10 + w>>8) & 0x00FF00FF00FF00FF
	w = (w*100 + w>>16) & 0x0000FFFF0000FFFF
	return (w*10_000 + w>>32) & 0xFFFFFFFF
}

// eightDigits is the inverse of eightOf, for less than 10^8. Quotients come from
// multiplications, by reciprocals that are exact for so few digits.
func eightDigits(n uint64) uint64 {
	w := n/10_000 | n%10_000<<32
	q := w * 10486 >> 20 & 0x0000007F0000007F
	w = q | (w-q*100)<<16
	q = w * 103 >> 10 & 0x000F000F000F000F
	return q | (w-q*10)<<8
}

// maxDigits is how many digits always fit in 64 bits.
const maxDigits = 19

// digits reads the digits at i as the continuation of n and returns their end. There may be
// any number of them; n is right if there are no more than maxDigits in all.
func digits(src []byte, i int, n uint64) (number uint64, end int) {
	for i+8 <= len(src) {
		w := binary.LittleEndian.Uint64(src[i:i+8]) ^ asciiZeros
		count := bits.TrailingZeros64(notDigits(w)) / 8
		n = n*tens[count] + eightOf(w<<(64-8*count))
		if i += count; count < 8 {
			return n, i
		}
	}
	for ; i < len(src) && src[i]-'0' < 10; i++ {
		n = n*10 + uint64(src[i]-'0')
	}
	return n, i
}

// appendSign appends a minus sign or nothing.
func appendSign(dst []byte, negative bool) []byte {
	dst = append(dst, '-')
	n := len(dst)
	if !negative {
		n--
	}
	return dst[:n]
}

// appendWhole appends n in decimal.
func appendWhole(dst []byte, n uint64) []byte {
	if n >= 1e8 {
		return strconv.AppendUint(dst, n, 10)
	}
	w := eightDigits(n)
	zeros := bits.TrailingZeros64(w|1<<56) / 8 // the last digit stays
	dst = binary.LittleEndian.AppendUint64(dst, (w|asciiZeros)>>(8*zeros))
	return dst[:len(dst)-zeros]
}

// appendFraction appends a point and the digits of n, which is less than 10^8, but for zeros
// at their end; nothing if there are only zeros.
func appendFraction(dst []byte, n uint64) []byte {
	w := eightDigits(n)
	zeros := bits.LeadingZeros64(w) / 8
	dst = append(dst, '.')
	dst = binary.LittleEndian.AppendUint64(dst, w|asciiZeros)
	return dst[:len(dst)-zeros-zeros/8]
}
