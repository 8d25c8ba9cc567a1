package httpx

import (
	"errors"
	"io"
	"net/http"
	"os"
	"sync/atomic"
	"time"
)

const (
	maxBody   = 64 << 20  // bytes
	allBodies = 512 << 20 // bytes of large bodies that are held at once
	firstBody = 4 << 10
	largeBody = 1 << 20          // buffers above this count, and are not kept
	bodyPause = 30 * time.Second // without a byte of a body
)

// Errors of bodies. Others make the text that has come no JSON.
var (
	errTooLarge = errors.New("body too large")
	errTooSlow  = errors.New("request timeout")
	errNoRoom   = errors.New("server busy")
)

// A budget is how many bytes of large bodies are held by all requests.
type budget struct{ used atomic.Int64 }

// take claims n bytes, if there are so many.
func (b *budget) take(n int64) bool {
	if b.used.Add(n) > allBodies {
		b.used.Add(-n)
		return false
	}
	return true
}

func (b *budget) give(n int64) { b.used.Add(-n) }

// readBody reads the body of a request into x.body. An attacker must send what is to be
// kept, so the buffer grows with what has come, not with what is announced; and must send
// it without long pauses.
func (h *handler) readBody(x *exchange, w http.ResponseWriter, r *http.Request) error {
	x.body = x.body[:0]
	if r.ContentLength > maxBody {
		return errTooLarge
	}
	renewed := time.Now()
	for {
		if err := x.grow(&h.bodies, r.ContentLength); err != nil {
			return err
		}
		n, err := r.Body.Read(x.body[len(x.body):cap(x.body)])
		x.body = x.body[:len(x.body)+n]
		switch {
		case len(x.body) > maxBody:
			return errTooLarge
		case err == io.EOF:
			return nil
		case errors.Is(err, os.ErrDeadlineExceeded):
			return errTooSlow
		case err != nil:
			return err
		}
		if now := time.Now(); n > 0 && now.Sub(renewed) > time.Second {
			renewed = now
			setReadDeadline(w, now.Add(bodyPause))
		}
	}
}

// grow makes room for at least one more byte. A body whose length is known ends with the
// last one of it; a byte more shows that.
func (x *exchange) grow(b *budget, length int64) error {
	if len(x.body) < cap(x.body) {
		return nil
	}
	size := max(2*cap(x.body), firstBody)
	if length >= firstBody && int64(size) > length {
		size = max(int(length), len(x.body)) + 1
	}
	size = min(size, maxBody+1)
	if size > largeBody {
		more := int64(size) - x.claimed
		if !b.take(more) {
			return errNoRoom
		}
		x.claimed += more
	}
	grown := make([]byte, len(x.body), size)
	copy(grown, x.body)
	x.body = grown
	return nil
}

// release gives up a large body.
func (x *exchange) release(b *budget) {
	if x.claimed > 0 {
		b.give(x.claimed)
		x.claimed = 0
		x.body = nil
	}
}

// setReadDeadline sets when reading from the client fails; the zero time is never.
func setReadDeadline(w http.ResponseWriter, t time.Time) {
	if c, ok := w.(interface{ SetReadDeadline(time.Time) error }); ok {
		_ = c.SetReadDeadline(t) // a connection that is gone is met when it is used
	}
}
