package jsonx

import (
	"bytes"
	"encoding/binary"
	"math/bits"
	"strings"
	"unicode/utf8"
)

// Str moves past a string and returns what is between its quotes, escapes and all.
func (l *Lexer) Str() (raw []byte, err error) {
	s, i := l.Src[l.Pos+1:], 0
	for ; i+8 <= len(s) && i < soLong; i += 8 { // plain, without a call: most strings are short
		w := binary.LittleEndian.Uint64(s[i : i+8])
		if w&highBits != 0 {
			break
		}
		if m := special(w); m != 0 {
			if n := i + bits.TrailingZeros64(m)/8; n < len(s) && s[n] == '"' {
				l.Pos, l.Escaped = l.Pos+n+2, false
				return s[:n], nil
			}
			break
		}
	}
	return l.str(s, i)
}

// str is [Lexer.Str] for any string; s is what follows its first quote. There is nothing but
// plain ASCII before i.
func (l *Lexer) str(s []byte, i int) (raw []byte, err error) {
	l.Escaped = false
	var high uint64
	for {
		n, h := plain(s[i:])
		high |= h
		if i += n; i == len(s) {
			return nil, ErrSyntax
		}
		switch s[i] {
		case '"':
			if raw = s[:i]; high != 0 && !utf8.Valid(raw) {
				return nil, ErrUTF8
			}
			l.Pos += i + 2
			return raw, nil
		case '\\':
			_, n := escape(s[i:])
			if n == 0 {
				return nil, ErrSyntax
			}
			l.Escaped = true
			i += n
		default:
			return nil, ErrSyntax // a raw control character
		}
	}
}

const (
	lowBits  = 0x0101010101010101
	highBits = 0x8080808080808080
)

// special finds quotes, backslashes and control characters in eight bytes: the high bit of
// the first one, from the lowest byte on, is the lowest bit that is set.
func special(w uint64) uint64 {
	// Each term borrows into the high bit of a byte that is below 0x20 or a quote, and of one
	// that is a backslash; borrows run upwards only, so the lowest one is right.
	m := (w ^ 0x02*lowBits - 0x21*lowBits) | (w ^ '\\'*lowBits - lowBits)
	return m & ^w & highBits
}

// plain returns the number of bytes before the first quote, backslash or control character
// in s, or in all of it; high is not 0 if there are any from 0x80 on among them.
func plain(s []byte) (n int, high uint64) {
	for n+8 <= len(s) {
		if n == soLong {
			blocks, h := plainBlocks(s[n:])
			if n, high = n+blocks, high|h; blocks > 0 {
				continue
			}
		}
		w := binary.LittleEndian.Uint64(s[n : n+8])
		if m := special(w); m != 0 {
			return n + bits.TrailingZeros64(m)/8, high | w&(m^(m-1))&highBits
		}
		high |= w & highBits
		n += 8
	}
	for ; n < len(s); n++ {
		c := s[n]
		if c < 0x20 || c == '"' || c == '\\' {
			break
		}
		high |= uint64(c & 0x80)
	}
	return n, high
}

const (
	soLong    = 64   // bytes that are plain let one guess that many more are
	blockSize = 1024 // so many are looked at in one go then
)

// plainBlocks is plain for whole blocks. The library finds a character in a block faster than
// eight at a time, which leaves control characters.
func plainBlocks(s []byte) (n int, high uint64) {
	for ; n+blockSize <= len(s); n += blockSize {
		block := s[n : n+blockSize]
		if bytes.IndexByte(block, '"') >= 0 || bytes.IndexByte(block, '\\') >= 0 {
			break
		}
		var control, all uint64
		for ; len(block) >= 32; block = block[32:] {
			w0, w1 := binary.LittleEndian.Uint64(block), binary.LittleEndian.Uint64(block[8:])
			w2, w3 := binary.LittleEndian.Uint64(block[16:]), binary.LittleEndian.Uint64(block[24:])
			control |= (w0-0x20*lowBits)&^w0 | (w1-0x20*lowBits)&^w1 | (w2-0x20*lowBits)&^w2 | (w3-0x20*lowBits)&^w3
			all |= w0 | w1 | w2 | w3
		}
		if control&highBits != 0 {
			break
		}
		high |= all & highBits
	}
	return n, high
}

// escape decodes the escape sequence at the start of s; n is its length, 0 if it is
// malformed or half of a surrogate pair.
func escape(s []byte) (r rune, n int) {
	if len(s) < 2 {
		return 0, 0
	}
	if i := strings.IndexByte(`"\/bfnrt`, s[1]); i >= 0 {
		return rune("\"\\/\b\f\n\r\t"[i]), 2
	}
	r, ok := hex4(s)
	if !ok || 0xDC00 <= r && r < 0xE000 {
		return 0, 0
	}
	if r < 0xD800 || 0xE000 <= r {
		return r, 6
	}
	low, ok := hex4(s[6:])
	if !ok || low < 0xDC00 || 0xE000 <= low {
		return 0, 0
	}
	return 0x10000 + (r-0xD800)<<10 + low - 0xDC00, 12
}

// hex4 decodes a sequence \uXXXX.
func hex4(s []byte) (r rune, ok bool) {
	if len(s) < 6 || s[0] != '\\' || s[1] != 'u' {
		return 0, false
	}
	for _, c := range s[2:6] {
		switch {
		case c-'0' < 10:
			c -= '0'
		case c|0x20-'a' < 6:
			c = c | 0x20 - 'a' + 10
		default:
			return 0, false
		}
		r = r<<4 | rune(c)
	}
	return r, true
}

// AppendUnescaped appends the text of a string that [Lexer.Str] accepted.
func AppendUnescaped(dst, raw []byte) []byte {
	for {
		i, _ := plain(raw)
		dst = append(dst, raw[:i]...)
		if i == len(raw) {
			return dst
		}
		r, n := escape(raw[i:])
		if n == 0 { // not reached for accepted text
			return dst
		}
		dst = utf8.AppendRune(dst, r)
		raw = raw[i+n:]
	}
}
