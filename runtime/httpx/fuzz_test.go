package httpx

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"
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
	f.Cleanup(func() { service.Shutdown(time.Second) })
	addr := service.door.Addr().String()
	session := "Mcp-Session-Id: " + service.handler.sessions.mint(state)
	service.handler.sessions.(*table).byID[session[len("Mcp-Session-Id: "):]].state.Ready = true

	for _, seed := range []request{
		post(initialize("2025-06-18")), post(ping, session), post("["+ping+"]", session), post(`{`),
		post(tool("1", "demo__pair", `{"_1":1}`), session, "Accept: text/event-stream"),
		post(strings.Replace(tool("1", "report", `{}`), `"arguments"`, `"_meta":{"progressToken":1},"arguments"`, 1), session),
		post(`{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{`+modernMeta+`}}`, modernH, "Mcp-Method: tools/list"),
		post(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"x",`+modernMeta+`}}`, modernH, "Mcp-Method: tools/call", "Mcp-Name: =?base64?eA==?="),
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
			if res.StatusCode == 500 {
				t.Fatalf("status 500: %s", body)
			}
			if method == http.MethodPost && res.Header.Get("Content-Type") == "application/json" && len(body) > 0 && !json.Valid(body) {
				t.Fatalf("no JSON: %q", body)
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

// FuzzHeaders holds what is made of headers against simple rules.
func FuzzHeaders(f *testing.F) {
	for _, seed := range []string{"localhost", "[::1]:80", "127.0.0.1:bad", "http://localhost:1", "text/*;q=0.0, application/json", "a:b:c", "", "[", "://", "application/json; Q=0"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if host := hostOf(text); host != strings.ToLower(host) {
			t.Errorf("hostOf(%q) = %q", text, host)
		}
		if o, ok := parseOrigin(text); ok {
			again, ok := parseOrigin(o.String())
			if !ok || again != o {
				t.Errorf("parseOrigin(%q) = %v, and of its text %v", text, o, again)
			}
		}
		r := &http.Request{Header: http.Header{"Accept": {text}, "Content-Type": {text}}}
		if isJSON(r) && !strings.Contains(strings.ToLower(text), "application/json") {
			t.Errorf("isJSON(%q)", text)
		}
		if admitted(r)&inStream != 0 && !strings.Contains(strings.ToLower(text), "text/event-stream") {
			t.Errorf("admitted(%q)", text)
		}
	})
}
