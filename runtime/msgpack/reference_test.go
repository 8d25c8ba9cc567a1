package msgpack

import (
	"encoding/binary"
	"math"
	"slices"

	"github.com/mcpgen/mcpgen/runtime/voidstar"
)

// An item is a msgpack value as its specification has it, of whatever type. kind is a letter:
// nil, true or false (b), a number that is unsigned (u), negative (i) or a float, a text (s), bytes
// (x), an array, a map, whose keys and values alternate, or an extension.
type item struct {
	kind  byte
	bits  uint64
	bytes []byte
	items []item
}

// readItem reads one value; ok is false if src ends within it or holds the reserved byte.
func readItem(src []byte) (v item, rest []byte, ok bool) {
	if len(src) == 0 {
		return v, nil, false
	}
	c, src := src[0], src[1:]
	switch {
	case c < 0x80:
		return item{kind: 'u', bits: uint64(c)}, src, true
	case c >= 0xe0:
		return item{kind: 'i', bits: uint64(int64(int8(c)))}, src, true
	case c < 0x90:
		return readItems('m', 2*int(c-0x80), src)
	case c < 0xa0:
		return readItems('a', int(c-0x90), src)
	case c < 0xc0:
		return readBytes('s', int(c-0xa0), src)
	}
	// Kinds and the sizes of what follows, from 0xc0 to 0xdf.
	const kinds, sizes = "n-bbxxxeeeffuuuuiiiieeeeesssaamm", "00001241244812481248000001242424"
	kind, size := kinds[c-0xc0], int(sizes[c-0xc0]-'0')
	if c >= 0xd4 && c <= 0xd8 {
		return readBytes('e', 1+1<<(c-0xd4), src) // of fixed size, with the byte of its type
	}
	if len(src) < size || kind == '-' {
		return v, nil, false
	}
	var word [8]byte
	copy(word[8-size:], src)
	n, src := binary.BigEndian.Uint64(word[:]), src[size:]
	switch kind {
	case 'b':
		n = uint64(c - 0xc2)
	case 'i':
		signed := int64(n<<(64-8*size)) >> (64 - 8*size)
		if n = uint64(signed); signed >= 0 {
			kind = 'u'
		}
	case 'f':
		if size == 4 {
			n = math.Float64bits(float64(math.Float32frombits(uint32(n))))
		}
	case 's', 'x':
		return readBytes(kind, int(n), src)
	case 'e':
		return readBytes(kind, int(n)+1, src)
	case 'a':
		return readItems(kind, int(n), src)
	case 'm':
		return readItems(kind, 2*int(n), src)
	}
	return item{kind: kind, bits: n}, src, true
}

func readBytes(kind byte, n int, src []byte) (v item, rest []byte, ok bool) {
	if n > len(src) {
		return v, nil, false
	}
	return item{kind: kind, bytes: src[:n]}, src[n:], true
}

func readItems(kind byte, n int, src []byte) (v item, rest []byte, ok bool) {
	v.kind = kind
	for range n {
		var inner item
		if inner, src, ok = readItem(src); !ok {
			return v, nil, false
		}
		v.items = append(v.items, inner)
	}
	return v, src, true
}

// shortest writes a value of a type in the form that pools are sent; ok is false if it is none
// of the type (pool-protocol 4.6 and manifest-next.md 4.2).
func shortest(dst []byte, s *voidstar.Schema, v item) (_ []byte, ok bool) {
	switch s.Kind {
	case voidstar.KindUnit:
		return append(dst, 0xc0), v.kind == 'n'
	case voidstar.KindBool:
		return append(dst, 0xc2+byte(v.bits)), v.kind == 'b'
	case voidstar.KindFloat32, voidstar.KindFloat64:
		return shortestFloat(dst, s.Kind, v)
	case voidstar.KindString:
		return lead(dst, []byte{0xd9, 0xda, 0xdb}, 0xa0, 32, v.bytes), v.kind == 's' || v.kind == 'x'
	case voidstar.KindInt:
		if v.kind == 'u' && v.bits > math.MaxInt64 { // takes another limb for its sign
			v = item{kind: 'x', bytes: binary.LittleEndian.AppendUint64(binary.LittleEndian.AppendUint64(nil, v.bits), 0)}
		}
		switch {
		case v.kind == 'u', v.kind == 'i':
			return number(dst, v), true
		case len(v.bytes) == 0:
			return append(dst, 0), v.kind == 'x'
		case len(v.bytes) == 8:
			bits := binary.LittleEndian.Uint64(v.bytes)
			return number(dst, item{kind: "ui"[bits>>63], bits: bits}), v.kind == 'x'
		}
		return lead(dst, []byte{0xc4, 0xc5, 0xc6}, 0, 0, v.bytes), v.kind == 'x' && len(v.bytes)%8 == 0
	case voidstar.KindOptional:
		if v.kind == 'n' {
			return append(dst, 0xc0), true
		}
		return shortest(dst, s.Elem, v)
	case voidstar.KindEnum:
		return number(dst, v), v.kind == 'u' && v.bits < uint64(len(s.Arms))
	case voidstar.KindList, voidstar.KindTuple, voidstar.KindRecord, voidstar.KindVariant:
		return shortestParts(dst, s, v)
	}
	size := 8 * s.Width
	fits := v.kind == 'u' && v.bits <= math.MaxUint64>>(64-size)
	if s.Kind <= voidstar.KindInt64 {
		fits = v.kind == 'u' && v.bits <= math.MaxInt64>>(64-size) || v.kind == 'i' && int64(v.bits) >= math.MinInt64>>(64-size)
	}
	return number(dst, v), fits
}

func shortestFloat(dst []byte, kind voidstar.Kind, v item) ([]byte, bool) {
	f := math.Float64frombits(v.bits)
	switch v.kind {
	case 'u':
		f = float64(v.bits)
	case 'i':
		f = float64(int64(v.bits))
	case 'f':
	default:
		return nil, false
	}
	if kind == voidstar.KindFloat32 {
		f = float64(float32(f))
	}
	return binary.BigEndian.AppendUint64(append(dst, 0xcb), math.Float64bits(f)), true
}

func shortestParts(dst []byte, s *voidstar.Schema, v item) (_ []byte, ok bool) {
	switch {
	case s.Kind == voidstar.KindVariant:
		return shortestVariant(dst, s, v)
	case s.Kind == voidstar.KindList && s.Elem.Kind == voidstar.KindUint8 && v.kind == 'x':
		for _, b := range v.bytes {
			v.items = append(v.items, item{kind: 'u', bits: uint64(b)})
		}
	case s.Kind == voidstar.KindRecord && v.kind == 'm':
		if v.items, ok = byKey(s, v.items); !ok {
			return nil, false
		}
	case v.kind != 'a':
		return nil, false
	}
	want := len(s.Fields)
	if s.Kind == voidstar.KindList {
		want = s.Len
	}
	if n := len(v.items); n != want && (s.Kind != voidstar.KindList || s.Len > 0) {
		return nil, false
	}
	dst = array(dst, len(v.items))
	for i, part := range v.items {
		typ := s.Elem
		if s.Kind != voidstar.KindList {
			typ = s.Fields[i].Schema
		}
		if dst, ok = shortest(dst, typ, part); !ok {
			return nil, false
		}
	}
	return dst, true
}

// byKey puts the values of a map in the order of the fields of a record.
func byKey(s *voidstar.Schema, pairs []item) (values []item, ok bool) {
	for n, f := range s.Fields {
		first := slices.IndexFunc(s.Fields, func(g voidstar.Field) bool { return g.Name == f.Name })
		found := -1
		for i := 0; i < len(pairs); i += 2 {
			if pairs[i].kind == 's' && string(pairs[i].bytes) == f.Name {
				if found >= 0 {
					return nil, false
				}
				found = i + 1
			}
		}
		if found < 0 || first != n { // of two fields with one name, the second is never there
			return nil, false
		}
		values = append(values, pairs[found])
	}
	return values, true
}

func shortestVariant(dst []byte, s *voidstar.Schema, v item) ([]byte, bool) {
	if v.kind != 'a' || len(v.items) != 2 || v.items[0].kind != 'u' || v.items[0].bits >= uint64(len(s.Arms)) {
		return nil, false
	}
	payload, fields := s.Arms[v.items[0].bits].Payload, v.items[1]
	dst = number(array(dst, 2), v.items[0])
	if payload == nil {
		return append(dst, 0xc0), fields.kind == 'n' || fields.kind == 'a' && len(fields.items) == 0
	}
	return shortest(dst, payload, fields)
}

// number writes an integer in its shortest form.
func number(dst []byte, v item) []byte {
	if v.kind == 'u' && v.bits < 0x80 || v.kind == 'i' && int64(v.bits) >= -32 {
		return append(dst, byte(v.bits))
	}
	for i := range 4 {
		size := 8 << i
		if v.kind == 'u' && v.bits > math.MaxUint64>>(64-size) || v.kind == 'i' && int64(v.bits) < math.MinInt64>>(64-size) {
			continue
		}
		word := binary.BigEndian.AppendUint64(nil, v.bits)
		return append(append(dst, map[byte]byte{'u': 0xcc, 'i': 0xd0}[v.kind]+byte(i)), word[8-size/8:]...)
	}
	return dst
}

// lead writes bytes behind their number, which is part of the code if it is below few.
func lead(dst, codes []byte, short byte, few int, b []byte) []byte {
	switch n := len(b); {
	case n < few:
		dst = append(dst, short+byte(n))
	case n < 1<<8:
		dst = append(dst, codes[0], byte(n))
	case n < 1<<16:
		dst = binary.BigEndian.AppendUint16(append(dst, codes[1]), uint16(n))
	default:
		dst = binary.BigEndian.AppendUint32(append(dst, codes[2]), uint32(n))
	}
	return append(dst, b...)
}

// array writes the number of the elements that follow.
func array(dst []byte, n int) []byte {
	if n < 16 {
		return append(dst, 0x90+byte(n))
	}
	return binary.BigEndian.AppendUint16(append(dst, 0xdc), uint16(n))
}
