package packet

import "strings"

// A Call is a call packet under construction (pool-protocol 3.4): a header, then for
// each argument a data packet whose payload is a voidstar value (4.3). Generated code
// calls Reset, then for one argument after the other Begin, the Put methods and End,
// and at last Bytes. Offsets given to Put methods count from the start of the payload:
// those of the root's fields are constants of its type, those of list elements and of
// what an optional holds are handed to the put functions of [PutList] and [PutOptional].
//
// A Call keeps its memory from one Reset to the next, so a warm one allocates nothing.
// The zero Call needs a Reset before its first use.
type Call struct {
	buf  []byte
	head int // where the header of the argument at hand starts
	root int // where its payload starts
	nul  bool
}

// Reset starts a call of manifold mid.
func (c *Call) Reset(mid uint32) {
	c.buf = appendHeader(c.buf[:0], TypeCall, 0, 0)
	le.PutUint32(c.buf[16:], mid)
	c.head, c.root, c.nul = 0, HeaderSize, false
}

// Begin starts the next argument: its type schema, without hints, and the width of its
// root in bytes.
func (c *Call) Begin(schema string, width int) {
	c.head = len(c.buf)
	c.buf = appendHeader(c.buf, TypeData, SourceMessage, FormatVoidstar)
	c.buf = pad(appendSchema(c.buf, schema), c.head+HeaderSize, blockAlign)
	c.root = len(c.buf)
	c.grow(width)
}

// End completes the argument.
func (c *Call) End() {
	c.buf = pad(c.buf, c.root, 8) // keeps what follows aligned
	setSizes(c.buf[c.head:], c.root-c.head-HeaderSize, len(c.buf)-c.root)
}

// Bytes completes the packet and returns it, valid until the next Reset.
func (c *Call) Bytes() []byte {
	setSizes(c.buf, 0, len(c.buf)-HeaderSize)
	return c.buf
}

// Payload returns the voidstar value of the argument that ended last, valid until the
// next Begin or Reset. It is how a value that is to be saved is encoded.
func (c *Call) Payload() []byte { return c.buf[c.root:] }

// SawNUL reports whether a string holding U+0000 was put since Reset. Some languages
// cannot take such strings (pool-protocol 6.3).
func (c *Call) SawNUL() bool { return c.nul }

// note remembers whether s holds U+0000.
func (c *Call) note(s string) {
	if strings.IndexByte(s, 0) >= 0 {
		c.nul = true
	}
}

// field returns the payload from an offset on.
func (c *Call) field(at int) []byte { return c.buf[c.root+at:] }

// grow appends n zeros.
func (c *Call) grow(n int) { c.buf = extend(c.buf, n) }

// block appends size zeros at the next multiple of align and returns their offset.
func (c *Call) block(size, align int) int {
	c.buf = pad(c.buf, c.root, align)
	start := len(c.buf) - c.root
	c.grow(size)
	return start
}

// list puts a count and a pointer at an offset and returns where the block of elements
// that it appends starts. An empty list is all zero and has no block.
func (c *Call) list(at, count, width, align int) int {
	start := c.block(count*width, align)
	f := c.field(at)
	le.PutUint64(f, uint64(count))
	le.PutUint64(f[8:], uint64(start))
	return start
}
