package pool

import (
	"syscall"
	"time"
)

// What a helper does with a connection must not keep it waiting: until [conn.block], the socket
// is one that does not block.

// openNow connects, if that can be done at once.
func (c *conn) openNow(to *syscall.SockaddrUnix) error {
	fd, err := syscall.Socket(syscall.AF_UNIX, syscall.SOCK_STREAM|syscall.SOCK_CLOEXEC|syscall.SOCK_NONBLOCK, 0)
	if err != nil {
		return err
	}
	c.adopt(fd)
	c.deadline = time.Time{}
	if err = c.check(); err == nil {
		err = syscall.Connect(fd, to)
	}
	if err == nil {
		err = c.check() // what was cut too early for the socket to know
	}
	if err != nil {
		c.close()
	}
	return err
}

// writeNow sends as much of b as can be sent at once, and returns how much that was.
func (c *conn) writeNow(b []byte) int { n, _ := syscall.Write(c.fd, b); return max(n, 0) }

// readNow reads as much as there is, and returns how much that was; 0 also after a fault.
func (c *conn) readNow(b []byte) int { n, _ := syscall.Read(c.fd, b); return max(n, 0) }

// block makes of the connection one that waits, as that of [conn.open] does. If that cannot be
// done, it is cut.
func (c *conn) block() {
	if syscall.SetNonblock(c.fd, false) != nil || c.setLimit(forever) != nil {
		c.cut()
	}
}
