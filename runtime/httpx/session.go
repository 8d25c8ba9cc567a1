package httpx

import (
	"crypto/rand"
	"encoding/hex"
	"sync"
	"time"

	"github.com/mcpgen/mcpgen/runtime/mcp"
)

// sessions remember how far clients have come, from one request to the next. All methods
// may be called by any goroutine.
type sessions interface {
	// mint begins a session and returns its id.
	mint(s mcp.Session) string
	// peek returns a session, without using it.
	peek(id string) (s mcp.Session, ok bool)
	// enter says that a request of the session is under way, and leave that it no longer is
	// and how far the client has come.
	enter(id string) (s mcp.Session, ok bool)
	leave(id string, s mcp.Session)
	// end ends a session and reports whether there was one.
	end(id string) bool
	// sweep forgets what has expired.
	sweep()
}

const (
	idleTime    = time.Hour // after which a session is over
	maxSessions = 10000
)

// A session is one entry of a table.
type session struct {
	id             string
	state          mcp.Session
	seen           time.Time
	requests       int // under way; they keep it alive
	previous, next *session
}

// A table holds the sessions of this process, in the order in which they were seen last.
type table struct {
	idle time.Duration
	max  int

	mu   sync.Mutex
	byID map[string]*session
	ring session // next is the one seen last, previous the one to go first
}

func newTable(idle time.Duration, max int) *table {
	t := &table{idle: idle, max: max, byID: map[string]*session{}}
	t.ring.previous, t.ring.next = &t.ring, &t.ring
	return t
}

// mint implements [sessions]. Beyond the cap the one that was not seen for longest goes.
func (t *table) mint(state mcp.Session) string {
	var random [16]byte
	_, _ = rand.Read(random[:]) // never fails
	x := &session{id: hex.EncodeToString(random[:]), state: state}
	t.mu.Lock()
	defer t.mu.Unlock()
	for old := t.ring.previous; len(t.byID) >= t.max && old != &t.ring; {
		next := old.previous
		if old.requests == 0 {
			t.remove(old)
		}
		old = next
	}
	t.byID[x.id] = x
	t.link(x)
	return x.id
}

// peek implements [sessions].
func (t *table) peek(id string) (mcp.Session, bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	x := t.live(id)
	if x == nil {
		return mcp.Session{}, false
	}
	return x.state, true
}

// enter implements [sessions].
func (t *table) enter(id string) (mcp.Session, bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	x := t.live(id)
	if x == nil {
		return mcp.Session{}, false
	}
	x.requests++
	t.touch(x)
	return x.state, true
}

// leave implements [sessions]. What was ended meanwhile stays so.
func (t *table) leave(id string, state mcp.Session) {
	t.mu.Lock()
	defer t.mu.Unlock()
	x := t.byID[id]
	if x == nil {
		return
	}
	x.requests--
	x.state.Ready = x.state.Ready || state.Ready
	if state.Level != 0 {
		x.state.Level = state.Level
	}
	t.touch(x)
}

// end implements [sessions].
func (t *table) end(id string) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	x := t.live(id)
	if x == nil {
		return false
	}
	t.remove(x)
	return true
}

// sweep implements [sessions].
func (t *table) sweep() {
	t.mu.Lock()
	defer t.mu.Unlock()
	for x := t.ring.previous; x != &t.ring; {
		next := x.previous
		if t.isOver(x) {
			t.remove(x)
		}
		x = next
	}
}

// live returns a session that has not expired, else nil.
func (t *table) live(id string) *session {
	x := t.byID[id]
	if x != nil && t.isOver(x) {
		t.remove(x)
		return nil
	}
	return x
}

func (t *table) isOver(x *session) bool { return x.requests == 0 && time.Since(x.seen) >= t.idle }

// link makes x the one that was seen last.
func (t *table) link(x *session) {
	x.seen = time.Now()
	x.previous, x.next = &t.ring, t.ring.next
	x.next.previous, t.ring.next = x, x
}

func (t *table) touch(x *session) {
	t.unlink(x)
	t.link(x)
}

func (t *table) unlink(x *session) {
	x.previous.next, x.next.previous = x.next, x.previous
}

func (t *table) remove(x *session) {
	t.unlink(x)
	delete(t.byID, x.id)
}
