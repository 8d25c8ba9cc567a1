package httpx

import (
	"bufio"
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"io"
	"mime"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/mcpgen/mcpgen/runtime/mcp"
)

// FuzzHTTP sends arbitrary bytes to a server. Whatever it answers is HTTP with a status of
// ours and a body that is what its headers say; the connection ends; no tool panics.
func FuzzHTTP(f *testing.F) {
	d := newDemo()
	d.async = true
	service, err := open(d.program(), "--http-port", "0")
	if err != nil {
		f.Fatal(err)
	}
	service.handler.log.write = func(string) {}
	go func() { _ = service.Serve() }()
	f.Cleanup(func() { service.Shutdown(time.Second, func() {}) })
	addr := service.door.Addr().String()
	session := "Mcp-Session-Id: " + service.handler.sessions.mint(state)
	service.handler.sessions.(*table).byID[session[len("Mcp-Session-Id: "):]].state.Ready = true

	for _, seed := range []request{
		post(initialize("2025-06-18")), post(ping, session), post("["+ping+"]", session), post(`{`),
		post(tool("1", "demo__pair", `{"_1":1}`), session, "Accept: text/event-stream"),
		post(strings.Replace(tool("1", "report", `{}`), `"arguments"`, `"_meta":{"progressToken":1},"arguments"`, 1), session),
		post(`{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{`+modernMeta+`}}`, modernH, "Mcp-Method: tools/list"),
		post(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"x",`+modernMeta+`}}`, modernH, "Mcp-Method: tools/call", "Mcp-Name: =?base64?eA==?="),
		post(`{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{`+modernMeta+`}}`, modernH, "Mcp-Method: caf\xe9"),
		post(ping, "MCP-Protocol-Version: 2026-07-2\xff", session),
		{method: "DELETE", header: []string{"Mcp-Session-Id: 1"}}, {method: "OPTIONS", header: []string{"Origin: http://localhost:1"}},
		{method: "GET", path: "/health"}, {method: "GET", path: "http://evil.example/mcp"}, {method: "OPTIONS", path: "*"},
		post("", "Content-Length", "Transfer-Encoding: chunked"), post("", "Content-Length: 99999999999999999999"),
		post(ping, "Expect: 100-continue", session), post(ping, "Origin: http://[::1", session), post(ping, "Accept: ;q=,;;", "Content-Type: ;"),
	} {
		f.Add([]byte(seed.text(addr)))
	}
	f.Add([]byte("POST /mcp HTTP/1.1\nHost: localhost\nContent-Length: 2\n\n{}"))
	f.Add([]byte("\r\n\r\n\x00\x16\x03\x01"))
	f.Fuzz(func(t *testing.T, in []byte) {
		c, err := net.Dial("tcp", addr)
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		_ = c.SetDeadline(time.Now().Add(20 * time.Second))
		go func() {
			_, _ = c.Write(in)
			_ = c.(*net.TCPConn).CloseWrite()
		}()
		r := bufio.NewReader(c)
		for {
			method := http.MethodPost
			if bytes.Contains(in, []byte("HEAD")) {
				method = http.MethodHead // of some request or other: then bodies are not told apart
			}
			res, err := http.ReadResponse(r, &http.Request{Method: method})
			if err != nil {
				if ne, ok := err.(net.Error); ok && ne.Timeout() || os.IsTimeout(err) {
					t.Fatal("the connection stays open")
				}
				return
			}
			body, err := io.ReadAll(res.Body)
			if err != nil {
				return // reset, as what was sent is not read
			}
			if !utf8.Valid(body) {
				t.Fatalf("not UTF-8: %q", body)
			}
			if res.StatusCode == 500 {
				t.Fatalf("status 500: %s", body)
			}
			if method == http.MethodPost && res.Header.Get("Content-Type") == "application/json" && len(body) > 0 && !json.Valid(body) {
				t.Fatalf("no JSON: %q", body)
			}
			if method == http.MethodPost && res.Header.Get("Content-Type") == "text/event-stream" {
				checkEvents(t, body)
			}
			if bytes.Contains(body, []byte("internal error")) && !bytes.Contains(in, []byte("panic")) {
				t.Fatalf("a tool panicked: %s", body)
			}
			if method == http.MethodHead {
				return
			}
		}
	})
}

// checkEvents checks that a stream holds nothing but comments and events of one message each.
func checkEvents(t *testing.T, body []byte) {
	t.Helper()
	for line := range bytes.SplitSeq(body, []byte{'\n'}) {
		data, ok := bytes.CutPrefix(line, []byte("data: "))
		if ok && len(data) > 0 && !json.Valid(data) || !ok && len(line) > 0 && line[0] != ':' && !bytes.HasPrefix(line, []byte("event: ")) {
			t.Fatalf("no event: %q in %q", line, body)
		}
	}
}

// FuzzHeaders holds what is made of headers against package mime, package net and regular
// expressions.
func FuzzHeaders(f *testing.F) {
	for _, seed := range []string{
		"localhost", "[::1]:80", "[::1].a", "127.0.0.1:bad", "http://localhost:1", "text/*;q=0.0, application/json", "a:b:c", "", "[", "://",
		"application/json; Q=0", "application/json ; charset=utf-8", "text/event-stream;q=0.1,*/*;q=1", "HTTPS://[::1]:443", "x://a@b", "http://a/",
		"Bearer s3cret", "bearer \ts3cret ", "Basic s3cret", "Bearer s3crets", "http://a:0", "http://A%2e:65536", `a;q="0"`,
	} {
		f.Add(seed)
	}
	var opening tokens
	if err := opening.set("s3cret\nother\n"); err != nil {
		f.Fatal(err)
	}
	bearer := regexp.MustCompile(`^(?i:bearer) [ \t]*(s3cret|other)[ \t]*$`)
	origins := regexp.MustCompile(`^[^/?#@:]+://[^/?#@]+$`)
	f.Fuzz(func(t *testing.T, text string) {
		host := hostOf(text)
		if want, _, err := net.SplitHostPort(text); err == nil && host != strings.ToLower(want) {
			t.Errorf("hostOf(%q) = %q, want %q", text, host, want)
		}
		if _, after, ok := strings.Cut(text, "]"); ok && after != "" && after[0] != ':' && isLoopback(host) {
			t.Errorf("hostOf(%q) = %q, which is local", text, host)
		}
		if host != strings.ToLower(host) {
			t.Errorf("hostOf(%q) = %q", text, host)
		}
		if o, ok := parseOrigin(text); ok {
			again, ok := parseOrigin(o.String())
			if !ok || again != o || !origins.MatchString(text) {
				t.Errorf("parseOrigin(%q) = %v, and of its text %v", text, o, again)
			}
		}
		r := &http.Request{Header: http.Header{"Accept": {text}, "Content-Type": {text}, "Authorization": {text}}}
		if media, _, err := mime.ParseMediaType(text); err == nil && isJSON(r) != (media == "application/json") {
			t.Errorf("isJSON(%q) = %v", text, isJSON(r))
		}
		if want, ok := accepted(text); ok && admitted(r) != want {
			t.Errorf("admitted(%q) = %d, want %d", text, admitted(r), want)
		}
		if opening.admit(r) != bearer.MatchString(text) {
			t.Errorf("admit(%q) = %v", text, opening.admit(r))
		}
	})
}

var weight = regexp.MustCompile(`^(0(\.[0-9]{0,3})?|1(\.0{0,3})?)$`)

// accepted reads an Accept header by package mime; ok is false if that does not understand it.
func accepted(text string) (forms form, ok bool) {
	if strings.Contains(text, `"`) {
		return 0, false // commas may be quoted
	}
	for part := range strings.SplitSeq(text, ",") {
		media, parameters, err := mime.ParseMediaType(part)
		q, weighed := parameters["q"]
		if err != nil || weighed && !weight.MatchString(q) {
			return 0, false
		}
		if weighed && strings.Trim(q, "0.") == "" {
			continue
		}
		switch media {
		case "*/*", "application/*", "application/json":
			forms |= inJSON
		case "text/event-stream":
			forms |= inStream
		}
	}
	return forms, true
}

// FuzzSealed makes ids of sealed sessions apart from the code that does: an id opens if and
// only if its parts are right, and nothing else does.
func FuzzSealed(f *testing.F) {
	key := []byte("0123456789abcdef")
	file := filepath.Join(f.TempDir(), "key")
	if err := os.WriteFile(file, append(key, '\n'), 0o600); err != nil {
		f.Fatal(err)
	}
	s, err := newSealed(file, "demo", time.Hour)
	if err != nil {
		f.Fatal(err)
	}
	derived := hmac.New(sha256.New, key)
	derived.Write([]byte("mcpgen session demo"))
	f.Add(byte(1), byte(2), int64(0), []byte("12345678"), []byte{}, "")
	f.Add(byte(1), byte(5), int64(-3500), []byte("12345678"), []byte{}, "=")
	f.Add(byte(1), byte(3), int64(-3700), []byte("12345678"), []byte{}, "")
	f.Add(byte(1), byte(3), int64(200), []byte("1234567"), []byte{}, "")
	f.Add(byte(2), byte(3), int64(400), []byte("12345678"), []byte{0, 1}, "\n")
	f.Fuzz(func(t *testing.T, form, revision byte, age int64, random, flips []byte, tail string) {
		const slack = 10 // seconds that the test may take
		if age > 1<<40 || age < -1<<40 || max(age, -age)%300 < slack || max(age, -age)%300 > 300-slack {
			return
		}
		body := binary.BigEndian.AppendUint64([]byte{form, revision}, uint64(time.Now().Unix()+age))
		body = append(body, random...)
		mac := hmac.New(sha256.New, derived.Sum(nil))
		mac.Write(body)
		id := mac.Sum(body)
		damaged := false
		for i, flip := range flips {
			at := i * 7 % len(id)
			id[at] ^= flip
			damaged = damaged || flip != 0
		}
		text := base64.RawURLEncoding.EncodeToString(id)
		want := form == 1 && len(random) == 8 && !damaged && age > -3600 && age < 300 && tail == ""
		got, ok := s.peek(text + tail)
		if damaged && ok && bytes.Equal(id[:len(body)], body) {
			return // flips that cancel each other
		}
		if ok != want || ok && (got != mcp.Session{Revision: mcp.Revision(revision), Ready: true}) {
			t.Fatalf("an id of form %d, revision %d, age %d, %x, %x, %q opens as %v, %v", form, revision, age, random, flips, tail, got, ok)
		}
		if ok != s.end(text+tail) {
			t.Fatalf("an id that opens %v ends otherwise", ok)
		}
		if _, still := s.peek(text + tail); still {
			t.Fatal("a session is over and opens")
		}
		delete(s.ended, text)
	})
}

// FuzzSessions holds a table of sessions against a list of them. Each byte is a step: what is
// done, and to which session; one that never was is among them.
func FuzzSessions(f *testing.F) {
	f.Add([]byte{0, 0, 1, 9, 17, 2, 0, 0, 0, 3, 11})
	f.Add([]byte("0123456789 minting and entering, leaving and ending"))
	f.Fuzz(func(t *testing.T, steps []byte) {
		const most = 3
		type entry struct {
			id       string
			requests int
			ready    bool
		}
		s := newTable(time.Hour, most)
		ids := []string{"", strings.Repeat("0", 32)}
		var live []*entry // the one seen last is the last
		for _, step := range steps {
			id := ids[int(step>>3)%len(ids)]
			at := slices.IndexFunc(live, func(e *entry) bool { return e.id == id })
			touch := func() { e := live[at]; live = append(slices.Delete(live, at, at+1), e) }
			switch step % 8 {
			case 0, 1:
				for len(live) >= most {
					idle := slices.IndexFunc(live, func(e *entry) bool { return e.requests == 0 })
					if idle < 0 {
						break
					}
					live = slices.Delete(live, idle, idle+1)
				}
				id = s.mint(state)
				ids = append(ids, id)
				live = append(live, &entry{id: id})
			case 2, 3:
				if _, ok := s.enter(id); ok != (at >= 0) {
					t.Fatalf("%v: enter says %v", steps, ok)
				}
				if at >= 0 {
					live[at].requests++
					touch()
				}
			case 4, 5:
				if at >= 0 && live[at].requests == 0 {
					continue // nobody leaves without having entered
				}
				s.leave(id, mcp.Session{Ready: step&64 != 0})
				if at >= 0 {
					live[at].requests--
					live[at].ready = live[at].ready || step&64 != 0
					touch()
				}
			case 6:
				if s.end(id) != (at >= 0) {
					t.Fatalf("%v: end says otherwise", steps)
				}
				if at >= 0 {
					live = slices.Delete(live, at, at+1)
				}
			case 7:
				s.sweep()
			}
			for _, id := range ids {
				at := slices.IndexFunc(live, func(e *entry) bool { return e.id == id })
				if got, ok := s.peek(id); ok != (at >= 0) || ok && got.Ready != live[at].ready {
					t.Fatalf("%v: %q is %v, %v", steps, id, got, ok)
				}
			}
		}
	})
}
