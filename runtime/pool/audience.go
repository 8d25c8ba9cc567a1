package pool

import (
	"sync"
	"time"
)

// What pools print comes through pipes, beside their replies. They print before they reply,
// so what was printed for a call is known once its reply has come and the pipes are empty:
// only then its caller is told for the last time, and nothing is told to the next one.

// An audience is the listener of the exchange that is under way.
type audience struct {
	mu sync.Mutex // held while it is told something
	l  Listener   // nil: nobody listens
}

func (a *audience) set(l Listener) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.l = l
}

func (a *audience) tell(lang, line string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.l != nil {
		a.l.Line(lang, line)
	}
}

// startTelling lets the listener of an exchange, if it has one, hear what is printed from now
// on.
func (s *set) startTelling(x *Exchange) {
	if x.Listener != nil {
		s.syncOutputs()
		s.console.audience.set(x.Listener)
	}
}

// stopTelling returns when the listener of an exchange has heard all that is for it.
func (s *set) stopTelling(x *Exchange) {
	if x.Listener != nil {
		s.syncOutputs()
		s.console.audience.set(nil)
	}
}

// syncOutputs returns when all that pools have printed is forwarded, or when the set is
// stopped.
func (s *set) syncOutputs() {
	if s.gen == nil {
		return
	}
	for _, p := range s.gen.pools {
		p.out.sync(s.fleet.stop)
	}
}

// pipeSize is how many bytes a pipe holds at most.
const pipeSize = 64 << 10

// sync returns when all that was printed before is forwarded, or when stop is closed. It is
// called by the set's goroutine only.
func (o *output) sync(stop <-chan struct{}) {
	answer := make(chan struct{})
	select {
	case o.asked <- answer:
	case <-o.done:
		return
	case <-stop:
		return
	}
	_ = o.from.SetReadDeadline(time.Unix(1, 0)) // wakes the reader
	select {
	case <-answer:
	case <-o.done:
	case <-stop:
	}
}

// catchUp forwards what is in the pipe, for sync. What comes meanwhile may keep it from
// becoming empty, so it reads no more than a pipe holds.
func (o *output) catchUp(b *lines) {
	_ = o.from.SetReadDeadline(time.Time{})
	for left := pipeSize; left > 0; {
		n := readNow(o.from, b.room())
		if n == 0 {
			break
		}
		b.take(n, o.line)
		left -= n
	}
	close(<-o.asked)
}
