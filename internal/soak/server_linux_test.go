package soak

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// A server is a server process.
type server struct {
	t      *testing.T
	cmd    *exec.Cmd
	in     io.WriteCloser
	out    io.ReadCloser
	url    string        // over HTTP
	ended  chan struct{} // closed when stderr has ended
	stderr tail
}

// A tail is the end of what a process prints.
type tail struct {
	mu   sync.Mutex
	text []byte
}

const tailSize = 1 << 20

func (t *tail) add(line string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.text = append(t.text, line...); len(t.text) > 2*tailSize {
		t.text = append(t.text[:0], t.text[len(t.text)-tailSize:]...)
	}
}

func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return string(t.text)
}

var readyLine = regexp.MustCompile(` over HTTP at (http://\S+)\n$`)

// start starts a server; with HTTP, when it serves.
func start(t *testing.T, b binary, args ...string) *server {
	t.Helper()
	s := &server{t: t, cmd: exec.Command(b.path, args...), ended: make(chan struct{})}
	s.cmd.Env = append(os.Environ(), "GORACE=atexit_sleep_ms=0")
	var err error
	if s.in, err = s.cmd.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	if s.out, err = s.cmd.StdoutPipe(); err != nil {
		t.Fatal(err)
	}
	stderr, err := s.cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := s.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	stuck := time.AfterFunc(*length+4*lossLimit, func() {
		t.Error("the server is stuck")
		_ = s.cmd.Process.Signal(syscall.SIGQUIT) // it prints its goroutines, and nothing waits for it any more
	})
	t.Cleanup(func() {
		stuck.Stop()
		if s.cmd.ProcessState == nil {
			_ = s.cmd.Process.Kill()
			_ = s.cmd.Wait()
		}
		if t.Failed() {
			t.Logf("the end of stderr:\n%s", last(s.stderr.String(), 4000))
		}
	})
	lines := bufio.NewReader(stderr)
	for s.url == "" && slices.Contains(args, "--http-port") {
		line, err := lines.ReadString('\n')
		if err != nil {
			t.Fatalf("%v after %q", err, line)
		}
		if m := readyLine.FindStringSubmatch(line); m != nil {
			s.url = m[1]
		}
	}
	go func() {
		defer close(s.ended)
		for {
			line, err := lines.ReadString('\n')
			s.stderr.add(line)
			if err != nil {
				return
			}
		}
	}()
	return s
}

func last(s string, n int) string { return s[max(0, len(s)-n):] }

func (s *server) pid() int { return s.cmd.Process.Pid }

// end waits for the end of the server, which has been asked to, and returns its exit status:
// -1 after a signal that it did not catch.
func (s *server) end() int {
	<-s.ended
	_ = s.cmd.Wait()
	return s.cmd.ProcessState.ExitCode()
}

// signal sends the server a signal.
func (s *server) signal(sig syscall.Signal) {
	s.t.Helper()
	if err := s.cmd.Process.Signal(sig); err != nil {
		s.t.Fatal(err)
	}
}

// A usage is what a server has of the system.
type usage struct {
	files, pools int
	rss          int // KiB
}

func (u usage) String() string {
	return fmt.Sprintf("%d files, %d pools, %d MiB", u.files, u.pools, u.rss>>10)
}

// usage measures the server.
func (s *server) usage() usage {
	s.t.Helper()
	proc := "/proc/" + strconv.Itoa(s.pid())
	files, err := os.ReadDir(proc + "/fd")
	if err != nil {
		s.t.Fatal(err)
	}
	u := usage{files: len(files), pools: len(s.pools())}
	status, err := os.ReadFile(proc + "/status")
	if err != nil {
		s.t.Fatal(err)
	}
	for line := range strings.Lines(string(status)) {
		if rest, ok := strings.CutPrefix(line, "VmRSS:"); ok {
			_, _ = fmt.Sscan(rest, &u.rss)
		}
	}
	return u
}

// settled waits until the server has the files and the pools that it had. Pools that were
// killed while they were started are started again by the next call, which warm makes.
func (s *server) settled(want usage, warm func()) usage {
	s.t.Helper()
	tick := time.NewTicker(200 * time.Millisecond)
	defer tick.Stop()
	deadline := time.After(time.Minute)
	for {
		u := s.usage()
		switch {
		case u.pools < want.pools:
			warm()
		case u.files <= want.files && u.pools == want.pools:
			return u
		}
		select {
		case <-tick.C:
		case <-deadline:
			s.t.Errorf("after the load: %v; before it: %v\n%s", u, want, s.listFiles())
			return u
		}
	}
}

// listFiles tells what the server has open.
func (s *server) listFiles() string {
	var list []string
	links, _ := filepath.Glob("/proc/" + strconv.Itoa(s.pid()) + "/fd/*")
	for _, link := range links {
		target, _ := os.Readlink(link)
		list = append(list, target)
	}
	return strings.Join(list, "\n")
}

// pools returns the process ids of the server's children.
func (s *server) pools() []int {
	var pids []int
	stats, _ := filepath.Glob("/proc/[0-9]*/stat")
	for _, path := range stats {
		text, _ := os.ReadFile(path)
		var pid, parent int
		var state string
		_, rest, _ := strings.Cut(string(text), ") ")
		if n, _ := fmt.Sscan(rest, &state, &parent); n != 2 || parent != s.pid() {
			continue
		}
		if n, _ := fmt.Sscan(string(text), &pid); n == 1 {
			pids = append(pids, pid)
		}
	}
	return pids
}

// leftovers returns what lies about of the server: run directories and shared memory.
func (s *server) leftovers() []string {
	pid := strconv.Itoa(s.pid())
	var left []string
	for _, pattern := range []string{"/tmp/morloc." + pid + "-*", "/dev/shm/morloc-" + pid + "-*"} {
		found, err := filepath.Glob(pattern)
		if err != nil {
			s.t.Fatal(err)
		}
		left = append(left, found...)
	}
	return left
}

var originLine = regexp.MustCompile(`(?m)^created by (\S+)`)

// goroutines ends the server by making it print its goroutines, and counts them by the
// functions that have started them.
func (s *server) goroutines() map[string]int {
	s.t.Helper()
	s.signal(syscall.SIGQUIT)
	if got := s.end(); got != 2 {
		s.t.Errorf("exit status %d after SIGQUIT, want that of a Go program, 2", got)
	}
	count := map[string]int{}
	for _, m := range originLine.FindAllStringSubmatch(s.stderr.String(), -1) {
		count[m[1]]++
	}
	if len(count) == 0 {
		s.t.Error("no goroutines are printed")
	}
	return count
}

// makePipe makes a named pipe.
func makePipe(t *testing.T, path string) {
	t.Helper()
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Fatal(err)
	}
}
