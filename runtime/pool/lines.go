package pool

import "bytes"

// lines cuts what is read, in whatever pieces, into lines. One that is longer than maxLine is
// cut into several, all but the last one of that length.
type lines struct{ buf []byte }

// room returns where to read to; it is never empty.
func (b *lines) room() []byte {
	if cap(b.buf) == 0 {
		b.buf = make([]byte, 0, 4<<10)
	}
	if len(b.buf) == cap(b.buf) {
		b.buf = append(b.buf, make([]byte, len(b.buf))...)[:len(b.buf)]
	}
	return b.buf[len(b.buf):cap(b.buf)]
}

// take gives f the lines that are whole with n more bytes, which were read to room.
func (b *lines) take(n int, f func(line []byte)) {
	rest := b.buf[:len(b.buf)+n]
	for {
		line, after, found := bytes.Cut(rest, []byte{'\n'})
		if len(line) > maxLine {
			line, after, found = rest[:maxLine], rest[maxLine:], true
		}
		if !found {
			break
		}
		f(line)
		rest = after
	}
	b.buf = b.buf[:copy(b.buf[:cap(b.buf)], rest)]
}

// end gives f the last line, which has no line break.
func (b *lines) end(f func(line []byte)) {
	if len(b.buf) > 0 {
		f(b.buf)
	}
}
