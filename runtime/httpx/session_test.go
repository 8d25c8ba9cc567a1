package httpx

import (
	"encoding/base64"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/mcpgen/mcpgen/runtime/mcp"
)

var state = mcp.Session{Revision: mcp.Revision20250618}

func TestTable(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := newTable(time.Hour, 3)
		lives := func(id string) bool { _, ok := s.peek(id); return ok }
		a := s.mint(state)
		if got, ok := s.enter(a); !ok || got != state {
			t.Errorf("%v, %v", got, ok)
		}
		s.leave(a, mcp.Session{Revision: mcp.Revision20250618, Ready: true})
		if got, _ := s.peek(a); !got.Ready {
			t.Error("that the client is ready was forgotten")
		}

		time.Sleep(time.Hour - time.Second) // of the bubble's clock
		if !lives(a) {
			t.Error("over before its time")
		}
		s.enter(a) // keeps it alive as long as the request lasts
		time.Sleep(10 * time.Hour)
		s.sweep()
		if !lives(a) {
			t.Error("over during a request")
		}
		s.leave(a, state)
		time.Sleep(time.Hour - time.Second)
		if got, ok := s.peek(a); !ok || !got.Ready {
			t.Error("the end of a request is no sign of life")
		}
		time.Sleep(time.Second)
		if lives(a) {
			t.Error("not over in time")
		}

		// Beyond the cap, the one that was seen first goes, unless it is in use.
		ids := []string{s.mint(state), s.mint(state), s.mint(state)}
		s.enter(ids[0])
		s.enter(ids[1])
		s.leave(ids[1], state)
		ids = append(ids, s.mint(state))
		if got := []bool{lives(ids[0]), lives(ids[1]), lives(ids[2]), lives(ids[3])}; got[0] != true || !got[1] || got[2] || !got[3] {
			t.Errorf("live: %v", got)
		}
		if !s.end(ids[0]) || s.end(ids[0]) || lives(ids[0]) {
			t.Error("not ended once")
		}
		s.leave(ids[0], state) // must not bring it back
		if lives(ids[0]) {
			t.Error("ended, but back")
		}
		time.Sleep(time.Hour)
		s.sweep()
		if len(s.byID) != 0 || s.ring.next != &s.ring || s.ring.previous != &s.ring {
			t.Errorf("%d sessions after all are over", len(s.byID))
		}
	})
}

// TestManySessions is case 63.
func TestManySessions(t *testing.T) {
	t.Parallel()
	s := serve(t, newDemo())
	first := s.session("2025-06-18")
	var last string
	for range maxSessions {
		last = s.service.handler.sessions.mint(state)
	}
	if a := s.do(post(ping, first)); a.status != 404 {
		t.Errorf("the first: %+v", a)
	}
	if a := s.do(post(ping, "Mcp-Session-Id: "+last)); a.status != 200 {
		t.Errorf("the last: %+v", a)
	}
	for i := range 1000 {
		if a := s.do(post(ping, "Mcp-Session-Id: "+strconv.Itoa(i))); a.status != 404 {
			t.Fatalf("%+v", a)
		}
	}
	if n := len(s.service.handler.sessions.(*table).byID); n != maxSessions {
		t.Errorf("%d sessions", n)
	}
}

// TestIdle is case 64.
func TestIdle(t *testing.T) {
	t.Parallel()
	s, err := open(newDemo().program(), "--http-port", "0")
	if err != nil {
		t.Fatal(err)
	}
	s.handler.sessions = newTable(time.Nanosecond, maxSessions)
	x := serveOpened(t, s)
	if a := x.do(post(ping, x.begin("2025-06-18"))); a.status != 404 {
		t.Errorf("%+v", a)
	}
}

func sealedWith(t *testing.T, secret, program string) *sealed {
	t.Helper()
	file := filepath.Join(t.TempDir(), "key")
	if err := os.WriteFile(file, []byte(secret), 0o600); err != nil {
		t.Fatal(err)
	}
	s, err := newSealed(file, program, 24*time.Hour)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestSealed(t *testing.T) {
	t.Parallel()
	const secret = "0123456789abcdef"
	one, two := sealedWith(t, secret, "p"), sealedWith(t, secret+"\n", "p")
	others := []*sealed{sealedWith(t, secret+"x", "p"), sealedWith(t, secret, "q")}
	synctest.Test(t, func(t *testing.T) {
		id := one.mint(mcp.Session{Revision: mcp.Revision20250326})
		if id == one.mint(mcp.Session{Revision: mcp.Revision20250326}) {
			t.Error("the same id twice")
		}
		if i := strings.IndexFunc(id, func(r rune) bool { return r < 0x21 || r > 0x7e }); i >= 0 {
			t.Errorf("id %q", id)
		}
		for _, s := range []*sealed{one, two} {
			if got, ok := s.enter(id); !ok || got != (mcp.Session{Revision: mcp.Revision20250326, Ready: true}) {
				t.Errorf("%v, %v", got, ok)
			}
		}
		for _, s := range others {
			if _, ok := s.enter(id); ok {
				t.Error("another key or program accepts the id")
			}
		}
		raw, _ := base64.RawURLEncoding.DecodeString(id)
		for i := range raw {
			for bit := range 8 {
				forged := append([]byte(nil), raw...)
				forged[i] ^= 1 << bit
				if _, ok := one.enter(base64.RawURLEncoding.EncodeToString(forged)); ok {
					t.Fatalf("byte %d is not sealed", i)
				}
			}
		}
		for _, odd := range []string{"", "x", id[:len(id)-1], id + "A", id + "=", " " + id[1:], strings.ToLower(id)} {
			if _, ok := one.enter(odd); ok && odd != id {
				t.Errorf("%q is accepted", odd)
			}
		}

		if !one.end(id) || one.end(id) || one.end("x") {
			t.Error("not ended once")
		}
		if _, ok := one.enter(id); ok {
			t.Error("lives where it was ended")
		}
		if _, ok := two.enter(id); !ok {
			t.Error("forgotten where it was not ended")
		}
		time.Sleep(24*time.Hour - time.Second)
		if _, ok := two.enter(id); !ok {
			t.Error("over before its time")
		}
		time.Sleep(time.Second)
		if _, ok := two.enter(id); ok {
			t.Error("not over in time")
		}
		one.sweep()
		if len(one.ended) != 0 {
			t.Error("what has expired is remembered")
		}
		for range maxEnded + 10 {
			one.end(one.mint(state))
		}
		if len(one.ended) != maxEnded {
			t.Errorf("%d are remembered", len(one.ended))
		}
		one.leave(id, state)
	})
}
