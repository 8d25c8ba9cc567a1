// Package transcript replays recorded sessions with a generated server in its tests: the
// contract of the server as a file that people can read. A transcript is text, one line
// each:
//
//	--> what the client sends
//	<-- what the server answers; "..." matches anything there
//	# a remark; so are empty lines
//
// Answers are expected before the next line is sent. With -update the answers that come
// take the place of others, and those that there are no lines for are added at the end.
package transcript

import (
	"bufio"
	"flag"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	rt "github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/stdio"
)

var update = flag.Bool("update", false, "record the server's answers in the transcripts")

// Test replays every file that matches pattern on the program, each on a connection of its
// own. Pool files are looked for from the package's folder.
func Test(t *testing.T, p *rt.Program, pattern string) {
	t.Helper()
	TestFrom(t, p, ".", pattern)
}

// TestFrom is [Test] in a package that is part of a server: root is the way from its folder
// to that of the main package.
func TestFrom(t *testing.T, p *rt.Program, root, pattern string) {
	t.Helper()
	files, err := filepath.Glob(pattern)
	if err != nil || len(files) == 0 {
		t.Fatalf("no transcripts match %s: %v", pattern, err)
	}
	stop := p.Prepare(filepath.FromSlash(root))
	defer stop()
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			got, problems := Replay(p, string(text))
			if *update {
				if err := os.WriteFile(file, []byte(got), 0o666); err != nil {
					t.Fatal(err)
				}
				return
			}
			for _, problem := range problems {
				t.Error(problem)
			}
		})
	}
}

// replyTimeout is how long a reply may take before the session is given up.
const replyTimeout = 2 * time.Minute

// Replay converses with the program as the transcript says. It returns the transcript with
// the answers that came, those that it has no line for at the end, and what was different.
func Replay(p *rt.Program, text string) (got string, problems []string) {
	in, client := io.Pipe()
	server, out := io.Pipe()
	done := make(chan error, 1)
	go func() {
		err := p.Serve(stdio.Serve, in, out)
		_ = in.Close() // or who writes to it would wait for ever
		_ = out.Close()
		done <- err
	}()
	watchdog := time.AfterFunc(replyTimeout, func() {
		_ = in.CloseWithError(os.ErrDeadlineExceeded)
		_ = server.CloseWithError(os.ErrDeadlineExceeded)
	})
	defer watchdog.Stop()
	replies := readLines(server)

	var b strings.Builder
	for line := range strings.SplitSeq(strings.TrimSuffix(text, "\n"), "\n") {
		if message, ok := strings.CutPrefix(line, "--> "); ok {
			if _, err := io.WriteString(client, message+"\n"); err != nil {
				return b.String(), append(problems, "not read ("+err.Error()+"): "+message)
			}
		}
		if want, ok := strings.CutPrefix(line, "<-- "); ok {
			reply, ok := <-replies
			if !ok {
				return b.String(), append(problems, "no answer, want "+want)
			}
			watchdog.Reset(replyTimeout)
			if !Match(reply, want) {
				problems = append(problems, "answer "+reply+"\n  want "+want)
				line = "<-- " + reply
			}
		}
		b.WriteString(line + "\n")
	}
	_ = client.Close()
	for reply := range replies {
		problems = append(problems, "one more answer at the end: "+reply)
		b.WriteString("<-- " + reply + "\n")
	}
	if err := <-done; err != nil {
		problems = append(problems, "serving: "+err.Error())
	}
	return b.String(), problems
}

// keptReplies is how many answers can wait for their lines; the server waits with more.
const keptReplies = 1024

// readLines reads lines while others do other things: a server does not read on as long as
// nobody takes what it has answered.
func readLines(r io.Reader) <-chan string {
	lines := make(chan string, keptReplies)
	go func() {
		defer close(lines)
		buffered := bufio.NewReader(r)
		for {
			line, err := buffered.ReadString('\n')
			if line != "" {
				lines <- strings.TrimSuffix(line, "\n")
			}
			if err != nil {
				return
			}
		}
	}()
	return lines
}

// Match reports whether got is want, in which "..." stands for anything.
func Match(got, want string) bool {
	parts := strings.Split(want, "...")
	if len(parts) == 1 {
		return got == want
	}
	first, last := parts[0], parts[len(parts)-1]
	if !strings.HasPrefix(got, first) || len(got) < len(first)+len(last) || !strings.HasSuffix(got, last) {
		return false
	}
	got = got[len(first) : len(got)-len(last)]
	for _, part := range parts[1 : len(parts)-1] {
		i := strings.Index(got, part)
		if i < 0 {
			return false
		}
		got = got[i+len(part):]
	}
	return true
}
