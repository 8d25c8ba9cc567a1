package command

import (
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/mcpgen/mcpgen/runtime/mcp"
)

// TestQueue gives out two places.
func TestQueue(t *testing.T) {
	t.Parallel()
	q := newQueue(2, 0)
	jobs := make([]*Job, 6)
	for i := range jobs {
		jobs[i] = new(Job)
	}
	put := func(i int, want bool) {
		t.Helper()
		if runs, err := q.put(jobs[i]); runs != want || err != nil {
			t.Errorf("put %d: %v, %v", i, runs, err)
		}
	}
	ahead := func(i, want int, wantWaits bool) {
		t.Helper()
		if n, waits := q.ahead(jobs[i]); waits != wantWaits || waits && n != want {
			t.Errorf("ahead of %d: %d, %v, want %d, %v", i, n, waits, want, wantWaits)
		}
	}
	done := func(i, want int) {
		t.Helper()
		next := q.done(jobs[i])
		if want < 0 && next != nil || want >= 0 && next != jobs[want] {
			t.Errorf("after %d comes %p", i, next)
		}
	}
	for i := range 3 {
		put(i, false) // no place is given out yet
		ahead(i, i, true)
	}
	if run := q.open(); len(run) != 2 || run[0] != jobs[0] || run[1] != jobs[1] {
		t.Errorf("open returned %v", run)
	}
	ahead(0, 0, false)
	ahead(2, 2, true)
	put(3, false)
	put(4, false)
	put(5, false)
	ahead(5, 5, true)
	for _, i := range []int{3, 5} {
		if !q.drop(jobs[i]) || q.drop(jobs[i]) {
			t.Errorf("drop %d", i)
		}
	}
	put(3, false) // behind what was the last but one
	done(1, 2)
	done(0, 4)
	done(4, 3)
	done(2, -1)
	put(5, true)
	done(3, -1)
	var ended []*Job
	waiting, idle := q.close(func(j *Job) { ended = append(ended, j) })
	if len(waiting) != 0 || len(ended) != 1 || ended[0] != jobs[5] {
		t.Errorf("close: %v wait, %v run", waiting, ended)
	}
	select {
	case <-idle:
		t.Error("idle while one runs")
	default:
	}
	done(5, -1)
	<-idle
	if _, err := q.put(jobs[0]); err != errStopping {
		t.Errorf("put after close: %v", err)
	}
}

// TestBusy has more calls wait than may.
func TestBusy(t *testing.T) {
	t.Parallel()
	for max, wait := range map[int]int{0: 1024, 3: 3} {
		q := newQueue(1, max)
		q.opened = true
		for range 1 + wait {
			if _, err := q.put(new(Job)); err != nil {
				t.Fatal(err)
			}
		}
		want := "server busy: " + strconv.Itoa(wait) + " calls are waiting"
		if _, err := q.put(new(Job)); err == nil || err.Error() != want {
			t.Errorf("error %v, want %s", err, want)
		}
		waiting, _ := q.close(func(*Job) {})
		if len(waiting) != wait {
			t.Errorf("%d wait, want %d", len(waiting), wait)
		}
	}
}

// TestLargeCalls has calls wait that are together larger than may be.
func TestLargeCalls(t *testing.T) {
	t.Parallel()
	q := newQueue(1, 0)
	q.maxBytes = 2 << 20
	put := func(size int, want string) *Job {
		t.Helper()
		j := &Job{size: size}
		got := ""
		if _, err := q.put(j); err != nil {
			got = err.Error()
		}
		if got != want {
			t.Errorf("error %q, want %q", got, want)
		}
		return j
	}
	const busy = "server busy: calls with 2 MiB of arguments are waiting"
	alone := put(3<<20, "")
	put(1, busy)
	q.drop(alone)
	first := put(1<<20, "")
	put(1<<20, "")
	put(1, busy)
	if run := q.open(); len(run) != 1 || run[0] != first {
		t.Errorf("open returned %v", run)
	}
	put(1, "")
}

// TestWaitingCall is told where it is, and dropped when it is given up (decisions 11 and 35).
func TestWaitingCall(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		cli := newCLI()
		cli.MaxParallel = 1
		f := connect(t, cli, latest)
		other := &Job{process: new(process)}
		if runs, _ := cli.runner.queue.put(other); !runs {
			t.Fatal("there is no place")
		}
		for id := range 2 {
			f.tool = func(c *mcp.Call) error { return cli.Call(c, plain).Run(nil) }
			f.handle(`{"jsonrpc":"2.0","id":"` + strconv.Itoa(id) + `","method":"tools/call","params":{"name":"x","_meta":{"progressToken":` + strconv.Itoa(id) + `}}}`)
			time.Sleep(time.Millisecond) // beats come in this order
		}
		time.Sleep(mcp.FirstBeat)
		synctest.Wait()
		for id, want := range []string{"waiting, 1 call ahead", "waiting, 2 calls ahead"} {
			line := <-f.out
			if !strings.Contains(line, `"progressToken":`+strconv.Itoa(id)+`,"progress":2,"message":"`+want+`"`) {
				t.Errorf("got %s, want %s", line, want)
			}
		}
		f.handle(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"0"}}`)
		time.Sleep(mcp.NextBeat)
		synctest.Wait()
		if line := <-f.out; len(f.out) > 0 || !strings.Contains(line, `"progressToken":1,"progress":7,"message":"waiting, 1 call ahead"`) {
			t.Errorf("after the first was cancelled: %s", line)
		}
		f.handle(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"1"}}`)
		synctest.Wait()
		if !f.conn.Drain(0) {
			t.Error("a call that was dropped is pending")
		}
		cli.runner.queue.done(other)
		cli.Stop()
	})
}
