package command

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	rt "github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/mcp"
)

// eachCapture runs a test with both ways to capture output.
func eachCapture(t *testing.T, test func(t *testing.T, cli *CLI)) {
	t.Helper()
	for name, pipe := range map[string]bool{"file": false, "pipe": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			cli := newCLI()
			cli.Pipe = pipe
			test(t, cli)
		})
	}
}

// TestProcess holds what a process is given.
func TestProcess(t *testing.T) {
	t.Parallel()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	cli := newCLI()
	f := connect(t, cli, latest)
	for _, tt := range []struct {
		name  string
		stdin []byte
		words []string
		want  string
	}{
		{"group of its own, no terminal", nil, []string{"group"}, "true true"},
		{"words as they are", nil, []string{"args", "", "--", "-x", "a b", "\n", "*", "ü"}, `["","--","-x","a b","\n","*","ü"]`},
		{"folder of the server", nil, []string{"cwd"}, here},
		{"no input", nil, []string{"stdin", "out=end"}, "end"},
		{"input", []byte(`{"a":1}`), []string{"stdin"}, `{"a":1}`},
		{"empty input", []byte{}, []string{"stdin", "out=end"}, "end"},
		{"large input", []byte(strings.Repeat("x", 300000)), []string{"stdin"}, strings.Repeat("x", 300000)},
		{"input that nobody reads", []byte(strings.Repeat("x", 300000)), []string{"out=end"}, "end"},
	} {
		f.beginWith(plain, tt.stdin, nil, tt.words...)
		if got, want := f.result(), succeeded(tt.want); !strings.HasPrefix(want, got[:20]) {
			t.Errorf("%s: got %s, want %s", tt.name, got, want)
		} else {
			expect(t, strings.Replace(got, `,"structuredContent":`+tt.want, "", 1), want)
		}
	}

	cli = newCLI()
	cli.Cwd = filepath.Base(dir)
	f = connectWith(t, cli, latest, rt.Options{Program: "test", Home: filepath.Dir(dir)}, mcp.Options{})
	expect(t, f.call(plain, "cwd"), succeeded(dir))
}

// TestLargeOutput has a child that writes more than a pipe holds, and exits at once.
func TestLargeOutput(t *testing.T) {
	t.Parallel()
	eachCapture(t, func(t *testing.T, cli *CLI) {
		f := connect(t, cli, latest)
		for range 3 { // buffers are used again
			expect(t, f.call(plain, "fill=200001"), succeeded(strings.Repeat("x", 200001)))
			expect(t, f.call(plain, "out=x"), succeeded("x"))
		}
	})
}

// TestOutputLimit has children that write too much, on either stream, for ever or not.
func TestOutputLimit(t *testing.T) {
	t.Parallel()
	eachCapture(t, func(t *testing.T, cli *CLI) {
		cli.MaxOutput = 1000
		f := connect(t, cli, latest)
		expect(t, f.call(plain, "fill=1000", "fillerr=1000"), succeeded(strings.Repeat("x", 1000), strings.Repeat("x", 1000)))
		const exceeded = "Output exceeded 1000 bytes"
		expect(t, f.call(plain, "fill=1001"), failed(exceeded))
		expect(t, f.call(plain, "fillerr=1001", "exit=1"), failed(exceeded))
		expect(t, f.call(plain, "stubborn", "flood"), failed(exceeded))
		expect(t, f.call(plain, "stubborn", "fillerr=2000", "forever"), failed(exceeded))
	})
}

// TestHeldOutput has a process that outlives the child, and holds its output: it does not
// delay the result, and is killed.
func TestHeldOutput(t *testing.T) {
	t.Parallel()
	eachCapture(t, func(t *testing.T, cli *CLI) {
		f := connect(t, cli, latest)
		got := f.call(plain, "spawn=here")
		pid := pidOf(t, got)
		awaitGone(t, pid)
		expect(t, got, succeeded(strconv.Itoa(pid)))
	})
}

// TestEscaped has one that has left the group too: it delays the result by little at most.
func TestEscaped(t *testing.T) {
	t.Parallel()
	eachCapture(t, func(t *testing.T, cli *CLI) {
		f := connect(t, cli, latest)
		pid := pidOf(t, f.call(plain, "spawn=away"))
		if !isAlive(pid) {
			t.Error("it is dead")
		}
		_ = syscall.Kill(pid, syscall.SIGKILL)
	})
}

// TestDaemon has one that has left the group write when the call is over: that fails, as it
// does with a pipe, rather than fill a file which nobody reads.
func TestDaemon(t *testing.T) {
	t.Parallel()
	f := connect(t, newCLI(), latest)
	pipe, answer := newPipe(t), newPipe(t)
	f.call(plain, "daemon=await="+pipe+"\ntry="+answer)
	f.cli.Stop() // what the call has held is given back
	release(t, pipe)
	if told(t, answer) != 1 {
		t.Error("it could write")
	}
}

// release opens a named pipe that a child awaits.
func release(t *testing.T, pipe string) {
	t.Helper()
	open, err := os.OpenFile(pipe, os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	_ = open.Close()
}

// pidOf returns the process id that a result consists of.
func pidOf(t *testing.T, result string) int {
	t.Helper()
	var pid int
	if _, err := fmt.Sscanf(result, `{"content":[{"type":"text","text":"%d"`, &pid); err != nil {
		t.Fatalf("%v: %s", err, result)
	}
	return pid
}

// TestTimeout ends processes that take too long: all of the group, those that do not want to
// end too.
func TestTimeout(t *testing.T) {
	t.Parallel()
	eachCapture(t, func(t *testing.T, cli *CLI) {
		f := connect(t, cli, latest)
		expect(t, f.call(&Leaf{Name: "slow", Timeout: 50 * time.Millisecond}, "forever"), failed("Timed out after 50 ms"))

		// From here on it is us who say when the time has come.
		hour := &Leaf{Name: "hour", Timeout: time.Hour}
		expire := func(words ...string) {
			pipe := newPipe(t)
			f.begin(hour, append(words, "tell="+pipe, "forever")...)
			told(t, pipe)
			f.last.process.end(causeTimeout)
		}
		expire("out=o", "err=e \n")
		expect(t, f.result(), failed("Timed out after 3600000 ms\ne", "o"))
		begun := time.Now()
		expire("stubborn", "spawn=x")
		got := f.result()
		pid := 0
		if _, err := fmt.Sscanf(got, `{"content":[{"type":"text","text":"Timed out after 3600000 ms"},{"type":"text","text":"%d"`, &pid); err != nil {
			t.Fatalf("%v: %s", err, got)
		}
		if took := time.Since(begun); took < termGrace {
			t.Errorf("killed after %v", took)
		}
		awaitGone(t, pid)
		expect(t, f.call(plain, "out=still served"), succeeded("still served"))
	})
}

// TestTwoDeadlines has the smaller one count (design decision 31).
func TestTwoDeadlines(t *testing.T) {
	t.Parallel()
	const second = time.Second
	for _, tt := range []struct{ leaf, server, want time.Duration }{
		{0, 0, 0}, {second, 0, second}, {0, second, second},
		{second, 2 * second, second}, {2 * second, second, second},
	} {
		if got := deadline(tt.leaf, tt.server); got != tt.want {
			t.Errorf("deadline(%v, %v) = %v, want %v", tt.leaf, tt.server, got, tt.want)
		}
	}
	o := rt.Options{Program: "test", CallTimeout: 100 * time.Millisecond}
	f := connectWith(t, newCLI(), latest, o, mcp.Options{})
	expect(t, f.call(&Leaf{Name: "slow", Timeout: time.Hour}, "forever"), failed("Timed out after 100 ms"))
}

// TestCancel cancels a call that runs: its group ends and nothing is answered.
func TestCancel(t *testing.T) {
	t.Parallel()
	f := connect(t, newCLI(), latest)
	pipe := newPipe(t)
	f.begin(plain, "tell="+pipe, "forever")
	pid := told(t, pipe)
	f.cancel(f.id)
	awaitGone(t, pid)
	expect(t, f.call(plain, "out=next"), succeeded("next"))

	// A client that has gone has all of its calls cancelled.
	var pids []int
	for range 2 {
		f.begin(plain, "stubborn", "tell="+pipe, "forever")
		pids = append(pids, told(t, pipe))
	}
	f.conn.CancelAll()
	for _, pid := range pids {
		awaitGone(t, pid)
	}
}

func (f *fixture) cancel(id int) {
	f.handle(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":` + strconv.Itoa(id) + `}}`)
}

// TestCancelWaiting cancels calls that wait: they are dropped, and the others come in order.
func TestCancelWaiting(t *testing.T) {
	t.Parallel()
	cli := newCLI()
	cli.MaxParallel = 1
	f := connect(t, cli, latest)
	pipe := newPipe(t)
	f.begin(plain, "await="+pipe, "out=first")
	for _, word := range []string{"out=a", "exit=9", "out=b", "out=c", "exit=9"} {
		f.begin(plain, word)
	}
	f.cancel(3)
	f.cancel(6)
	release(t, pipe)
	for _, want := range []string{"first", "a", "b", "c"} {
		expect(t, f.result(), succeeded(want))
	}
	if f.conn.Drain(testLimit); len(f.out) > 0 {
		t.Errorf("more answers: %s", f.line())
	}
}

// TestParallel has as many processes at a time as may be.
func TestParallel(t *testing.T) {
	t.Parallel()
	cli := newCLI()
	cli.MaxParallel = 3
	f := connect(t, cli, latest)
	pipes := make([]string, 4)
	for i := range pipes {
		pipes[i] = newPipe(t)
		f.begin(plain, "await="+pipes[i], "out="+strconv.Itoa(i))
	}
	// The last one runs when the third has ended, not before: else its answer came first.
	for _, i := range []int{2, 3, 1, 0} {
		release(t, pipes[i])
		expect(t, f.result(), succeeded(strconv.Itoa(i)))
	}
}

// TestStop ends a server whose calls run and wait.
func TestStop(t *testing.T) {
	t.Parallel()
	cli := newCLI()
	cli.MaxParallel = 1
	f := connect(t, cli, latest)
	pipe := newPipe(t)
	f.begin(plain, "spawn", "stubborn", "tell="+pipe, "forever")
	pid := told(t, pipe)
	f.begin(plain)
	cli.Stop()
	if isAlive(pid) {
		t.Error("the process is still there")
	}
	for range 2 {
		expect(t, f.result(), failed("server is shutting down"))
	}
	expect(t, f.call(plain), failed("server is shutting down"))
	if cli.Ready() {
		t.Error("a server that has ended is ready")
	}
}
