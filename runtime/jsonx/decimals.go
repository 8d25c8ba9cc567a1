package jsonx

import (
	"encoding/binary"
	"math/bits"
)

// decimals moves past elements of an array, from the start of one to the start of another, as
// long as they are numbers without exponents and there is nothing but commas between them;
// it reports whether it got anywhere. Long arrays are mostly like that. Eight characters are
// looked at together, whatever numbers they belong to, as sets of them: the high bits of the
// bytes of words. What it is in doubt about it leaves to others, so it may only never pass
// anything wrong.
func (l *Lexer) decimals() bool {
	start := l.Pos
	// Of the characters before those at hand, at their last byte: a comma is what may precede
	// a number.
	comma, minus, digit, point, lone := uint64(highBits), uint64(0), uint64(0), uint64(0), uint64(0)
	fraction := uint64(0) // 1 inside of one
	for i := l.Pos; i+8 <= len(l.Src); i += 8 {
		w := binary.LittleEndian.Uint64(l.Src[i:i+8]) ^ asciiZeros
		notDigit := notDigits(w)
		x := w ^ (','^'0')*lowBits // comma, minus and point are 0, 1 and 2
		if notDigit&(x&^highBits+(0x80-3)*lowBits|x) != 0 {
			break
		}
		afterComma, afterMinus, afterDigit := comma>>56, minus>>56, digit>>56
		afterPoint, afterLone := point>>56, lone>>56

		digit = ^notDigit & highBits
		minus = notDigit & (x << 7)
		point = notDigit & (x << 6)
		comma = notDigit &^ minus &^ point
		afterComma |= comma << 8
		afterMinus |= minus << 8
		afterDigit |= digit << 8
		afterPoint |= point << 8
		lone = digit &^ (w&^highBits + (0x80-1)*lowBits) & (afterComma | afterMinus) // zeros that begin a number
		afterLone |= lone << 8

		// A carry runs from each point through the digits behind it, and on to the next word,
		// up to what follows them, which must not be another point.
		ends, carry := bits.Add64(digit<<1-digit>>7, afterPoint>>7, fraction)
		fraction = carry
		wrong := minus&^afterComma | (point|comma)&^afterDigit | digit&afterLone | point&(ends<<7)
		if wrong != 0 {
			break
		}
		if comma != 0 {
			l.Pos = i + 8 - bits.LeadingZeros64(comma)/8
		}
	}
	return l.Pos > start
}
