package command

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"unsafe"

	rt "github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/mcp"
	"github.com/mcpgen/mcpgen/runtime/stdio"
)

// markVariable is a variable of a server that is a process of its own, and of all that come of
// it.
const markVariable = "MCPGEN_TEST_MARK"

// server serves one tool, which runs the test binary as a tool with the words that are its
// name, a line each; or, called "limit=N", lets the server open N files more than it has,
// and called "size=N", lets no file be larger than N bytes.
func server([]string) int {
	cli := newCLI()
	if os.Getenv("MCPGEN_TEST_ENVFILE") != "" {
		cli.EnvFile = "/no/such/file"
	}
	s := &mcp.Server{Name: "test", Info: "{}", Tools: "[]", New: func() mcp.Tools { return wordTools{cli} }}
	return rt.Main(&rt.Program{Name: "test", Server: s, Backend: cli}, stdio.Serve)
}

type wordTools struct{ cli *CLI }

// Call implements [mcp.Tools].
func (t wordTools) Call(c *mcp.Call, name []byte) error {
	if limit, ok := strings.CutPrefix(string(name), "limit="); ok {
		n, err := strconv.Atoi(limit)
		limitFiles(n)
		return errors.Join(err, errors.New("done"))
	}
	if limit, ok := strings.CutPrefix(string(name), "size="); ok {
		n, err := strconv.ParseUint(limit, 10, 64)
		return errors.Join(err, syscall.Setrlimit(syscall.RLIMIT_FSIZE, &syscall.Rlimit{Cur: n, Max: n}), errors.New("done"))
	}
	j := t.cli.Call(c, plain)
	for word := range strings.SplitSeq(string(name), "\n") {
		j.Argv.Word(word)
	}
	return j.Run(nil)
}

// A started is a server that is a process.
type started struct {
	t      *testing.T
	cmd    *exec.Cmd
	mark   string
	temp   string
	in     io.WriteCloser
	out    *bufio.Reader
	stderr bytes.Buffer
}

// startServer starts a server, with variables in its environment, and shakes hands.
func startServer(t *testing.T, env ...string) *started {
	t.Helper()
	return startOn(t, nil, env...)
}

// startOn is startServer for a server that has a terminal, if that is not nil.
func startOn(t *testing.T, terminal *os.File, env ...string) *started {
	t.Helper()
	s := &started{t: t, cmd: exec.Command(os.Args[0]), mark: t.Name() + "-" + strconv.Itoa(os.Getpid()), temp: t.TempDir()}
	s.cmd.Env = append(os.Environ(), childVariable+"=server", markVariable+"="+s.mark, "TMPDIR="+s.temp)
	s.cmd.Env = append(s.cmd.Env, env...)
	s.cmd.Stderr = &s.stderr
	if terminal != nil {
		s.cmd.ExtraFiles = []*os.File{terminal}
		s.cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true, Ctty: 3}
	}
	out, err := s.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	s.out = bufio.NewReader(out)
	if s.in, err = s.cmd.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	if err := s.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.cmd.Process.Kill() })
	s.send(`{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"` + latest + `"}}`)
	s.send(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	s.line()
	return s
}

func (s *started) send(line string) {
	s.t.Helper()
	if _, err := io.WriteString(s.in, line+"\n"); err != nil {
		s.t.Fatal(err)
	}
}

func (s *started) call(words ...string) {
	s.t.Helper()
	name, _ := json.Marshal(strings.Join(words, "\n"))
	s.send(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":` + string(name) + `}}`)
}

func (s *started) line() string {
	s.t.Helper()
	line, err := s.out.ReadString('\n')
	if err != nil {
		s.t.Fatalf("%v: %s", err, s.stderr.String())
	}
	return line
}

// end waits for the server's end, and asserts its exit status and that nothing is left.
func (s *started) end(want int) {
	s.t.Helper()
	rest, _ := io.ReadAll(s.out)
	_ = s.cmd.Wait()
	if got := s.cmd.ProcessState.ExitCode(); got != want {
		s.t.Errorf("exit status %d, want %d: %s", got, want, s.stderr.String())
	}
	if len(rest) > 0 {
		s.t.Errorf("it has written more: %s", rest)
	}
	s.expectNothing()
}

// expectNothing asserts that no process is left with the mark, and no file.
func (s *started) expectNothing() {
	s.t.Helper()
	for _, pid := range marked(s.t, s.mark) {
		awaitGone(s.t, pid)
	}
	if entries, err := os.ReadDir(s.temp); err != nil || len(entries) > 0 {
		s.t.Errorf("files are left: %v, %v", entries, err)
	}
}

// marked returns the processes that have a mark in their environment.
func marked(t *testing.T, mark string) (pids []int) {
	t.Helper()
	files, err := filepath.Glob("/proc/[0-9]*/environ")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		env, err := os.ReadFile(file)
		if err == nil && bytes.Contains(append(env, 0), []byte(markVariable+"="+mark+"\x00")) {
			pid, _ := strconv.Atoi(filepath.Base(filepath.Dir(file)))
			pids = append(pids, pid)
		}
	}
	return pids
}

// TestEndOfInput has a server whose call runs finish it; what the call has started ends too.
func TestEndOfInput(t *testing.T) {
	t.Parallel()
	s := startServer(t)
	ready, hold := newPipe(t), newPipe(t)
	s.call("spawn", "tell="+ready, "await="+hold, "out=answer")
	told(t, ready)
	if n := len(marked(t, s.mark)); n != 3 {
		t.Errorf("%d processes run, want the server, the tool and the one it has started", n)
	}
	_ = s.in.Close()
	release(t, hold)
	if got := s.line(); !strings.Contains(got, "answer") {
		t.Errorf("got %s", got)
	}
	s.end(0)
}

// TestSignal ends a server by a signal, whose calls do not want to end.
func TestSignal(t *testing.T) {
	t.Parallel()
	s := startServer(t)
	ready := newPipe(t)
	s.call("spawn", "stubborn", "tell="+ready, "forever")
	told(t, ready)
	if err := s.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if got := s.line(); !strings.Contains(got, "server is shutting down") {
		t.Errorf("got %s", got)
	}
	s.end(128 + int(syscall.SIGTERM))
}

// TestKilled kills a server: its calls do not outlive it, nor what they have started.
func TestKilled(t *testing.T) {
	t.Parallel()
	s := startServer(t)
	for _, words := range [][]string{
		{"spawn", "stubborn", "forever"},
		{"stubborn", "forever"},
		{"spawn", "spawn", "forever"},
	} {
		ready := newPipe(t)
		s.call(append([]string{words[0], "tell=" + ready}, words[1:]...)...)
		told(t, ready)
	}
	if n := len(marked(t, s.mark)); n < 5 {
		t.Errorf("only %d processes run", n)
	}
	if err := s.cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	s.end(-1)
}

// TestNoEnvFile goes on without the file.
func TestNoEnvFile(t *testing.T) {
	t.Parallel()
	s := startServer(t, "MCPGEN_TEST_ENVFILE=1")
	s.call("out=x")
	s.line()
	_ = s.in.Close()
	s.end(0)
	if got, want := s.stderr.String(), "test: environment file /no/such/file: no such file or directory\n"; got != want {
		t.Errorf("stderr %q, want %q", got, want)
	}
}

// TestTerminal asserts that the program has not the terminal that the server has.
func TestTerminal(t *testing.T) {
	t.Parallel()
	s := startOn(t, newTerminal(t))
	s.call("group")
	if got := s.line(); !strings.Contains(got, "true true") {
		t.Errorf("got %s", got)
	}
	_ = s.in.Close()
	s.end(0)
}

// newTerminal returns a terminal that is nobody's.
func newTerminal(t *testing.T) *os.File {
	t.Helper()
	controller, err := os.OpenFile("/dev/ptmx", os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Skip(err)
	}
	t.Cleanup(func() { _ = controller.Close() })
	var number, locked uint32
	for request, value := range map[uintptr]*uint32{syscall.TIOCGPTN: &number, syscall.TIOCSPTLCK: &locked} {
		if _, _, errno := syscall.Syscall(syscall.SYS_IOCTL, controller.Fd(), request, uintptr(unsafe.Pointer(value))); errno != 0 {
			t.Skip(errno)
		}
	}
	terminal, err := os.OpenFile("/dev/pts/"+strconv.Itoa(int(number)), os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Skip(err)
	}
	t.Cleanup(func() { _ = terminal.Close() })
	return terminal
}
