package pool

import (
	"errors"
	"os"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/mcpgen/mcpgen/internal/testpool"
)

const errorClosed = "IPC error: Connection closed by peer"

func kill(t *testing.T, pid int) {
	t.Helper()
	if err := syscall.Kill(pid, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
}

// A pool that ends during a call costs that call and no other.
func TestCrashDuringCall(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name   string
		mid    uint32
		arg    string
		err    string
		stderr string
	}{
		{"exit", testpool.Exit, "3", errorClosed, "  pool 1: Pool process exited with status 3\n"},
		{"normal end", testpool.Exit, "0", errorClosed, "  pool 1: Pool process exited with status 0\n"},
		{"killed", testpool.Signal, "9", errorClosed, "  pool 1: Pool process crashed with signal 9\n"},
		{"half a reply", testpool.HalfExit, strings.Repeat("x", 1<<20), "IPC error: Connection closed early",
			"  pool 1: Pool process exited with status 3\n"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			s := testSet(t, program(t, 2, testpool.Options{}))
			bystander := leader(t, s, 0)
			crash := begin(s, 1, test.mid, test.arg)
			var after []*call
			for i := range 10 {
				after = append(after, begin(s, i%2, testpool.Echo, "x"))
			}
			_, err := crash.wait(t)
			want(t, err, test.err)
			for _, c := range after {
				if got, err := c.wait(t); got != "x" || err != nil {
					t.Errorf("call after the crash = %q, %v", got, err)
				}
			}
			if crash.times != 1 {
				t.Errorf("finished %d times", crash.times)
			}
			if leader(t, s, 0) == bystander {
				t.Error("the other pool was not restarted")
			}
			if args := mustDo(t, s, 0, testpool.Args, ""); !strings.HasSuffix(args, "-gen1") || !strings.Contains(args, s.dir.path) {
				t.Errorf("arguments of the next generation are %s", args)
			}
			wantText := "prog: pool crash detected; coordinated recovery starting\n" + test.stderr +
				"prog: recovery complete (generation 1)\n"
			if got := s.cfg.Stderr.(*log).String(); got != wantText {
				t.Errorf("stderr:\n%swant:\n%s", got, wantText)
			}
		})
	}
}

// Exit handlers of pools remove the set's shared memory; the next generation has its own.
func TestSharedMemoryAfterCrash(t *testing.T) {
	t.Parallel()
	s := testSet(t, program(t, 1, testpool.Options{}))
	for range 3 {
		if got := mustDo(t, s, 0, testpool.Shared, "x"); got != "x" {
			t.Error(got)
		}
		_, err := do(t, s, 0, testpool.Signal, "9")
		want(t, err, errorClosed)
	}
	mustEcho(t, s, 0)
	files := 0
	for _, name := range readNames("/dev/shm") {
		if strings.HasPrefix(name, s.basename) {
			files++
		}
	}
	if files != 1 {
		t.Errorf("%d files in /dev/shm, want volume 0 of the last generation", files)
	}
}

// An idle set restarts when a leader dies; the next call does not notice.
func TestLeaderDiesIdle(t *testing.T) {
	t.Parallel()
	for _, worker := range []testpool.Worker{testpool.InLeader, testpool.Python, testpool.R} {
		s := testSet(t, program(t, 2, testpool.Options{Worker: worker}))
		for round := range 3 {
			kill(t, leader(t, s, round%2))
			s.cfg.Stderr.(*log).wait(t, "recovery complete", round+1)
			mustEcho(t, s, 0)
			mustEcho(t, s, 1)
		}
		if n := len(poolProcesses(s.dir.path)); worker == testpool.InLeader && n != 2 || worker != testpool.InLeader && n != 4 {
			t.Errorf("worker %q: %d processes", worker, n)
		}
	}
}

// The call that runs in a worker when its leader dies fails, although the worker could
// still answer: with the leader gone, nobody knows for how long.
func TestLeaderDiesDuringCall(t *testing.T) {
	t.Parallel()
	for _, other := range []int{0, 1} { // the leader of the pool called, and another
		s := testSet(t, program(t, 2, testpool.Options{Worker: testpool.Python}))
		pid, gate := leader(t, s, other), fifo(t)
		running := begin(s, 0, testpool.Slow, gate)
		arrive(t, gate)
		waiting := begin(s, 0, testpool.Echo, "x")
		kill(t, pid)
		_, err := running.wait(t)
		want(t, err, errorClosed)
		if got, err := waiting.wait(t); got != "x" || err != nil {
			t.Errorf("call after it = %q, %v", got, err)
		}
	}
}

// Leaders die at random under load. Each death costs one call at most.
func TestLeaderDiesUnderLoad(t *testing.T) {
	t.Parallel()
	s := testSet(t, program(t, 2, testpool.Options{}))
	const kills, calls = 5, 200
	failed := 0
	for range kills {
		pid := leader(t, s, 0)
		var list []*call
		for i := range calls {
			list = append(list, begin(s, i%2, testpool.Echo, "x"))
			if i == calls/4 {
				kill(t, pid)
			}
		}
		for _, c := range list {
			got, err := c.wait(t)
			switch {
			case err != nil && strings.HasPrefix(err.Error(), "IPC error: "):
				failed++
			case err != nil || got != "x":
				t.Errorf("call = %q, %v", got, err)
			}
			if c.times != 1 {
				t.Errorf("finished %d times", c.times)
			}
		}
	}
	if failed > kills {
		t.Errorf("%d calls failed after %d kills", failed, kills)
	}
}

// A worker that dies costs its call, and no restart if the leader replaces it.
func TestWorkerDies(t *testing.T) {
	t.Parallel()
	s := testSet(t, program(t, 1, testpool.Options{Worker: testpool.Python}))
	before := leader(t, s, 0)
	for range 3 {
		_, err := do(t, s, 0, testpool.Signal, "11")
		want(t, err, errorClosed)
		mustEcho(t, s, 0)
	}
	if leader(t, s, 0) != before {
		t.Error("the leader was restarted")
	}
	if text := s.cfg.Stderr.(*log).String(); strings.Contains(text, "recovery") {
		t.Errorf("stderr:\n%s", text)
	}
}

// A worker that is not replaced leaves a pool that takes connections and never answers.
func TestSilentPool(t *testing.T) {
	t.Parallel()
	s := testSet(t, program(t, 1, testpool.Options{Worker: testpool.R}))
	before := leader(t, s, 0)
	_, err := do(t, s, 0, testpool.Exit, "1")
	want(t, err, errorClosed)
	mustEcho(t, s, 0)
	if leader(t, s, 0) == before {
		t.Error("the pool was not restarted")
	}
	s.cfg.Stderr.(*log).wait(t, "  pool 0: Pool process does not answer\nprog: recovery complete (generation 1)\n", 1)
}

// A call that finds no socket has not begun, so it survives the restart.
func TestSocketRemoved(t *testing.T) {
	t.Parallel()
	s := testSet(t, program(t, 1, testpool.Options{}))
	mustEcho(t, s, 0)
	if err := os.Remove(s.dir.path + "/pipe-py"); err != nil {
		t.Fatal(err)
	}
	mustEcho(t, s, 0)
	if err := os.RemoveAll(s.dir.path); err != nil { // as cleaners of /tmp do
		t.Fatal(err)
	}
	mustEcho(t, s, 0)
	s.cfg.Stderr.(*log).wait(t, "recovery complete (generation 2)\n", 1)
}

func TestCannotStart(t *testing.T) {
	t.Parallel()
	lines := strings.Repeat("noise\n", 20) + "Traceback:\n  ImportError: numpy\n"
	tests := []struct {
		name   string
		o      testpool.Options
		change func(*Config)
		want   string
		brief  string
	}{
		{
			"exits", testpool.Options{Exit: 1, Print: lines}, nil,
			"pool 'py' could not be started: exit status 1" + strings.Repeat("\nnoise", 8) + "\nTraceback:\n  ImportError: numpy",
			"pool 'py' could not be started: exit status 1",
		},
		{
			"a last line without end", testpool.Options{Exit: 7, Print: "no numpy"}, nil,
			"pool 'py' could not be started: exit status 7\nno numpy",
			"pool 'py' could not be started: exit status 7",
		},
		{
			"never ready", testpool.Options{Mute: true, Print: "loading\n"},
			func(c *Config) { c.StartTimeout = 3 * time.Second },
			"pool 'py' could not be started: no answer within 3s\nloading",
			"pool 'py' could not be started: no answer within 3s",
		},
		{
			"no interpreter", testpool.Options{}, func(c *Config) {
				c.Pools[0].Exec = []string{"no-such-python", "./testpool"}
				c.Env = []string{"PATH=/usr/bin:/bin"}
			},
			"pool 'py' could not be started: interpreter 'no-such-python' not found; looked in PATH=/usr/bin:/bin; " +
				"give the server a PATH that holds it: --mcp-config prints a client entry with one",
			"pool 'py' could not be started: interpreter 'no-such-python' not found",
		},
		{
			"no such path", testpool.Options{}, func(c *Config) { c.Pools[0].Exec = []string{"/no/such/python", "./testpool"} },
			"pool 'py' could not be started: no such file or directory (/no/such/python)",
			"pool 'py' could not be started: no such file or directory",
		},
		{
			"no file", testpool.Options{}, func(c *Config) { c.Dir = "/no/such/folder" },
			"pool 'py' could not be started: its file is missing; run `morloc make` again: " +
				"stat /no/such/folder/testpool: no such file or directory",
			"pool 'py' could not be started: its file is missing; run `morloc make` again",
		},
		{
			"long socket", testpool.Options{}, func(c *Config) { c.Pools[0].Socket = strings.Repeat("s", 100) },
			"pool 'py' could not be started: path of its socket has more than 107 bytes: ",
			"pool 'py' could not be started: path of its socket has more than 107 bytes",
		},
		{
			"no command", testpool.Options{}, func(c *Config) { c.Pools[0].Exec = nil },
			"pool 'py' could not be started: its entry in the manifest is not complete",
			"pool 'py' could not be started: its entry in the manifest is not complete",
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			cfg := program(t, 1, test.o)
			if test.change != nil {
				test.change(&cfg)
			}
			s := testSet(t, cfg)
			s.Start()
			first, second := begin(s, 0, testpool.Echo, ""), begin(s, 0, testpool.Echo, "")
			for _, c := range []*call{first, second} {
				_, err := c.wait(t)
				if err == nil || !strings.HasPrefix(err.Error(), test.want) {
					t.Errorf("error is %q, want %q", err, test.want)
				}
				if got := Brief(err); got != test.brief {
					t.Errorf("Brief = %q, want %q", got, test.brief)
				}
			}
			if n := strings.Count(s.cfg.Stderr.(*log).String(), "prog: pool 'py' could not be started"); n != 1 {
				t.Errorf("tried %d times, want once:\n%s", n, s.cfg.Stderr)
			}
		})
	}
}

// After the pause the next call tries again.
func TestStartAgain(t *testing.T) {
	t.Parallel()
	cfg := program(t, 1, testpool.Options{Exit: 1})
	s := testSet(t, cfg)
	_, err := do(t, s, 0, testpool.Echo, "")
	want(t, err, "pool 'py' could not be started: exit status 1")
	testpool.Configure(t, cfg.Dir, testpool.Options{})
	deadline := time.Now().Add(patience)
	for {
		begun := time.Now()
		_, err := do(t, s, 0, testpool.Echo, "")
		if err == nil {
			break
		}
		want(t, err, "pool 'py' could not be started: exit status 1")
		if begun.After(deadline) {
			t.Fatal("not tried again")
		}
		<-time.After(20 * time.Millisecond)
	}
	mustEcho(t, s, 0)
}

func TestCrashAtRestart(t *testing.T) {
	t.Parallel()
	cfg := program(t, 1, testpool.Options{})
	s := testSet(t, cfg)
	mustEcho(t, s, 0)
	testpool.Configure(t, cfg.Dir, testpool.Options{Exit: 4, Print: "gone\n"})
	_, err := do(t, s, 0, testpool.Exit, "1")
	want(t, err, errorClosed)
	_, err = do(t, s, 0, testpool.Echo, "")
	want(t, err, "pool 'py' could not be started: exit status 4\ngone")
	s.cfg.Stderr.(*log).wait(t, "prog: recovery failed (generation 1): pool 'py' could not be started: exit status 4\n", 1)
}

// Pools that die again and again without having done anything are left alone until the
// next call.
func TestIdleCrashLoop(t *testing.T) {
	t.Parallel()
	s := testSet(t, program(t, 1, testpool.Options{}))
	l := s.cfg.Stderr.(*log)
	pid := leader(t, s, 0)
	for round := 1; round <= 1+unusedBudget; round++ {
		kill(t, pid)
		l.wait(t, "recovery complete", round)
		pids := poolProcesses(s.dir.path)
		if len(pids) != 1 {
			t.Fatalf("%d processes after recovery", len(pids))
		}
		pid = pids[0]
	}
	kill(t, pid)
	l.wait(t, "the next call starts them", 1)
	mustEcho(t, s, 0)
}

func TestCrashBudget(t *testing.T) {
	t.Parallel()
	var d downtime
	for i := range crashBudget {
		if d.overBudget() {
			t.Fatalf("restart %d is refused", i+1)
		}
	}
	if !d.overBudget() {
		t.Fatal("no limit")
	}
	for i := range d.breaks { // a minute later
		d.breaks[i] = d.breaks[i].Add(-crashWindow)
	}
	if d.overBudget() {
		t.Error("the budget does not recover")
	}
}

// Over its budget, a set rests like one that cannot be started.
func TestCrashesTooOften(t *testing.T) {
	t.Parallel()
	s := testSet(t, program(t, 1, testpool.Options{}))
	s.down.breaks = slices.Repeat([]time.Time{time.Now()}, crashBudget)
	const text = "pools crashed more than 100 times within a minute"
	_, err := do(t, s, 0, testpool.Exit, "1")
	want(t, err, errorClosed)
	_, err = do(t, s, 0, testpool.Echo, "")
	want(t, err, text)
	s.cfg.Stderr.(*log).wait(t, "prog: "+text+"\n", 1)
	for deadline := time.Now().Add(patience); err != nil; <-time.After(20 * time.Millisecond) {
		if _, err = do(t, s, 0, testpool.Echo, ""); time.Now().After(deadline) {
			t.Fatal("not tried again")
		}
	}
}

func TestPause(t *testing.T) {
	t.Parallel()
	var d downtime
	for _, want := range []time.Duration{1, 2, 4, 8, 16, 32, 60, 60} {
		d.begin(errors.New("x"))
		if d.pause != want*time.Second {
			t.Errorf("pause is %v, want %ds", d.pause, want)
		}
	}
	d.reset()
	d.begin(errors.New("x"))
	if d.pause != time.Second {
		t.Errorf("pause after a good start is %v", d.pause)
	}
}

// Shared memory that pools pile up is given back by a restart when nothing waits.
func TestRecycle(t *testing.T) {
	t.Parallel()
	cfg := program(t, 1, testpool.Options{})
	cfg.ShmLimit = 1 << 20
	s := testSet(t, cfg)
	before := leader(t, s, 0)
	name := mustDo(t, s, 0, testpool.Grow, "3000000")
	for range 300 { // it is measured from time to time
		mustEcho(t, s, 0)
	}
	if leader(t, s, 0) == before {
		t.Error("not restarted")
	}
	if _, err := os.Stat("/dev/shm/" + name); err == nil {
		t.Error("the volume is still there")
	}
	l := s.cfg.Stderr.(*log)
	l.wait(t, "prog: pools hold 2 MiB of shared memory; restarting them\nprog: restart complete (generation 1)\n", 1)
}

// With calls waiting it must be twice the limit.
func TestRecycleUnderLoad(t *testing.T) {
	t.Parallel()
	for size, restarts := range map[string]bool{"1500000": false, "3000000": true} {
		cfg := program(t, 1, testpool.Options{})
		cfg.ShmLimit = 1 << 20
		s := testSet(t, cfg)
		before, gate := leader(t, s, 0), fifo(t)
		mustDo(t, s, 0, testpool.Grow, size)
		begin(s, 0, testpool.Slow, gate)
		release := arrive(t, gate)
		for range 300 {
			begin(s, 0, testpool.Echo, "x")
		}
		last := begin(s, 0, testpool.PIDs, "")
		release()
		pids, err := last.wait(t)
		if err != nil {
			t.Fatal(err)
		}
		if got := !strings.HasSuffix(pids, " "+strconv.Itoa(before)); got != restarts {
			t.Errorf("with %s bytes: restarted is %v, want %v", size, got, restarts)
		}
	}
}
