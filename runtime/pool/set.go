package pool

import (
	"runtime/debug"
	"sync"

	"github.com/mcpgen/mcpgen/runtime/voidstar"
)

// A set is one complete set of pools of a program. Its goroutine takes exchanges from the
// queue of the fleet and makes them, one at a time. While it waits for the next one, a caller
// of [Fleet.Help] may take its place.
type set struct {
	fleet   *Fleet
	cfg     *Config
	console console
	seat    seat
	stopped chan struct{} // closed when nothing is left

	// turn is held by the goroutine, but for the time that it waits, or by who helps it. All
	// that is of the goroutine belongs to the one that holds it.
	turn sync.Mutex

	mu        sync.Mutex
	gen       *generation // nil if none runs; changed by the goroutine only, under mu
	answering bool        // the pools of gen have been started, all of them

	// Of the goroutine.
	spawner  *spawner
	dir      *runDir
	lifeline *lifeline // nil if pools watch none
	basename string
	launches int // generations so far
	down     downtime
	unused   int   // generations in a row that ended without an exchange
	owed     int64 // bytes of shared memory that may be used since it was measured
	buf      []byte
	file     []byte // content of a file that a reply pointed to
	reader   voidstar.Reader
	begun    begun
	hasty    bool // the last reply was there at once
}

// newSet returns a set that is called name on stderr.
func newSet(f *Fleet, cfg *Config, name string) *set {
	s := &set{fleet: f, cfg: cfg, stopped: make(chan struct{})}
	s.console = console{program: name, w: cfg.Stderr}
	s.seat = newSeat(s.cut)
	return s
}

// answers reports whether all pools have been started, and none has ended since.
func (s *set) answers() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.answering && !s.gen.isDead()
}

// setAnswering notes that all pools of the generation have answered.
func (s *set) setAnswering() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.answering = true
}

// cut ends the exchange that is under way, if there is one, and all later ones of the
// generation. It may be called by any goroutine.
func (s *set) cut() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.gen != nil {
		s.gen.conn.cut()
	}
}

func (s *set) isStopping() bool { return s.fleet.isStopping() }

// run is the set's goroutine. It starts the pools right away or with the first exchange.
func (s *set) run(eager bool) {
	defer close(s.stopped)
	debug.SetPanicOnFault(true) // pools may cut short what is mapped
	s.spawner = newSpawner()
	defer s.spawner.close()
	s.turn.Lock()
	defer s.turn.Unlock()
	if eager {
		s.start()
	}
	for !s.isStopping() {
		s.step()
	}
	s.resume()
	s.fleet.refuseAll()
	s.end(s.fleet.grace)
	s.lifeline.close()
	s.dir.remove()
}

// step does the next thing that is to be done.
func (s *set) step() {
	s.resume()
	switch {
	case s.gen != nil && s.gen.isDead():
		s.recover()
		return
	case s.down.isOver():
		s.down.err = nil
		if s.fleet.queue.isServed() { // then nobody's call would start these
			s.start()
			return
		}
		s.become(cold)
	}
	x, start := s.fleet.queue.next(&s.seat)
	switch {
	case start:
		s.start()
	case x == nil:
		s.await()
	case s.gen == nil:
		s.fleet.queue.settle(x)
		x.Finisher.Finish(nil, s.down.err)
	default:
		s.serve(x)
		s.tidy()
	}
}

// await waits until there may be something to do.
func (s *set) await() {
	deaths, end := s.gen.deaths(), s.down.end()
	s.turn.Unlock()
	defer s.turn.Lock()
	select {
	case <-s.seat.wake:
	case <-deaths:
	case <-end:
	case <-s.fleet.stop:
	}
}

// become says what the set can do with exchanges from now on.
func (s *set) become(now state) { s.fleet.queue.become(&s.seat, now) }

// finish tells the outcome of an exchange, which is not ours any more then.
func (s *set) finish(x *Exchange, r *voidstar.Reader, err error) {
	s.stopTelling(x)
	x.Finisher.Finish(r, err)
}
