package command

import (
	"bufio"
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	rt "github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/mcp"
)

// newCLI returns a program that is the test binary as a tool.
func newCLI() *CLI {
	return &CLI{
		Command:     []string{os.Args[0]},
		Env:         []string{childVariable + "=tool"},
		MaxOutput:   1 << 20,
		MaxParallel: 4,
	}
}

// A fixture is a client of a program.
type fixture struct {
	t    *testing.T
	cli  *CLI
	conn *mcp.Conn
	out  lines
	tool func(c *mcp.Call) error
	id   int
	last *Job // that was begun
}

const latest = "2025-11-25"

// connect starts a program and talks to it in a revision.
func connect(t *testing.T, cli *CLI, revision string) *fixture {
	t.Helper()
	return connectWith(t, cli, revision, rt.Options{Program: "test"}, mcp.Options{})
}

func connectWith(t *testing.T, cli *CLI, revision string, o rt.Options, m mcp.Options) *fixture {
	t.Helper()
	cli.Start(o)
	t.Cleanup(cli.Stop)
	f := &fixture{t: t, cli: cli, out: make(lines, 4096)}
	s := &mcp.Server{Name: "test", Info: "{}", Tools: "[]", New: func() mcp.Tools { return f }}
	f.conn = mcp.NewEndpoint(s, m).NewConn(mcp.NewWriter(f.out))
	if revision != "2026-07-28" {
		f.handle(`{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"` + revision + `"}}`)
		f.handle(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
		f.line()
	} else {
		f.id = -1
	}
	return f
}

// Call implements [mcp.Tools].
func (f *fixture) Call(c *mcp.Call, _ []byte) error { return f.tool(c) }

// handle takes a message of the client.
func (f *fixture) handle(message string) {
	f.conn.Handle([]byte(message))
	_, _ = f.conn.Flush()
}

// lines takes what a server writes.
type lines chan string

func (l lines) Write(b []byte) (int, error) {
	for line := range strings.Lines(string(b)) {
		l <- line
	}
	return len(b), nil
}

// line returns the next line of the server.
func (f *fixture) line() string {
	f.t.Helper()
	select {
	case line := <-f.out:
		return line
	case <-time.After(testLimit):
		f.t.Fatal("no answer")
		return ""
	}
}

// testLimit is more than anything takes.
const testLimit = time.Minute

// begin calls a leaf with words.
func (f *fixture) begin(l *Leaf, words ...string) {
	f.beginWith(l, nil, nil, words...)
}

func (f *fixture) beginWith(l *Leaf, stdin []byte, fault error, words ...string) {
	f.tool = func(c *mcp.Call) error {
		j := f.cli.Call(c, l)
		f.last = j
		for _, word := range words {
			j.Argv.Word(word)
		}
		if stdin != nil {
			j.Stdin(stdin)
		}
		return j.Run(fault)
	}
	meta := ""
	if f.id < 0 {
		meta = `,"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}`
		f.id--
	} else {
		f.id++
	}
	f.handle(`{"jsonrpc":"2.0","id":` + strconv.Itoa(f.id) + `,"method":"tools/call","params":{"name":"x"` + meta + `}}`)
}

// call calls a leaf with words, and returns the result, or the error.
func (f *fixture) call(l *Leaf, words ...string) string {
	f.t.Helper()
	f.begin(l, words...)
	return f.result()
}

// result returns what the next line has as its result, or error.
func (f *fixture) result() string {
	f.t.Helper()
	line := f.line()
	var m struct{ Result, Error json.RawMessage }
	if err := json.Unmarshal([]byte(line), &m); err != nil {
		f.t.Fatalf("%v: %s", err, line)
	}
	return string(m.Result) + string(m.Error)
}

// succeeded and failed are results with texts.
func succeeded(texts ...string) string { return result(false, texts) }
func failed(texts ...string) string    { return result(true, texts) }

func result(isError bool, texts []string) string {
	var blocks []string
	for _, text := range texts {
		b, _ := json.Marshal(text)
		blocks = append(blocks, `{"type":"text","text":`+string(b)+`}`)
	}
	return `{"content":[` + strings.Join(blocks, ",") + `],"isError":` + strconv.FormatBool(isError) + `}`
}

// expect asserts that two JSON texts have the same value.
func expect(t *testing.T, got, want string) {
	t.Helper()
	var g, w any
	if err := json.Unmarshal([]byte(got), &g); err != nil {
		t.Errorf("%v: %q, want %s", err, got, want)
		return
	}
	if err := json.Unmarshal([]byte(want), &w); err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(g, w) {
		t.Errorf("got %s, want %s", got, want)
	}
}

var plain = &Leaf{Name: "plain"}

// newPipe returns the path of a named pipe.
func newPipe(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// told returns the number that a child tells through a named pipe, on a line: its process id,
// mostly.
func told(t *testing.T, pipe string) int {
	t.Helper()
	f, err := os.OpenFile(pipe, os.O_RDWR, 0) // which does not wait for the child to open it
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := f.SetReadDeadline(time.Now().Add(testLimit)); err != nil {
		t.Fatal(err)
	}
	line, err := bufio.NewReader(f).ReadString('\n')
	if err != nil {
		t.Fatalf("the child tells %q: %v", line, err)
	}
	n, err := strconv.Atoi(strings.TrimSpace(line))
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// awaitGone asserts that a process ends. It is no child of ours, so all there is is to look.
func awaitGone(t *testing.T, pid int) {
	t.Helper()
	look := time.NewTicker(10 * time.Millisecond)
	defer look.Stop()
	for deadline := time.Now().Add(testLimit); isAlive(pid); <-look.C {
		if time.Now().After(deadline) {
			t.Fatalf("process %d is still there", pid)
		}
	}
}

// isAlive reports whether a process runs; what only waits for its parent does not.
func isAlive(pid int) bool {
	text, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err != nil {
		return false
	}
	state := text[strings.LastIndexByte(string(text), ')')+2]
	return state != 'Z' && state != 'X'
}
