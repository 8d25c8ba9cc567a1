package mcp

import (
	"sync"
	"time"

	"github.com/mcpgen/mcpgen/runtime/rpc"
)

// A pending holds the calls of a connection that are not answered yet.
type pending struct {
	mu      sync.Mutex
	n       int
	awaited int           // those of them that have not been given up
	first   *Reply        // of a list
	none    chan struct{} // gets an entry when one of these comes down to 0
}

// add takes a call in.
func (p *pending) add(r *Reply) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.n++
	p.awaited++
	r.canceled.Store(false)
	r.settled.Store(false)
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
	if !r.canceled.Load() {
		p.awaited--
	}
	if p.n--; p.n == 0 || p.awaited == 0 {
		p.tell()
	}
}

// tell says that there is something to see for those who wait.
func (p *pending) tell() {
	select {
	case p.none <- struct{}{}:
	default: // one is enough
	}
}

// cancel marks the calls of an id, or all without one, as given up. Their Cancelers are told
// under the lock: a Reply is not used again meanwhile. It returns the batches that are not to
// wait for them any more.
func (p *pending) cancel(id []byte) (parts []*batch) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for r := p.first; r != nil; r = r.next {
		if id != nil && !rpc.SameID(r.id, id) || r.canceled.Swap(true) {
			continue
		}
		p.awaited--
		if r.Canceler != nil {
			r.Canceler.Cancel()
		}
		if r.batch != nil && !r.settled.Swap(true) {
			parts = append(parts, r.batch)
		}
	}
	if p.n > 0 && p.awaited == 0 {
		p.tell()
	}
	return parts
}

func (p *pending) count() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.n
}

// wanted returns how many calls are pending whose answers somebody waits for.
func (p *pending) wanted() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.awaited
}

// wait waits until nothing is pending that was not given up, and reports whether that came
// within the timeout.
func (p *pending) wait(timeout time.Duration) bool {
	timer := time.NewTimer(timeout)
	defer timer.Stop()
	for p.wanted() > 0 {
		select {
		case <-p.none:
		case <-timer.C:
			return false
		}
	}
	return true
}
