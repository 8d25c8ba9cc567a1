package mcp

import (
	"strings"
	"testing"
)

const (
	meta   = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}`
	modern = `"_meta":{"io.modelcontextprotocol/serverInfo":{"name":"fake","version":"1"}}`
)

func modernCall(id, name string) string {
	return `{"jsonrpc":"2.0","id":` + id + `,"method":"tools/call","params":{"name":"` + name + `",` + meta + `}}`
}

// TestModern has an exchange for each rule of 2026-07-28, none of them after a handshake.
func TestModern(t *testing.T) {
	t.Parallel()
	ask := func(method, meta string) string {
		return `{"jsonrpc":"2.0","id":7,"method":"` + method + `","params":{` + meta + `}}`
	}
	const version = `"io.modelcontextprotocol/protocolVersion":`
	const capabilities = `"io.modelcontextprotocol/clientCapabilities":`
	noMethod := func(name string) string {
		return `"id":7,"error":{"code":-32601,"message":"unknown method '` + name + `'"}}`
	}
	unsupported := func(asked string) string {
		return `"id":7,"error":{"code":-32022,"message":"Unsupported protocol version","data":{"supported":` +
			`["2026-07-28","2025-11-25","2025-06-18","2025-03-26","2024-11-05"],"requested":"` + asked + `"}}}`
	}
	for _, tt := range []struct{ name, send, want string }{
		{"discover", ask("server/discover", meta), `{"jsonrpc":"2.0","id":7,"result":{"resultType":"complete",` +
			`"supportedVersions":["2026-07-28","2025-11-25","2025-06-18","2025-03-26","2024-11-05"],` +
			`"capabilities":{"tools":{}},"ttlMs":3600000,"cacheScope":"public",` + modern + `}}`},
		{"list", ask("tools/list", meta), `{"jsonrpc":"2.0","id":7,"result":{"resultType":"complete",` +
			`"tools":[],"ttlMs":3600000,"cacheScope":"public",` + modern + `}}`},
		{"call", modernCall("7", "now"), `{"jsonrpc":"2.0","id":7,"result":{"resultType":"complete",` +
			`"content":[{"type":"text","text":"\"a<b>\""}],"isError":false,` + modern + `}}`},
		{"call of a constant", modernCall("7", "constant"), `{"jsonrpc":"2.0","id":7,"result":{"resultType":"complete",` +
			`"content":[],"isError":false,` + modern + `}}`},
		{"media", modernCall("7", "sound"), `{"jsonrpc":"2.0","id":7,"result":{"resultType":"complete",` +
			`"content":[{"type":"audio","data":"UklGRg==","mimeType":"audio/wav"}],"isError":false,` + modern + `}}`},
		{"failing tool", modernCall("7", "fails"), `{"jsonrpc":"2.0","id":7,"result":{"resultType":"complete",` +
			`"content":[{"type":"text","text":"tool \"failed\"` + "\uFFFD" + `"}],"isError":true,` + modern + `}}`},
		{"bad argument", modernCall("7", "bad"), `{"jsonrpc":"2.0","id":7,"result":{"resultType":"complete",` +
			`"content":[{"type":"text","text":"argument 'x' must be a string"}],"isError":true,` + modern + `}}`},
		{"panic", modernCall("7", "panic"), `{"jsonrpc":"2.0","id":7,"result":{"resultType":"complete",` +
			`"content":[{"type":"text","text":"internal error"}],"isError":true,` + modern + `}}`},
		{"unknown tool", modernCall("7", "nope"), `"id":7,"error":{"code":-32602,"message":"unknown tool 'nope'"}}`},
		{"no name", ask("tools/call", meta), `"id":7,"error":{"code":-32602,"message":"missing tool 'name'"}}`},

		{"removed initialize", ask("initialize", meta), noMethod("initialize")},
		{"removed ping", ask("ping", meta), noMethod("ping")},
		{"removed initialized", ask("notifications/initialized", meta), noMethod("notifications/initialized")},
		{"removed setLevel", ask("logging/setLevel", meta), noMethod("logging/setLevel")},
		{"undeclared prompts", ask("prompts/list", meta), noMethod("prompts/list")},
		{"undeclared subscriptions", ask("subscriptions/listen", meta), noMethod("subscriptions/listen")},

		{"no _meta", ask("server/discover", ``), `"id":7,"error":{"code":-32602,"message":"Missing _meta field io.modelcontextprotocol/protocolVersion"}}`},
		{"no version", ask("server/discover", `"_meta":{`+capabilities+`{}}`), `"id":7,"error":{"code":-32602,"message":"Missing _meta field io.modelcontextprotocol/protocolVersion"}}`},
		{"no capabilities", ask("tools/list", `"_meta":{`+version+`"2026-07-28"}`), `"id":7,"error":{"code":-32602,"message":"Missing _meta field io.modelcontextprotocol/clientCapabilities"}}`},
		{"odd capabilities", ask("tools/list", `"_meta":{`+version+`"2026-07-28",`+capabilities+`[]}`), `"id":7,"error":{"code":-32602,"message":"Invalid _meta field io.modelcontextprotocol/clientCapabilities"}}`},
		{"odd version", ask("tools/list", `"_meta":{`+version+`20260728}`), `"id":7,"error":{"code":-32602,"message":"Invalid _meta field io.modelcontextprotocol/protocolVersion"}}`},
		{"older unknown version", ask("tools/list", `"_meta":{`+version+`"1900-01-01",`+capabilities+`{}}`), unsupported("1900-01-01")},
		{"version that sorts above all", ask("tools/list", `"_meta":{`+version+`"v999.0.0"}`), unsupported("v999.0.0")},
		{"version twice", ask("tools/list", `"_meta":{`+version+`"2026-07-28",`+version+`"2025-11-25"}`), `"id":null,"error":{"code":-32600,"message":"duplicate member 'io.modelcontextprotocol/protocolVersion'"}}`},
		{"legacy version in _meta", ask("tools/list", `"_meta":{`+version+`"2025-11-25"}`), `"id":7,"error":{"code":-32600,"message":"received tools/list before initialization completed"}}`},
		{"version in a _meta that is no object", ask("tools/list", `"_meta":[]`), `"id":7,"error":{"code":-32600,"message":"received tools/list before initialization completed"}}`},
		{"notification", `{"jsonrpc":"2.0","method":"notifications/initialized","params":{` + meta + `}}`, ``},
		{"array", `[` + ask("tools/list", meta) + `]`, `"id":null,"error":{"code":-32600,"message":"message must be a JSON object"}}`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			c, _, out := newFake()
			c.Handle([]byte(tt.send))
			got := out.take(c)
			if tt.want == "" && got != "" || !strings.HasSuffix(got, tt.want) && !strings.HasSuffix(got, tt.want+"\n") {
				t.Errorf("%s\ngot  %s\nwant %s", tt.send, got, tt.want)
			}
			// Nothing of it is remembered: the handshake's gate is as closed as before.
			c.Handle([]byte(call("1", "now")))
			if got := out.take(c); got != tooEarly {
				t.Errorf("afterwards, without a handshake: %s", got)
			}
		})
	}
}

// TestErasInterleaved mixes both eras on one connection.
func TestErasInterleaved(t *testing.T) {
	t.Parallel()
	for _, revision := range []string{"2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"} {
		t.Run(revision, func(t *testing.T) {
			t.Parallel()
			c, _, out := newFake()
			steps := []struct{ send, want string }{
				{modernCall("1", "now"), modern},
				{call("2", "now"), "before initialization completed"},
				{`{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"` + revision + `"}}`, `"protocolVersion":"` + revision + `"`},
				{modernCall("3", "bad"), `"isError":true`},
				{`{"jsonrpc":"2.0","method":"notifications/initialized"}`, ``},
				{call("4", "now"), `"isError":false}}`},
				{modernCall("5", "now"), modern},
				{`{"jsonrpc":"2.0","id":6,"method":"ping"}`, `{"jsonrpc":"2.0","id":6,"result":{}}`},
				{`{"jsonrpc":"2.0","id":7,"method":"ping","params":{` + meta + `}}`, `-32601`},
				{call("8", "now"), `"isError":false}}`},
			}
			for _, step := range steps {
				c.Handle([]byte(step.send))
				if got := out.take(c); !strings.Contains(got, step.want) || step.want == "" && got != "" {
					t.Errorf("%s\ngot  %s\nwant %s", step.send, got, step.want)
				}
			}
			c.Handle([]byte("{")) // the id of errors is the handshake's matter again
			if got := out.take(c); strings.Contains(got, `"id":null`) == (revision == "2025-11-25") {
				t.Errorf("parse error: %s", got)
			}
		})
	}
}

func TestPages(t *testing.T) {
	t.Parallel()
	const a, b, c = `{"name":"a"}`, `{"name":"b"}`, `{"name":"c"}`
	s := &Server{Name: `d"d`, Info: "{}", Tools: "[" + a + "," + b + "," + c + "]", New: func() Tools { return &fake{} }}
	if got := NewEndpoint(s, Options{Prefix: true}).Listing(); got != `[{"name":"d\"d__a"},{"name":"d\"d__b"},{"name":"d\"d__c"}]` {
		t.Errorf("prefixed: %s", got)
	}
	for _, budget := range []int{1, len(a), len(a) + len(b), 10 * len(a)} {
		e := NewEndpoint(s, Options{PageBytes: budget})
		if e.Listing() != s.Tools {
			t.Errorf("budget %d: %s", budget, e.Listing())
		}
		out := new(lines)
		conn := e.NewConn(NewWriter(out))
		handshake(conn, "2025-06-18")
		out.take(conn)
		var tools []string
		for cursor := `"cursor":null`; cursor != ""; {
			conn.Handle([]byte(`{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{` + cursor + `}}`))
			got := out.take(conn)
			inner := strings.TrimPrefix(got, `{"jsonrpc":"2.0","id":1,"result":{"tools":[`)
			inner, rest, ok := strings.Cut(inner, "]")
			if !ok {
				t.Fatalf("budget %d: %s", budget, got)
			}
			if len(inner) > budget && strings.Count(inner, "name") > 1 {
				t.Errorf("budget %d: a page of %d bytes", budget, len(inner))
			}
			tools = append(tools, inner)
			cursor = ""
			if _, next, ok := strings.Cut(rest, `,"nextCursor":`); ok {
				cursor = `"cursor":` + strings.TrimSuffix(next, "}}\n")
			}
		}
		if got := "[" + strings.Join(tools, ",") + "]"; got != s.Tools {
			t.Errorf("budget %d: pages %s", budget, got)
		}
		for _, cursor := range []string{`""`, `"0"`, `"1-0"`, `7`, `{}`} {
			conn.Handle([]byte(`{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"cursor":` + cursor + `}}`))
			if got := out.take(conn); !strings.Contains(got, `{"code":-32602,"message":"unknown cursor"}`) {
				t.Errorf("cursor %s: %s", cursor, got)
			}
		}
	}
	conn, _, out := newFake() // without paging
	handshake(conn, "2025-06-18")
	out.take(conn)
	conn.Handle([]byte(`{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"cursor":"x"}}`))
	if got := out.take(conn); !strings.Contains(got, `{"tools":[]}`) {
		t.Errorf("a cursor without paging: %s", got)
	}
}

func TestPrefix(t *testing.T) {
	t.Parallel()
	s := &Server{Name: "fake", Info: "{}", Tools: "[]", New: func() Tools { return &fake{} }}
	out := new(lines)
	c := NewEndpoint(s, Options{Prefix: true}).NewConn(NewWriter(out))
	handshake(c, "2025-06-18")
	out.take(c)
	for _, tt := range []struct{ name, want string }{
		{"fake__now", `"isError":false`},
		{"now", `"isError":false`},
		{"fake__fake__own", `"isError":false`},
		{"fake__own", `"isError":false`}, // the bare name of a tool that is called so
		{"fake__nope", `unknown tool 'fake__nope'`},
		{"nope", `unknown tool 'nope'`},
		{"Fake__now", `unknown tool 'Fake__now'`},
		{"fake__", `unknown tool 'fake__'`},
		{"fake__fails", `"isError":true`},
	} {
		c.Handle([]byte(call("1", tt.name)))
		if got := out.take(c); !strings.Contains(got, tt.want) {
			t.Errorf("%s: %s", tt.name, got)
		}
	}
}

func TestFiles(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		options Options
		refused bool
	}{
		{Options{}, false},
		{Options{Distant: true}, true},
		{Options{Distant: true, Files: true}, false},
	} {
		s := &Server{Name: "fake", Info: "{}", Tools: "[]", New: func() Tools { return &fake{} }}
		out := new(lines)
		c := NewEndpoint(s, tt.options).NewConn(NewWriter(out))
		c.Handle([]byte(modernCall("1", "files")))
		got := out.take(c)
		if refused := strings.Contains(got, `"text":"`+textNoFiles+`"}],"isError":true`); refused != tt.refused {
			t.Errorf("%+v: %s", tt.options, got)
		}
	}
}

// TestCancel asserts that a call that was cancelled is never answered, and others are.
func TestCancel(t *testing.T) {
	t.Parallel()
	c, f, out := newFake()
	handshake(c, "2025-03-26")
	out.take(c)
	cancel := func(id string) {
		c.Handle([]byte(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":` + id + `}}`))
	}
	c.Handle([]byte(call("1", "later")))
	c.Handle([]byte(call(`"1"`, "later")))
	c.Handle([]byte(modernCall("2", "later")))
	first, second, third := <-f.detached, <-f.detached, <-f.detached
	cancel("1")
	cancel("2")
	cancel("3")
	cancel("null")
	c.Handle([]byte(`{"jsonrpc":"2.0","method":"notifications/cancelled"}`))
	first.Value([]byte("1"))
	third.Fail("2")
	if got := out.take(c); got != "" {
		t.Errorf("a cancelled call is answered: %s", got)
	}
	second.Value([]byte("1"))
	if got := out.take(c); !strings.HasPrefix(got, `{"jsonrpc":"2.0","id":"1",`) {
		t.Errorf("a call whose id is another type's: %s", got)
	}
	cancel(`"1"`) // it is over
	if c.Busy() {
		t.Error("still busy")
	}

	c.Handle([]byte(`[` + call("5", "later") + `,` + call("6", "later") + `]`))
	fifth, sixth := <-f.detached, <-f.detached
	cancel("5")
	fifth.Value([]byte("5"))
	sixth.Value([]byte("6"))
	if got := out.take(c); !strings.HasPrefix(got, `[{"jsonrpc":"2.0","id":6,`) || strings.Contains(got, `"id":5`) {
		t.Errorf("a batch of which a call was cancelled: %s", got)
	}
}

func TestProgress(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ revision, token, want string }{
		{"2024-11-05", `"t"`, `{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"t","progress":1.5,"total":2}}`},
		{"2025-03-26", `0`, `{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":0,"progress":1.5,"total":2,"message":"half\n"}}`},
		{"2025-11-25", `"0"`, `{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"0","progress":1.5,"total":2,"message":"half\n"}}`},
		{"2025-11-25", `{}`, ``},
		{"2025-11-25", `null`, ``},
	} {
		c, f, out := newFake()
		handshake(c, tt.revision)
		out.take(c)
		c.Handle([]byte(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"later","_meta":{"progressToken":` + tt.token + `}}}`))
		r := <-f.detached
		r.Progress(1.5, 2, "half\n")
		if got := strings.TrimSuffix(out.take(c), "\n"); got != tt.want {
			t.Errorf("%s, token %s: %s", tt.revision, tt.token, got)
		}
		r.Value([]byte("1"))
		if got := out.take(c); !strings.Contains(got, `"id":1,"result"`) {
			t.Errorf("the answer: %s", got)
		}
	}
}

// TestAllocs asserts that a warm call allocates nothing, in either era.
func TestAllocs(t *testing.T) {
	s := &Server{Name: "fake", Info: "{}", Tools: "[]", New: func() Tools { return &fake{} }}
	c := NewConn(s, NewWriter(new(nowhere)))
	handshake(c, "2025-06-18")
	for _, message := range []string{
		call("1", "now"), modernCall("1", "now"), modernCall("1", "constant"),
		`{"jsonrpc":"2.0","id":1,"method":"tools/list"}`,
		`{"jsonrpc":"2.0","id":1,"method":"server/discover","params":{` + meta + `}}`,
	} {
		line := []byte(message)
		if n := testing.AllocsPerRun(100, func() {
			c.Handle(line)
			_, _ = c.Flush()
		}); n != 0 {
			t.Errorf("%s: %v allocations", message, n)
		}
	}
}

type nowhere struct{}

func (nowhere) Write(b []byte) (int, error) { return len(b), nil }

// BenchmarkCall is a pure call of each era, from its line to its reply.
func BenchmarkCall(b *testing.B) {
	for _, bb := range []struct{ name, line string }{
		{"era=legacy", call("1", "now")}, {"era=modern", modernCall("1", "now")},
	} {
		b.Run(bb.name, func(b *testing.B) {
			s := &Server{Name: "fake", Info: "{}", Tools: "[]", New: func() Tools { return &fake{} }}
			c := NewConn(s, NewWriter(new(nowhere)))
			handshake(c, "2025-06-18")
			line := []byte(bb.line)
			b.ReportAllocs()
			for b.Loop() {
				c.Handle(line)
				_, _ = c.Flush()
			}
		})
	}
}
