package pool

import "time"

// To wake the goroutine of a set for an exchange, and to wait for it, costs more than the
// exchange itself if the pool is quick. So a goroutine that gives exchanges to the fleet and
// would then do nothing but wait, for some input, may make them itself meanwhile: it helps.
//
// It does only what takes next to no time and cannot fail. All else is left to the goroutine
// of the set, which finds the exchange as far as it has come: see [set.resume]. A set whose
// goroutine is idle is lent to the helper when the first exchange is put into the queue; the
// helper either makes what waits, or hands the set back.

// begun is an exchange that was begun by a helper.
type begun struct {
	x    *Exchange // nil: there is none
	open bool      // the connection is open, and the set's buf has what has come of the reply
	rest []byte    // of the packet, to be sent

	since  time.Time // that it is open
	waited bool      // the helper has waited for the reply alone
}

// Help makes exchanges that were given to Do with [Exchange.Helped], and others that wait,
// until there are none or until input can be read, a file descriptor. It reports whether
// exchanges are left for it: then it is to be called again, soon, or HandOver is.
func (f *Fleet) Help(input int) (left bool) {
	s := f.lent()
	if s == nil {
		return false
	}
	if s.turn.TryLock() {
		way := s.help(input)
		s.turn.Unlock()
		if way != handOver {
			return way == interrupted
		}
	}
	f.HandOver()
	return false
}

// HandOver leaves to the sets what Help has left, or was not called for.
func (f *Fleet) HandOver() {
	q := f.queue
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.lent != nil {
		q.lent.rouse()
		q.lent = nil
	}
}

// lent returns the set that waits for Help, nil if there is none.
func (f *Fleet) lent() *set {
	q := f.queue
	q.mu.Lock()
	defer q.mu.Unlock()
	for _, s := range f.sets {
		if q.lent == &s.seat {
			return s
		}
	}
	return nil
}

// A way is how a helper leaves a set.
type way int

const (
	idle        way = iota // with nothing to do
	interrupted            // for something better
	handOver               // to its goroutine
)

// lend keeps a set that is idle for the caller of Help, and reports whether there was one.
func (q *queue) lend() bool {
	if q.lent != nil {
		return false // others may have what waits meanwhile
	}
	for _, s := range q.seats {
		if s.idle && s.state == ready {
			s.idle = false
			q.lent = s
			return true
		}
	}
	return false
}

// briefCall is how large a packet may be that a helper sends: sockets take as much at once.
const briefCall = 64 << 10

// isBrief reports whether an exchange is one for a helper: one that pools are not listened to for.
func (x *Exchange) isBrief() bool { return x.Listener == nil && len(x.Call) <= briefCall }

// nextBrief is [queue.next] for a helper. It reports whether that goes on.
func (q *queue) nextBrief(s *seat) (x *Exchange, goesOn bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	switch {
	case q.turn == nil:
		s.idle, q.lent = true, nil
		return nil, true
	case s.state != ready || !q.turn.first.isBrief():
		return nil, false
	}
	return q.take(s), true
}

// settleBrief is [queue.settle] for an exchange that has not been stopped. It reports whether
// that is so.
func (q *queue) settleBrief(x *Exchange) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	if x.reason != nil {
		return false
	}
	q.leave(x)
	x.end()
	return true
}

// resume goes on with what a helper has begun.
func (s *set) resume() {
	b := s.begun
	if b.x == nil {
		return
	}
	s.begun = begun{}
	if !b.open {
		s.serve(b.x)
	} else {
		s.gen.conn.block()
		fate, err := s.converse(s.gen.sockets[b.x.Pool].Name, b.rest)
		s.conclude(b.x, fate, err)
	}
	s.tidy()
}
