package pool

import (
	"strconv"
	"sync"
)

const (
	defaultQueue = 1024
	// maxWaitingBytes is how many bytes of packets may wait: the number of calls alone would
	// let large ones fill the machine. A call that waits alone may be larger.
	maxWaitingBytes = 256 << 20
)

// A queue holds the exchanges that wait for the sets of a fleet, and knows which ones are
// under way and what the sets could do with the next. All that changes with them changes
// here. Its methods may be called by anyone, those that take a seat by the goroutine of that
// set only.
//
// Clients take turns, so that one that sends a thousand calls does not keep the others from
// being served; the calls of one client keep their order. All operations take the same time
// however much waits, but for [queue.ahead] and the removal of what is not first.
type queue struct {
	max      int
	maxBytes int

	mu      sync.Mutex
	lines   map[string]*line // of the clients that wait for something
	turn    *line            // the one to be served next, in a ring of all; nil if nothing waits
	spare   *line            // lines to be used again, by next
	waiting int
	bytes   int // of the packets that wait
	running int
	closed  bool
	seats   []*seat
	lent    *seat // that waits for a caller of Help instead of being roused; nil if none does
}

// A line holds what waits of one client. The places of its exchanges are consecutive.
type line struct {
	client         string
	first, last    *Exchange
	previous, next *line // in the ring
}

func newQueue(max int) *queue {
	return &queue{max: max, maxBytes: maxWaitingBytes, lines: map[string]*line{}}
}

// put adds an exchange, or says why it is refused. If that takes the place of another, it
// returns that one, which is the caller's to be refused then.
func (q *queue) put(x *Exchange) (displaced *Exchange, err error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	switch {
	case q.closed:
		return nil, errStopping
	case q.waiting > 0 && q.bytes+len(x.Call) > q.maxBytes:
		return nil, errBusy("calls with " + strconv.Itoa(q.maxBytes>>20) + " MiB of arguments are waiting")
	case q.isFull():
		if displaced = q.displace(x.Client); displaced == nil {
			return nil, q.errFull()
		}
	}
	x.progress = progress{size: len(x.Call), limit: x.Limit, timer: x.timer}
	l := q.lines[x.Client]
	if l == nil {
		l = q.newLine(x.Client, q.turn)
	}
	l.append(x)
	q.admit(x)
	return displaced, nil
}

// putBack returns an exchange to the queue that was taken but has not begun, to be the next
// one, and reports whether it did: not for the second time, nor if it has been given up.
func (q *queue) putBack(x *Exchange) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.closed || x.returned || x.abandoned || x.reason != nil {
		return false
	}
	q.leave(x)
	x.returned = true
	l := q.lines[x.Client]
	if l == nil {
		l = q.newLine(x.Client, q.turn)
	}
	l.prepend(x)
	q.turn = l
	q.admit(x)
	return true
}

// admit counts an exchange that has been put in its line.
func (q *queue) admit(x *Exchange) {
	x.phase = waiting
	q.waiting++
	q.bytes += x.size
	q.arm(x)
	if x.Helped && q.lend() {
		return
	}
	if !q.rouse() {
		q.relieve()
	}
}

// pop takes out the exchange whose turn it is. There must be one.
func (q *queue) pop() *Exchange {
	x := q.turn.first
	q.turn = q.turn.next
	q.remove(x)
	return x
}

// remove takes an exchange that waits out of its line.
func (q *queue) remove(x *Exchange) {
	l := x.line
	if x.previous == nil {
		l.first = x.next
	} else {
		x.previous.next = x.next
		for y := x.next; y != nil; y = y.next {
			y.place--
		}
	}
	if x.next == nil {
		l.last = x.previous
	} else {
		x.next.previous = x.previous
	}
	x.line, x.previous, x.next = nil, nil, nil
	q.waiting--
	q.bytes -= x.size
	if l.first == nil {
		q.dropLine(l)
	}
}

// newLine makes a line whose turn comes before that of another; of q.turn, that is last.
func (q *queue) newLine(client string, before *line) *line {
	l := q.spare
	if l == nil {
		l = new(line)
	} else {
		q.spare = l.next
	}
	l.client = client
	q.lines[client] = l
	if before == nil {
		q.turn, l.previous, l.next = l, l, l
		return l
	}
	l.previous, l.next = before.previous, before
	l.previous.next, before.previous = l, l
	return l
}

// dropLine forgets a line in which nothing waits any more.
func (q *queue) dropLine(l *line) {
	delete(q.lines, l.client)
	if l.next == l {
		q.turn = nil
	} else {
		l.previous.next, l.next.previous = l.next, l.previous
		if q.turn == l {
			q.turn = l.next
		}
	}
	*l = line{next: q.spare}
	q.spare = l
}

func (l *line) append(x *Exchange) {
	x.line, x.previous = l, l.last
	if l.last == nil {
		l.first = x
	} else {
		x.place = l.last.place + 1
		l.last.next = x
	}
	l.last = x
}

func (l *line) prepend(x *Exchange) {
	x.line, x.next = l, l.first
	if l.first == nil {
		l.last = x
	} else {
		x.place = l.first.place - 1
		l.first.previous = x
	}
	l.first = x
}

func (l *line) size() int { return l.last.place - l.first.place + 1 }

// ahead returns how many exchanges come before x, those under way among them, if no others
// are put into the queue, and whether x waits at all. It looks at the lines, not at what is in
// them.
func (q *queue) ahead(x *Exchange) (n int, waits bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if x.phase != waiting {
		return 0, false
	}
	own := x.place - x.line.first.place
	n = q.running + own
	rounds := own + 1 // in which the others have their turn: once more than we, up to our line
	for l := q.turn; ; {
		if l == x.line {
			rounds = own
		} else {
			n += min(l.size(), rounds)
		}
		if l = l.next; l == q.turn {
			return n, true
		}
	}
}

// isEmpty reports whether nothing waits.
func (q *queue) isEmpty() bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.waiting == 0
}

// close refuses all exchanges from now on.
func (q *queue) close() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.closed = true
}

// refuse takes out an exchange that will not be made; nil if none is left.
func (q *queue) refuse() *Exchange {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.turn == nil {
		return nil
	}
	x := q.pop()
	x.end()
	return x
}
