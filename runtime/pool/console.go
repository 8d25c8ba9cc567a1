package pool

import (
	"bytes"
	"errors"
	"io"
	"os"
	"strings"
	"sync"
	"time"
)

// A console writes whole lines to the server's stderr, and tells them to a listener.
type console struct {
	program  string
	audience audience

	mu sync.Mutex
	w  io.Writer
	b  []byte
}

// log writes a line of our own.
func (c *console) log(line string) { c.print(c.program+": ", line) }

// firstLine is the text of an error without the lines of output that it may end with:
// those are on stderr already.
func firstLine(err error) string {
	line, _, _ := strings.Cut(err.Error(), "\n")
	return line
}

// print writes a line with a prefix. What cannot be written is lost: there is nobody left
// to tell.
func (c *console) print(prefix, line string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.b = append(append(append(c.b[:0], prefix...), line...), '\n')
	_, _ = c.w.Write(c.b)
}

// How much of a pool's output is kept for an error, and how long a line may be.
const (
	keptLines = 10
	keptBytes = 4 << 10
	maxLine   = 64 << 10
)

// An output forwards what a pool prints, line by line, and remembers the end of it. Its
// pipe may outlive the pool's leader, so nobody waits for it without a limit.
type output struct {
	from  *os.File // our end of the pipe
	to    *console
	lang  string
	asked chan chan struct{} // by sync, which has the answer closed
	done  chan struct{}      // closed when no more comes

	mu   sync.Mutex
	kept []string // the last lines, the newest last
}

func newOutput(from *os.File, to *console, lang string) *output {
	o := &output{from: from, to: to, lang: lang, asked: make(chan chan struct{}, 1), done: make(chan struct{})}
	go o.run()
	return o
}

func (o *output) run() {
	defer close(o.done)
	var b lines
	for {
		n, err := o.from.Read(b.room())
		b.take(n, o.line)
		if errors.Is(err, os.ErrDeadlineExceeded) {
			o.catchUp(&b)
			continue
		}
		if err != nil {
			b.end(o.line)
			return
		}
	}
}

func (o *output) line(b []byte) {
	text := strings.ToValidUTF8(string(bytes.TrimSuffix(b, []byte{'\r'})), "\uFFFD")
	o.to.print(o.to.program+": "+o.lang+": ", text)
	o.to.audience.tell(o.lang, text)
	o.mu.Lock()
	defer o.mu.Unlock()
	if len(o.kept) == keptLines {
		o.kept = append(o.kept[:0], o.kept[1:]...)
	}
	o.kept = append(o.kept, text)
}

// tail returns the last lines, each with a line break in front of it.
func (o *output) tail() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	var text string
	for i := len(o.kept) - 1; i >= 0; i-- {
		line := "\n" + o.kept[i]
		if len(text)+len(line) > keptBytes {
			if text == "" {
				return strings.ToValidUTF8(line[:keptBytes], "")
			}
			break
		}
		text = line + text
	}
	return text
}

// finish waits until all that has been printed is forwarded, or for the limit: processes
// that have left their group may hold the pipe. They get an error if they go on printing.
func (o *output) finish(limit time.Duration) {
	timer := time.NewTimer(limit)
	defer timer.Stop()
	select {
	case <-o.done:
	case <-timer.C:
	}
	_ = o.from.Close()
}
