package packet

import "math"

// PutTag puts a variant whose constructor has no fields.
func (c *Call) PutTag(at int, tag uint8) {
	f := c.field(at)
	f[0] = tag
	le.PutUint64(f[8:], math.MaxUint64)
}

// PutVariant puts a variant whose constructor has fields: put puts them. width and align are
// those of the tuple that they make (manifest-next.md 4.1).
func PutVariant[T any](c *Call, at int, tag uint8, v T, width, align int, put func(c *Call, at int, v T)) {
	start := c.block(width, align)
	f := c.field(at)
	f[0] = tag
	le.PutUint64(f[8:], uint64(start))
	put(c, start, v)
}
