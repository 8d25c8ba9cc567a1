package client

import (
	"bufio"
	"io"
)

// readLines gives each line of r to take, without its end, until r ends. A line over
// MaxMessage is told to long and dropped. The slice is valid until take returns.
func readLines(r io.Reader, take func([]byte), long func()) {
	in := bufio.NewReaderSize(r, 64<<10)
	var whole []byte // the line so far, if it does not fit the reader's buffer
	dropping := false
	for {
		part, err := in.ReadSlice('\n')
		switch {
		case dropping:
		case len(whole)+len(part) > MaxMessage:
			long()
			dropping, whole = true, nil
		case err == bufio.ErrBufferFull:
			whole = append(whole, part...)
		case whole != nil:
			take(append(whole, part...))
		case len(part) > 0:
			take(part)
		}
		if err == bufio.ErrBufferFull {
			continue
		}
		dropping, whole = false, nil
		if err != nil {
			return
		}
	}
}
