package pool

import (
	"runtime/debug"
	"sync"
	"time"

	"github.com/mcpgen/mcpgen/runtime/voidstar"
)

// A Set is one complete set of pools of a program. Its methods may be called by any
// goroutine at any time.
type Set struct {
	cfg     Config
	console console
	queue   queue

	begin   sync.Once     // the goroutine, or the fact that there will be none
	halt    sync.Once     // closes stop
	stop    chan struct{} // closed by Stop
	stopped chan struct{} // closed when nothing is left
	grace   time.Duration // set before stop is closed

	mu        sync.Mutex
	gen       *generation // nil if none runs; changed by the goroutine only, under mu
	wanted    bool        // pools were to be started
	answering bool        // those of gen have been, all of them

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
}

// New returns a set that is not started.
func New(cfg Config) *Set {
	s := &Set{
		cfg:     cfg.withDefaults(),
		queue:   queue{wake: make(chan struct{}, 1)},
		stop:    make(chan struct{}),
		stopped: make(chan struct{}),
	}
	s.console = console{program: s.cfg.Program, w: s.cfg.Stderr}
	return s
}

// Start begins to start the pools and returns at once. Without it, the first exchange
// starts them. What goes wrong is written to stderr and told to exchanges.
func (s *Set) Start() {
	s.begin.Do(func() {
		s.want()
		go s.run(true)
	})
}

// Do queues an exchange, whose Finisher gets the outcome. If 1,024 are waiting, or after
// Stop, it is finished with an error before Do returns.
func (s *Set) Do(x *Exchange) {
	if x.Pool < 0 || x.Pool >= len(s.cfg.Pools) {
		x.Finisher.Finish(nil, errUnknown)
		return
	}
	if err := s.queue.put(x); err != nil {
		x.Finisher.Finish(nil, err)
		return
	}
	s.begin.Do(func() {
		s.want()
		go s.run(false)
	})
}

// Ahead returns how many exchanges are made before x, which was given to Do and is not
// finished, and whether it still waits for its turn.
func (s *Set) Ahead(x *Exchange) (n int, waits bool) { return s.queue.ahead(x) }

// Drain waits until no exchange waits or runs, and reports whether that came true before
// the timeout.
func (s *Set) Drain(timeout time.Duration) bool {
	timer := time.NewTimer(timeout)
	defer timer.Stop()
	select {
	case <-s.queue.whenIdle():
		return true
	case <-timer.C:
		return false
	}
}

// Stop ends the pools and returns when nothing is left of them. Exchanges that wait or run
// fail. Processes are asked to end and killed after grace. It may be called again.
func (s *Set) Stop(grace time.Duration) {
	s.queue.close()
	s.halt.Do(func() {
		s.grace = grace
		close(s.stop)
	})
	s.mu.Lock()
	if s.gen != nil {
		s.gen.conn.cut()
	}
	s.mu.Unlock()
	s.begin.Do(func() { // it never ran
		s.refuseAll()
		close(s.stopped)
	})
	<-s.stopped
}

func (s *Set) isStopping() bool {
	return isClosed(s.stop)
}

// run is the set's goroutine. It starts the pools right away or with the first exchange.
func (s *Set) run(eager bool) {
	defer close(s.stopped)
	debug.SetPanicOnFault(true) // pools may cut short what is mapped
	s.spawner = newSpawner()
	defer s.spawner.close()
	if eager {
		_ = s.ready()
	}
	for !s.isStopping() {
		if s.gen != nil && s.gen.isDead() {
			s.recover()
			continue
		}
		if x := s.queue.take(); x != nil {
			s.serve(x)
			s.trim()
			s.recycle()
			continue
		}
		select {
		case <-s.queue.wake:
		case <-s.gen.deaths():
		case <-s.stop:
		}
	}
	s.refuseAll()
	s.end(s.grace)
	s.lifeline.close()
	s.dir.remove()
}

// refuseAll fails what waits when the set is stopped.
func (s *Set) refuseAll() {
	for x := s.queue.take(); x != nil; x = s.queue.take() {
		s.finish(x, nil, errStopping)
	}
}

// finish tells the outcome of an exchange, which is not ours any more then.
func (s *Set) finish(x *Exchange, r *voidstar.Reader, err error) {
	s.stopTelling(x)
	x.Finisher.Finish(r, err)
	s.queue.done()
}
