package pool

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/mcpgen/mcpgen/internal/testpool"
	"github.com/mcpgen/mcpgen/runtime/voidstar"
)

// patience is how long a test waits for what must happen.
const patience = 30 * time.Second

func TestMain(m *testing.M) {
	testpool.Main()
	serveIfAsked()
	os.Exit(m.Run())
}

// A log is what a set writes to stderr.
type log struct {
	mu   sync.Mutex
	b    bytes.Buffer
	news chan struct{}
}

func newLog() *log { return &log{news: make(chan struct{}, 1)} }

func (l *log) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.b.Write(b)
	select {
	case l.news <- struct{}{}:
	default:
	}
	return len(b), nil
}

func (l *log) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

// wait waits until a text was written n times.
func (l *log) wait(t *testing.T, text string, n int) {
	t.Helper()
	timer := time.NewTimer(patience)
	defer timer.Stop()
	for strings.Count(l.String(), text) < n {
		select {
		case <-l.news:
		case <-timer.C:
			t.Fatalf("stderr does not have %q %d times:\n%s", text, n, l)
		}
	}
}

// program installs pools that behave as o says and returns the configuration of a set of
// n of them.
func program(t testing.TB, n int, o testpool.Options) Config {
	t.Helper()
	dir := t.TempDir()
	testpool.Install(t, dir, o)
	cfg := Config{Stage: &StageA, Program: "prog", Dir: dir, InlineSize: -1, Stderr: newLog()}
	for _, lang := range []string{"py", "cpp", "rust"}[:n] {
		cfg.Pools = append(cfg.Pools, Spec{
			Lang: lang, Exec: []string{"./" + testpool.Name}, Socket: "pipe-" + lang, Hash: "0123456789abcdef",
		})
	}
	return cfg
}

// one is a fleet of one set.
type one struct {
	*Fleet
	*set
}

// testSet returns a set that is stopped at the end of the test, when nothing may be left.
func testSet(t testing.TB, cfg Config) *one {
	t.Helper()
	f := New(cfg)
	s := &one{f, f.sets[0]}
	t.Cleanup(func() { stop(t, s) })
	return s
}

func stop(t testing.TB, s *one) {
	t.Helper()
	s.Stop(stopGrace)
	if s.dir != nil {
		checkNothingLeft(t, s.dir.path, s.basename)
	}
	if text := s.cfg.Stderr.(*log).String(); strings.Contains(text, "two exchanges") {
		t.Error("exchanges overlapped")
	}
}

// checkNothingLeft looks for processes, files and shared memory of a set.
func checkNothingLeft(t testing.TB, dir, basename string) {
	t.Helper()
	for _, pid := range poolProcesses(dir) {
		t.Errorf("process %d is left", pid)
	}
	if _, err := os.Lstat(dir); err == nil {
		t.Errorf("%s is left", dir)
	}
	for _, name := range readNames("/dev/shm") {
		if strings.HasPrefix(name, basename) {
			t.Errorf("/dev/shm/%s is left", name)
		}
	}
}

// poolProcesses returns the processes, but for zombies, of the pools of a run directory.
func poolProcesses(dir string) (pids []int) {
	for _, name := range readNames("/proc") {
		line, err := os.ReadFile(filepath.Join("/proc", name, "cmdline"))
		if err == nil && isPoolOf(dir, line) {
			pids = append(pids, number(name))
		}
	}
	return pids
}

func number(s string) (n int) {
	for _, c := range s {
		n = 10*n + int(c-'0')
	}
	return n
}

// A call is an exchange whose argument and result are strings.
type call struct {
	Exchange
	result  string
	err     error
	times   int
	dropped bool // by Cancel
	done    chan struct{}
}

// Finish implements [Finisher].
func (c *call) Finish(r *voidstar.Reader, err error) {
	c.times++
	if c.err = err; err == nil {
		c.result = strings.Clone(r.String(r.Root()))
		if r.Bad() {
			c.err = voidstar.ErrMalformed
		}
	}
	close(c.done)
}

// begin queues a call.
func begin(s interface{ Do(*Exchange) }, pool int, mid uint32, arg string) *call {
	c := &call{done: make(chan struct{})}
	c.Exchange = Exchange{Pool: pool, Call: testpool.Call(mid, arg), Schema: "s", Finisher: c}
	s.Do(&c.Exchange)
	return c
}

// wait returns the outcome of a call.
func (c *call) wait(t testing.TB) (string, error) {
	t.Helper()
	timer := time.NewTimer(patience)
	defer timer.Stop()
	select {
	case <-c.done:
		return c.result, c.err
	case <-timer.C:
		t.Fatal("a call is not finished")
		return "", nil
	}
}

func do(t testing.TB, s *one, pool int, mid uint32, arg string) (string, error) {
	t.Helper()
	return begin(s, pool, mid, arg).wait(t)
}

// mustDo makes a call that must succeed.
func mustDo(t testing.TB, s *one, pool int, mid uint32, arg string) string {
	t.Helper()
	result, err := do(t, s, pool, mid, arg)
	if err != nil {
		t.Fatalf("call of mid %d: %v\n%s", mid, err, s.cfg.Stderr)
	}
	return result
}

// mustEcho makes a call that shows that the set is well.
func mustEcho(t testing.TB, s *one, pool int) {
	t.Helper()
	if got := mustDo(t, s, pool, testpool.Echo, "well"); got != "well" {
		t.Fatalf("echo = %q", got)
	}
}

// leader returns the process of a pool's leader, which is that of its group.
func leader(t testing.TB, s *one, pool int) int {
	t.Helper()
	_, group, _ := strings.Cut(mustDo(t, s, pool, testpool.PIDs, ""), " ")
	return number(group)
}

// fifo makes a named pipe for a pool to wait on.
func fifo(t testing.TB) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "fifo")
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// arrive waits until a pool waits on the pipe; release lets it go on.
func arrive(t testing.TB, path string) (release func()) {
	t.Helper()
	opened := make(chan *os.File, 1)
	go func() {
		f, err := os.OpenFile(path, os.O_WRONLY, 0)
		if err != nil {
			close(opened)
			return
		}
		opened <- f
	}()
	select {
	case f, ok := <-opened:
		if !ok {
			t.Fatal("cannot open the named pipe")
		}
		return func() { _ = f.Close() }
	case <-time.After(patience):
		t.Fatal("no pool waits on the named pipe")
		return nil
	}
}

// want checks the text of an error.
func want(t testing.TB, err error, text string) {
	t.Helper()
	if err == nil || err.Error() != text {
		t.Errorf("error is %q, want %q", err, text)
	}
}
