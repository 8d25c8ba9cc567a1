package command

import (
	"errors"
	"slices"
	"strconv"
	"sync"
)

const (
	defaultQueue = 1024
	// maxWaitingBytes is how many bytes of arguments may wait: the number of calls alone would
	// let large ones fill the machine. A call that waits alone may be larger.
	maxWaitingBytes = 256 << 20
)

var errStopping = errors.New("server is shutting down")

func errBusy(what string) error { return errors.New("server busy: " + what) }

// A queue gives out the places for processes to jobs in the order in which they come. All
// that changes with them changes here; it may be used by any goroutine.
type queue struct {
	places   int // for processes
	max      int // jobs that may wait
	maxBytes int // of their arguments

	mu          sync.Mutex
	opened      bool   // places are given out
	closed      bool   // no job is taken any more
	running     []*Job // those that have a place
	first, last *Job   // of those that wait
	waiting     int
	bytes       int           // of the arguments of those that wait
	idle        chan struct{} // closed when it is closed and nothing has a place
}

// newQueue returns a queue that has so many places, and room for so many jobs that wait; 0 is
// the default.
func newQueue(places, max int) queue {
	if max <= 0 {
		max = defaultQueue
	}
	return queue{places: places, max: max, maxBytes: maxWaitingBytes}
}

// put adds a job. It reports whether it has got a place at once, and is to be run, or why it
// is refused.
func (q *queue) put(j *Job) (runs bool, err error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	switch {
	case q.closed:
		return false, errStopping
	case q.opened && len(q.running) < q.places:
		q.running = append(q.running, j)
		return true, nil
	case q.waiting >= q.max:
		return false, errBusy(strconv.Itoa(q.max) + " calls are waiting")
	case q.waiting > 0 && q.bytes+j.size > q.maxBytes:
		return false, errBusy("calls with " + strconv.Itoa(q.maxBytes>>20) + " MiB of arguments are waiting")
	}
	j.next = nil
	if q.last == nil {
		q.first = j
	} else {
		q.last.next = j
	}
	q.last = j
	q.waiting++
	q.bytes += j.size
	return false, nil
}

// open starts to give out places, and returns the jobs that have got one. It is called once.
func (q *queue) open() (run []*Job) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.opened = true
	for q.first != nil && len(q.running) < q.places {
		run = append(run, q.shift())
	}
	return run
}

// done takes the place of a job, and gives it to the one that it returns, nil if none waits.
func (q *queue) done(j *Job) (next *Job) {
	q.mu.Lock()
	defer q.mu.Unlock()
	i := slices.Index(q.running, j)
	q.running = slices.Delete(q.running, i, i+1)
	if q.first != nil {
		return q.shift()
	}
	q.checkIdle()
	return nil
}

// shift gives the first job that waits a place.
func (q *queue) shift() *Job {
	j := q.first
	if q.first = j.next; q.first == nil {
		q.last = nil
	}
	q.left(j)
	q.running = append(q.running, j)
	return j
}

// left says that a job does not wait any more.
func (q *queue) left(j *Job) {
	j.next = nil
	q.waiting--
	q.bytes -= j.size
}

// drop removes a job that waits, and reports whether it did.
func (q *queue) drop(j *Job) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	var before *Job
	for x := q.first; x != nil; before, x = x, x.next {
		if x != j {
			continue
		}
		if before == nil {
			q.first = j.next
		} else {
			before.next = j.next
		}
		if q.last == j {
			q.last = before
		}
		q.left(j)
		return true
	}
	return false
}

// ahead returns how many jobs come before j, those that have a place among them, and whether
// j waits at all.
func (q *queue) ahead(j *Job) (n int, waits bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	n = len(q.running)
	for x := q.first; x != nil; x = x.next {
		if x == j {
			return n, true
		}
		n++
	}
	return 0, false
}

// close refuses all jobs from now on, and calls end for those that have a place; idle is
// closed when they have given it back. It returns the jobs that waited, which are refused
// too. It is called once.
func (q *queue) close(end func(*Job)) (waiting []*Job, idle <-chan struct{}) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.closed = true
	q.idle = make(chan struct{})
	for _, j := range q.running {
		end(j)
	}
	for j := q.first; j != nil; j = j.next {
		waiting = append(waiting, j)
	}
	q.first, q.last, q.waiting, q.bytes = nil, nil, 0, 0
	q.checkIdle()
	return waiting, q.idle
}

// isClosed reports whether all jobs are refused.
func (q *queue) isClosed() bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.closed
}

func (q *queue) checkIdle() {
	if q.closed && len(q.running) == 0 {
		close(q.idle)
	}
}
