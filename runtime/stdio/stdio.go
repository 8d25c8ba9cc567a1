// Package stdio serves MCP on a pair of streams: one message a line (tools.md 11). It
// gathers the replies to all lines that one read brought and writes them at once.
package stdio

import (
	"io"
	"runtime"

	"github.com/mcpgen/mcpgen/runtime/mcp"
)

const (
	firstBuffer = 64 << 10 // bytes
	maxLine     = 64 << 20 // bytes, newline not counted
	flushAt     = 64 << 10 // gathered replies are written from this size on
	longLine    = 64 << 10 // replies gathered before such a line are not held up by it
)

// A Descriptor is a stream that is read from a file descriptor, and from nothing else.
type Descriptor interface{ Descriptor() int }

// Serve answers the messages of r on c until r ends; the last line needs no newline. It
// returns an error of r, or of c's writer. Calls may still be running then.
func Serve(c *mcp.Conn, r io.Reader) error {
	in := lineReader{r: r, max: maxLine, buf: make([]byte, 0, firstBuffer)}
	if file, ok := r.(Descriptor); ok {
		c.Lend(file.Descriptor())
		defer c.HandOver()
	}
	for {
		line, ok := in.next()
		if !ok {
			detached, err := c.Flush()
			if err != nil {
				return err
			}
			if !c.Help() && detached { // let the pools' goroutine have this thread before we block it
				runtime.Gosched()
			}
			if in.fill() {
				continue
			}
			break
		}
		if len(line) >= longLine {
			c.HandOver()
		}
		if c.Buffered() >= flushAt || len(line) >= longLine && c.Buffered() > 0 {
			if _, err := c.Flush(); err != nil {
				return err
			}
		}
		handle(c, line)
	}
	if in.err == io.EOF {
		handle(c, in.rest())
		in.err = nil
	}
	if _, err := c.Flush(); err != nil {
		return err
	}
	return in.err
}

// handle answers a line; nil stands for one that was too long.
func handle(c *mcp.Conn, line []byte) {
	if line == nil {
		c.TooLong()
		return
	}
	for len(line) > 0 && isSpace(line[len(line)-1]) {
		line = line[:len(line)-1]
	}
	for len(line) > 0 && isSpace(line[0]) {
		line = line[1:]
	}
	if len(line) > 0 {
		c.Handle(line)
	}
}

// isSpace reports whether c may pad a line: JSON's white space, \v and \f.
func isSpace(c byte) bool { return c == ' ' || '\t' <= c && c <= '\r' }
