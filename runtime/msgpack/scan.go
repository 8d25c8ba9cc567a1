// Package msgpack translates between msgpack and voidstar, the layout of package
// voidstar, by a value's type schema (pool-protocol 4.6). Some pools answer in msgpack,
// and values may be saved and loaded in it.
//
// Input is never trusted: what it claims to hold is compared with the bytes that are
// left before anything is allocated for it, and nesting is bounded.
package msgpack

import (
	"encoding/binary"
	"errors"
	"math"
)

var be = binary.BigEndian

// A form is what a lead byte introduces.
type form uint8

const (
	formNil form = iota
	formBool
	formUint  // an integer from 0 on, however written
	formInt   // a negative integer
	formFloat // of 64 bits, or widened
	formString
	formBinary
	formArray
	formMap
	formExtension
)

// A token is a lead byte with its operand. bits holds the value of a scalar, else the
// length: of a map in pairs, of an extension with its type byte.
type token struct {
	form form
	bits uint64
}

var (
	errEnd  = errors.New("serialization error: msgpack ends within a value")
	errByte = errors.New("serialization error: msgpack holds the reserved byte 0xc1")
)

// A scanner goes through msgpack bytes.
type scanner struct {
	src []byte
	pos int
}

// left returns the number of bytes left.
func (s *scanner) left() int { return len(s.src) - s.pos }

// take returns the next n bytes, which alias the input.
func (s *scanner) take(n uint64) ([]byte, error) {
	if n > uint64(s.left()) {
		return nil, errEnd
	}
	s.pos += int(n)
	return s.src[s.pos-int(n) : s.pos], nil
}

// operand returns the next n bytes as an integer; n is 1, 2, 4 or 8.
func (s *scanner) operand(n int) (uint64, error) {
	b, err := s.take(uint64(n))
	var v uint64
	for _, x := range b {
		v = v<<8 | uint64(x)
	}
	return v, err
}

// next returns the next token. The contents of strings and the like follow it.
func (s *scanner) next() (token, error) {
	lead, err := s.take(1)
	if err != nil {
		return token{}, err
	}
	switch c := lead[0]; {
	case c < 0x80:
		return token{formUint, uint64(c)}, nil
	case c < 0x90:
		return token{formMap, uint64(c & 15)}, nil
	case c < 0xa0:
		return token{formArray, uint64(c & 15)}, nil
	case c < 0xc0:
		return token{formString, uint64(c & 31)}, nil
	case c >= 0xe0:
		return token{formInt, uint64(int8(c))}, nil
	default:
		return s.long(c)
	}
}

// long returns the token of a lead byte from 0xc0 to 0xdf.
func (s *scanner) long(c byte) (token, error) {
	switch {
	case c == 0xc0:
		return token{formNil, 0}, nil
	case c == 0xc1:
		return token{}, errByte
	case c < 0xc4:
		return token{formBool, uint64(c & 1)}, nil
	case c < 0xc7:
		return s.sized(formBinary, 1<<(c-0xc4), 0)
	case c < 0xca:
		return s.sized(formExtension, 1<<(c-0xc7), 1)
	case c == 0xca:
		v, err := s.operand(4)
		return token{formFloat, math.Float64bits(float64(math.Float32frombits(uint32(v))))}, err
	case c == 0xcb:
		return s.sized(formFloat, 8, 0)
	case c < 0xd0:
		return s.sized(formUint, 1<<(c-0xcc), 0)
	case c < 0xd4:
		return s.signed(1 << (c - 0xd0))
	case c < 0xd9:
		return token{formExtension, 1<<(c-0xd4) + 1}, nil
	case c < 0xdc:
		return s.sized(formString, 1<<(c-0xd9), 0)
	case c < 0xde:
		return s.sized(formArray, 2<<(c-0xdc), 0)
	default:
		return s.sized(formMap, 2<<(c-0xde), 0)
	}
}

// sized returns a token whose bits are an operand of n bytes, plus more.
func (s *scanner) sized(f form, n int, more uint64) (token, error) {
	v, err := s.operand(n)
	return token{f, v + more}, err
}

// signed returns the token of a signed integer of n bytes.
func (s *scanner) signed(n int) (token, error) {
	v, err := s.operand(n)
	shift := 64 - 8*n
	value := int64(v<<shift) >> shift
	if value < 0 {
		return token{formInt, uint64(value)}, err
	}
	return token{formUint, uint64(value)}, err
}

// skip passes over one value.
func (s *scanner) skip() error {
	for open := uint64(1); open > 0; open-- {
		t, err := s.next()
		if err != nil {
			return err
		}
		switch t.form {
		case formString, formBinary, formExtension:
			_, err = s.take(t.bits)
		case formArray:
			open += t.bits
		case formMap:
			open += 2 * t.bits
		}
		if err != nil {
			return err
		}
		if open > uint64(s.left())+1 { // values to come that have no byte
			return errEnd
		}
	}
	return nil
}

// Single reports whether src is one msgpack string and nothing else.
func Single(src []byte) bool {
	s := scanner{src: src}
	t, err := s.next()
	return err == nil && t.form == formString && t.bits == uint64(s.left())
}
