package pool

import "sync"

// maxWaiting is how many exchanges may wait for a set.
const maxWaiting = 1024

// A queue holds the exchanges that wait for a set and knows whether one is under way. All
// that changes with them changes here. Its methods may be called by anyone; take and done
// by the set's goroutine only.
type queue struct {
	// wake has an entry after something was put into the queue.
	wake chan struct{}

	mu          sync.Mutex
	first, last *Exchange
	waiting     int
	running     bool
	closed      bool
	idle        chan struct{} // to be closed when nothing waits or runs; nil if nobody asked
}

// put adds an exchange, or says why it is refused.
func (q *queue) put(x *Exchange) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	switch {
	case q.closed:
		return errStopping
	case q.waiting == maxWaiting:
		return errBusy
	}
	x.next = nil
	if q.last == nil {
		q.first = x
	} else {
		q.last.next = x
	}
	q.last = x
	q.waiting++
	select {
	case q.wake <- struct{}{}:
	default: // the goroutine will look anyway
	}
	return nil
}

// take removes the first exchange, nil if there is none. It is under way until done.
func (q *queue) take() *Exchange {
	q.mu.Lock()
	defer q.mu.Unlock()
	x := q.first
	if x == nil {
		return nil
	}
	if q.first = x.next; q.first == nil {
		q.last = nil
	}
	x.next = nil
	q.waiting--
	q.running = true
	return x
}

// ahead returns how many exchanges come before x, the one under way among them, and whether
// x waits at all.
func (q *queue) ahead(x *Exchange) (n int, waits bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.running {
		n++
	}
	for y := q.first; y != nil; y = y.next {
		if y == x {
			return n, true
		}
		n++
	}
	return 0, false
}

// done says that the exchange taken last is finished.
func (q *queue) done() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.running = false
	if q.waiting == 0 && q.idle != nil {
		close(q.idle)
		q.idle = nil
	}
}

// isEmpty reports whether nothing waits.
func (q *queue) isEmpty() bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.waiting == 0
}

// whenIdle returns a channel that is closed as soon as nothing waits or runs.
func (q *queue) whenIdle() <-chan struct{} {
	q.mu.Lock()
	defer q.mu.Unlock()
	idle := q.idle
	if idle == nil {
		idle = make(chan struct{})
		if q.waiting == 0 && !q.running {
			close(idle)
			return idle
		}
		q.idle = idle
	}
	return idle
}

// close refuses all exchanges from now on.
func (q *queue) close() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.closed = true
}
