package pool

import (
	"github.com/mcpgen/mcpgen/runtime/packet"
	"github.com/mcpgen/mcpgen/runtime/voidstar"
)

// serve makes an exchange.
func (s *Set) serve(x *Exchange) {
	s.startTelling(x)
	for again := false; ; again = true {
		if err := s.ready(); err != nil {
			s.finish(x, nil, err)
			return
		}
		s.gen.used = true
		fate, err := s.exchange(x.Pool, x.Call)
		switch {
		case fate == answered:
			s.deliver(x)
			return
		case s.isStopping():
			err = errStopping
		case fate == unsent && !again:
			// The pool died since the last exchange. This one has not begun, so a
			// restart is all that it costs.
			s.gen.silent = s.gen.pools[x.Pool]
			s.recover()
			continue
		}
		pool := x.Pool
		s.finish(x, nil, err)
		if fate != untried {
			s.probe(pool)
		}
		return
	}
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
func (s *Set) exchange(pool int, call []byte) (fate, error) {
	c, socket := &s.gen.conn, &s.gen.sockets[pool]
	if err := c.open(socket, forever); err != nil {
		if isAbsent(err) {
			return unsent, errConnect(socket.Name)
		}
		return untried, &Error{Text: "IPC error: " + err.Error()}
	}
	defer c.close()
	sendErr := c.write(call)
	buf, err := c.receive(s.buf[:0], maxReply)
	s.buf = buf
	switch {
	case err == nil:
		return answered, nil // even if it did not want to read to the end
	case sendErr != nil && len(buf) == 0:
		return lost, errSend(socket.Name)
	}
	return lost, err
}

// probe is called after an exchange that was lost. A pool may have lost a worker only, and
// replaces it, or hang for ever: then it does not answer (pool-protocol 1.7).
func (s *Set) probe(pool int) {
	s.gen.awaitDeath(s.cfg.Stage.deathWait, s.stop)
	if s.gen.isDead() || s.gen.ping(pool) || s.isStopping() {
		return
	}
	s.gen.silent = s.gen.pools[pool]
	s.recover()
}

// deliver finishes an exchange with the reply in s.buf.
func (s *Set) deliver(x *Exchange) {
	reply, err := packet.Open(s.buf)
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
func (s *Set) release(r packet.Reply) {
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

// trim gives back buffers that one exchange has grown.
func (s *Set) trim() {
	if cap(s.buf) > keepBuffer {
		s.buf = nil
	}
	if cap(s.file) > keepBuffer {
		s.file = nil
	}
}
