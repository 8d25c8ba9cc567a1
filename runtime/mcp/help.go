package mcp

// A Helper has work for the goroutine that reads a connection: detached calls, which it can
// answer itself while it would otherwise wait for input. That spares the change to another
// goroutine and back. Its methods are called by that goroutine only.
type Helper interface {
	// Help answers calls that wait until there are none, or until input can be read, a file
	// descriptor. It reports whether calls are left for it: then it is called again, or
	// HandOver is.
	Help(input int) (left bool)
	// HandOver leaves the calls to others.
	HandOver()
}

// Lend lets the reader of the connection help: from now on it calls [Conn.Help] before it waits
// for input, a file descriptor, and [Conn.HandOver] when it will not soon do so.
func (c *Conn) Lend(input int) { c.lent, c.input = true, input }

// Help answers detached calls until none is left for the reader, or input can be read. It
// reports whether it did anything.
func (c *Conn) Help() bool {
	if c.helper == nil {
		return false
	}
	if !c.helper.Help(c.input) {
		c.helper = nil
	}
	return true
}

// HandOver leaves detached calls that Help could answer to others.
func (c *Conn) HandOver() {
	if c.helper != nil {
		c.helper.HandOver()
		c.helper = nil
	}
}

// Lends reports whether the reader of the connection will help h with the call, or hand it over.
// It is called by the tool that has detached the call, before it returns.
func (r *Reply) Lends(h Helper) bool {
	c := r.conn
	if !c.lent || c.helper != nil && c.helper != h {
		return false
	}
	c.helper = h
	return true
}
