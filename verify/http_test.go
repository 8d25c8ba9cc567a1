//go:build unix

package verify

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mcpgen/mcpgen/verify/report"
)

// An endpoint is a server of the fleet on HTTP.
type endpoint struct {
	t        *testing.T
	session  string            // to give and to demand; "" is none
	events   bool              // answers are streams, with an empty event first
	token    string            // to demand
	answers  map[string]string // result or, with a leading !, error by method
	status   map[string]int    // by method
	versions []string          // of MCP-Protocol-Version that came
	deleted  bool
}

func (e *endpoint) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if e.token != "" && r.Header.Get("Authorization") != "Bearer "+e.token {
		http.Error(w, "who are you? not "+r.Header.Get("Authorization"), http.StatusUnauthorized)
		return
	}
	switch r.Method {
	case http.MethodDelete:
		e.deleted = r.Header.Get("Mcp-Session-Id") == e.session
		return
	case http.MethodGet:
		w.WriteHeader(http.StatusMethodNotAllowed)
		return
	case http.MethodOptions:
		w.WriteHeader(http.StatusNoContent)
		return
	}
	e.post(w, r)
}

func (e *endpoint) post(w http.ResponseWriter, r *http.Request) {
	var c call
	body, _ := io.ReadAll(r.Body)
	if json.Unmarshal(body, &c) != nil || !strings.Contains(r.Header.Get("Accept"), "text/event-stream") || r.Header.Get("Content-Type") != "application/json" {
		e.t.Errorf("bad request: %s", body)
	}
	e.versions = append(e.versions, r.Header.Get("MCP-Protocol-Version"))
	if c.Method == "initialize" {
		if e.session != "" {
			w.Header().Set("Mcp-Session-Id", e.session)
		}
	} else if e.session != "" && r.Header.Get("Mcp-Session-Id") != e.session && !strings.Contains(string(body), "2026-07-28") {
		http.Error(w, "no session", http.StatusBadRequest)
		return
	}
	if strings.HasPrefix(c.Method, "notifications/") {
		w.WriteHeader(http.StatusAccepted)
		return
	}
	e.reply(w, c)
}

func (e *endpoint) reply(w http.ResponseWriter, c call) {
	status := e.status[c.Method]
	if status == 0 {
		status = 200
	}
	text, ok := e.answers[c.Method]
	if !ok {
		text = `!{"code":-32601,"message":"no"}`
	}
	if fault, isFault := strings.CutPrefix(text, "!"); isFault {
		text = fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"error":%s}`, c.ID, fault)
	} else if text != "" {
		text = fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":%s}`, c.ID, text)
	}
	if e.events && status == 200 {
		w.Header().Set("Content-Type", "text/event-stream")
		fmt.Fprintf(w, "id: 1\r\ndata: \r\n\r\n: comment\ndata: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/message\",\"params\":{}}\n\nevent: message\rid: 2\rdata: %s\r\r", text)
		fmt.Fprint(w, "data: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/message\"}\n\n")
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	fmt.Fprint(w, text)
}

func goodAnswers() map[string]string {
	return map[string]string{"initialize": initialized, "tools/list": tools("a", "b"), "tools/call": `{"content":[]}`}
}

// check runs a case of a server at an address.
func atURL(t *testing.T, url string, set func(w *world), want fleetCase) report.Result {
	t.Helper()
	w := newWorld(t)
	w.o.URL, w.o.Remote, w.o.Declared = url, true, []string{"a", "b"}
	if set != nil {
		set(w)
	}
	var got report.Result
	check := want.check
	want.check = func(t *testing.T, r report.Result, w *world) {
		got = r
		if check != nil {
			check(t, r, w)
		}
	}
	want.judge(t, w)
	return got
}

// TestEventBodies is case 38.
func TestEventBodies(t *testing.T) {
	t.Parallel()
	e := &endpoint{t: t, session: "s-1", events: true, answers: goodAnswers()}
	s := httptest.NewServer(e)
	defer s.Close()
	w := newWorld(t)
	w.app("case-38", `{"mcp":{"transport":"http","url":"`+s.URL+`",`+declareAB+`,"verify":{`+probeA+`}}}`, "")
	fleetCase{score: pass, class: "ok", notes: "probe a→ok"}.judge(t, w)
	if !e.deleted {
		t.Error("the session was not deleted")
	}
	if want := []string{"", "2025-11-25", "2025-11-25", "2025-11-25"}; !slices.Equal(e.versions, want) {
		t.Errorf("MCP-Protocol-Version %q, want %q", e.versions, want)
	}
}

func TestURLs(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name string
		e    endpoint
		set  func(w *world)
		want fleetCase
	}{
		{"json bodies", endpoint{answers: goodAnswers()}, nil, fleetCase{score: pass, class: "ok"}},
		{"case 39", endpoint{token: "right", answers: goodAnswers()}, nil, fleetCase{score: skip, class: "needs-secret", notes: "HTTP 401"}},
		{"header", endpoint{token: "right", answers: goodAnswers()}, func(w *world) { w.o.Header = http.Header{"Authorization": {"Bearer right"}} }, fleetCase{score: pass, class: "ok"}},
		{"echoed header", endpoint{token: "right", answers: goodAnswers()}, func(w *world) { w.o.Header = http.Header{"Authorization": {"Bearer wrong-token"}} },
			fleetCase{score: skip, class: "needs-secret", notes: "who are you? not ***"}},
		{"server error", endpoint{status: map[string]int{"initialize": 500}, answers: map[string]string{"initialize": ""}}, nil, fleetCase{score: failS, kind: "handshake", class: "mcp-fail", notes: "HTTP 500"}},
		{"list error", endpoint{status: map[string]int{"tools/list": 500}, answers: map[string]string{"initialize": initialized, "tools/list": ""}}, nil,
			fleetCase{score: failS, kind: "handshake", class: "mcp-fail", notes: "tools/list error: HTTP 500"}},
		{"modern", endpoint{status: map[string]int{"initialize": 404}, answers: map[string]string{
			"server/discover": `{"resultType":"complete","ttlMs":0,"cacheScope":"public","supportedVersions":["2026-07-28"],"capabilities":{"tools":{}}}`,
			"tools/list":      strings.Replace(tools("a", "b"), "{", `{"resultType":"complete","ttlMs":0,"cacheScope":"public",`, 1),
		}}, nil, fleetCase{score: pass, class: "ok", check: eras("2026-07-28")}},
		{"modern findings", endpoint{answers: map[string]string{
			"server/discover": `{"supportedVersions":["2026-07-28"],"capabilities":{}}`, "tools/list": tools("a", "b"),
		}}, func(w *world) { w.o.Protocol = "2026-07-28" }, fleetCase{score: pass, class: "ok", check: finding("cache")}},
		{"no answer in it", endpoint{answers: map[string]string{"initialize": ""}}, nil, fleetCase{score: failS, kind: "handshake", class: "mcp-fail", notes: "no response"}},
		{"no tools capability", endpoint{answers: map[string]string{"initialize": strings.Replace(initialized, `"tools":{}`, "", 1)}}, nil, fleetCase{score: warnS, class: "mcp-empty"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			tt.e.t = t
			s := httptest.NewServer(&tt.e)
			defer s.Close()
			atURL(t, s.URL, tt.set, tt.want)
		})
	}
}

// TestEveryRevision asks a server for each revision and lists those that it speaks.
func TestEveryRevision(t *testing.T) {
	t.Parallel()
	e := &endpoint{t: t, session: "s", answers: goodAnswers()} // whatever is asked, 2025-11-25 comes
	s := httptest.NewServer(e)
	defer s.Close()
	atURL(t, s.URL, func(w *world) { w.o.Protocol = AllRevisions }, fleetCase{score: pass, class: "ok", check: eras("2025-11-25")})
}

// TestLegacyEvents is case 40: POST is 404, GET gives an endpoint.
func TestLegacyEvents(t *testing.T) {
	t.Parallel()
	stream := make(chan string, 10)
	mux := http.NewServeMux()
	mux.HandleFunc("GET /sse", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		fmt.Fprint(w, "event: endpoint\ndata: /message?sessionId=1\n\n")
		w.(http.Flusher).Flush()
		for {
			select {
			case text := <-stream:
				fmt.Fprintf(w, "event: message\ndata: %s\n\n", text)
				w.(http.Flusher).Flush()
			case <-r.Context().Done():
				return
			}
		}
	})
	mux.HandleFunc("POST /sse", http.NotFound)
	mux.HandleFunc("POST /message", func(w http.ResponseWriter, r *http.Request) {
		var c call
		_ = json.NewDecoder(r.Body).Decode(&c)
		if text := goodAnswers()[c.Method]; text != "" {
			stream <- fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":%s}`, c.ID, text)
		}
		w.WriteHeader(http.StatusAccepted)
		fmt.Fprint(w, "Accepted")
	})
	s := httptest.NewServer(mux)
	defer s.Close()
	r := atURL(t, s.URL+"/sse", nil, fleetCase{score: pass, class: "ok"})
	if r.Transport != "sse" {
		t.Errorf("transport %q, want sse", r.Transport)
	}
}

// TestNotContacted holds the rules for addresses: cases 37, 53 and 54 among them.
func TestNotContacted(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, config string
		want         fleetCase
	}{
		{"case 37", `{"mcp":{"transport":"http"}}`, fleetCase{score: skip, class: "remote", notes: "without url"}},
		{"elsewhere", `{"mcp":{"transport":"http","url":"https://mcp.invalid/x"}}`, fleetCase{score: skip, class: "remote", notes: "--remote"}},
		{"case 53", ``, fleetCase{score: errorS, kind: "config", class: "infra", notes: "no config.json"}},
		{"unparsable", `{"mcp":`, fleetCase{score: errorS, kind: "config", class: "infra", notes: "config.json"}},
		{"case 54", `{"name":"A web app"}`, fleetCase{score: skip, class: "not-mcp"}},
		{"transport", `{"mcp":{"transport":"smoke"}}`, fleetCase{score: errorS, kind: "config", class: "infra", notes: `unknown transport "smoke"`}},
		{"refused", `{"mcp":{"transport":"http","url":"http://127.0.0.1:1/mcp"}}`, fleetCase{score: failS, kind: "handshake", class: "mcp-fail", notes: "connection refused"}},
		{"case 33", `{"mcp":{"command":"mcpgen-no-such-executable"}}`, fleetCase{score: errorS, kind: "run", class: "infra", notes: "executable not found: mcpgen-no-such-executable"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			w.app("x", tt.config, "")
			tt.want.judge(t, w)
		})
	}
}

// TestHangingURL is an address that accepts and never answers.
func TestHangingURL(t *testing.T) {
	t.Parallel()
	done := make(chan struct{})
	s := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { <-done }))
	defer s.Close()
	defer close(done)
	atURL(t, s.URL, func(w *world) { w.o.Timeout, w.o.Retries = 300*time.Millisecond, 0 }, fleetCase{score: timeoutS, kind: "timeout", class: "timeout"})
}
