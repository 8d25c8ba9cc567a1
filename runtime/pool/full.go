package pool

import "strconv"

// A queue that is full refuses calls, but not to a client that has few in it because of another
// that has many: then it is the newest call of that one which is refused. So nobody fills the
// queue for the others, and clients that all want more than there is come to have the same of it.

// isFull reports whether no exchange may be added. The sets that are about to take one each do
// not count: whether they have done so yet is chance.
func (q *queue) isFull() bool {
	if q.waiting < q.max {
		return false
	}
	free := 0
	for _, s := range q.seats {
		if s.x == nil && s.state != resting {
			free++
		}
	}
	return q.waiting >= q.max+free
}

// errFull is what is told to those who are refused for that.
func (q *queue) errFull() error { return errBusy(strconv.Itoa(q.max) + " calls are waiting") }

// displace takes out the newest exchange of the client that has the most, if that is more than
// another would have with one more; else it returns nil.
func (q *queue) displace(other string) *Exchange {
	longest := q.turn
	for l := q.turn.next; l != q.turn; l = l.next {
		if l.size() > longest.size() {
			longest = l
		}
	}
	own := 0
	if l := q.lines[other]; l != nil {
		own = l.size()
	}
	if longest.size() <= own+1 {
		return nil
	}
	x := longest.last
	q.remove(x)
	x.end()
	return x
}
