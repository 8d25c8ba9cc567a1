package soak

import (
	"bufio"
	"flag"
	"math/rand/v2"
	"net/http"
	"os"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/mcpgen/mcpgen/internal/testenv"
	"github.com/mcpgen/mcpgen/internal/testpool"
)

var (
	length = flag.Duration("soak", 4*time.Second, "how long the load lasts")
	seed   = flag.Uint64("seed", 0, "of the sequences of requests; 0: a new one")
)

// Clients over HTTP, by kind.
const (
	posters   = 24 // half of them of each era
	vanishers = 4
)

// meanPeace is how long, on average, no pool is killed; in a long soak, so many times that.
const meanPeace = 300 * time.Millisecond

// rarer tells how many times rarer crashes are than in a short soak, and that is at most most.
// Pools that crash a hundred times a minute are not started again for a while, in which a soak
// would try nothing.
func rarer(most int) int { return min(max(1, int(*length/(10*time.Second))), most) }

// growth is by how many KiB the memory of a server may grow from the first half of the load
// to the second: what the heap happens to hold of large messages.
const growth = 96 << 10

// lossLimit is how long after the load an answer may come; what comes later is lost. It is far
// more than the server's own limits add up to.
const lossLimit = time.Minute

// spareGoroutines is how many goroutines of one origin there may be that there were not
// before: connections that are just being closed.
const spareGoroutines = 2

func TestMain(m *testing.M) {
	testpool.Main()
	testenv.Clear()
	flag.Parse()
	os.Exit(m.Run())
}

// serverFlags are those of all servers here.
var serverFlags = []string{"--replicas", "2", "--call-timeout", "5s", "--logging"}

func TestSoak(t *testing.T) {
	if *seed == 0 {
		*seed = rand.Uint64()
	}
	t.Logf("seed %d, %v", *seed, *length)
	b := build(t)
	t.Run("stdio", func(t *testing.T) {
		t.Parallel()
		soakStdio(t, b)
	})
	t.Run("http", func(t *testing.T) {
		t.Parallel()
		soakHTTP(t, b)
	})
}

func soakStdio(t *testing.T, b binary) {
	s := start(t, b, serverFlags...)
	l := newLedger()
	c := newTalker(s, newMix(*seed, 0, l, b.pipe))
	out := bufio.NewReaderSize(s.out, 1<<20)
	if err := c.handshake(out); err != nil {
		t.Fatal(err)
	}
	heard := make(chan error, 1)
	go func() { heard <- c.listen(out) }()
	warm := func() {
		for i := range kinds {
			k := &kinds[i]
			if k.fails || k.crashes || k.hangs {
				continue
			}
			if !c.take() {
				return
			}
			text := "warm." + k.tool
			c.send(call{id: l.open(k, text), kind: k, arguments: `{"_1":"` + text + `"}`}.request(""))
		}
		c.wait()
	}
	loadTwice(t, s, l, warm, func(done <-chan struct{}) { c.load(done) })
	if err := s.in.Close(); err != nil {
		t.Error(err)
	}
	if got := s.end(); got != 0 {
		t.Errorf("exit status %d at the end of input, want 0", got)
	}
	if err := <-heard; err != nil {
		t.Error(err)
	}
	account(t, l)
	if left := s.leftovers(); len(left) > 0 {
		t.Errorf("left behind: %q", left)
	}
}

func soakHTTP(t *testing.T, b binary) {
	args := append([]string{"--http-port", "0"}, serverFlags...)
	fresh := start(t, b, args...)
	l := newLedger()
	transport := &http.Transport{MaxIdleConnsPerHost: posters}
	dial := func(s *server, client int) *poster {
		p := &poster{server: s, mix: newMix(*seed, client, l, b.pipe), client: &http.Client{Transport: transport, Timeout: lossLimit}, modern: client%2 == 0}
		if err := p.handshake(); err != nil {
			t.Fatal(err)
		}
		return p
	}
	warm := func(s *server) {
		for client := 1; client <= 2; client++ {
			text := "warm"
			k := &kinds[1]
			dial(s, client).call(call{id: l.open(k, text), kind: k, arguments: `{"_1":"` + text + `"}`})
		}
		transport.CloseIdleConnections()
	}
	warm(fresh)
	few := fresh.goroutines()

	s := start(t, b, args...)
	loadTwice(t, s, l, func() { warm(s) }, func(done <-chan struct{}) {
		var wait sync.WaitGroup
		for client := 1; client <= posters; client++ {
			p := dial(s, client)
			wait.Go(func() { p.load(done) })
		}
		for client := range vanishers {
			m := newMix(*seed, posters+1+client, l, b.pipe)
			wait.Go(func() { vanish(s, m, done) })
		}
		wait.Wait()
		transport.CloseIdleConnections()
	})
	account(t, l)
	for origin, n := range s.goroutines() {
		if n > few[origin]+spareGoroutines {
			t.Errorf("%d goroutines %q after the load, %d without one", n, origin, few[origin])
		}
	}
	// A server that was ended like this has left its files to the next one.
	next := start(t, b, args...)
	warm(next)
	for _, dead := range []*server{fresh, s} {
		if left := dead.leftovers(); len(left) > 0 {
			t.Errorf("not swept: %q", left)
		}
	}
	next.signal(syscall.SIGTERM)
	if got := next.end(); got != 128+int(syscall.SIGTERM) {
		t.Errorf("exit status %d after SIGTERM", got)
	}
	if left := next.leftovers(); len(left) > 0 {
		t.Errorf("left behind: %q", left)
	}
}

// loadTwice loads a server in two halves, while its pools are killed, and compares what it
// has of the system afterwards.
func loadTwice(t *testing.T, s *server, l *ledger, warm func(), load func(done <-chan struct{})) {
	warm()
	before := s.usage()
	var kills atomic.Int64
	half := func(n int) usage {
		done := make(chan struct{})
		time.AfterFunc(*length/2, func() { close(done) })
		killer := make(chan struct{})
		go func() {
			defer close(killer)
			kill(s, rand.New(rand.NewPCG(*seed, uint64(1000+n))), &kills, done)
		}()
		load(done)
		<-killer
		return s.settled(before, warm)
	}
	first := half(1)
	second := half(2)
	if testenv.RaceFlags == nil && second.rss > first.rss+growth {
		t.Errorf("memory grows: %v, %v", first, second)
	}
	t.Logf("%s\n    %d pools killed\n    before: %v; half way: %v; at the end: %v", l, kills.Load(), before, first, second)
}

// kill kills pools of a server until done is closed.
func kill(s *server, random *rand.Rand, kills *atomic.Int64, done <-chan struct{}) {
	for {
		select {
		case <-time.After(upTo(random, 2*meanPeace*time.Duration(rarer(3)))):
		case <-done:
			return
		}
		if pids := s.pools(); len(pids) > 0 && syscall.Kill(pids[random.IntN(len(pids))], syscall.SIGKILL) == nil {
			kills.Add(1)
		}
	}
}

// account reports requests that were lost, answers that were wrong, and pools that are hit more
// often than they answer: kills explain a failure now and then, not all of them.
func account(t *testing.T, l *ledger) {
	lost := l.lost()
	if len(lost) > 0 {
		t.Errorf("%d lost: %q", len(lost), lost[:min(10, len(lost))])
	}
	if n := len(l.faults); n > 0 {
		t.Errorf("%d faults: %q", n, l.faults[:min(10, n)])
	}
	if l.hits > l.values {
		t.Errorf("%d calls of pools broke off, %d had a value", l.hits, l.values)
	}
}
