package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net/http"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
)

// A served is the server that a script has started, and the session with it.
type served struct {
	cmd     *exec.Cmd
	url     string
	session string
	rest    chan string // what it writes to stderr once it serves
}

// serverKey is where a script keeps its servers: a *[]*served.
type serverKey struct{}

var readyLine = regexp.MustCompile(` over HTTP at (http://\S+)\n$`)

// serve COMMAND... starts a server on a free port and waits until it serves.
func serve(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 1 {
		ts.Fatalf("usage: serve COMMAND...")
	}
	s := &served{rest: make(chan string, 1)}
	s.cmd = command(context.Background(), ts, append(args, "--http-port", "0"))
	pipe, err := s.cmd.StderrPipe()
	ts.Check(err)
	ts.Check(s.cmd.Start())
	ts.Defer(func() { s.cmd.Process.Kill() })
	stderr := bufio.NewReader(pipe)
	for s.url == "" {
		line, err := stderr.ReadString('\n')
		if err != nil {
			ts.Fatalf("%v after %q", err, line)
		}
		if m := readyLine.FindStringSubmatch(line); m != nil {
			s.url = m[1]
		}
	}
	go func() {
		rest, _ := io.ReadAll(stderr)
		s.rest <- string(rest)
	}()
	servers := ts.Value(serverKey{}).(*[]*served)
	*servers = append(*servers, s)
}

// stop ends the server that was started last, with SIGTERM. It must have had nothing to say.
func stop(ts *testscript.TestScript, neg bool, args []string) {
	s := lastServer(ts)
	if neg || len(args) > 0 {
		ts.Fatalf("usage: stop")
	}
	ts.Check(s.cmd.Process.Signal(syscall.SIGTERM))
	rest := <-s.rest
	_ = s.cmd.Wait()
	if got := s.cmd.ProcessState.ExitCode(); got != 128+int(syscall.SIGTERM) || rest != "" {
		ts.Fatalf("exit status %d, stderr %s", got, rest)
	}
}

func lastServer(ts *testscript.TestScript) *served {
	servers := *ts.Value(serverKey{}).(*[]*served)
	if len(servers) == 0 {
		ts.Fatalf("no server was started")
	}
	return servers[len(servers)-1]
}

// post TRANSCRIPT sends the lines of a file that begin with "--> " to the server, each as a
// request in the session that began with initialize, and expects "<-- " to be followed by
// the status and the body that come back ("..." matches anything).
func post(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: post TRANSCRIPT")
	}
	s := lastServer(ts)
	got := ""
	n := 0
	for line := range strings.Lines(ts.ReadFile(args[0])) {
		n++
		line = strings.TrimSuffix(line, "\n")
		if message, ok := strings.CutPrefix(line, "--> "); ok {
			answer, err := s.post(message)
			ts.Check(err)
			got = answer
		} else if want, ok := strings.CutPrefix(line, "<-- "); ok && !matches(got, want) {
			ts.Fatalf("%s:%d: got %s\nwant %s", args[0], n, got, want)
		}
	}
}

// post sends a message and returns the status and the body.
func (s *served) post(message string) (string, error) {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, "POST", s.url, strings.NewReader(message))
	if err != nil {
		return "", err
	}
	r.Header.Set("Content-Type", "application/json")
	if s.session != "" {
		r.Header.Set("Mcp-Session-Id", s.session)
	}
	res, err := http.DefaultClient.Do(r)
	if err != nil {
		return "", err
	}
	defer res.Body.Close()
	if id := res.Header.Get("Mcp-Session-Id"); id != "" {
		s.session = id
	}
	body, err := io.ReadAll(res.Body)
	return strings.TrimSpace(fmt.Sprint(strconv.Itoa(res.StatusCode), " ", string(body))), err
}
