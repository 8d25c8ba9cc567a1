package pool

import (
	"github.com/mcpgen/mcpgen/runtime/packet"
	"github.com/mcpgen/mcpgen/runtime/voidstar"
)

// serve makes an exchange.
func (s *set) serve(x *Exchange) {
	s.startTelling(x)
	s.gen.used = true
	fate, err := s.exchange(x.Pool, x.Call)
	s.conclude(x, fate, err)
}

// conclude sees to it that an exchange is finished, and that the pools are fit for the next.
func (s *set) conclude(x *Exchange, fate fate, err error) {
	pool := x.Pool
	if fate == unsent && s.putBack(x) {
		// The pool died since the last exchange. This one has not begun, so a restart,
		// or its turn at another set, is all that it costs.
		s.gen.silent = s.gen.pools[pool]
		s.recover()
		return
	}
	reason := s.fleet.queue.settle(x)
	switch {
	case fate == answered:
		s.deliver(x)
	case s.isStopping():
		s.finish(x, nil, errStopping)
	case reason != nil:
		s.finish(x, nil, reason)
	default:
		s.finish(x, nil, err)
	}
	switch {
	case reason != nil:
		s.renew(reason)
	case fate == lost || fate == unsent:
		s.probe(pool)
	}
}

// putBack puts an exchange that has not begun back into the queue, where it is not ours any
// more, and reports whether it did.
func (s *set) putBack(x *Exchange) bool {
	s.stopTelling(x)
	return s.fleet.queue.putBack(x)
}

// A fate is how far an exchange came.
type fate int

const (
	answered fate = iota // with a whole packet
	untried              // for want of our own means
	unsent               // there was nobody to connect to
	lost                 // on the way there or back
)

// maxReply is the size of the largest reply that is read.
const maxReply = 1 << 30

// keepBuffer is the largest buffer that is kept for the next exchange.
const keepBuffer = 1 << 20

// exchange sends a packet to a pool and reads the reply into s.buf.
func (s *set) exchange(pool int, call []byte) (fate, error) {
	c, socket := &s.gen.conn, &s.gen.sockets[pool]
	if err := c.open(socket, forever); err != nil {
		if isAbsent(err) {
			return unsent, errConnect(socket.Name)
		}
		return untried, &Error{Text: "IPC error: " + err.Error()}
	}
	s.buf = s.buf[:0]
	return s.converse(socket.Name, call)
}

// converse sends what is left of a packet on the connection that is open, and reads what is
// left of the reply behind what is in s.buf.
func (s *set) converse(socket string, rest []byte) (fate, error) {
	c := &s.gen.conn
	defer c.close()
	sendErr := c.write(rest)
	buf, err := c.receive(s.buf, maxReply)
	s.buf = buf
	switch {
	case err == nil:
		return answered, nil // even if it did not want to read to the end
	case sendErr != nil && len(buf) == 0:
		return lost, errSend(socket)
	}
	return lost, err
}

// probe is called after an exchange that was lost. A pool may have lost a worker only, and
// replaces it, or hang for ever: then it does not answer (pool-protocol 1.7).
func (s *set) probe(pool int) {
	s.gen.awaitDeath(s.cfg.Stage.deathWait, s.fleet.stop)
	if s.gen.isDead() || s.gen.ping(pool) || s.isStopping() {
		return
	}
	s.gen.silent = s.gen.pools[pool]
	s.recover()
}

// deliver finishes an exchange with the reply in s.buf.
func (s *set) deliver(x *Exchange) {
	reply, err := packet.Open(s.buf)
	s.present(x, reply, err)
}

// present finishes an exchange with a reply that has been opened, or with the error of that.
func (s *set) present(x *Exchange, reply packet.Reply, err error) {
	if err == nil {
		err = s.read(reply, x.Schema)
	}
	if err != nil {
		s.finish(x, nil, err)
	} else {
		s.finish(x, &s.reader, nil)
	}
	s.reader = voidstar.Reader{}
	s.release(reply)
}

// release gives back the block that a reply has pointed to, where it was given to us.
func (s *set) release(r packet.Reply) {
	if r.Source != packet.SourceRelptr || s.cfg.Stage.release == nil {
		return
	}
	root, err := r.Address()
	if err == nil {
		err = s.cfg.Stage.release(s.gen.area, root)
	}
	if err != nil {
		s.console.log(err.Error())
	}
}

// tidy gives back what one exchange has grown, or all of them together.
func (s *set) tidy() {
	if cap(s.buf) > keepBuffer {
		s.buf = nil
	}
	if cap(s.file) > keepBuffer {
		s.file = nil
	}
	s.recycle()
}
