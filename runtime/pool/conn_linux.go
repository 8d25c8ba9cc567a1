package pool

import (
	"errors"
	"sync"
	"syscall"
	"time"

	"github.com/mcpgen/mcpgen/runtime/packet"
)

// sendSlice is how often a send that makes no progress looks whether it has been cut.
var sendSlice = syscall.NsecToTimeval(int64(250 * time.Millisecond))

// errCut says that another goroutine has ended the connection.
var errCut = errors.New("connection cut")

// A conn is the connection of the exchange at hand: a blocking socket, used by one
// goroutine at a time. Any other may cut it.
type conn struct {
	mu     sync.Mutex
	isOpen bool
	isCut  bool // now and for ever
	fd     int

	deadline time.Time // of what is open; zero is none
}

// open connects. A limit holds for all that happens until close.
func (c *conn) open(to *syscall.SockaddrUnix, limit time.Duration) error {
	fd, err := syscall.Socket(syscall.AF_UNIX, syscall.SOCK_STREAM|syscall.SOCK_CLOEXEC, 0)
	if err != nil {
		return err
	}
	c.adopt(fd)
	if err = c.setLimit(limit); err == nil {
		err = c.connect(to)
	}
	if err != nil {
		c.close()
	}
	return err
}

func (c *conn) adopt(fd int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.fd, c.isOpen = fd, true
}

func (c *conn) setLimit(limit time.Duration) error {
	c.deadline = time.Time{}
	if limit != forever {
		c.deadline = time.Now().Add(limit)
		tv := syscall.NsecToTimeval(int64(limit))
		if err := syscall.SetsockoptTimeval(c.fd, syscall.SOL_SOCKET, syscall.SO_RCVTIMEO, &tv); err != nil {
			return err
		}
	}
	return syscall.SetsockoptTimeval(c.fd, syscall.SOL_SOCKET, syscall.SO_SNDTIMEO, &sendSlice)
}

func (c *conn) connect(to *syscall.SockaddrUnix) error {
	for {
		if err := c.check(); err != nil { // cut from now on means shut down
			return err
		}
		if err := syscall.Connect(c.fd, to); err == nil {
			return c.check() // what was cut too early for the socket to know
		} else if !isRetry(err) {
			return err
		} // EAGAIN: the backlog is full
	}
}

// check returns why it is not worthwhile to wait any more, nil if it is.
func (c *conn) check() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case c.isCut:
		return errCut
	case !c.deadline.IsZero() && time.Now().After(c.deadline):
		return syscall.ETIMEDOUT
	}
	return nil
}

// isRetry reports whether a system call is to be made again: a signal came between, or
// a slice of time has passed.
func isRetry(err error) bool { return err == syscall.EINTR || err == syscall.EAGAIN }

// isAbsent reports whether an error of open means that the pool is not there.
func isAbsent(err error) bool {
	switch err {
	case errCut, syscall.ECONNREFUSED, syscall.ENOENT, syscall.ECONNRESET, syscall.EPIPE, syscall.ETIMEDOUT:
		return true
	}
	return false
}

// cut ends what goes on and all later connections. What has arrived can still be read.
func (c *conn) cut() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.isCut = true
	if c.isOpen {
		_ = syscall.Shutdown(c.fd, syscall.SHUT_RDWR)
	}
}

// close closes what open has opened.
func (c *conn) close() {
	c.mu.Lock()
	defer c.mu.Unlock()
	_ = syscall.Close(c.fd)
	c.isOpen = false
}

// write sends b, in one piece if possible: pools interpret what comes first as a header,
// whole or not.
func (c *conn) write(b []byte) error {
	for len(b) > 0 {
		n, err := syscall.Write(c.fd, b)
		switch {
		case isRetry(err):
			if err := c.check(); err != nil {
				return err
			}
		case err != nil:
			return err
		default:
			b = b[n:]
		}
	}
	return nil
}

// receiveSize is the capacity that a receive starts with; most replies fit.
const receiveSize = 64 << 10

// receive reads a packet of at most limit bytes, the beginning of which may be in buf. With an
// error, it returns what has come.
func (c *conn) receive(buf []byte, limit uint64) ([]byte, error) {
	if len(buf) == 0 && cap(buf) < receiveSize {
		buf = make([]byte, 0, receiveSize)
	}
	total := uint64(packet.HeaderSize)
	for known := false; ; {
		if !known && len(buf) >= packet.HeaderSize {
			var err error
			if total, err = packet.Total(buf, limit); err != nil {
				return buf, err
			}
			known = true
		}
		if known && uint64(len(buf)) >= total {
			return buf[:total], nil // whatever follows is dropped
		}
		if len(buf) == cap(buf) { // grown as data come, not as the header claims
			buf = append(make([]byte, 0, min(uint64(2*cap(buf)), total)), buf...)
		}
		n, err := c.read(buf[len(buf):cap(buf)])
		if err != nil {
			return buf, err
		}
		if n == 0 {
			return buf, closedAfter(len(buf))
		}
		buf = buf[:len(buf)+n]
	}
}

func (c *conn) read(b []byte) (int, error) {
	for {
		n, err := syscall.Read(c.fd, b)
		switch err {
		case nil:
			return n, nil
		case syscall.ECONNRESET:
			return 0, nil // the pool died with something unread
		case syscall.EINTR:
		case syscall.EAGAIN:
			if err := c.check(); err != nil {
				return 0, err
			}
		default:
			return 0, errReceive
		}
	}
}

func closedAfter(n int) error {
	if n == 0 {
		return errClosed
	}
	return errEarly
}

// echo sends a ping and reports whether it comes back.
func (c *conn) echo() bool {
	if c.write([]byte(packet.Ping)) != nil {
		return false
	}
	reply, err := c.receive(nil, packet.HeaderSize)
	if err != nil {
		return false
	}
	h, err := packet.ParseHeader(reply)
	return err == nil && h.Type == packet.TypePing
}
