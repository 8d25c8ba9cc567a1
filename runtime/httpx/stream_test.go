package httpx

import (
	"bufio"
	"io"
	"net/http"
	"strings"
	"testing"
)

// TestForms asks for replies in every form.
func TestForms(t *testing.T) {
	t.Parallel()
	s := serve(t, newDemo())
	session := s.session("2025-06-18")
	batches := s.session("2025-03-26")
	report := strings.Replace(tool("1", "report", `{}`), `"arguments":{}`, `"arguments":{},"_meta":{"progressToken":"t"}`, 1)
	for _, tt := range []struct {
		name, accept, message, session string
		stream                         bool
		messages                       int
	}{
		{"JSON", "application/json", ping, session, false, 1},
		{"JSON first", "application/json, text/event-stream", ping, session, false, 1},
		{"stream alone", "text/event-stream", ping, session, true, 1},
		{"stream alone, list", "Text/Event-Stream; q=0.5", list, session, true, 1},
		{"stream alone, initialize", "text/event-stream", initialize("2025-06-18"), session, true, 1},
		{"stream alone, error", "text/event-stream", `{"jsonrpc":"2.0","id":1,"method":"nope"}`, session, true, 1},
		{"stream alone, batch", "text/event-stream", "[" + ping + "]", batches, true, 1},
		{"stream alone, malformed", "text/event-stream", `{`, session, false, 1},
		{"stream alone, notification", "text/event-stream", initialized, session, false, 0},
		{"progress", "text/event-stream, application/json", report, session, true, 3},
		{"progress in a stream alone", "text/event-stream", report, session, true, 3},
		{"progress that cannot be told", "application/json", report, session, false, 1},
		{"token, but no progress", "application/json, text/event-stream",
			strings.Replace(tool("1", "echo", `{"_1":""}`), `"arguments"`, `"_meta":{"progressToken":"t"},"arguments"`, 1), session, false, 1},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s := *s
			s.t = t
			a := s.do(post(tt.message, tt.session, "Accept: "+tt.accept))
			kind, messages := "application/json", strings.Split(strings.TrimSuffix(a.body, "\n"), "\n")
			if tt.stream {
				kind, messages = "text/event-stream", events(a.body)
				if a.header.Get("Cache-Control") != "no-store" || a.header.Get("X-Accel-Buffering") != "no" {
					t.Errorf("%v", a.header)
				}
			}
			if tt.messages == 0 {
				kind, messages = "", nil
			}
			if a.header.Get("Content-Type") != kind || len(messages) != tt.messages && a.body != "" {
				t.Errorf("%+v", a)
			}
			for i, message := range messages {
				last := i == len(messages)-1
				if strings.Contains(message, `"method":"notifications/progress"`) == last || strings.Contains(message, "NO EVENT") {
					t.Errorf("message %d: %s", i, message)
				}
			}
		})
	}
}

// TestStreamAsItComes asserts that a notice is sent when it is given, not with the reply.
func TestStreamAsItComes(t *testing.T) {
	t.Parallel()
	d := newDemo()
	s := serve(t, d)
	for _, session := range []string{s.session("2024-11-05"), s.session("2025-11-25")} {
		c := s.dial()
		call := strings.Replace(tool("1", "wait", `{}`), `"arguments":{}`, `"arguments":{},"_meta":{"progressToken":7}`, 1)
		_, _ = io.WriteString(c, post(call, session).text(s.addr))
		reply := <-d.calls
		r := bufio.NewReader(c)
		res, err := (*http.Response)(nil), error(nil)
		for i := range 3 {
			reply.Progress(float64(i+1), 0, "running")
			if i == 0 {
				if res, err = http.ReadResponse(r, nil); err != nil {
					t.Fatal(err)
				}
			}
			part := make([]byte, 64)
			if _, err := io.ReadAtLeast(res.Body, part, 32); err != nil {
				t.Fatal(err)
			}
			rest := bufio.NewReader(res.Body)
			for line := ""; line != "\n"; {
				if line, err = rest.ReadString('\n'); err != nil {
					t.Fatal(err)
				}
			}
			if rest.Buffered() > 0 {
				t.Errorf("more than the notice: %d bytes", rest.Buffered())
			}
		}
		reply.Fail("no")
		body, err := io.ReadAll(res.Body)
		if got := events(string(body)); err != nil || len(got) != 1 || !strings.Contains(got[0], `"isError":true`) {
			t.Errorf("%v: %s", err, body)
		}
	}
}

// TestNoticesOfOneRequest asserts that what is told of a call never reaches the next one.
func TestNoticesOfOneRequest(t *testing.T) {
	t.Parallel()
	s := serve(t, newDemo())
	session := s.session("2025-06-18")
	report := strings.Replace(tool("1", "report", `{}`), `"arguments":{}`, `"arguments":{},"_meta":{"progressToken":"t"}`, 1)
	for range 200 {
		if a := s.do(post(report, session)); len(events(a.body)) != 3 {
			t.Fatalf("%+v", a)
		}
		if a := s.do(post(ping, session)); !sameJSON(a.body, pong) {
			t.Fatalf("%+v", a)
		}
	}
}
