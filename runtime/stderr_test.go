package runtime

import (
	"io"
	"strconv"
	"strings"
	"testing"
	"time"
)

// TestSink writes more lines than anybody reads: who writes does not wait, and a reader who
// comes at last finds whole lines, and how many there are not.
func TestSink(t *testing.T) {
	t.Parallel()
	r, w := io.Pipe() // which holds nothing
	s := &sink{to: w}
	s.part()
	const (
		line = "0123456789012345678901234567890123456789012345678901234567890123456789\n"
		sent = 3 * maxLines / len(line)
	)
	for range sent {
		if n, err := s.Write([]byte(line)); n != len(line) || err != nil {
			t.Fatal(n, err)
		}
	}
	s.flush(time.Millisecond) // in vain
	read := make(chan string)
	go func() {
		text, _ := io.ReadAll(r)
		read <- string(text)
	}()
	s.flush(time.Minute)
	if _, err := s.Write([]byte("the end\n")); err != nil {
		t.Error(err)
	}
	s.flush(time.Minute)
	s.flush(0) // nothing is under way
	_ = w.Close()
	text := <-read
	whole := strings.Count(text, line)
	text = strings.ReplaceAll(text, line, "")
	dropped, found := strings.CutPrefix(text, "mcpgen: ")
	if want := strconv.Itoa(sent-whole) + " lines were not read in time, and are dropped\nthe end\n"; !found || dropped != want || whole*len(line) > 2*maxLines {
		t.Errorf("%d lines of %d, and then %q, want %q", whole, sent, dropped, want)
	}
}
