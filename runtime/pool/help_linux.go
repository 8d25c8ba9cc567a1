package pool

import (
	"time"

	"github.com/mcpgen/mcpgen/runtime/packet"
)

// quick is how long a helper waits for a reply alone, if the one before came as soon: its input
// waits meanwhile, but it is spared to be woken for that.
const quick = 200 * time.Microsecond

// help makes exchanges in place of the set's goroutine, whose turn the caller has taken.
func (s *set) help(input int) way {
	for s.begun.x != nil || s.isFit() {
		if s.begun.x == nil {
			x, goesOn := s.fleet.queue.nextBrief(&s.seat)
			switch {
			case !goesOn:
				return handOver
			case x == nil:
				return idle
			}
			s.begin(x)
		}
		whole, interrupts := s.awaitReply(input)
		switch {
		case interrupts:
			return interrupted
		case !whole || !s.deliverBrief():
			return handOver
		}
	}
	return handOver
}

// isFit reports whether the set needs nothing but exchanges to make.
func (s *set) isFit() bool {
	return s.gen != nil && !s.gen.isDead() && !s.isStopping() && !s.isDue()
}

// begin begins an exchange, as far as that goes without waiting.
func (s *set) begin(x *Exchange) {
	s.begun = begun{x: x}
	s.gen.used = true
	if s.buf = s.buf[:0]; cap(s.buf) < receiveSize {
		s.buf = make([]byte, 0, receiveSize)
	}
	c := &s.gen.conn
	if c.openNow(&s.gen.sockets[x.Pool]) == nil {
		s.begun.open, s.begun.rest, s.begun.since = true, x.Call[c.writeNow(x.Call):], time.Now()
	}
}

// awaitReply waits for the reply to what was begun, and reports whether it is there as a whole,
// or the input interrupts. Otherwise, it is for the goroutine to see what there is.
func (s *set) awaitReply(input int) (whole, interrupts bool) {
	b, c := &s.begun, &s.gen.conn
	if !b.open || len(b.rest) > 0 {
		return false, false
	}
	ready := false
	if !s.fleet.queue.isEmpty() { // so there are more on the way, to be read while the pool works
		ready, interrupts = pollRead(c.fd, input, 0)
	}
	if !ready && !interrupts && s.hasty && !b.waited {
		b.waited = true
		ready, _ = pollRead(c.fd, nothing, quick)
	}
	if !ready && !interrupts {
		ready, interrupts = pollRead(c.fd, input, unlimited)
	}
	if !ready {
		return false, interrupts
	}
	s.hasty = time.Since(b.since) < quick
	s.buf = s.buf[:len(s.buf)+c.readNow(s.buf[len(s.buf):cap(s.buf)])]
	if len(s.buf) < packet.HeaderSize {
		return false, false
	}
	total, err := packet.Total(s.buf, receiveSize)
	if err != nil || uint64(len(s.buf)) < total {
		return false, false
	}
	s.buf = s.buf[:total]
	return true, false
}

// deliverBrief finishes an exchange with the reply in s.buf, and reports whether it did: not if
// the value is elsewhere, where it may be large or cut short while it is read, or if the exchange
// has been stopped.
func (s *set) deliverBrief() bool {
	x := s.begun.x
	reply, err := packet.Open(s.buf)
	if err == nil && reply.Source != packet.SourceMessage || !s.fleet.queue.settleBrief(x) {
		return false
	}
	s.begun = begun{}
	s.gen.conn.close()
	s.present(x, reply, err)
	s.owed += callCost
	return true
}
