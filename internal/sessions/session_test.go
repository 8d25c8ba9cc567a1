package sessions

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// sessionLimit ends a session that hangs.
const sessionLimit = 2 * time.Minute

// Lines of clients.
const (
	initialized = `{"jsonrpc":"2.0","method":"notifications/initialized"}`
	initialize  = `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"0"}}}`
)

func call(id int, tool, arguments string) string {
	return `{"jsonrpc":"2.0","id":` + strconv.Itoa(id) + `,"method":"tools/call","params":{"name":"` + tool + `","arguments":` + arguments + `}}`
}

func result(id int, body string) string {
	return `{"jsonrpc":"2.0","id":` + strconv.Itoa(id) + `,"result":` + body + `}`
}

// A session is a server process and our ends of its streams.
type session struct {
	t       *testing.T
	cmd     *exec.Cmd
	in      io.WriteCloser
	replies *bufio.Reader
	stderr  log
}

// A log collects what a process prints.
type log struct {
	mu   sync.Mutex
	text bytes.Buffer
	news chan struct{} // closed when there is more; nil if nobody waits
}

func (l *log) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.news != nil {
		close(l.news)
		l.news = nil
	}
	return l.text.Write(b)
}

// await returns the first match of a pattern, once it is printed.
func (l *log) await(t *testing.T, pattern string) string {
	t.Helper()
	re := regexp.MustCompile(pattern)
	timer := time.NewTimer(sessionLimit)
	defer timer.Stop()
	for {
		l.mu.Lock()
		found := re.FindString(l.text.String())
		if l.news == nil {
			l.news = make(chan struct{})
		}
		news := l.news
		l.mu.Unlock()
		if found != "" {
			return found
		}
		select {
		case <-news:
		case <-timer.C:
			t.Fatalf("nothing printed matches %s:\n%s", pattern, l.String())
		}
	}
}

func (l *log) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

// start starts a server in a working directory, "" being the test's.
func start(t *testing.T, binary, dir string, args ...string) *session {
	t.Helper()
	return startWith(t, nil, binary, dir, args...)
}

// startWith is start with more in the environment.
func startWith(t *testing.T, env []string, binary, dir string, args ...string) *session {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), sessionLimit)
	s := &session{t: t, cmd: exec.CommandContext(ctx, binary, args...)}
	s.cmd.Dir = dir
	s.cmd.Env = append(os.Environ(), "GORACE=atexit_sleep_ms=0") // it is a second by default
	s.cmd.Env = append(s.cmd.Env, env...)
	s.cmd.Stderr = &s.stderr
	s.cmd.WaitDelay = 10 * time.Second
	in, err := s.cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := s.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	s.in, s.replies = in, bufio.NewReaderSize(out, 1<<20)
	if err := s.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		cancel()
		if s.cmd.ProcessState == nil {
			_ = s.cmd.Wait()
		}
		if t.Failed() {
			t.Logf("stderr of the server:\n%s", s.stderr.String())
		}
	})
	return s
}

// send sends a line.
func (s *session) send(line string) {
	s.t.Helper()
	if _, err := io.WriteString(s.in, line+"\n"); err != nil {
		s.t.Fatalf("sending %.200s: %v", line, err)
	}
}

// receive returns the next line of the server.
func (s *session) receive() string {
	s.t.Helper()
	line, err := s.replies.ReadString('\n')
	if err != nil {
		s.t.Fatalf("no answer: %v", err)
	}
	return strings.TrimSuffix(line, "\n")
}

// expect checks the next lines of the server.
func (s *session) expect(lines ...string) {
	s.t.Helper()
	for _, want := range lines {
		if got := s.receive(); got != want {
			s.t.Errorf("got %.2000s, want %.2000s", got, want)
		}
	}
}

// ask sends a line and checks the answer to it.
func (s *session) ask(line, want string) {
	s.t.Helper()
	s.send(line)
	if got := s.receive(); got != want {
		s.t.Errorf("%.1000s\n got %.2000s\nwant %.2000s", line, got, want)
	}
}

// handshake negotiates a revision of the protocol.
func (s *session) handshake(revision string) {
	s.t.Helper()
	s.send(strings.Replace(initialize, "2025-06-18", revision, 1))
	if got := s.receive(); !strings.Contains(got, `"protocolVersion":"`+revision+`"`) {
		s.t.Fatalf("initialize was answered %s", got)
	}
	s.send(initialized)
}

// end closes the server's input and checks that it ends well.
func (s *session) end() {
	s.t.Helper()
	if err := s.in.Close(); err != nil {
		s.t.Error(err)
	}
	s.wait(0)
}

// wait checks that the server ends without more answers, with an exit status (128+n being
// that of signal n), and that nothing of it is left.
func (s *session) wait(status int) {
	s.t.Helper()
	if rest, _ := io.ReadAll(s.replies); len(rest) > 0 {
		s.t.Errorf("more answers at the end: %.2000s", rest)
	}
	if got := s.exit(); got != status {
		s.t.Errorf("exit status %d, want %d", got, status)
	}
	if left := s.leftovers(); len(left) > 0 {
		s.t.Errorf("left behind: %q", left)
	}
}

// exit waits for the end of the server and returns its exit status.
func (s *session) exit() int {
	s.t.Helper()
	err := s.cmd.Wait()
	if e := (*exec.ExitError)(nil); err != nil && !errors.As(err, &e) {
		s.t.Error(err)
	}
	if w, ok := s.cmd.ProcessState.Sys().(syscall.WaitStatus); ok && w.Signaled() {
		s.t.Logf("the server was killed: %v", w.Signal())
	}
	return s.cmd.ProcessState.ExitCode()
}

// leftovers returns what there is of the server's pools: processes, run directories and
// shared memory.
func (s *session) leftovers() []string {
	pid := strconv.Itoa(s.cmd.Process.Pid)
	left := processesOf(pid)
	for _, pattern := range []string{"/tmp/morloc." + pid + "-*", "/dev/shm/morloc-" + pid + "-*"} {
		found, err := filepath.Glob(pattern)
		if err != nil {
			s.t.Fatal(err)
		}
		left = append(left, found...)
	}
	return left
}

// processesOf returns the processes of pools whose server has a process id.
func processesOf(server string) (commands []string) {
	all, _ := filepath.Glob("/proc/[0-9]*/cmdline")
	for _, path := range all {
		line, err := os.ReadFile(path)
		if command := strings.ReplaceAll(string(line), "\x00", " "); err == nil && strings.Contains(command, " /tmp/morloc."+server+"-") {
			commands = append(commands, command)
		}
	}
	return commands
}

// readFile returns the text of a file.
func readFile(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
