// Package transcript replays recorded sessions with a generated server in its tests: the
// contract of the server as a file that people can read. A transcript is text, one line
// each:
//
//	--> what the client sends
//	<-- what the server answers; "..." matches anything there
//	# a remark; so are empty lines
//
// Answers are expected before the next line is sent.
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
	files, err := filepath.Glob(pattern)
	if err != nil || len(files) == 0 {
		t.Fatalf("no transcripts match %s: %v", pattern, err)
	}
	stop := p.Prepare(filepath.FromSlash(p.Folder))
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
// the answers that came, and what was different.
func Replay(p *rt.Program, text string) (got string, problems []string) {
	in, client := io.Pipe()
	server, out := io.Pipe()
	done := make(chan error, 1)
	go func() {
		err := p.Serve(stdio.Serve, in, out)
		_ = out.Close()
		done <- err
	}()
	replies := bufio.NewReader(server)
	watchdog := time.AfterFunc(replyTimeout, func() { _ = server.CloseWithError(os.ErrDeadlineExceeded) })
	defer watchdog.Stop()

	var b strings.Builder
	for line := range strings.SplitSeq(strings.TrimSuffix(text, "\n"), "\n") {
		if message, ok := strings.CutPrefix(line, "--> "); ok {
			_, _ = io.WriteString(client, message+"\n")
		}
		if want, ok := strings.CutPrefix(line, "<-- "); ok {
			reply, err := replies.ReadString('\n')
			reply = strings.TrimSuffix(reply, "\n")
			if err != nil {
				return b.String(), append(problems, "no answer ("+err.Error()+"), want "+want)
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
	rest, err := io.ReadAll(replies)
	if len(rest) > 0 || err != nil {
		problems = append(problems, "more answers at the end: "+string(rest))
	}
	if err := <-done; err != nil {
		problems = append(problems, "serving: "+err.Error())
	}
	return b.String(), problems
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
