package httpx

import (
	"context"
	"sync"
	"time"

	"github.com/mcpgen/mcpgen/runtime/mcp"
)

// An exchange is one request of an mcp client and what answers it: a Conn and buffers. It
// is used for one request after the other.
type exchange struct {
	conn    *mcp.Conn
	mail    mail
	body    []byte
	claimed int64 // of the budget of bodies
	headers mcp.Headers
	id      string // of the session; "" for requests that need none

	previous, next *exchange // of those that wait for calls
}

// mail takes what the goroutines of pools bring for an exchange.
type mail struct {
	mu      sync.Mutex
	notices []byte        // notifications, a line each
	replies []byte        // the reply
	more    chan struct{} // gets an entry with a notice
}

// maxNotices is how many bytes of notifications wait for a client. It may miss some.
const maxNotices = 64 << 10

// Write implements [io.Writer], for replies.
func (m *mail) Write(b []byte) (int, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.replies = append(m.replies, b...)
	return len(b), nil
}

// Notify implements [mcp.Notices].
func (m *mail) Notify(message []byte) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if len(m.notices)+len(message) > maxNotices {
		return
	}
	m.notices = append(m.notices, message...)
	select {
	case m.more <- struct{}{}:
	default: // it will look anyway
	}
}

// takeNotices appends the notices that have come to dst.
func (m *mail) takeNotices(dst []byte) []byte {
	m.mu.Lock()
	defer m.mu.Unlock()
	dst = append(dst, m.notices...)
	m.notices = m.notices[:0]
	return dst
}

// reply returns the reply that has come, if one has. What comes later does not change it.
func (m *mail) reply() []byte {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.replies
}

// reset makes m ready for the next request. Nobody writes to it any more.
func (m *mail) reset() {
	m.notices = m.notices[:0]
	if m.replies = m.replies[:0]; cap(m.replies) > largeBody {
		m.replies = nil
	}
	select {
	case <-m.more:
	default:
	}
}

// get returns an exchange for a request.
func (h *handler) get() *exchange {
	x, _ := h.free.Get().(*exchange)
	if x == nil {
		x = &exchange{mail: mail{more: make(chan struct{}, 1)}}
		x.conn = h.endpoint.NewConn(mcp.NewWriter(&x.mail))
	}
	x.mail.reset()
	return x
}

// put gives an exchange back. One whose calls were given up may still get answers, which
// nobody waits for, and is left to them.
func (h *handler) put(x *exchange) {
	if x.conn.Busy() {
		return
	}
	x.conn.Release()
	x.headers, x.id = mcp.Headers{}, ""
	h.free.Put(x)
}

// wait waits until the calls of an exchange are answered or given up, and streams what is told
// of them meanwhile. If its client leaves, they are given up where that is what leaving means.
func (h *handler) wait(ctx context.Context, x *exchange, out *reply, leavingCancels bool) {
	if !x.conn.Awaited() {
		return
	}
	setReadDeadline(out.w, time.Time{}) // the body has come; what is waited for may take long
	h.waiting.add(x)
	defer h.waiting.remove(x)
	gone := ctx.Done()
	for x.conn.Awaited() {
		select {
		case <-x.conn.Idle():
		case <-x.mail.more:
			out.stream(x.mail.takeNotices(nil))
		case <-gone:
			gone = nil
			if leavingCancels {
				x.conn.CancelAll()
			}
		}
	}
}

// crowd holds the exchanges that wait for calls.
type crowd struct {
	mu    sync.Mutex
	first *exchange
}

func (c *crowd) add(x *exchange) {
	c.mu.Lock()
	defer c.mu.Unlock()
	x.previous, x.next = nil, c.first
	if x.next != nil {
		x.next.previous = x
	}
	c.first = x
}

func (c *crowd) remove(x *exchange) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if x.next != nil {
		x.next.previous = x.previous
	}
	if x.previous != nil {
		x.previous.next = x.next
	} else {
		c.first = x.next
	}
	x.previous, x.next = nil, nil
}

// cancel gives up the call with that request id in a session.
func (c *crowd) cancel(session string, id []byte) {
	if id == nil {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	for x := c.first; x != nil; x = x.next {
		if x.id == session {
			x.conn.Cancel(id)
		}
	}
}
