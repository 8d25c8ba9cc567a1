package mcp

import (
	"sync"

	"github.com/mcpgen/mcpgen/runtime/rpc"
)

// A batch gathers the replies to the messages of one array. It is sent when the last one has
// come: by the reader among its other replies, or by the goroutine that brings it.
type batch struct {
	mu   sync.Mutex
	out  []byte // replies with commas between them
	left int    // replies that are still to come, and one for the reader
}

// maxBatch is the number of messages in an array. Without a limit a line of few bytes a
// message could ask for replies that no memory holds.
const maxBatch = 1000

// noObject answers JSON that is not an object: a batch, where there are batches.
func (c *Conn) noObject(message []byte) {
	if !c.session.Revision.hasBatches() {
		c.fail(nil, rpc.CodeInvalid, rpc.TextNotObject)
		return
	}
	if n := rpc.EachElement(message, func([]byte) {}); n > maxBatch {
		c.fail(nil, rpc.CodeInvalid, textBatch)
		return
	}
	b := &batch{left: 1}
	c.batch = b
	defer func() { c.batch = nil }()
	start := len(c.out)
	n := rpc.EachElement(message, func(element []byte) {
		if err := c.msg.Scan(element); err == nil {
			c.dispatch()
		} else {
			c.legacy()
			c.fail(nil, rpc.CodeInvalid, rpc.TextNotObject)
		}
		b.add(c.out[start:])
		c.out = c.out[:start]
	})
	if n <= 0 { // no array, or an empty one
		c.fail(nil, rpc.CodeInvalid, rpc.TextNotObject)
		return
	}
	c.out = append(c.out, b.done()...)
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

// done notes that a reply has been added, or that the reader has seen the whole array. After
// the last one it returns what is to be sent.
func (b *batch) done() []byte {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.left--; b.left > 0 || len(b.out) == 0 {
		return nil
	}
	b.out[0] = '['
	return append(b.out, "]\n"...)
}
