package pool

import (
	"math/rand/v2"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/mcpgen/mcpgen/internal/testpool"
)

// testFleet returns a started fleet that is stopped at the end of the test, when nothing may
// be left.
func testFleet(t testing.TB, cfg Config, replicas int) *Fleet {
	t.Helper()
	cfg.Replicas = replicas
	f := New(cfg)
	t.Cleanup(func() {
		f.Stop(stopGrace)
		for _, s := range f.sets {
			checkNothingLeft(t, s.dir.path, s.basename)
		}
		if text := f.stderr().String(); strings.Contains(text, "two exchanges") {
			t.Error("exchanges overlapped")
		}
	})
	f.Start()
	return f
}

func (f *Fleet) stderr() *log { return f.sets[0].cfg.Stderr.(*log) }

// hold makes a call that waits in its pool, and returns what lets it go on.
func hold(t testing.TB, s interface{ Do(*Exchange) }) (c *call, release func()) {
	t.Helper()
	gate := fifo(t)
	c = begin(s, 0, testpool.Slow, gate)
	return c, arrive(t, gate)
}

// mustWait asserts that a call succeeds.
func mustWait(t testing.TB, calls ...*call) {
	t.Helper()
	for _, c := range calls {
		if got, err := c.wait(t); err != nil || c.times != 1 {
			t.Errorf("call = %q, %v, finished %d times", got, err, c.times)
		}
	}
}

// busy returns the set that makes an exchange.
func (f *Fleet) busy(t testing.TB, c *call) *one {
	t.Helper()
	f.queue.mu.Lock()
	defer f.queue.mu.Unlock()
	for _, s := range f.sets {
		if s.seat.x == &c.Exchange {
			return &one{f, s}
		}
	}
	t.Fatal("no set makes the exchange")
	return nil
}

// pid returns the process of a set's first pool.
func (s *set) pid() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.gen.pools[0].pid
}

// checkGroupGone asserts that no process of a group is left, but for zombies.
func checkGroupGone(t testing.TB, s *one, group int) {
	t.Helper()
	for _, pid := range poolProcesses(s.dir.path) {
		if g, err := syscall.Getpgid(pid); err == nil && g == group {
			t.Errorf("process %d of the call is still there", pid)
		}
	}
}

// TestReplicas asserts that calls run side by side, each set has what it has for itself, and
// what is more than they can make waits.
func TestReplicas(t *testing.T) {
	t.Parallel()
	f := testFleet(t, program(t, 2, testpool.Options{}), 3)
	var held []*call
	var releases []func()
	names := map[string]bool{}
	for range f.sets {
		c, release := hold(t, f)
		held, releases = append(held, c), append(releases, release)
		s := f.busy(t, c)
		names[s.dir.path], names[s.basename] = true, true
	}
	if len(names) != 2*len(f.sets) {
		t.Errorf("folders and basenames are %v", names)
	}
	waits := begin(f, 1, testpool.Echo, "x")
	if n, ok := f.Ahead(&waits.Exchange); n != 3 || !ok {
		t.Errorf("%d ahead, waits %v", n, ok)
	}
	releases[1]()
	mustWait(t, held[1], waits)
	releases[0]()
	releases[2]()
	mustWait(t, held...)
	f.stderr().wait(t, "", 0)
}

// TestReplicaCrashes asserts that a crash is nothing to the calls of other sets, and costs
// nobody else's turn.
func TestReplicaCrashes(t *testing.T) {
	t.Parallel()
	f := testFleet(t, program(t, 2, testpool.Options{}), 2)
	safe, release := hold(t, f)
	pid := f.busy(t, safe).pid()
	for range 3 {
		doomed, _ := hold(t, f)
		kill(t, f.busy(t, doomed).pid())
		_, err := doomed.wait(t)
		want(t, err, errorClosed)
		mustWait(t, begin(f, 0, testpool.Echo, "x"), begin(f, 1, testpool.Echo, "x"))
	}
	if f.busy(t, safe).pid() != pid {
		t.Error("the other set was restarted")
	}
	release()
	mustWait(t, safe)
	f.stderr().wait(t, ": pool crash detected; coordinated recovery starting\n  pool 0: Pool process crashed with signal 9\n", 3)
	if text := f.stderr().String(); !strings.HasPrefix(text, "prog: replica ") {
		t.Errorf("stderr does not say which set:\n%s", text)
	}
}

// TestReplicaDown asserts that a set whose pools cannot be started fails nothing as long as
// another one serves, that all fail when none does, and that they come back.
func TestReplicaDown(t *testing.T) {
	t.Parallel()
	cfg := program(t, 1, testpool.Options{})
	f := testFleet(t, cfg, 2)
	safe, release := hold(t, f)
	doomed, _ := hold(t, f)
	testpool.Configure(t, cfg.Dir, testpool.Options{Exit: 4, Print: "gone\n"})
	kill(t, f.busy(t, doomed).pid())
	_, err := doomed.wait(t)
	want(t, err, errorClosed)
	f.stderr().wait(t, "recovery failed", 1)
	waiting := begin(f, 0, testpool.Echo, "x")
	release()
	mustWait(t, safe, waiting)
	for range 50 {
		mustWait(t, begin(f, 0, testpool.Echo, "x"))
	}
	if !f.Ready() {
		t.Error("not ready though a set serves")
	}
	last, _ := hold(t, f)
	kill(t, f.busy(t, last).pid())
	_, err = last.wait(t)
	want(t, err, errorClosed)
	_, err = begin(f, 0, testpool.Echo, "x").wait(t)
	want(t, err, "pool 'py' could not be started: exit status 4\ngone")
	if f.Ready() {
		t.Error("ready though no set serves")
	}
	testpool.Configure(t, cfg.Dir, testpool.Options{})
	for deadline := time.Now().Add(patience); ; <-time.After(20 * time.Millisecond) {
		if _, err = begin(f, 0, testpool.Echo, "x").wait(t); err == nil {
			break
		}
		if time.Now().After(deadline) {
			t.Fatal("not tried again")
		}
	}
}

// TestReplicaComesBack asserts that a set whose pools could not be started is there again
// though no call needs it.
func TestReplicaComesBack(t *testing.T) {
	t.Parallel()
	cfg := program(t, 1, testpool.Options{})
	f := testFleet(t, cfg, 2)
	safe, release := hold(t, f)
	doomed, _ := hold(t, f)
	s := f.busy(t, doomed).set
	testpool.Configure(t, cfg.Dir, testpool.Options{Exit: 4})
	kill(t, s.pid())
	f.stderr().wait(t, "recovery failed", 1)
	testpool.Configure(t, cfg.Dir, testpool.Options{})
	for deadline := time.Now().Add(patience); !s.answers(); <-time.After(20 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("not tried again")
		}
	}
	release()
	mustWait(t, safe)
}

// TestLazyReplicas asserts that calls start as many sets as they need.
func TestLazyReplicas(t *testing.T) {
	t.Parallel()
	cfg := program(t, 1, testpool.Options{})
	cfg.Replicas = 3
	f := New(cfg)
	defer f.Stop(stopGrace)
	first, release := hold(t, f)
	second, release2 := hold(t, f)
	running := 0
	for _, s := range f.sets {
		if s.answers() {
			running++
		}
	}
	if running != 2 {
		t.Errorf("%d sets run for two calls", running)
	}
	release()
	release2()
	mustWait(t, first, second)
}

// TestCancelUnderWay asserts that a call that nobody waits for goes on while nothing else
// waits, and is stopped for the next one.
func TestCancelUnderWay(t *testing.T) {
	t.Parallel()
	for _, worker := range []testpool.Worker{testpool.InLeader, testpool.Python, testpool.R} {
		s := testSet(t, program(t, 2, testpool.Options{Worker: worker}))
		s.down.breaks = make([]time.Time, crashBudget)
		for i := range s.down.breaks { // no crash is allowed any more
			s.down.breaks[i] = time.Now()
		}
		for round := range 2 {
			c, release := hold(t, s)
			if s.Cancel(&c.Exchange) {
				t.Fatal("dropped though under way")
			}
			before := s.pid()
			if round == 0 { // nobody wants the set
				release()
				mustWait(t, c)
				mustEcho(t, s, 0)
				if s.pid() != before {
					t.Error("restarted though nothing waited")
				}
				continue
			}
			next := begin(s, 1, testpool.Args, "")
			_, err := c.wait(t)
			want(t, err, "call cancelled")
			if args, err := next.wait(t); err != nil || !strings.HasSuffix(args, "-gen1") {
				t.Errorf("the next call = %q, %v", args, err)
			}
			checkGroupGone(t, s, before)
		}
		const text = "prog: call cancelled; restarting the pools\nprog: restart complete (generation 1)\n"
		if got := s.stderr().String(); got != text {
			t.Errorf("stderr:\n%swant:\n%s", got, text)
		}
	}
}

// TestCancelWaiting asserts that a call is out of the queue at once.
func TestCancelWaiting(t *testing.T) {
	t.Parallel()
	cfg := program(t, 1, testpool.Options{})
	cfg.MaxQueue = 1
	s := testSet(t, cfg)
	running, release := hold(t, s)
	waiting := begin(s, 0, testpool.Echo, "x")
	_, err := begin(s, 0, testpool.Echo, "x").wait(t)
	want(t, err, "server busy: 1 calls are waiting")
	if !s.Cancel(&waiting.Exchange) || s.Cancel(&waiting.Exchange) {
		t.Error("not dropped once")
	}
	next := begin(s, 0, testpool.Echo, "x")
	release()
	mustWait(t, running, next)
	if waiting.times != 0 {
		t.Error("finished though dropped")
	}
}

// TestFlood has a client fill the queue: another is served all the same, and before it.
func TestFlood(t *testing.T) {
	t.Parallel()
	cfg := program(t, 1, testpool.Options{})
	cfg.MaxQueue = 3
	s := testSet(t, cfg)
	running, release := hold(t, s)
	of := func(client string) *call {
		c := &call{done: make(chan struct{})}
		c.Exchange = Exchange{Call: testpool.Call(testpool.Echo, client), Schema: "s", Finisher: c, Client: client}
		s.Do(&c.Exchange)
		return c
	}
	flood := []*call{of("flood"), of("flood"), of("flood")}
	other := of("other")
	for _, c := range []*call{flood[2], of("flood")} {
		_, err := c.wait(t)
		want(t, err, "server busy: 3 calls are waiting")
		if c.times != 1 {
			t.Errorf("finished %d times", c.times)
		}
	}
	release()
	mustWait(t, running, flood[0], other, flood[1])
}

// limit makes a call with a limit.
func limit(s interface{ Do(*Exchange) }, d time.Duration, mid uint32, arg string) *call {
	c := &call{done: make(chan struct{})}
	c.Exchange = Exchange{Call: testpool.Call(mid, arg), Schema: "s", Finisher: c, Limit: d}
	s.Do(&c.Exchange)
	return c
}

// TestTimeout asserts that a call that takes too long is stopped, whoever waits, and the next
// one is not disturbed.
func TestTimeout(t *testing.T) {
	t.Parallel()
	for _, worker := range []testpool.Worker{testpool.InLeader, testpool.Python, testpool.R} {
		s := testSet(t, program(t, 2, testpool.Options{Worker: worker}))
		mustEcho(t, s, 0)
		before := s.pid()
		c := limit(s, 50*time.Millisecond, testpool.Slow, fifo(t))
		_, err := c.wait(t)
		want(t, err, "call timed out after 50ms")
		mustEcho(t, s, 1)
		checkGroupGone(t, s, before)
		const text = "prog: call timed out after 50ms; restarting the pools\nprog: restart complete (generation 1)\n"
		if got := s.stderr().String(); got != text {
			t.Errorf("stderr:\n%swant:\n%s", got, text)
		}
	}
}

// TestTimeoutWaiting asserts that calls do not wait for longer than their limit, be it for
// others or for pools that do not start.
func TestTimeoutWaiting(t *testing.T) {
	t.Parallel()
	s := testSet(t, program(t, 1, testpool.Options{}))
	c, release := hold(t, s)
	_, err := limit(s, 50*time.Millisecond, testpool.Echo, "x").wait(t)
	want(t, err, "call timed out after 50ms")
	release()
	mustWait(t, c)
	mute := testSet(t, program(t, 1, testpool.Options{Mute: true}))
	_, err = limit(mute, 50*time.Millisecond, testpool.Echo, "x").wait(t)
	want(t, err, "call timed out after 50ms")
}

// TestFleetChaos makes calls of all kinds while pools die and calls are given up: each call
// is finished once, or dropped, and who gets a value gets the right one.
func TestFleetChaos(t *testing.T) {
	t.Parallel()
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	f := testFleet(t, program(t, 2, testpool.Options{}), 3)
	var clients sync.WaitGroup
	for i := range 6 {
		r := rand.New(rand.NewPCG(seed, uint64(i)))
		clients.Go(func() {
			var calls []*call
			for n := range 60 {
				calls = append(calls, chaoticCall(f, r, i, n))
				if r.IntN(10) == 0 {
					for range r.IntN(20) {
						if c := calls[r.IntN(len(calls))]; f.Cancel(&c.Exchange) {
							c.dropped = true
						}
					}
				}
			}
			for n, c := range calls {
				if c.dropped {
					if c.times != 0 {
						t.Errorf("seed %d: finished though dropped", seed)
					}
					continue
				}
				got, err := c.wait(t)
				if err == nil && got != strconv.Itoa(i)+" "+strconv.Itoa(n) || c.times != 1 {
					t.Errorf("seed %d: call = %q, finished %d times", seed, got, c.times)
				}
			}
		})
	}
	clients.Wait()
	for range 3 * len(f.sets) {
		mustWait(t, begin(f, 0, testpool.Echo, "x"))
	}
	f.queue.mu.Lock()
	defer f.queue.mu.Unlock()
	if f.queue.waiting != 0 || f.queue.running != 0 || f.queue.bytes != 0 {
		t.Errorf("seed %d: the queue is left as %+v", seed, f.queue)
	}
}

// chaoticCall makes a call of some client that may do anything.
func chaoticCall(f *Fleet, r *rand.Rand, client, n int) *call {
	mid, arg := testpool.Echo, strconv.Itoa(client)+" "+strconv.Itoa(n)
	c := &call{done: make(chan struct{})}
	switch r.IntN(20) {
	case 0:
		mid, arg = testpool.Exit, "3"
	case 1:
		mid = testpool.HalfExit
	case 2:
		mid, c.Limit = testpool.Slow, time.Duration(1+r.IntN(30))*time.Millisecond
		arg = "/dev/null/no pipe" // fails soon; the limit may come first
	case 3:
		mid = testpool.Shared
	}
	c.Exchange = Exchange{
		Pool: r.IntN(2), Call: testpool.Call(mid, arg), Schema: "s", Finisher: c,
		Client: strconv.Itoa(client), Limit: c.Limit,
	}
	f.Do(&c.Exchange)
	return c
}
