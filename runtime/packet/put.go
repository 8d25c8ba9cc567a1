package packet

import (
	"math"
	"math/big"
	"slices"

	"github.com/mcpgen/mcpgen/runtime/jsonx"
)

// Bits of the NaN that is sent; those of the value at hand are not kept.
const (
	nan32 = 0x7fc00000
	nan64 = 0x7ff8000000000000
)

// numberAlign is the alignment of list elements that are fixed-width numbers.
const numberAlign = 64

// PutUnit puts a unit, which takes no bytes.
func (c *Call) PutUnit(int, struct{}) {}

// PutBool puts a bool.
func (c *Call) PutBool(at int, v bool) {
	if v {
		c.buf[c.root+at] = 1
	}
}

// PutInt8 puts an i1.
func (c *Call) PutInt8(at int, v int8) { c.buf[c.root+at] = byte(v) }

// PutInt16 puts an i2.
func (c *Call) PutInt16(at int, v int16) { le.PutUint16(c.field(at), uint16(v)) }

// PutInt32 puts an i4.
func (c *Call) PutInt32(at int, v int32) { le.PutUint32(c.field(at), uint32(v)) }

// PutInt64 puts an i8.
func (c *Call) PutInt64(at int, v int64) { le.PutUint64(c.field(at), uint64(v)) }

// PutUint8 puts a u1.
func (c *Call) PutUint8(at int, v uint8) { c.buf[c.root+at] = v }

// PutUint16 puts a u2.
func (c *Call) PutUint16(at int, v uint16) { le.PutUint16(c.field(at), v) }

// PutUint32 puts a u4.
func (c *Call) PutUint32(at int, v uint32) { le.PutUint32(c.field(at), v) }

// PutUint64 puts a u8.
func (c *Call) PutUint64(at int, v uint64) { le.PutUint64(c.field(at), v) }

// PutFloat32 puts an f4.
func (c *Call) PutFloat32(at int, v float32) {
	bits := math.Float32bits(v)
	if v != v {
		bits = nan32
	}
	le.PutUint32(c.field(at), bits)
}

// PutFloat64 puts an f8.
func (c *Call) PutFloat64(at int, v float64) { le.PutUint64(c.field(at), bits64(v)) }

func bits64(v float64) uint64 {
	if v != v {
		return nan64
	}
	return math.Float64bits(v)
}

// PutInt puts a j, an integer of any size.
func (c *Call) PutInt(at int, v jsonx.Int) {
	small, large := v.Parts()
	if large != nil {
		c.putLimbs(at, large)
		return
	}
	f := c.field(at)
	f[0] = 1
	le.PutUint64(f[8:], uint64(small))
}

// putLimbs puts an integer of several 64-bit limbs: two's complement, the least
// significant limb first.
func (c *Call) putLimbs(at int, v *big.Int) {
	bits := v.BitLen()
	if v.Sign() < 0 && int(v.TrailingZeroBits()) == bits-1 {
		bits-- // -2^n needs a bit less than 2^n
	}
	n := bits/64 + 1 // a sign bit more than the bits
	start := c.list(at, n, 8, 8)
	limbs := c.field(start)
	v.FillBytes(limbs)
	slices.Reverse(limbs)
	if v.Sign() < 0 {
		negate(limbs)
	}
}

// negate negates a little-endian integer in two's complement.
func negate(b []byte) {
	carry := true
	for i, x := range b {
		b[i] = ^x
		if carry {
			b[i]++
			carry = b[i] == 0
		}
	}
}

// PutString puts a string; its bytes follow what has been put.
func (c *Call) PutString(at int, s string) {
	if s == "" {
		return
	}
	c.note(s)
	f := c.field(at)
	le.PutUint64(f, uint64(len(s)))
	le.PutUint64(f[8:], uint64(len(c.buf)-c.root))
	c.buf = append(c.buf, s...)
}

// PutList puts a list. width is that of an element in bytes, align that of the block of
// elements: 64 for integers and floats of fixed width, else the alignment of the element
// (pool-protocol 4.2). put is called for each element in order, with its offset.
func PutList[T any](c *Call, at int, vs []T, width, align int, put func(c *Call, at int, v T)) {
	if len(vs) == 0 {
		return
	}
	start := c.list(at, len(vs), width, align)
	for i, v := range vs {
		put(c, start+i*width, v)
	}
}

// PutOptional puts what v points to, or absence. width and align are those of the value.
func PutOptional[T any](c *Call, at int, v *T, width, align int, put func(c *Call, at int, v T)) {
	if v == nil {
		le.PutUint64(c.field(at), math.MaxUint64)
		return
	}
	start := c.block(width, align)
	le.PutUint64(c.field(at), uint64(start))
	put(c, start, *v)
}

// PutFloat64s puts a list of f8, as [PutList] does.
func (c *Call) PutFloat64s(at int, vs []float64) {
	if len(vs) == 0 {
		return
	}
	block := c.field(c.list(at, len(vs), 8, numberAlign))
	for i, v := range vs {
		le.PutUint64(block[8*i:], bits64(v))
	}
}

// PutInt64s puts a list of i8, as [PutList] does.
func (c *Call) PutInt64s(at int, vs []int64) {
	if len(vs) == 0 {
		return
	}
	block := c.field(c.list(at, len(vs), 8, numberAlign))
	for i, v := range vs {
		le.PutUint64(block[8*i:], uint64(v))
	}
}

// PutBytes puts a list of u1, as [PutList] does.
func (c *Call) PutBytes(at int, vs []byte) {
	if len(vs) == 0 {
		return
	}
	copy(c.field(c.list(at, len(vs), 1, numberAlign)), vs)
}
