package pool

import (
	"path/filepath"
	"strconv"
	"sync"
	"syscall"
	"time"

	"github.com/mcpgen/mcpgen/runtime/shm"
)

const (
	probeLimit = time.Second // for the answer to a ping
	forever    = 0           // the limit of an exchange
	minPoll    = 5 * time.Millisecond
	maxPoll    = 250 * time.Millisecond

	deathNotice = 100 * time.Millisecond // for the kernel to tell of a death that a socket told of
	lastWords   = 200 * time.Millisecond // for output of processes that are gone to arrive
)

// A generation is one start of all pools of a set: their processes, their shared memory
// and the one connection to them.
type generation struct {
	basename string
	area     *shm.Area
	volume   func(index int) []byte // area.Volume, bound once
	pools    []*process
	sockets  []syscall.SockaddrUnix // by pool
	conn     conn

	died  chan struct{} // closed when the first leader has ended
	dying sync.Once

	// Of the set's goroutine.
	used   bool     // there was an exchange
	silent *process // lives but does not answer; nil if none was found
}

// deaths is closed when a leader has ended; of no generation, never.
func (g *generation) deaths() <-chan struct{} {
	if g == nil {
		return nil
	}
	return g.died
}

func (g *generation) isDead() bool { return isClosed(g.died) }

func isClosed(c <-chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}

// watch waits for the end of a leader. That is the end of the generation: whatever the
// other processes do, the call in flight fails (pool-protocol 1.7).
func (g *generation) watch(p *process) {
	p.wait()
	g.dying.Do(func() {
		close(g.died)
		g.conn.cut()
	})
}

// start starts the pools and returns when all answer.
func (g *generation) start(s *set) error {
	stage := s.cfg.Stage
	area, err := stage.scheme.Create(g.basename, s.dir.path)
	if err != nil {
		return &Error{"pools could not be started", ": " + err.Error()}
	}
	g.area, g.volume = area, area.Volume
	for _, spec := range s.cfg.Pools {
		socket := filepath.Join(s.dir.path, spec.Socket)
		g.sockets = append(g.sockets, syscall.SockaddrUnix{Name: socket})
		p, err := s.spawner.spawn(s.cfg, spec, []string{socket, s.dir.path, g.basename}, s.lifeline, &s.console)
		if err != nil {
			return err
		}
		g.pools = append(g.pools, p)
		go g.watch(p)
		if err := s.dir.note(p); err != nil {
			return &Error{"pools could not be started: no record of them", ": " + err.Error()}
		}
		if stage.scheme.Precreates() {
			continue
		}
		if err := g.await(s.fleet.stop, s.cfg.StartTimeout); err != nil { // it makes shared memory
			return err
		}
	}
	return g.await(s.fleet.stop, s.cfg.StartTimeout)
}

// await waits until all pools answer. They start side by side, so one limit is for all.
// The error is about a process that can still be running.
func (g *generation) await(stop <-chan struct{}, limit time.Duration) error {
	begun := time.Now()
	timer := time.NewTimer(0)
	defer timer.Stop()
	for i, p := range g.pools {
		for !g.ping(i) {
			elapsed := time.Since(begun)
			if elapsed > limit {
				return &startFailure{p, "no answer within " + limit.String()}
			}
			timer.Reset(min(max(elapsed/8, minPoll), maxPoll))
			select {
			case <-timer.C:
			case <-g.died:
			case <-stop:
				return errStopping
			}
			if g.isDead() {
				p := g.fallen()[0]
				return &startFailure{p, p.status()}
			}
		}
	}
	return nil
}

// A startFailure becomes an error once the process has ended and all its output is known.
type startFailure struct {
	pool  *process
	fault string
}

// Error implements error.
func (f *startFailure) Error() string { return f.fault }

// explain returns the error that callers see, with the last lines of the pool's output.
func (f *startFailure) explain() error {
	return startError(f.pool.lang, f.fault, f.pool.out.tail())
}

// ping reports whether a pool answers. It takes the set's turn like any exchange.
func (g *generation) ping(pool int) bool {
	if err := g.conn.open(&g.sockets[pool], probeLimit); err != nil {
		return false
	}
	defer g.conn.close()
	return g.conn.echo()
}

// awaitDeath waits for the end of a leader, or for the limit: a worker that died may take it
// with it.
func (g *generation) awaitDeath(limit time.Duration, stop <-chan struct{}) {
	if limit == 0 {
		return
	}
	timer := time.NewTimer(limit)
	defer timer.Stop()
	select {
	case <-g.died:
	case <-timer.C:
	case <-stop:
	}
}

// fallen returns the pools whose leader has ended.
func (g *generation) fallen() []*process {
	var list []*process
	for _, p := range g.pools {
		if isClosed(p.exited) {
			list = append(list, p)
		}
	}
	return list
}

// faults describes what is wrong with a generation, a line for each pool concerned.
func (g *generation) faults() []string {
	timer := time.NewTimer(deathNotice)
	defer timer.Stop()
	select {
	case <-g.died:
	case <-timer.C:
	}
	var lines []string
	for i, p := range g.pools {
		fault := "Pool process does not answer"
		switch {
		case isClosed(p.exited):
			fault = p.fault()
		case p != g.silent:
			continue
		}
		lines = append(lines, "  pool "+strconv.Itoa(i)+": "+fault)
	}
	return lines
}

// end ends all processes, by force after grace, and removes their shared memory.
func (g *generation) end(grace time.Duration) {
	if grace > 0 {
		signalAll(g.pools, syscall.SIGTERM)
		awaitGone(g.pools, grace)
	}
	signalAll(g.pools, syscall.SIGKILL)
	awaitReaped(g.pools)
	for _, p := range g.pools {
		p.out.finish(lastWords)
	}
	if g.area != nil {
		g.area.Sweep()
	}
}
