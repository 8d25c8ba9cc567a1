package pool

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/mcpgen/mcpgen/runtime/voidstar"
)

// seated returns a queue with sets in some states, which are busy with something else.
func seated(max int, states ...state) *queue {
	q := newQueue(max)
	for _, now := range states {
		s := newSeat(func() {})
		s.state = now
		q.seats = append(q.seats, &s)
	}
	return q
}

// mustPut puts calls of clients into a queue and returns them.
func mustPut(t testing.TB, q *queue, clients ...string) (xs []*Exchange) {
	t.Helper()
	for _, client := range clients {
		x := &Exchange{Client: client}
		if displaced, err := q.put(x); displaced != nil || err != nil {
			t.Fatal(displaced, err)
		}
		xs = append(xs, x)
	}
	return xs
}

// take makes the next exchange, which is done at once, and returns it; nil if there is none.
func take(q *queue) *Exchange {
	x, _ := q.next(q.seats[0])
	if x != nil {
		q.settle(x)
	}
	return x
}

// refused puts an exchange into a queue that has no room, and checks what is said of that.
func refused(t *testing.T, q *queue, x *Exchange, text string) {
	t.Helper()
	displaced, err := q.put(x)
	want(t, err, text)
	if displaced != nil {
		t.Error("another one has lost its place")
	}
}

func TestQueueBound(t *testing.T) {
	t.Parallel()
	q := seated(3, resting)
	for range 2 {
		xs := mustPut(t, q, "a", "b", "c")
		refused(t, q, new(Exchange), "server busy: 3 calls are waiting")
		if !q.cancel(xs[1]) {
			t.Error("does not wait")
		}
		mustPut(t, q, "d")
		refused(t, q, xs[1], "server busy: 3 calls are waiting")
		q.seats[0].state = ready
		for take(q) != nil {
		}
		q.seats[0].state = resting
	}
	if len(q.lines) != 0 || q.waiting != 0 || q.bytes != 0 || q.running != 0 {
		t.Errorf("an empty queue is %+v", q)
	}
	q.close()
	refused(t, q, new(Exchange), "server is shutting down")
}

// TestQueueRoom asserts how many calls there may be in all: one for each set that works, or will
// soon, and those that wait, in whatever order the sets take theirs.
func TestQueueRoom(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		states []state
		want   int
	}{
		{[]state{ready}, 3},
		{[]state{cold}, 3},
		{[]state{starting}, 3},
		{[]state{resting}, 2},
		{[]state{ready, starting, resting, cold}, 5},
	} {
		for taken := range tt.want - 1 {
			q := seated(2, tt.states...)
			for i := range tt.want {
				mustPut(t, q, strconv.Itoa(i))
				if i < taken && i < len(q.seats) && q.seats[i].state == ready {
					_, _ = q.next(q.seats[i])
				}
			}
			refused(t, q, new(Exchange), "server busy: 2 calls are waiting")
		}
	}
}

// TestDisplace asserts who loses a call to whom when the queue is full.
func TestDisplace(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, waiting, client string
		want                  int // the call that is refused; -1: the new one
	}{
		{"to one with none", "a a a", "b", 2},
		{"to one with fewer", "a b a a", "b", 3},
		{"of the one with the most", "b a a b a", "c", 4},
		{"not the first of another", "a b c", "d", -1},
		{"not to be more than it", "a b a", "b", -1},
		{"not its own", "a a a", "a", -1},
		{"not for another that has few", "a a a b", "a", -1},
		{"not the only one", "a", "b", -1},
	} {
		waiting := strings.Fields(tt.waiting)
		q := seated(len(waiting), resting)
		xs := mustPut(t, q, waiting...)
		x := &Exchange{Client: tt.client}
		if tt.want < 0 {
			refused(t, q, x, "server busy: "+strconv.Itoa(len(xs))+" calls are waiting")
			continue
		}
		displaced, err := q.put(x)
		if i := slices.Index(xs, displaced); i != tt.want || err != nil {
			t.Errorf("%s: call %d is displaced, %v, want %d", tt.name, i, err, tt.want)
			continue
		}
		if q.waiting != len(xs) || displaced.phase != outside || q.cancel(displaced) {
			t.Errorf("%s: it still waits", tt.name)
		}
	}
}

// TestDisplaceToShares has a client fill the queue and others come, again and again: all come to
// have as much of it.
func TestDisplaceToShares(t *testing.T) {
	t.Parallel()
	q := seated(12, resting)
	for range 12 {
		mustPut(t, q, "flood")
	}
	for range 20 {
		for _, client := range []string{"a", "flood", "b"} {
			_, _ = q.put(&Exchange{Client: client})
		}
	}
	for _, l := range q.lines {
		if l.size() != 4 {
			t.Errorf("%d calls of %s wait, want 4", l.size(), l.client)
		}
	}
}

func TestQueueBytes(t *testing.T) {
	t.Parallel()
	q := seated(100, ready)
	q.maxBytes = 2 << 20
	of := func(bytes int) *Exchange { return &Exchange{Call: make([]byte, bytes)} }
	const text = "server busy: calls with 2 MiB of arguments are waiting"
	large := of(3 << 20)
	if _, err := q.put(large); err != nil {
		t.Fatalf("a large call that waits alone: %v", err)
	}
	refused(t, q, of(1), text)
	if take(q) != large {
		t.Fatal("not the large one")
	}
	for range 2 {
		if _, err := q.put(of(1 << 20)); err != nil {
			t.Fatal(err)
		}
	}
	refused(t, q, of(1), text)
	take(q)
	if _, err := q.put(of(1 << 20)); err != nil {
		t.Fatal(err)
	}
}

// TestTurns asserts that clients take turns and that their own calls keep their order.
func TestTurns(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ name, put, taken string }{
		{"one client", "a a a", "0 1 2"},
		{"a flood", "a a a a b", "0 4 1 2 3"},
		{"two floods", "a a a b b b", "0 3 1 4 2 5"},
		{"three", "a a b c a b", "0 2 3 1 5 4"},
	} {
		q := seated(100, ready)
		xs := mustPut(t, q, strings.Fields(tt.put)...)
		var taken []string
		for x := take(q); x != nil; x = take(q) {
			taken = append(taken, strconv.Itoa(slices.Index(xs, x)))
		}
		if got := strings.Join(taken, " "); got != tt.taken {
			t.Errorf("%s: taken are %s, want %s", tt.name, got, tt.taken)
		}
	}
}

// TestTurnsKept asserts that a client that comes again and again has no more than its turn.
func TestTurnsKept(t *testing.T) {
	t.Parallel()
	q := seated(100, ready)
	mustPut(t, q, "flood", "flood", "flood", "other", "other", "other")
	var order string
	for range 6 {
		x := take(q)
		order += x.Client[:1]
		if x.Client == "flood" {
			mustPut(t, q, "flood", "flood")
		}
	}
	if order != "fofofo" {
		t.Errorf("served are %s", order)
	}
}

// TestQueueRandom holds the queue against a list that is looked through for whose turn it is,
// and what ahead foretells against what comes.
func TestQueueRandom(t *testing.T) {
	t.Parallel()
	seed := rand.Uint64()
	r := rand.New(rand.NewPCG(seed, 0))
	q := seated(1000, ready)
	var xs []*Exchange
	for range 300 {
		for range r.IntN(6) {
			xs = append(xs, mustPut(t, q, strconv.Itoa(r.IntN(5)))...)
		}
		for range r.IntN(3) {
			if n := len(xs); n > 0 {
				i := r.IntN(n)
				if !q.cancel(xs[i]) || q.cancel(xs[i]) {
					t.Fatalf("seed %d: a call is not dropped once", seed)
				}
				xs = slices.Delete(xs, i, i+1)
			}
		}
		if r.IntN(10) > 0 {
			if x := take(q); x != nil {
				i := slices.Index(xs, x)
				for _, before := range xs[:max(i, 0)] {
					if before.Client == x.Client {
						t.Fatalf("seed %d: not in the order of client %s", seed, x.Client)
					}
				}
				xs = slices.Delete(xs, i, i+1)
			}
		}
		if q.waiting != len(xs) {
			t.Fatalf("seed %d: %d are waiting, want %d", seed, q.waiting, len(xs))
		}
	}
	var told []int
	for _, x := range xs {
		n, waits := q.ahead(x)
		if !waits {
			t.Fatalf("seed %d: does not wait", seed)
		}
		told = append(told, n)
	}
	for n := range xs {
		if i := slices.Index(xs, take(q)); i < 0 || told[i] != n {
			t.Fatalf("seed %d: call %d of those left was told to be in another place", seed, n)
		}
	}
}

func TestAhead(t *testing.T) {
	t.Parallel()
	q := seated(100, ready)
	xs := append(mustPut(t, q, "a", "a", "a"), new(Exchange))
	checkPlaces(t, q, xs, "0 true", "1 true", "2 true", "0 false")
	x, _ := q.next(q.seats[0])
	checkPlaces(t, q, xs, "0 false", "1 true", "2 true", "0 false")
	q.settle(x)
	checkPlaces(t, q, xs, "0 false", "0 true", "1 true", "0 false")
}

// checkPlaces asserts how many exchanges are ahead of each, and whether it waits.
func checkPlaces(t *testing.T, q *queue, xs []*Exchange, want ...string) {
	t.Helper()
	for i := range xs {
		if n, waits := q.ahead(xs[i]); fmt.Sprint(n, " ", waits) != want[i] {
			t.Errorf("place of exchange %d is %d %v, want %s", i, n, waits, want[i])
		}
	}
}

// TestRouse asserts which set looks for a call that comes while all are idle.
func TestRouse(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name   string
		states []state
		want   int // -1: none
	}{
		{"the first", []state{ready, ready}, 0},
		{"one that runs", []state{resting, cold, ready}, 2},
		{"one to start", []state{resting, cold, starting}, 1},
		{"none to fail it", []state{resting, starting}, -1},
		{"one to fail it", []state{resting, resting}, 0},
	} {
		q := seated(100, tt.states...)
		for _, s := range q.seats {
			s.idle = s.state != starting
		}
		mustPut(t, q, "a")
		for i, s := range q.seats {
			if got := len(s.wake) == 1; got != (i == tt.want) {
				t.Errorf("%s: set %d is roused: %v", tt.name, i, got)
			}
		}
	}
}

// TestNext asserts what a set is to do when something waits.
func TestNext(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		own, other state
		x, start   bool
	}{
		{ready, resting, true, false},
		{cold, resting, false, true},
		{resting, resting, true, false},
		{resting, ready, false, false},
		{resting, starting, false, false},
	} {
		q := seated(100, tt.own, tt.other)
		mustPut(t, q, "a")
		if x, start := q.next(q.seats[0]); (x != nil) != tt.x || start != tt.start {
			t.Errorf("state %d beside %d: an exchange %v, start %v", tt.own, tt.other, x != nil, start)
		}
	}
}

// TestPutBack asserts that what has not begun is the next again, once.
func TestPutBack(t *testing.T) {
	t.Parallel()
	for _, clients := range [][]string{{"a"}, {"a", "a"}, {"a", "b", "a"}} {
		q := seated(100, ready)
		xs := mustPut(t, q, clients...)
		for _, again := range []bool{true, false} {
			x, _ := q.next(q.seats[0])
			if x != xs[0] {
				t.Fatalf("%q: not the first", clients)
			}
			if q.putBack(x) != again {
				t.Errorf("%q: put back is %v", clients, !again)
			}
		}
		q.settle(xs[0])
		for range xs[1:] {
			if take(q) == nil {
				t.Errorf("%q: something is lost", clients)
			}
		}
	}
	q := seated(100, ready)
	x := mustPut(t, q, "a")[0]
	q.next(q.seats[0])
	q.cancel(x)
	if q.putBack(x) {
		t.Error("put back though nobody waits for it")
	}
}

// TestStopped asserts when a call that nobody waits for is stopped: when others wait, and no
// other set is free for them.
func TestStopped(t *testing.T) {
	t.Parallel()
	q := seated(100, ready, ready)
	cut := make([]int, 2)
	for i, s := range q.seats {
		s.cut = func() { cut[i]++ }
	}
	check := func(when string, first, second int) {
		t.Helper()
		if cut[0] != first || cut[1] != second {
			t.Errorf("%s: cut are %v", when, cut)
		}
	}
	xs := mustPut(t, q, "a")
	q.next(q.seats[0])
	q.next(q.seats[1]) // is idle
	if q.cancel(xs[0]) {
		t.Error("dropped though under way")
	}
	check("alone", 0, 0)
	xs = append(xs, mustPut(t, q, "b")...)
	check("the other set is free", 0, 0)
	q.next(q.seats[1])
	mustPut(t, q, "b")
	check("one waits", 1, 0)
	mustPut(t, q, "b")
	check("two wait", 1, 0)
	q.cancel(xs[1])
	check("another is given up", 1, 1)
	for _, x := range xs {
		want(t, q.settle(x), "call cancelled")
	}
	q.cancel(xs[0])
	check("after the end", 1, 1)
}

// A waiter takes the outcome of an exchange, and when it came.
type waiter struct {
	err   error
	times int
	at    time.Time
}

// Finish implements [Finisher].
func (w *waiter) Finish(_ *voidstar.Reader, err error) {
	w.err, w.at, w.times = err, time.Now(), w.times+1
}

// TestLimit asserts that a call may wait for its limit, and then take as long again.
func TestLimit(t *testing.T) {
	t.Parallel()
	const limit = 30 * time.Second
	synctest.Test(t, func(t *testing.T) {
		q := seated(100, ready)
		var begun, cut time.Time
		q.seats[0].cut = func() { cut = time.Now() }
		var w waiter
		x := &Exchange{Limit: limit, Finisher: &w}
		for round := range 3 { // it is used again
			begun, w, cut = time.Now(), waiter{}, time.Time{}
			if _, err := q.put(x); err != nil {
				t.Fatal(err)
			}
			time.Sleep(limit - time.Second)
			if round == 0 { // waits
				time.Sleep(time.Hour)
				synctest.Wait()
				want(t, w.err, "call timed out after 30s")
				if w.times != 1 || w.at.Sub(begun) != limit || !q.isEmpty() {
					t.Errorf("finished %d times after %v", w.times, w.at.Sub(begun))
				}
				continue
			}
			if took, _ := q.next(q.seats[0]); took != x {
				t.Fatal("not taken")
			}
			begun = time.Now()
			if round == 1 { // is under way
				time.Sleep(time.Hour)
				synctest.Wait()
				want(t, q.settle(x), "call timed out after 30s")
				if w.times != 0 || cut.Sub(begun) != limit {
					t.Errorf("cut after %v", cut.Sub(begun))
				}
				continue
			}
			time.Sleep(limit - time.Second) // is in time
			if reason := q.settle(x); reason != nil || !cut.IsZero() {
				t.Errorf("stopped in time: %v", reason)
			}
			time.Sleep(time.Hour)
			synctest.Wait()
			if w.times != 0 || !cut.IsZero() {
				t.Error("stopped after its end")
			}
		}
	})
}

// BenchmarkAhead is with as many clients as calls: the worst case.
func BenchmarkAhead(b *testing.B) {
	q := seated(defaultQueue, ready)
	var xs []*Exchange
	for i := range defaultQueue {
		xs = append(xs, mustPut(b, q, strconv.Itoa(i))...)
	}
	b.ReportAllocs()
	for b.Loop() {
		q.ahead(xs[len(xs)-1])
	}
}

func BenchmarkQueue(b *testing.B) {
	for _, clients := range []int{1, 100} {
		b.Run("clients="+strconv.Itoa(clients), func(b *testing.B) {
			q := seated(defaultQueue, ready)
			var xs []*Exchange
			for i := range defaultQueue / 2 {
				xs = append(xs, mustPut(b, q, strconv.Itoa(i%clients))...)
			}
			b.ReportAllocs()
			for b.Loop() {
				if _, err := q.put(take(q)); err != nil {
					b.Fatal(err)
				}
			}
			_ = xs
		})
	}
}

// TestLateTimer has a timer fire for an exchange that is used again meanwhile, without a limit.
func TestLateTimer(t *testing.T) {
	t.Parallel()
	q := seated(10, ready)
	x := &Exchange{Limit: time.Hour}
	if _, err := q.put(x); err != nil || !q.cancel(x) {
		t.Fatal(err)
	}
	x.Limit = 0
	if _, err := q.put(x); err != nil {
		t.Fatal(err)
	}
	q.expire(x)
	if take(q) != x {
		t.Error("does not wait any more")
	}
}

// TestHopeIsGone has a set be roused for an exchange that it then cannot make, while another
// makes one that nobody waits for: that is stopped.
func TestHopeIsGone(t *testing.T) {
	t.Parallel()
	q := seated(10, ready, ready)
	xs := mustPut(t, q, "a")
	if x, _ := q.next(q.seats[0]); x != xs[0] {
		t.Fatal("not the one that waits")
	}
	if x, _ := q.next(q.seats[1]); x != nil || q.cancel(xs[0]) {
		t.Fatal("there are two")
	}
	mustPut(t, q, "b")
	if xs[0].reason != nil {
		t.Fatal("stopped though another set is there")
	}
	q.become(q.seats[1], resting)
	if xs[0].reason != errCanceled {
		t.Error("not stopped")
	}
}
