package pool

import (
	"math/rand/v2"
	"os"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/mcpgen/mcpgen/internal/testpool"
)

// An input is what a helper is interrupted by: a pipe.
type input struct{ from, to *os.File }

func newInput(t testing.TB) *input {
	t.Helper()
	from, to, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _, _ = from.Close(), to.Close() })
	return &input{from, to}
}

func (in *input) fd() int { return int(in.from.Fd()) }

// fill makes that there is something to be read; drain, that there is not.
func (in *input) fill()  { _, _ = in.to.Write([]byte{'x'}) }
func (in *input) drain() { _, _ = in.from.Read(make([]byte, 1)) }

// beginHelped queues a call that the caller will help with.
func beginHelped(s interface{ Do(*Exchange) }, pool int, mid uint32, arg string) *call {
	c := &call{done: make(chan struct{})}
	c.Exchange = Exchange{Pool: pool, Call: testpool.Call(mid, arg), Schema: "s", Finisher: c, Helped: true}
	s.Do(&c.Exchange)
	return c
}

// idleSet returns a set whose pools answer and whose goroutine waits.
func idleSet(t testing.TB, cfg Config) *one {
	t.Helper()
	s := testSet(t, cfg)
	mustEcho(t, s, 0)
	awaitIdle(t, s)
	return s
}

// awaitIdle waits until the goroutine of a set waits.
func awaitIdle(t testing.TB, s *one) {
	t.Helper()
	isIdle := func() bool {
		s.queue.mu.Lock()
		defer s.queue.mu.Unlock()
		return s.seat.idle
	}
	for deadline := time.Now().Add(patience); !isIdle(); <-time.After(time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("the set is not idle")
		}
	}
	s.turn.Lock() // which it gives up to wait
	defer s.turn.Unlock()
}

// isDone reports whether a call is finished.
func (c *call) isDone() bool {
	select {
	case <-c.done:
		return true
	default:
		return false
	}
}

func TestHelp(t *testing.T) {
	t.Parallel()
	s, in := idleSet(t, program(t, 2, testpool.Options{})), newInput(t)
	for i, text := range []string{"", "one", strings.Repeat("x", 10_000)} {
		c := beginHelped(s, i%2, testpool.Echo, text)
		if c.isDone() {
			t.Error("the call was made by another")
		}
		if left := s.Help(in.fd()); left || !c.isDone() {
			t.Fatalf("the call is not made: left = %v, done = %v", left, c.isDone())
		}
		if c.result != text || c.err != nil {
			t.Errorf("result is %.20q, %v", c.result, c.err)
		}
	}
	var calls []*call
	for range 10 {
		calls = append(calls, beginHelped(s, 0, testpool.Echo, "many"))
	}
	if s.Help(in.fd()) {
		t.Error("something is left")
	}
	for _, c := range calls {
		if !c.isDone() || c.result != "many" {
			t.Errorf("one of many: %q, %v", c.result, c.err)
		}
	}
	mustEcho(t, s, 1) // by the goroutine
}

// TestHelpInterrupted has input come while a pool is at work.
func TestHelpInterrupted(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name   string
		finish func(s *one, in *input) (left bool)
		others int // that wait
	}{
		{"goes on", func(s *one, in *input) bool { return s.Help(in.fd()) }, 0},
		{"goes on with others", func(s *one, in *input) bool { return s.Help(in.fd()) }, 3},
		{"hands over", func(s *one, _ *input) bool { s.HandOver(); return false }, 0},
		{"hands over with others", func(s *one, _ *input) bool { s.HandOver(); return false }, 3},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s, in, gate := idleSet(t, program(t, 1, testpool.Options{})), newInput(t), fifo(t)
			calls := []*call{beginHelped(s, 0, testpool.Slow, gate)}
			for range tt.others {
				calls = append(calls, beginHelped(s, 0, testpool.Echo, "other"))
			}
			in.fill()
			for range 3 {
				if left := s.Help(in.fd()); !left || calls[0].isDone() {
					t.Fatalf("left = %v, done = %v, want an interruption", left, calls[0].isDone())
				}
			}
			in.drain()
			release := arrive(t, gate)
			ended := make(chan bool)
			go func() { ended <- tt.finish(s, in) }()
			release()
			if <-ended {
				t.Error("something is left")
			}
			for i, c := range calls {
				if result, err := c.wait(t); err != nil || c.times != 1 || i > 0 && result != "other" {
					t.Errorf("call %d: %q, %v, %d times", i, result, err, c.times)
				}
			}
		})
	}
}

// TestHelpAlike holds calls that are helped with against those that are not: the outcome is the
// same, and the set is as well afterwards.
func TestHelpAlike(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name string
		mid  uint32
		arg  string
	}{
		{"failure", testpool.Failure, "no"},
		{"exit", testpool.Exit, "3"},
		{"signal", testpool.Signal, "9"},
		{"half and the end", testpool.HalfExit, "some text"},
		{"nothing", testpool.Nothing, "text"},
		{"another magic", testpool.Magic, "text"},
		{"a claim of 2^40 bytes", testpool.Huge, "text"},
		{"slack", testpool.Slack, "text"},
		{"trailing bytes", testpool.Trailing, "text"},
		{"byte by byte", testpool.Drip, "text"},
		{"early", testpool.Early, "text"},
		{"refused", testpool.Refuse, "text"},
		{"raw", testpool.Raw, "text"},
		{"file", testpool.File, "text"},
		{"no such file", testpool.FileMissing, "text"},
		{"shared memory", testpool.Shared, "text"},
		{"compressed", testpool.Compressed, "text"},
		{"a call packet", testpool.WrongType, "text"},
		{"a large call", testpool.Shared, strings.Repeat("large ", 20_000)},
		{"a large reply", testpool.Echo, strings.Repeat("large ", 20_000)},
		{"a reply that does not fit at once", testpool.Echo, strings.Repeat("x", briefCall-200)},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			cfg := program(t, 1, testpool.Options{Worker: testpool.Python})
			plain := idleSet(t, cfg)
			want, wantErr := do(t, plain, 0, tt.mid, tt.arg)
			s, in := idleSet(t, cfg), newInput(t)
			for range 2 {
				c := beginHelped(s, 0, tt.mid, tt.arg)
				if s.Help(in.fd()) {
					t.Error("something is left")
				}
				got, err := c.wait(t)
				if got != want || brief(err) != brief(wantErr) || c.times != 1 {
					t.Errorf("outcome is %.50q, %v, %d times, want %.50q, %v", got, err, c.times, want, wantErr)
				}
			}
			mustEcho(t, s, 0)
		})
	}
}

// brief is [Brief], of no error too.
func brief(err error) string {
	if err == nil {
		return ""
	}
	return Brief(err)
}

// TestHelpStopped stops what a helper waits for.
func TestHelpStopped(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name string
		stop func(s *one, c *call)
		want string
	}{
		{"limit", func(_ *one, c *call) { <-c.done }, "timed out after 100ms"},
		{"cancelled for another", func(s *one, c *call) {
			s.Cancel(&c.Exchange)
			begin(s, 0, testpool.Echo, "another")
		}, errCanceled.Text},
		{"end", func(s *one, _ *call) { s.Stop(stopGrace) }, errStopping.Error()},
		{"death", func(s *one, _ *call) {
			s.mu.Lock()
			defer s.mu.Unlock()
			signalAll(s.gen.pools, syscall.SIGKILL)
		}, errClosed.Text},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s, in, gate := idleSet(t, program(t, 1, testpool.Options{})), newInput(t), fifo(t)
			c := &call{done: make(chan struct{})}
			c.Exchange = Exchange{Call: testpool.Call(testpool.Slow, gate), Schema: "s", Finisher: c, Helped: true}
			if tt.name == "limit" {
				c.Limit = 100 * time.Millisecond
			}
			s.Do(&c.Exchange)
			helped := make(chan bool)
			go func() { helped <- s.Help(in.fd()) }()
			defer arrive(t, gate)()
			tt.stop(s, c)
			if <-helped {
				t.Error("something is left")
			}
			if _, err := c.wait(t); err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("error is %v, want %q", err, tt.want)
			}
			if tt.name != "end" {
				mustEcho(t, s, 0)
			}
		})
	}
}

// TestHelpHalf is about a pool that sends half a reply: the helper does not wait for the rest,
// which is for the goroutine to miss.
func TestHelpHalf(t *testing.T) {
	t.Parallel()
	s, in := idleSet(t, program(t, 1, testpool.Options{})), newInput(t)
	c := beginHelped(s, 0, testpool.Half, "some text")
	if s.Help(in.fd()) {
		t.Error("the helper has not left the reply to the goroutine")
	}
	_, err := c.wait(t)
	want(t, err, "IPC error: Connection closed early")
	mustEcho(t, s, 0)
}

// TestHelpOthers asserts that a helper is in nobody's way: other sets take what it does not.
func TestHelpOthers(t *testing.T) {
	t.Parallel()
	cfg := program(t, 1, testpool.Options{})
	cfg.Replicas = 2
	s := testSet(t, cfg)
	s.Start()
	other := &one{s.Fleet, s.sets[1]}
	for _, x := range []*one{s, other} {
		for !x.answers() {
			<-time.After(time.Millisecond)
		}
		awaitIdle(t, x)
	}
	gate := fifo(t)
	slow := beginHelped(s, 0, testpool.Slow, gate)
	in := newInput(t)
	in.fill()
	if !s.Help(in.fd()) {
		t.Fatal("nothing is left")
	}
	release := arrive(t, gate)
	echo := beginHelped(s, 0, testpool.Echo, "beside") // by the other set, though nobody helps
	if got, err := echo.wait(t); got != "beside" || err != nil {
		t.Errorf("the call beside: %q, %v", got, err)
	}
	release()
	s.HandOver()
	if _, err := slow.wait(t); err != nil {
		t.Error(err)
	}
}

// TestHelpRandom has a helper and others make calls at random, of pools that end at random.
func TestHelpRandom(t *testing.T) {
	t.Parallel()
	for _, replicas := range []int{1, 2} {
		cfg := program(t, 1, testpool.Options{})
		cfg.Replicas = replicas
		s := testSet(t, cfg)
		seed := rand.Uint64()
		var workers sync.WaitGroup
		workers.Go(func() { helpAtRandom(t, s, newInput(t), rand.New(rand.NewPCG(seed, 0))) })
		for i := range 3 {
			r := rand.New(rand.NewPCG(seed, uint64(i+1)))
			workers.Go(func() {
				for range 50 {
					mid, arg := randomCall(r)
					c := begin(s, 0, mid, arg)
					if r.IntN(8) == 0 && s.Cancel(&c.Exchange) {
						continue
					}
					check(t, c, mid, arg)
				}
			})
		}
		workers.Wait()
		if t.Failed() {
			t.Logf("seed %d, %d replicas", seed, replicas)
		}
	}
}

func randomCall(r *rand.Rand) (mid uint32, arg string) {
	if r.IntN(20) == 0 {
		return testpool.Exit, "1"
	}
	return []uint32{testpool.Echo, testpool.Shared, testpool.Drip}[r.IntN(3)], strings.Repeat("y", r.IntN(100))
}

// check waits for a call, which may fail only because a pool has ended or it was cancelled.
func check(t *testing.T, c *call, mid uint32, arg string) {
	if got, err := c.wait(t); err == nil && got != arg || c.times != 1 || mid == testpool.Exit && err == nil {
		t.Errorf("call of %d: %q, %v, %d times, want %q", mid, got, err, c.times, arg)
	}
}

// helpAtRandom is a reader whose input comes and goes.
func helpAtRandom(t *testing.T, s *one, in *input, r *rand.Rand) {
	type made struct {
		*call
		mid uint32
		arg string
	}
	var calls []made
	for range 100 {
		for range r.IntN(4) {
			mid, arg := randomCall(r)
			calls = append(calls, made{beginHelped(s, 0, mid, arg), mid, arg})
		}
		full := r.IntN(2) == 0
		if full {
			in.fill()
		}
		switch left := s.Help(in.fd()); {
		case left && !full:
			t.Error("interrupted by nothing")
		case r.IntN(4) == 0:
			s.HandOver()
		}
		if full {
			in.drain()
		}
	}
	s.HandOver()
	for _, c := range calls {
		check(t, c.call, c.mid, c.arg)
	}
}
