// Package line is the loop of the stand-in servers on standard input and output: as many
// lines as a read brings, and one write of the replies to them.
package line

import (
	"bytes"
	"io"
	"os"
	"slices"
)

// Serve answers the lines of standard input, in order, until it ends. What answer appends
// to out for a line is the reply, with its newline.
func Serve(answer func(out, line []byte) []byte) error {
	return serve(os.Stdin, os.Stdout, answer)
}

func serve(in io.Reader, to io.Writer, answer func(out, line []byte) []byte) error {
	buf := make([]byte, 0, 1<<20)
	var out []byte
	for {
		if len(buf) == cap(buf) {
			buf = slices.Grow(buf, cap(buf))
		}
		seen := len(buf) // has no newline
		n, err := in.Read(buf[seen:cap(buf)])
		buf = buf[:seen+n]
		rest := buf
		for {
			end := bytes.IndexByte(rest[seen:], '\n')
			if end < 0 {
				break
			}
			out = answer(out, rest[:seen+end])
			rest = rest[seen+end+1:]
			seen = 0
		}
		buf = buf[:copy(buf, rest)]
		if _, failed := to.Write(out); failed != nil {
			return failed
		}
		out = out[:0]
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
	}
}
