package stdio

import (
	"bytes"
	"io"
)

// A lineReader cuts lines out of one buffer that grows up to the longest line allowed, and
// is given up again after such a line.
type lineReader struct {
	r       io.Reader
	buf     []byte // buf[start:] is not handed out yet
	start   int
	scanned int  // no newline before this offset
	skip    bool // the rest of a line that is too long is being dropped
	max     int
	err     error
}

// next returns a line that is in the buffer, without its newline and valid until fill;
// nil for one that was too long. ok is false if there is none.
func (l *lineReader) next() (line []byte, ok bool) {
	i := bytes.IndexByte(l.buf[l.scanned:], '\n')
	if i < 0 {
		l.scanned = len(l.buf)
		return nil, false
	}
	end := l.scanned + i
	line = l.buf[l.start:end:end]
	l.start, l.scanned = end+1, end+1
	if l.skip || len(line) > l.max {
		l.skip = false
		return nil, true
	}
	return line, true
}

// keepBuffer is the largest buffer that is kept when it holds nothing.
const keepBuffer = 4 << 20

// fill reads once. It is called when there is no line left in the buffer.
func (l *lineReader) fill() bool {
	if l.start > 0 {
		n := copy(l.buf, l.buf[l.start:])
		l.buf = l.buf[:n]
		l.start, l.scanned = 0, n
	}
	if len(l.buf) > l.max {
		l.skip = true
	}
	if l.skip {
		l.buf, l.scanned = l.buf[:0], 0
	}
	if len(l.buf) == 0 && cap(l.buf) > keepBuffer {
		l.buf = make([]byte, 0, firstBuffer)
	}
	if len(l.buf) == cap(l.buf) {
		grown := make([]byte, len(l.buf), min(2*cap(l.buf), l.max+firstBuffer))
		copy(grown, l.buf)
		l.buf = grown
	}
	n, err := l.r.Read(l.buf[len(l.buf):cap(l.buf)])
	l.buf = l.buf[:len(l.buf)+n]
	l.err = err
	return n > 0 || err == nil
}

// rest returns what follows the last newline, as next does; empty if there is nothing.
func (l *lineReader) rest() []byte {
	if l.skip || len(l.buf)-l.start > l.max {
		return nil
	}
	return l.buf[l.start:]
}
