package mcp

import (
	"bytes"
	"sync"
	"time"
)

// A pending holds the calls of a connection that are not answered yet.
type pending struct {
	mu    sync.Mutex
	n     int
	first *Reply        // of a list
	none  chan struct{} // gets an entry when n comes down to 0
}

// add takes a call in.
func (p *pending) add(r *Reply) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.n++
	r.canceled.Store(false)
	r.previous, r.next = nil, p.first
	if p.first != nil {
		p.first.previous = r
	}
	p.first = r
}

// done says that a call has been answered, or never will be.
func (p *pending) done(r *Reply) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if r.next != nil {
		r.next.previous = r.previous
	}
	if r.previous != nil {
		r.previous.next = r.next
	} else {
		p.first = r.next
	}
	r.previous, r.next = nil, nil
	if p.n--; p.n == 0 {
		select {
		case p.none <- struct{}{}:
		default: // one is enough
		}
	}
}

// cancel marks the calls of an id, or all without one, as given up. Their Cancelers are told
// under the lock: a Reply is not used again meanwhile.
func (p *pending) cancel(id []byte) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for r := p.first; r != nil; r = r.next {
		if id == nil || bytes.Equal(r.id, id) {
			if !r.canceled.Swap(true) && r.Canceler != nil {
				r.Canceler.Cancel()
			}
		}
	}
}

func (p *pending) count() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.n
}

// wait waits until nothing is pending, and reports whether that came within the timeout.
func (p *pending) wait(timeout time.Duration) bool {
	timer := time.NewTimer(timeout)
	defer timer.Stop()
	for p.count() > 0 {
		select {
		case <-p.none:
		case <-timer.C:
			return false
		}
	}
	return true
}
