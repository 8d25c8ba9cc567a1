package httpx

import (
	"bufio"
	"io"
	"net"
	"runtime"
	"strings"
	"testing"
	"time"
)

// TestDoor fills a small place and empties it again.
func TestDoor(t *testing.T) {
	t.Parallel()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	d := newDoor(l, 2)
	accepted := make(chan net.Conn)
	go func() {
		for {
			c, err := d.Accept()
			if err != nil {
				close(accepted)
				return
			}
			accepted <- c
		}
	}()
	for range 3 {
		c, err := net.Dial("tcp", l.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
	}
	one, two := <-accepted, <-accepted
	if n := len(d.places); n != 2 {
		t.Errorf("%d places taken", n)
	}
	_ = one.Close()
	_ = one.Close() // gives one place back, not two
	three := <-accepted
	if n := len(d.places); n != 2 {
		t.Errorf("%d places taken", n)
	}
	go func() { // an Accept that waits for a place ends when the door is closed
		_ = d.Close()
	}()
	for range accepted {
	}
	_, _ = two.Close(), three.Close()
}

// TestSlowReader lets a client call for large results and read none of them. Others are
// served, and the memory that is held is bounded.
func TestSlowReader(t *testing.T) {
	t.Parallel()
	s := serve(t, newDemo())
	session := s.session("2025-06-18")
	large := post(tool("1", "echo", `{"_1":"`+strings.Repeat("x", 1<<20)+`"}`), session).text(s.addr)
	var slow []net.Conn
	for range 20 {
		c := s.dial()
		slow = append(slow, c)
		go func() { // until nothing more is taken, or the test ends
			for range 50 {
				if _, err := io.WriteString(c, large); err != nil {
					return
				}
			}
		}()
	}
	for range 100 {
		if a := s.do(post(ping, session)); a.status != 200 {
			t.Fatalf("%+v", a)
		}
	}
	for _, c := range slow {
		_ = c.Close()
	}
}

// TestVisitor asserts that a client that takes nothing is cut off in the end.
func TestVisitor(t *testing.T) {
	t.Parallel()
	client, served := net.Pipe()
	defer client.Close()
	v := &visitor{Conn: served, door: newDoor(nil, 1)}
	v.renewed = time.Now() // no deadline of its own for a while: this one is past
	_ = served.SetWriteDeadline(time.Now().Add(-time.Second))
	if _, err := v.Write([]byte("x")); err == nil {
		t.Error("written to nobody")
	}
	v.renewed = time.Time{}
	go func() { _, _ = io.Copy(io.Discard, client) }()
	if n, err := v.Write(make([]byte, 3*writePiece+1)); n != 3*writePiece+1 || err != nil {
		t.Errorf("%d, %v", n, err)
	}
}

// TestSlowBody sends a body with long pauses; a shorter limit stands for the real one.
func TestSlowBody(t *testing.T) {
	t.Parallel()
	s, err := open(newDemo().program(), "--http-port", "0")
	if err != nil {
		t.Fatal(err)
	}
	s.server.ReadTimeout = 200 * time.Millisecond
	x := serveOpened(t, s)
	c := x.dial()
	_, _ = io.WriteString(c, post("", "Content-Length: 100").text(x.addr)+"{")
	if a := readAnswer(t, bufio.NewReader(c), "POST"); a.status != 408 || a.header.Get("Connection") != "close" {
		t.Errorf("%+v", a)
	}
	if _, err := io.Copy(io.Discard, c); err != nil {
		t.Errorf("not closed: %v", err)
	}
}

// TestLongCall asserts that the limits of bodies are none of calls.
func TestLongCall(t *testing.T) {
	t.Parallel()
	d := newDemo()
	s, err := open(d.program(), "--http-port", "0")
	if err != nil {
		t.Fatal(err)
	}
	s.server.ReadTimeout = 50 * time.Millisecond
	x := serveOpened(t, s)
	session := x.session("2025-11-25")
	for _, r := range []request{post(tool("1", "wait", `{}`), session), x.inColumn(tool("1", "wait", `{}`), modernColumn)} {
		c := x.dial()
		_, _ = io.WriteString(c, r.text(x.addr))
		reply := <-d.calls
		late := time.After(200 * time.Millisecond)
		for done := false; !done; {
			select {
			case <-late:
				done = true
			default:
				if reply.Canceled() {
					t.Fatal("cancelled though its client is there")
				}
				runtime.Gosched()
			}
		}
		reply.Value([]byte("1"))
		if a := readAnswer(t, bufio.NewReader(c), "POST"); a.status != 200 {
			t.Errorf("%+v", a)
		}
	}
}

func TestBudget(t *testing.T) {
	t.Parallel()
	s := serve(t, newDemo())
	session := s.session("2025-06-18")
	bodies := &s.service.handler.bodies
	large := post(tool("1", "echo", `{"_1":"`+strings.Repeat("x", 2<<20)+`"}`), session)
	bodies.used.Store(allBodies)
	if a := s.do(large); a.status != 503 || a.body != `{"error":"server busy"}` {
		t.Errorf("status %d", a.status)
	}
	if a := s.do(post(ping, session)); a.status != 200 {
		t.Errorf("a small body: %+v", a)
	}
	bodies.used.Store(0)
	if a := s.do(large); a.status != 200 {
		t.Errorf("status %d", a.status)
	}
	if n := bodies.used.Load(); n != 0 {
		t.Errorf("%d bytes are still claimed", n)
	}
}
