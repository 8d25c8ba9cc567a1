package jsonx

import (
	"bytes"
	"encoding/binary"
	"math/bits"
)

// decimals moves past elements of an array, from the start of one to what follows the comma
// before another, as long as they are numbers without exponents and there is nothing but
// commas between them; it reports whether it got anywhere. Long arrays are mostly like that.
// What it is in doubt about it leaves to others, so it may only never pass anything wrong.
//
// It looks at eight characters together, whatever numbers they belong to, as bytes of words:
// a bit of each byte says whether something is true of the character. So its time does not
// depend on how long the numbers are, which a processor guesses badly.
func (l *Lexer) decimals() bool {
	// Of the last character before those at hand:
	previous := uint64(0x80) // 0x80 if it was no digit, and 1 if a minus, 2 if a point; as of a comma at first
	lone := uint64(0)        // 0x80 if it was a zero that began a number
	fraction := uint64(0)    // 1 if it was a digit behind a point
	i := l.Pos
	for ; i+8 <= len(l.Src); i += 8 {
		w := binary.LittleEndian.Uint64(l.Src[i:i+8]) ^ asciiZeros
		others := notDigits(w)
		x := w ^ (','^'0')*lowBits // comma, minus and point are 0, 1 and 2
		if others&(x&^highBits+(0x80-3)*lowBits|x) != 0 {
			break
		}
		x = others | x&(others>>7|others>>6)
		after := x<<8 | previous // what each one's predecessor is
		previous = x >> 56

		// Others follow digits, but a minus follows others, and only commas: nothing else
		// follows a minus or a point.
		wrong := (after ^ x<<7 | after<<7 | after<<6) & others

		// Nor does a digit follow a zero that begins a number.
		zeros := after &^ (after << 6) &^ (w&^highBits + 0x7F*lowBits | others) & highBits
		wrong |= (zeros<<8 | lone) &^ others
		lone = zeros >> 56

		// A carry runs from each point through the digits behind it, and on to the next word,
		// to what follows them: that is not another point.
		isDigit := others ^ highBits
		ends, carry := bits.Add64(isDigit<<1-isDigit>>7, after>>1&lowBits, fraction)
		wrong |= x << 6 & (ends << 7) & others
		fraction = carry
		if wrong != 0 {
			break
		}
	}
	n := bytes.LastIndexByte(l.Src[l.Pos:i], ',') + 1
	l.Pos += n
	return n > 0
}
