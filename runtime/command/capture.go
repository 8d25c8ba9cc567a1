package command

import (
	"errors"
	"io"
	"os"
	"sync/atomic"
	"time"
)

// A capture takes what a process writes to one of its streams.
type capture interface {
	// file returns what the process has for its stream.
	file() *os.File
	// begin says that the process has it.
	begin()
	// size returns how many bytes have been written; at most one more than the limit is
	// counted for certain. It may be called by any goroutine until close.
	size() int64
	// finish says that the process has ended, and all that is killed with it.
	finish()
	// read appends what has been written, at most a number of bytes.
	read(dst []byte, max int64) ([]byte, error)
	// close gives back what it takes. It comes once, whether or not the process began.
	close()
}

func newCapture(o *order) (capture, error) {
	if o.pipe {
		return newPipeCapture(o.max)
	}
	f, err := newFile()
	return fileCapture{f}, err
}

// A fileCapture is a file that is in no folder. Programs write it to the end before they
// exit; with pipes, some do not (cli-schema.md 7.2).
type fileCapture struct{ f *os.File }

func (c fileCapture) file() *os.File { return c.f }
func (c fileCapture) begin()         {}
func (c fileCapture) finish()        {}

// close keeps those from filling the memory who have left the group and go on writing.
func (c fileCapture) close() {
	retire(c.f)
	dropFile(c.f)
}

func (c fileCapture) size() int64 {
	info, err := c.f.Stat()
	if err != nil {
		return 0
	}
	return info.Size()
}

func (c fileCapture) read(dst []byte, max int64) ([]byte, error) {
	n := int(min(c.size(), max))
	if cap(dst)-len(dst) < n {
		dst = append(make([]byte, 0, len(dst)+n), dst...)
	}
	got, err := c.f.ReadAt(dst[len(dst):len(dst)+n], 0)
	if errors.Is(err, io.EOF) { // others may cut it short
		err = nil
	}
	return dst[:len(dst)+got], err
}

// pipeGrace is how long processes that have left the group, and hold a pipe, delay the
// result.
const pipeGrace = 100 * time.Millisecond

// A pipeCapture is a pipe that a goroutine reads.
type pipeCapture struct {
	ours, theirs *os.File
	max          int64
	n            atomic.Int64
	done         chan struct{} // closed when no more is read; nil before begin
	data         []byte        // valid then
}

func newPipeCapture(max int64) (*pipeCapture, error) {
	ours, theirs, err := os.Pipe()
	return &pipeCapture{ours: ours, theirs: theirs, max: max}, err
}

func (c *pipeCapture) file() *os.File { return c.theirs }

func (c *pipeCapture) begin() {
	_ = c.theirs.Close()
	c.done = make(chan struct{})
	go c.pump()
}

// pump reads until the end, or until there is too much.
func (c *pipeCapture) pump() {
	defer close(c.done)
	buf := make([]byte, 32<<10)
	for int64(len(c.data)) <= c.max {
		n, err := c.ours.Read(buf)
		c.data = append(c.data, buf[:n]...)
		c.n.Store(int64(len(c.data)))
		if err != nil {
			return
		}
	}
}

func (c *pipeCapture) size() int64 { return c.n.Load() }

func (c *pipeCapture) finish() {
	timer := time.NewTimer(pipeGrace)
	defer timer.Stop()
	select {
	case <-c.done:
	case <-timer.C:
		_ = c.ours.Close()
		<-c.done
	}
}

func (c *pipeCapture) read(dst []byte, max int64) ([]byte, error) {
	return append(dst, c.data[:min(int64(len(c.data)), max)]...), nil
}

func (c *pipeCapture) close() {
	_ = c.ours.Close()
	if c.done == nil {
		_ = c.theirs.Close()
	}
}
