package client

import (
	"bufio"
	"bytes"
	"errors"
	"io"
)

// errLongEvent ends a stream that sends more than a message may have.
var errLongEvent = errors.New("an event is longer than 16 MiB")

const byteOrderMark = "\ufeff"

// An event is one of a server-sent stream.
type event struct {
	kind string // "" is "message"
	data []byte
}

// readEvents gives each event that has data to take, until take returns false or the
// stream ends. Lines end in CR LF, LF or CR; several data lines are joined with LF;
// comments and events without data are nothing, nor is a byte order mark at the start.
func readEvents(r io.Reader, take func(event) bool) error {
	in := bufio.NewReaderSize(r, 16<<10)
	if head, _ := in.Peek(len(byteOrderMark)); string(head) == byteOrderMark { // no event is shorter
		_, _ = in.Discard(len(byteOrderMark))
	}
	var line, data []byte
	var kind string
	hasData := false
	afterCR := false
	for {
		c, err := in.ReadByte()
		if err == io.EOF {
			return nil // an event that no blank line ends is none
		}
		if err != nil {
			return err
		}
		if c == '\n' && afterCR {
			afterCR = false
			continue
		}
		afterCR = c == '\r'
		if c != '\n' && c != '\r' {
			if len(line)+len(data) >= MaxMessage {
				return errLongEvent
			}
			line = append(line, c)
			continue
		}
		if len(line) > 0 {
			switch name, value := field(line); name {
			case "event":
				kind = string(value)
			case "data":
				if hasData {
					data = append(data, '\n')
				}
				data = append(data, value...)
				hasData = true
			}
			line = line[:0]
			continue
		}
		if len(bytes.TrimSpace(data)) > 0 && !take(event{kind, data}) {
			return nil
		}
		data, kind, hasData = nil, "", false
	}
}

// field splits a line of a stream; a comment has no name.
func field(line []byte) (name string, value []byte) {
	head, value, _ := bytes.Cut(line, []byte{':'})
	return string(head), bytes.TrimPrefix(value, []byte{' '})
}
