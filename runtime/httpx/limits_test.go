package httpx

import (
	"bufio"
	"errors"
	"io"
	"net"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"
)

// TestConnection are the cases of http.md 12 about connections.
func TestConnection(t *testing.T) {
	t.Parallel()
	d := newDemo()
	s := serve(t, d)
	session := s.session("2025-06-18")

	t.Run("4 two ids", func(t *testing.T) {
		if a, b := s.begin("2025-06-18"), s.begin("2025-06-18"); a == b {
			t.Errorf("twice %s", a)
		}
	})
	t.Run("21 call without an id", func(t *testing.T) {
		for range len(d.runs) {
			<-d.runs
		}
		a := s.do(post(`{"jsonrpc":"2.0","method":"tools/call","params":{"name":"demo__boom","arguments":{"_1":1}}}`, session))
		if a.status != 202 || a.body != "" || len(d.runs) > 0 {
			t.Errorf("%+v, %d runs", a, len(d.runs))
		}
	})
	t.Run("31 DELETE", func(t *testing.T) {
		id := s.session("2025-06-18")
		if a := s.do(request{method: "DELETE", header: []string{id}}); a.status != 200 || a.body != `{"ok":true}` {
			t.Errorf("%+v", a)
		}
		if a := s.do(post(ping, id)); a.status != 404 {
			t.Errorf("afterwards: %+v", a)
		}
		if a := s.do(request{method: "DELETE", header: []string{session, modernH}}); a.status != 405 {
			t.Errorf("DELETE of 2026-07-28: %+v", a)
		}
	})
	t.Run("36 HEAD", func(t *testing.T) {
		c := s.dial()
		_, _ = io.WriteString(c, request{method: "HEAD"}.text(s.addr)+post(ping, session).text(s.addr))
		r := bufio.NewReader(c)
		if a := readAnswer(t, r, "HEAD"); a.status != 405 {
			t.Errorf("%+v", a)
		}
		if a := readAnswer(t, r, "POST"); a.status != 200 || !sameJSON(a.body, pong) {
			t.Errorf("next request: %+v", a)
		}
	})
	t.Run("58 chunked", func(t *testing.T) {
		c := s.dial()
		chunked := post("", session, "Content-Length", "Transfer-Encoding: chunked").text(s.addr)
		for piece := range strings.SplitSeq(ping, ",") {
			if piece != ping[:len(piece)] {
				piece = "," + piece
			}
			chunked += strconv.FormatInt(int64(len(piece)), 16) + "\r\n" + piece + "\r\n"
		}
		_, _ = io.WriteString(c, chunked+"0\r\n\r\n"+post(ping, session).text(s.addr))
		r := bufio.NewReader(c)
		for range 2 {
			if a := readAnswer(t, r, "POST"); a.status != 200 || !sameJSON(a.body, pong) {
				t.Errorf("%+v", a)
			}
		}
	})
	t.Run("59 pipelined", func(t *testing.T) {
		c := s.dial()
		_, _ = io.WriteString(c, post(`{"id":1,"method":"ping"}`, session).text(s.addr)+post(`{"id":2,"method":"ping"}`, session).text(s.addr))
		r := bufio.NewReader(c)
		for _, id := range []string{"1", "2"} {
			if a := readAnswer(t, r, "POST"); !strings.Contains(a.body, `"id":`+id) {
				t.Errorf("%+v", a)
			}
		}
	})
	t.Run("62 ping beside a call", func(t *testing.T) {
		c := s.dial()
		_, _ = io.WriteString(c, post(tool("5", "wait", `{}`), session).text(s.addr))
		call := <-d.calls
		for _, message := range []string{ping, list, initialize("2025-11-25"), tool("1", "echo", `{"_1":""}`)} {
			if a := s.do(post(message, session)); a.status != 200 {
				t.Errorf("%s: %+v", message, a)
			}
		}
		call.Value([]byte("1"))
		if a := readAnswer(t, bufio.NewReader(c), "POST"); a.status != 200 || !strings.Contains(a.body, `"id":5`) {
			t.Errorf("%+v", a)
		}
	})
	t.Run("66 client leaves", func(t *testing.T) {
		c := s.dial()
		_, _ = io.WriteString(c, post(tool("5", "wait", `{}`), session).text(s.addr))
		call := <-d.calls
		_ = c.Close()
		call.Value([]byte("1"))
		if a := s.do(post(ping, session)); a.status != 200 {
			t.Errorf("%+v", a)
		}
	})
	t.Run("cancelled", func(t *testing.T) {
		other := s.session("2025-06-18")
		c := s.dial()
		_, _ = io.WriteString(c, post(tool("5", "wait", `{}`), session).text(s.addr))
		call := <-d.calls
		cancel := `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":5}}`
		for _, id := range []string{other, session} {
			if a := s.do(post(cancel, id)); a.status != 202 {
				t.Errorf("%+v", a)
			}
		}
		// Its client does not wait for what may hang.
		if a := readAnswer(t, bufio.NewReader(c), "POST"); a.status != 202 || a.body != "" {
			t.Errorf("%+v", a)
		}
		call.Value([]byte("1"))
		if a := s.do(post(ping, session)); a.status != 200 {
			t.Errorf("%+v", a)
		}
	})
	t.Run("cancelled in another session", func(t *testing.T) {
		c := s.dial()
		_, _ = io.WriteString(c, post(tool("5", "wait", `{}`), session).text(s.addr))
		call := <-d.calls
		s.do(post(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":5}}`, s.session("2025-06-18")))
		call.Value([]byte("1"))
		if a := readAnswer(t, bufio.NewReader(c), "POST"); a.status != 200 || !strings.Contains(a.body, `"id":5`) {
			t.Errorf("%+v", a)
		}
	})
	t.Run("DELETE during a call", func(t *testing.T) {
		id := s.session("2025-06-18")
		c := s.dial()
		_, _ = io.WriteString(c, post(tool("5", "wait", `{}`), id).text(s.addr))
		call := <-d.calls
		s.do(request{method: "DELETE", header: []string{id}})
		call.Value([]byte("1"))
		if a := readAnswer(t, bufio.NewReader(c), "POST"); a.status != 200 {
			t.Errorf("the call: %+v", a)
		}
		if a := s.do(post(ping, id)); a.status != 404 {
			t.Errorf("the session lives: %+v", a)
		}
	})
}

// TestLimits are the cases of http.md 12 about size and time.
func TestLimits(t *testing.T) {
	t.Parallel()
	s := serve(t, newDemo())
	session := s.session("2025-06-18")
	dead := func(t *testing.T, c net.Conn) {
		t.Helper()
		if _, err := io.Copy(io.Discard, c); errors.Is(err, os.ErrDeadlineExceeded) {
			t.Errorf("the connection stays open: %v", err)
		}
	}
	for _, tt := range []struct {
		name, text string
		status     int
	}{
		{"56 announced", post("", session, "Content-Length: 67108865").text(s.addr), 413},
		{"57 one header", post(ping, session, "X: "+strings.Repeat("x", 70000)).text(s.addr), 431},
		{"57 many headers", post(ping, append([]string{session}, strings.Split(strings.Repeat("X: "+strings.Repeat("x", 100)+"\n", 700), "\n")[:699]...)...).text(s.addr), 431},
		{"57 below", post(ping, session, "X: "+strings.Repeat("x", 60000)).text(s.addr), 200},
		{"no host", "POST /mcp HTTP/1.1\r\n\r\n", 400},
		{"two hosts", "POST /mcp HTTP/1.1\r\nHost: localhost\r\nHost: localhost\r\n\r\n", 400},
		{"bad length", post("", session, "Content-Length: abc").text(s.addr), 400},
		{"negative length", post("", session, "Content-Length: -1").text(s.addr), 400},
		{"two lengths", post("", session, "Content-Length: 5", "content-length: 6").text(s.addr), 400},
		{"list of lengths", post("", session, "Content-Length: 5, 5").text(s.addr), 400},
		{"unknown coding", post("", session, "Transfer-Encoding: gzip, chunked").text(s.addr), 501},
		{"two codings", post("", session, "Transfer-Encoding: chunked", "transfer-encoding: chunked").text(s.addr), 501},
		{"odd coding", post("", session, "Transfer-Encoding: chunked\x0b").text(s.addr), 400},
		{"space before the colon", post(ping, session, "X : 1").text(s.addr), 400},
		{"folded header", post(ping, session, "X: 1\r\n 2").text(s.addr), 200}, // unfolded, as by net/http
		{"chunk size", post("", session, "Content-Length", "Transfer-Encoding: chunked").text(s.addr) + "zz\r\n\r\n", 400},
		{"no protocol", "BLAH\r\n\r\n", 400},
		{"another protocol", "POST /mcp HTTP/3.0\r\nHost: localhost\r\n\r\n", 505},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s := *s
			s.t = t
			c := s.dial()
			go func() { _, _ = io.WriteString(c, tt.text) }() // not all of it may be read
			a := readAnswer(t, bufio.NewReader(c), "POST")
			if a.status != tt.status {
				t.Errorf("status %d, want %d: %s", a.status, tt.status, a.body)
			}
			if tt.status != 200 {
				dead(t, c)
			}
		})
	}
	t.Run("smuggled by both lengths", func(t *testing.T) {
		// net/http believes the chunks; what follows them must not be lost or misread.
		c := s.dial()
		inner := post(ping, session).text(s.addr)
		_, _ = io.WriteString(c, post("", session, "Transfer-Encoding: chunked").text(s.addr)+"0\r\n\r\n"+inner)
		r := bufio.NewReader(c)
		if a := readAnswer(t, r, "POST"); a.status != 400 {
			t.Errorf("%+v", a)
		}
		if a, err := tryReadAnswer(r, "POST"); err == nil && a.status != 200 {
			t.Errorf("next: %+v", a)
		}
	})
	t.Run("too large while read", func(t *testing.T) {
		t.Parallel()
		c := s.dial()
		go func() {
			_, _ = io.WriteString(c, post("", session, "Content-Length", "Transfer-Encoding: chunked").text(s.addr)+"4000001\r\n")
			_, _ = io.Copy(c, repeat(' ', 0x4000001))
		}()
		if a := readAnswer(t, bufio.NewReader(c), "POST"); a.status != 413 || !sameJSON(a.body, `{"error":"body too large"}`) {
			t.Errorf("%+v", a)
		}
	})
	t.Run("as large as can be", func(t *testing.T) {
		t.Parallel()
		c := s.dial()
		_, _ = io.WriteString(c, post("", session, "Content-Length: 67108864").text(s.addr))
		_, _ = io.Copy(c, io.MultiReader(strings.NewReader(ping), repeat(' ', 64<<20-int64(len(ping)))))
		if a := readAnswer(t, bufio.NewReader(c), "POST"); a.status != 200 {
			t.Errorf("%+v", a)
		}
	})
	t.Run("300 kB", func(t *testing.T) {
		t.Parallel()
		text := strings.Repeat("ä", 150000)
		if a := s.do(post(tool("1", "echo", `{"_1":"`+text+`"}`), session)); a.status != 200 || !strings.Contains(a.body, text) {
			t.Errorf("status %d, %d bytes", a.status, len(a.body))
		}
	})
	t.Run("shorter than announced", func(t *testing.T) {
		t.Parallel()
		c := s.dial()
		_, _ = io.WriteString(c, post(ping, session, "Content-Length: 500").text(s.addr))
		_ = c.(*net.TCPConn).CloseWrite()
		if a := readAnswer(t, bufio.NewReader(c), "POST"); a.status != 400 || !strings.Contains(a.body, "-32700") {
			t.Errorf("%+v", a)
		}
		dead(t, c)
	})
	t.Run("Expect", func(t *testing.T) {
		t.Parallel()
		c := s.dial()
		r := bufio.NewReader(c)
		_, _ = io.WriteString(c, post("", session, "Expect: 100-continue", "Content-Length: "+strconv.Itoa(len(ping))).text(s.addr))
		if line, _ := r.ReadString('\n'); line != "HTTP/1.1 100 Continue\r\n" {
			t.Fatalf("%q", line)
		}
		_, _ = r.ReadString('\n')
		_, _ = io.WriteString(c, ping)
		if a := readAnswer(t, r, "POST"); a.status != 200 {
			t.Errorf("%+v", a)
		}
	})
	t.Run("Expect, too large", func(t *testing.T) {
		t.Parallel()
		c := s.dial()
		_, _ = io.WriteString(c, post("", session, "Expect: 100-continue", "Content-Length: 67108865").text(s.addr))
		if a := readAnswer(t, bufio.NewReader(c), "POST"); a.status != 413 {
			t.Errorf("%+v", a)
		}
	})
	t.Run("HTTP/1.0", func(t *testing.T) {
		t.Parallel()
		c := s.dial()
		_, _ = io.WriteString(c, strings.Replace(post(ping, session).text(s.addr), "HTTP/1.1", "HTTP/1.0", 1))
		if a := readAnswer(t, bufio.NewReader(c), "POST"); a.status != 200 || !sameJSON(a.body, pong) {
			t.Errorf("%+v", a)
		}
		dead(t, c)
	})
	t.Run("61 half a head", func(t *testing.T) {
		t.Parallel()
		if testing.Short() {
			t.Skip("waits for the limit of ten seconds")
		}
		c := s.dial()
		begun := time.Now()
		_, _ = io.WriteString(c, "POST /mcp HT")
		dead(t, c)
		if took := time.Since(begun); took > 15*time.Second {
			t.Errorf("after %v", took)
		}
	})
}
