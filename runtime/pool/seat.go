package pool

import (
	"slices"
	"time"
)

// A state is what a set can do with an exchange. Of two, the greater is the better.
type state int

const (
	resting  state = iota // fail it, as its pools could not be started
	cold                  // start its pools for it
	starting              // nothing yet
	ready                 // make it
)

// A seat is the place of a set at the queue. But for wake and cut, it belongs to the queue.
type seat struct {
	wake chan struct{} // has an entry when there may be something to do
	cut  func()        // ends what is under way

	state state
	idle  bool      // the set waits for wake
	x     *Exchange // under way; nil if none is
}

func newSeat(cut func()) seat {
	return seat{wake: make(chan struct{}, 1), cut: cut, state: cold}
}

// next returns the exchange that the set is to make, or, if it rests, to fail; nil if there
// is none, and wake will tell of the next. Or it is to start its pools, as something waits.
func (q *queue) next(s *seat) (x *Exchange, start bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	s.idle = false
	switch {
	case q.turn == nil, s.state == resting && q.hasHope(), s.state == cold && q.countStarting() >= q.waiting:
		s.idle = true
		return nil, false
	case s.state == cold:
		s.state = starting
		return nil, true
	}
	return q.take(s), false
}

// take returns the exchange whose turn it is, which a set is about to make. There must be one.
func (q *queue) take(s *seat) *Exchange {
	x := q.pop()
	x.phase, x.seat, s.x = running, s, x
	if x.limit > 0 {
		x.since = time.Now()
	}
	q.running++
	if q.turn != nil {
		q.rouse()
	}
	return x
}

// leave says that an exchange is not under way any more.
func (q *queue) leave(x *Exchange) {
	x.seat.x = nil
	x.seat = nil
	q.running--
}

// become says what a set can do from now on. If it was roused for something that it cannot do
// any more, others see to that; if nothing can be hoped of it for a while, even one whose
// exchange nobody waits for.
func (q *queue) become(s *seat, now state) {
	q.mu.Lock()
	defer q.mu.Unlock()
	s.state, s.idle = now, false
	if q.turn != nil && !q.rouse() && now == resting {
		q.relieve()
	}
}

// rouse has the best of the sets that are idle look for what waits, and reports whether there
// is one. A set that rests must not fail what another may still make.
func (q *queue) rouse() bool {
	var best *seat
	for _, s := range q.seats {
		if s.idle && (best == nil || s.state > best.state) {
			best = s
		}
	}
	if best == nil || best.state == resting && q.hasHope() {
		return false
	}
	best.idle = false
	best.rouse()
	return true
}

// rouse has the set look what there is to do.
func (s *seat) rouse() {
	select {
	case s.wake <- struct{}{}:
	default: // it will look anyway
	}
}

// isServed reports whether a set makes exchanges.
func (q *queue) isServed() bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	return slices.ContainsFunc(q.seats, func(s *seat) bool { return s.state == ready })
}

// countStarting returns how many sets are about to be there for what waits.
func (q *queue) countStarting() (n int) {
	for _, s := range q.seats {
		if s.state == starting {
			n++
		}
	}
	return n
}

// hasHope reports whether a set makes exchanges, or may do so once its pools are started.
func (q *queue) hasHope() bool {
	return slices.ContainsFunc(q.seats, func(s *seat) bool { return s.state != resting })
}
