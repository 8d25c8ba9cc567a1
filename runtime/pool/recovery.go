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
	err    error     // why the last start failed; nil after one that did not
	until  time.Time // exchanges fail with err up to then
	pause  time.Duration
	breaks []time.Time // restarts in the last window
}

// begin starts a pause, longer than the one before.
func (d *downtime) begin(err error) {
	d.pause = min(max(2*d.pause, firstPause), maxPause)
	d.until = time.Now().Add(d.pause)
	d.err = err
}

// end says that a start went well.
func (d *downtime) end() { d.err, d.pause = nil, 0 }

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

// ready makes sure that the pools run, or says why they do not.
func (s *Set) ready() error {
	if s.gen != nil && s.gen.isDead() {
		s.recover()
	}
	if s.gen != nil {
		return nil
	}
	if s.down.err != nil && time.Now().Before(s.down.until) {
		return s.down.err
	}
	if err := s.launch(); err != nil {
		if err != errStopping {
			s.console.log(firstLine(err))
		}
		return err
	}
	return nil
}

// launch starts the next generation. Nothing is left of one that fails.
func (s *Set) launch() error {
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
		s.down.begin(err)
		return err
	}
	s.setAnswering()
	s.down.end()
	s.owed = 0
	return nil
}

// prepare sees to what all generations share.
func (s *Set) prepare() error {
	for _, p := range s.cfg.Pools {
		if err := s.cfg.check(p); err != nil {
			return err
		}
	}
	if s.dir == nil {
		rules := s.cfg.Stage.folder
		rules.sweep()
		dir, err := newRunDir(rules)
		if err != nil {
			return err
		}
		s.dir, s.basename = dir, s.cfg.Stage.scheme.NewBasename(os.Getpid())
	}
	s.extend()
	return s.dir.renew(s.cfg.Pools)
}

// extend makes the pipe that ends with us, if pools watch one. Without it they work as well.
func (s *Set) extend() {
	if s.cfg.Stage.lifeline == nil || s.lifeline != nil {
		return
	}
	var err error
	if s.lifeline, err = s.cfg.Stage.lifeline(); err != nil {
		s.console.log("pools will not notice the end of this process: " + err.Error())
	}
}

func (s *Set) setGeneration(g *generation) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.gen, s.answering = g, false
}

// end kills what runs after grace and removes what it leaves, but for the run directory.
func (s *Set) end(grace time.Duration) {
	if s.gen != nil {
		s.gen.end(grace)
		s.setGeneration(nil)
	}
}

// recover replaces a generation that is broken: coordinated, that is, all pools.
func (s *Set) recover() {
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
		return
	}
	if s.down.overBudget() {
		err := &Error{Text: "pools crashed more than " + strconv.Itoa(crashBudget) + " times within a minute"}
		s.down.begin(err)
		s.console.log(err.Text)
		return
	}
	s.relaunch("recovery")
}

func (s *Set) relaunch(what string) {
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

// recycle restarts pools that have piled up shared memory, which they never give back:
// when nothing waits, or, as this may not come true, at twice the limit.
func (s *Set) recycle() {
	if s.owed += callCost; s.owed < min(measureEvery, s.cfg.ShmLimit) || s.gen == nil || s.gen.isDead() {
		return
	}
	s.owed = 0
	size := s.gen.area.Size()
	if size <= s.cfg.ShmLimit || size <= 2*s.cfg.ShmLimit && !s.queue.isEmpty() {
		return
	}
	s.console.log("pools hold " + strconv.FormatInt(size>>20, 10) + " MiB of shared memory; restarting them")
	s.end(stopGrace)
	s.relaunch("restart")
}
