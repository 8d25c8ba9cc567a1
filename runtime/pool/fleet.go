package pool

import (
	"strconv"
	"sync"
	"sync/atomic"
	"time"
)

// A Fleet is the pools of a program: one complete set of them, or several replicas, which
// make exchanges side by side. Its methods may be called by any goroutine at any time.
type Fleet struct {
	queue *queue
	sets  []*set
	sweep func() // removes what killed servers left; the first call of it does

	begin  sync.Once     // the sets' goroutines, or the fact that there will be none
	wanted atomic.Bool   // pools were to be started
	halt   sync.Once     // closes stop
	stop   chan struct{} // closed by Stop
	grace  time.Duration // set before stop is closed
}

// New returns a fleet that is not started.
func New(cfg Config) *Fleet {
	cfg = cfg.withDefaults()
	f := &Fleet{queue: newQueue(cfg.MaxQueue), stop: make(chan struct{})}
	if cfg.Stage != nil {
		f.sweep = sync.OnceFunc(cfg.Stage.folder.sweep)
	}
	for i := range cfg.Replicas {
		name := cfg.Program
		if cfg.Replicas > 1 {
			name += ": replica " + strconv.Itoa(i+1)
		}
		s := newSet(f, &cfg, name)
		f.sets = append(f.sets, s)
		f.queue.seats = append(f.queue.seats, &s.seat)
	}
	return f
}

// Start begins to start the pools, all replicas at the same time, and returns at once.
// Without it, exchanges start what they need. What goes wrong is written to stderr and told
// to exchanges.
func (f *Fleet) Start() { f.run(true) }

func (f *Fleet) run(eager bool) {
	f.begin.Do(func() {
		f.wanted.Store(true)
		for _, s := range f.sets {
			go s.run(eager)
		}
	})
}

// Do queues an exchange, whose Finisher gets the outcome: it is made by the first set that is
// free when its turn has come. If too much is waiting, or after Stop, it is finished with an
// error before Do returns; or another is, that of a client with more of them.
func (f *Fleet) Do(x *Exchange) {
	if x.Pool < 0 || x.Pool >= len(f.sets[0].cfg.Pools) {
		x.Finisher.Finish(nil, errUnknown)
		return
	}
	displaced, err := f.queue.put(x)
	if err != nil {
		x.Finisher.Finish(nil, err)
		return
	}
	if displaced != nil {
		displaced.Finisher.Finish(nil, f.queue.errFull())
	}
	f.run(false)
}

// Cancel gives up an exchange that was given to Do and is not finished. It reports whether
// the exchange was still waiting: then it is given back, and never finished. One that is
// under way is finished as ever, but is stopped if others wait for its set.
func (f *Fleet) Cancel(x *Exchange) (dropped bool) { return f.queue.cancel(x) }

// Ahead returns how many exchanges are made before x, which was given to Do and is not
// finished, and whether it still waits for its turn.
func (f *Fleet) Ahead(x *Exchange) (n int, waits bool) { return f.queue.ahead(x) }

// Ready reports whether the pools of a set answer, or none was to be started yet.
func (f *Fleet) Ready() bool {
	if !f.wanted.Load() {
		return true
	}
	for _, s := range f.sets {
		if s.answers() {
			return true
		}
	}
	return false
}

// Stop ends the pools and returns when nothing is left of them. Exchanges that wait or run
// fail. Processes are asked to end and killed after grace. It may be called again.
func (f *Fleet) Stop(grace time.Duration) {
	f.queue.close()
	f.halt.Do(func() {
		f.grace = grace
		close(f.stop)
	})
	for _, s := range f.sets {
		s.cut()
	}
	f.begin.Do(func() { // they never ran
		f.refuseAll()
		for _, s := range f.sets {
			close(s.stopped)
		}
	})
	for _, s := range f.sets {
		<-s.stopped
	}
}

func (f *Fleet) isStopping() bool { return isClosed(f.stop) }

// refuseAll fails what waits when the fleet is stopped.
func (f *Fleet) refuseAll() {
	for x := f.queue.refuse(); x != nil; x = f.queue.refuse() {
		x.Finisher.Finish(nil, errStopping)
	}
}
