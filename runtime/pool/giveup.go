package pool

import "time"

// Exchanges are given up when nobody waits for them any more, or when their limit is over.
// One that waits is taken out of the queue. One that is under way can be stopped only by
// ending the pools, which costs their start: one whose limit is over is stopped at once, one
// that nobody waits for as soon as another waits for its set (design decision 11).

// A phase is how far an exchange has come.
type phase int

const (
	outside phase = iota // of the queue: it belongs to its caller, or is about to
	waiting
	running
)

// progress is what the queue knows of an exchange. But for timer, it is reset when the
// exchange is put into the queue, under the lock of which it is used.
type progress struct {
	phase phase
	size  int // bytes of its packet

	line           *line // while it waits
	place          int   // in the line, as compared with others
	previous, next *Exchange

	seat      *seat // while it is under way
	returned  bool  // it was put back once
	abandoned bool  // nobody waits for it
	reason    error // why it is being stopped

	limit time.Duration
	since time.Time // that it waits, or is under way; set if there is a limit
	timer *time.Timer
}

// arm starts the time that an exchange may wait.
func (q *queue) arm(x *Exchange) {
	if x.limit <= 0 {
		return
	}
	x.since = time.Now()
	if x.timer == nil {
		x.timer = time.AfterFunc(x.limit, func() { q.expire(x) })
	} else {
		x.timer.Reset(x.limit)
	}
}

// end says that an exchange goes back to its caller. A timer that fires all the same finds it
// outside; or, if it is used again, with more time or without a limit.
func (x *Exchange) end() {
	x.phase = outside
	if x.limit > 0 {
		x.timer.Stop()
	}
}

// settle says that the outcome of an exchange that was under way is known, and returns why it
// has been stopped; nil if it has not, and it cannot be any more.
func (q *queue) settle(x *Exchange) (reason error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.leave(x)
	x.end()
	return x.reason
}

// cancel gives up an exchange that nobody waits for. It reports whether it was waiting: then
// it is the caller's again. If it is under way, it comes to its end.
func (q *queue) cancel(x *Exchange) (dropped bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	switch x.phase {
	case waiting:
		q.remove(x)
		x.end()
		return true
	case running:
		x.abandoned = true
		if q.waiting > 0 {
			q.relieve()
		}
	}
	return false
}

// relieve stops an exchange that nobody waits for, if there is one, for those that wait.
func (q *queue) relieve() {
	for _, s := range q.seats {
		if s.x != nil && s.x.abandoned && s.x.reason == nil {
			q.halt(s.x, errCanceled)
			return
		}
	}
}

// halt stops an exchange that is under way.
func (q *queue) halt(x *Exchange, reason error) {
	x.reason = reason
	x.seat.cut()
}

// expire runs on the goroutine of the timer.
func (q *queue) expire(x *Exchange) {
	q.mu.Lock()
	left := x.limit - time.Since(x.since)
	switch {
	case x.phase == outside || x.reason != nil || x.limit == 0:
	case left > 0: // it got under way meanwhile
		x.timer.Reset(left)
	case x.phase == running:
		q.halt(x, errTimeout(x.limit))
	default:
		q.remove(x)
		x.end()
		err := errTimeout(x.limit)
		q.mu.Unlock()
		x.Finisher.Finish(nil, err)
		return
	}
	q.mu.Unlock()
}
