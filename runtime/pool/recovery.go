package pool

import (
	"os"
	"strconv"
	"time"
)

const (
	firstPause = time.Second // after a failed start
	maxPause   = time.Minute

	crashWindow  = time.Minute
	crashBudget  = 100 // restarts in a window
	unusedBudget = 3   // restarts in a row of pools that died without having done anything

	stopGrace = 200 * time.Millisecond // for idle pools to end by themselves
)

// A downtime is the time in which a set that could not be started is not tried again.
type downtime struct {
	err    error     // why the last start failed; nil if that does not matter any more
	until  time.Time // up to when it does
	pause  time.Duration
	breaks []time.Time // restarts in the last window
}

// isOver reports whether a pause has come to its end.
func (d *downtime) isOver() bool { return d.err != nil && !time.Now().Before(d.until) }

// end tells of that; never, if there is no pause.
func (d *downtime) end() <-chan time.Time {
	if d.err == nil {
		return nil
	}
	return time.After(time.Until(d.until))
}

// begin starts a pause, longer than the one before.
func (d *downtime) begin(err error) {
	d.pause = min(max(2*d.pause, firstPause), maxPause)
	d.until = time.Now().Add(d.pause)
	d.err = err
}

// reset says that a start went well.
func (d *downtime) reset() { d.err, d.pause = nil, 0 }

// overBudget counts a restart and reports whether it is one too many.
func (d *downtime) overBudget() bool {
	now := time.Now()
	recent := d.breaks[:0]
	for _, t := range d.breaks {
		if now.Sub(t) < crashWindow {
			recent = append(recent, t)
		}
	}
	d.breaks = append(recent, now)
	return len(d.breaks) > crashBudget
}

// start starts the pools, or says on stderr why it cannot.
func (s *set) start() {
	if err := s.launch(); err != nil && err != errStopping {
		s.console.log(firstLine(err))
	}
}

// launch starts the next generation. Nothing is left of one that fails.
func (s *set) launch() error {
	s.become(starting)
	err := s.prepare()
	if err == nil {
		g := &generation{basename: s.cfg.Stage.scheme.Generation(s.basename, s.launches), died: make(chan struct{})}
		s.launches++
		s.setGeneration(g)
		if err = g.start(s); err != nil {
			s.end(0)
		}
		if f, ok := err.(*startFailure); ok {
			err = f.explain() // now that all is said
		}
	}
	switch {
	case s.isStopping():
		return errStopping
	case err != nil:
		s.rest(err)
		return err
	}
	s.setAnswering()
	s.down.reset()
	s.owed = 0
	s.become(ready)
	return nil
}

// rest lets the pools be for a while.
func (s *set) rest(err error) {
	s.down.begin(err)
	s.become(resting)
}

// prepare sees to what all generations share.
func (s *set) prepare() error {
	for _, p := range s.cfg.Pools {
		if err := s.cfg.check(p); err != nil {
			return err
		}
	}
	if s.dir == nil {
		s.fleet.sweep()
		dir, err := newRunDir(s.cfg.Stage.folder)
		if err != nil {
			return err
		}
		s.dir, s.basename = dir, s.cfg.Stage.scheme.NewBasename(os.Getpid())
	}
	s.extend()
	return s.dir.renew(s.cfg.Pools)
}

// extend makes the pipe that ends with us, if pools watch one. Without it they work as well.
func (s *set) extend() {
	if s.cfg.Stage.lifeline == nil || s.lifeline != nil {
		return
	}
	var err error
	if s.lifeline, err = s.cfg.Stage.lifeline(); err != nil {
		s.console.log("pools will not notice the end of this process: " + err.Error())
	}
}

func (s *set) setGeneration(g *generation) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.gen, s.answering = g, false
}

// end kills what runs after grace and removes what it leaves, but for the run directory.
func (s *set) end(grace time.Duration) {
	if s.gen != nil {
		s.gen.end(grace)
		s.setGeneration(nil)
	}
}

// recover replaces a generation that is broken: coordinated, that is, all pools.
func (s *set) recover() {
	s.become(starting)
	s.console.log("pool crash detected; coordinated recovery starting")
	for _, line := range s.gen.faults() {
		s.console.print("", line)
	}
	used := s.gen.used
	s.end(0)
	if used {
		s.unused = 0
	} else if s.unused++; s.unused > unusedBudget {
		s.console.log("pools end without having been called; the next call starts them")
		s.become(cold)
		return
	}
	if s.down.overBudget() {
		err := &Error{Text: "pools crashed more than " + strconv.Itoa(crashBudget) + " times within a minute"}
		s.console.log(err.Text)
		s.rest(err)
		return
	}
	s.relaunch("recovery")
}

// renew replaces a generation in which an exchange was stopped. Its pools may still be at
// work on that, and nothing else ends it (pool-protocol 1.7). It is no crash, and counts as
// none.
func (s *set) renew(reason error) {
	if s.isStopping() {
		return
	}
	s.become(starting)
	s.console.log(reason.Error() + "; restarting the pools")
	s.unused = 0
	s.end(0)
	s.relaunch("restart")
}

func (s *set) relaunch(what string) {
	n := " (generation " + strconv.Itoa(s.launches) + ")"
	switch err := s.launch(); err {
	case nil:
		s.console.log(what + " complete" + n)
	case errStopping:
	default:
		s.console.log(what + " failed" + n + ": " + firstLine(err))
	}
}

const (
	// measureEvery is how much shared memory may be used up before it is measured again.
	measureEvery = 8 << 20
	// callCost is what a call may use up apart from a result that lies there.
	callCost = 4 << 10
)

// isDue reports whether shared memory is to be measured.
func (s *set) isDue() bool { return s.owed >= min(measureEvery, s.cfg.ShmLimit) }

// recycle restarts pools that have piled up shared memory, which they never give back:
// when nothing waits, or, as this may not come true, at twice the limit.
func (s *set) recycle() {
	if s.owed += callCost; !s.isDue() || s.gen == nil || s.gen.isDead() {
		return
	}
	s.owed = 0
	size := s.gen.area.Size()
	if size <= s.cfg.ShmLimit || size <= 2*s.cfg.ShmLimit && !s.fleet.queue.isEmpty() {
		return
	}
	s.become(starting)
	s.console.log("pools hold " + strconv.FormatInt(size>>20, 10) + " MiB of shared memory; restarting them")
	s.end(stopGrace)
	s.relaunch("restart")
}
