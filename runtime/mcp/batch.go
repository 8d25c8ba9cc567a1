package mcp

import (
	"sync"

	"github.com/mcpgen/mcpgen/runtime/rpc"
)

// A batch gathers the replies to the messages of one array. It is written when the last
// one has come, by whoever brings it.
type batch struct {
	conn *Conn

	mu   sync.Mutex
	out  []byte // replies with commas between them
	left int    // replies that are still to come, and one for the reader
}

// noObject answers JSON that is not an object: a batch, where there are batches.
func (c *Conn) noObject(message []byte) {
	if !c.revision.hasBatches() {
		c.fail(nil, rpc.CodeInvalid, rpc.TextNotObject)
		return
	}
	b := &batch{conn: c, left: 1}
	c.batch = b
	defer func() { c.batch = nil }()
	start := len(c.out)
	n := rpc.EachElement(message, func(element []byte) {
		if err := c.msg.Scan(element); err == nil {
			c.dispatch()
		} else {
			c.fail(nil, rpc.CodeInvalid, rpc.TextNotObject)
		}
		b.add(c.out[start:])
		c.out = c.out[:start]
	})
	if n <= 0 { // no array, or an empty one
		c.fail(nil, rpc.CodeInvalid, rpc.TextNotObject)
		return
	}
	b.done()
}

// expect notes that a detached call will add a reply.
func (b *batch) expect() {
	b.mu.Lock()
	b.left++
	b.mu.Unlock()
}

// add takes a reply, or nothing.
func (b *batch) add(line []byte) {
	if len(line) == 0 {
		return
	}
	b.mu.Lock()
	b.out = append(append(b.out, ','), line[:len(line)-1]...) // without its newline
	b.mu.Unlock()
}

// done notes that a reply has been added, and writes the batch after the last one.
func (b *batch) done() {
	b.mu.Lock()
	b.left--
	last := b.left == 0
	b.mu.Unlock()
	if last && len(b.out) > 0 {
		b.out[0] = '['
		_ = b.conn.w.Write(append(b.out, "]\n"...)) // a broken connection is met by its reader too
	}
}
