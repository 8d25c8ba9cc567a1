package mcp

import (
	"errors"
	"strings"
	"testing"
)

// withResources returns a connection to a server that has one resource of each kind.
func withResources(o Options) (*Conn, *fake, *lines) {
	f := &fake{detached: make(chan *Reply, 100)}
	out := new(lines)
	s := &Server{
		Name: "fake", Info: `{"name":"fake","version":"1"}`, Tools: "[]", New: func() Tools { return f },
		Instructions: "Mind the \"gap\".",
		Resources: []Resource{
			{URI: "x://schema", Name: "cli-schema", MIME: "application/json", Text: "{\n}\n"},
			{URI: "x://later", Name: "later", Description: "It \"takes\" time.", MIME: "text/plain", Load: func(c *Call) error {
				r := new(Reply)
				c.Detach(r)
				f.detached <- r
				return nil
			}},
			{URI: "x://gone", Name: "gone", MIME: "text/plain", Load: func(*Call) error { return errors.New("no such file or directory") }},
			{URI: "x://panic", Name: "panic", MIME: "text/plain", Load: func(*Call) error { panic("deliberate") }},
		},
	}
	return NewEndpoint(s, o).NewConn(NewWriter(out)), f, out
}

const resourceEntries = `[{"uri":"x://schema","name":"cli-schema","mimeType":"application/json"},` +
	`{"uri":"x://later","name":"later","description":"It \"takes\" time.","mimeType":"text/plain"},` +
	`{"uri":"x://gone","name":"gone","mimeType":"text/plain"},{"uri":"x://panic","name":"panic","mimeType":"text/plain"}]`

// TestResources has an exchange for each rule of cli-schema.md 9, in every revision.
func TestResources(t *testing.T) {
	t.Parallel()
	for _, revision := range []string{"2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28"} {
		isModern := revision == "2026-07-28"
		ask := func(method, params string) string {
			if isModern {
				params = strings.TrimSuffix(params+","+meta, ",")
				params = strings.TrimPrefix(params, ",")
			}
			return `{"jsonrpc":"2.0","id":7,"method":"` + method + `","params":{` + params + `}}`
		}
		result := func(members, caching string) string {
			if isModern {
				return `{"jsonrpc":"2.0","id":7,"result":{"resultType":"complete",` + members + caching + `,` + modern + `}}`
			}
			return `{"jsonrpc":"2.0","id":7,"result":{` + members + `}}`
		}
		fault := func(code, text string) string {
			return `{"jsonrpc":"2.0","id":7,"error":{"code":` + code + `,"message":"` + text + `"}}`
		}
		unknown := func(uri string) string {
			code := "-32002"
			if isModern {
				code = "-32602"
			}
			return `{"jsonrpc":"2.0","id":7,"error":{"code":` + code + `,"message":"Unknown resource: ` + uri + `","data":{"uri":"` + uri + `"}}}`
		}
		const kept, fresh = `,"ttlMs":3600000,"cacheScope":"public"`, `,"ttlMs":0,"cacheScope":"public"`
		later := func(members string) string {
			return `"contents":[{"uri":"x://later","mimeType":"text/plain",` + members + `}]`
		}
		for _, tt := range []struct {
			name, send, want string
			answer           func(r *Reply) // of what is detached; nil: nothing is
		}{
			{"list", ask("resources/list", ``), result(`"resources":`+resourceEntries, kept), nil},
			{"list, cursor ignored", ask("resources/list", `"cursor":"x"`), result(`"resources":`+resourceEntries, kept), nil},
			{"templates", ask("resources/templates/list", ``), result(`"resourceTemplates":[]`, kept), nil},
			{"read", ask("resources/read", `"uri":"x://schema"`),
				result(`"contents":[{"uri":"x://schema","mimeType":"application/json","text":"{\n}\n"}]`, kept), nil},
			{"read, escaped URI", ask("resources/read", `"uri":"x:\/\/schema"`),
				result(`"contents":[{"uri":"x://schema","mimeType":"application/json","text":"{\n}\n"}]`, kept), nil},
			{"no uri", ask("resources/read", ``), fault("-32602", "Invalid params: uri required"), nil},
			{"odd uri", ask("resources/read", `"uri":5`), fault("-32602", "Invalid params: uri required"), nil},
			{"unknown", ask("resources/read", `"uri":"x://\"é"`), unknown(`x://\"é`), nil},
			{"text later", ask("resources/read", `"uri":"x://later"`), result(later(`"text":"a\"é\n"`), fresh),
				func(r *Reply) { r.Contents([]byte("a\"é\n")) }},
			{"bytes later", ask("resources/read", `"uri":"x://later"`), result(later(`"blob":"/wA="`), fresh),
				func(r *Reply) { r.Contents([]byte("\xff\x00")) }},
			{"nothing later", ask("resources/read", `"uri":"x://later"`), result(later(`"text":""`), fresh),
				func(r *Reply) { r.Contents(nil) }},
			{"fault later", ask("resources/read", `"uri":"x://later"`), fault("-32603", "Resource load failed: exit code 3"),
				func(r *Reply) { r.Unreadable("exit code 3") }},
			{"fault at once", ask("resources/read", `"uri":"x://gone"`), fault("-32603", "Resource load failed: no such file or directory"), nil},
			{"panic", ask("resources/read", `"uri":"x://panic"`), fault("-32603", "internal error"), nil},
			{"subscribe", ask("resources/subscribe", `"uri":"x://schema"`), fault("-32601", "unknown method 'resources/subscribe'"), nil},
		} {
			t.Run(revision+" "+tt.name, func(t *testing.T) {
				t.Parallel()
				c, f, out := withResources(Options{})
				if !isModern {
					handshake(c, revision)
				}
				out.take(c)
				c.Handle([]byte(tt.send))
				if tt.answer != nil {
					if got := out.take(c); got != "" {
						t.Errorf("answered before the body is there: %s", got)
					}
					tt.answer(<-f.detached)
				}
				if got := out.take(c); got != tt.want+"\n" {
					t.Errorf("%s\ngot  %s\nwant %s", tt.send, got, tt.want)
				}
				c.Handle([]byte(strings.Replace(modernCall("1", "panic"), "panic", "now", 1))) // a tool is a tool again
				if got := out.take(c); !strings.Contains(got, `"isError":false`) {
					t.Errorf("a call afterwards: %s", got)
				}
			})
		}
	}
}

// TestResourcesDeclared holds what the first results say of resources and instructions.
func TestResourcesDeclared(t *testing.T) {
	t.Parallel()
	for _, revision := range []string{"2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"} {
		c, _, out := withResources(Options{Logging: true})
		c.Handle([]byte(`{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"` + revision + `"}}`))
		want := `{"jsonrpc":"2.0","id":0,"result":{"protocolVersion":"` + revision + `","capabilities":{"logging":{},` +
			`"tools":{"listChanged":false},"resources":{}},"serverInfo":{"name":"fake","version":"1"},"instructions":"Mind the \"gap\"."}}` + "\n"
		if got := out.take(c); got != want {
			t.Errorf("%s: got  %s\nwant %s", revision, got, want)
		}
	}
	c, _, out := withResources(Options{Private: true})
	c.Handle([]byte(`{"jsonrpc":"2.0","id":0,"method":"server/discover","params":{` + meta + `}}`))
	want := `{"jsonrpc":"2.0","id":0,"result":{"resultType":"complete","supportedVersions":` + supported +
		`,"capabilities":{"tools":{},"resources":{}},"ttlMs":3600000,"cacheScope":"private","instructions":"Mind the \"gap\".",` + modern + `}}` + "\n"
	if got := out.take(c); got != want {
		t.Errorf("discover: got  %s\nwant %s", got, want)
	}
}

// TestResourcesGate holds that the handshake's gate is in front of resources too.
func TestResourcesGate(t *testing.T) {
	t.Parallel()
	for _, method := range []string{"resources/list", "resources/read", "resources/templates/list"} {
		c, _, out := withResources(Options{})
		c.Handle([]byte(`{"jsonrpc":"2.0","id":1,"method":"` + method + `","params":{"uri":"x://schema"}}`))
		want := `{"jsonrpc":"2.0","id":1,"error":{"code":-32600,"message":"received ` + method + ` before initialization completed"}}` + "\n"
		if got := out.take(c); got != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
	}
}

// TestNoResources holds that a server without resources does not know their methods.
func TestNoResources(t *testing.T) {
	t.Parallel()
	for _, method := range []string{"resources/list", "resources/read", "resources/templates/list"} {
		for _, params := range []string{``, meta} {
			c, _, out := newFake()
			c.Handle([]byte(`{"jsonrpc":"2.0","id":1,"method":"` + method + `","params":{` + params + `}}`))
			want := `{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"unknown method '` + method + `'"}}` + "\n"
			if got := out.take(c); got != want {
				t.Errorf("got  %s\nwant %s", got, want)
			}
		}
	}
}

// TestResourcesPaging holds that the list is one page: with paging on, no cursor is good.
func TestResourcesPaging(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ method, params, want string }{
		{"resources/list", meta, `"resources":` + resourceEntries + `,"ttlMs"`},
		{"resources/list", `"cursor":null,` + meta, `"resources":` + resourceEntries + `,"ttlMs"`},
		{"resources/list", `"cursor":"1-x",` + meta, `"code":-32602,"message":"unknown cursor"`},
		{"resources/templates/list", `"cursor":"1-x",` + meta, `"code":-32602,"message":"unknown cursor"`},
	} {
		c, _, out := withResources(Options{PageBytes: 1})
		c.Handle([]byte(`{"jsonrpc":"2.0","id":1,"method":"` + tt.method + `","params":{` + tt.params + `}}`))
		if got := out.take(c); !strings.Contains(got, tt.want) {
			t.Errorf("%s {%s}: got %s, want %s", tt.method, tt.params, got, tt.want)
		}
	}
}

// TestResourcesCancel holds that a read which was given up is not answered, and that one in a
// batch is answered there.
func TestResourcesCancel(t *testing.T) {
	t.Parallel()
	c, f, out := withResources(Options{})
	handshake(c, "2025-03-26")
	out.take(c)
	const read = `{"jsonrpc":"2.0","id":7,"method":"resources/read","params":{"uri":"x://later"}}`
	c.Handle([]byte(read))
	r := <-f.detached
	c.Handle([]byte(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":7}}`))
	if !r.Canceled() {
		t.Error("the read does not know that it was cancelled")
	}
	r.Contents([]byte("x"))
	if got := out.take(c); got != "" {
		t.Errorf("answered though cancelled: %s", got)
	}
	c.Handle([]byte(`[` + read + `,{"jsonrpc":"2.0","id":8,"method":"ping"}]`))
	(<-f.detached).Contents([]byte("x"))
	want := `[{"jsonrpc":"2.0","id":8,"result":{}},{"jsonrpc":"2.0","id":7,"result":{"contents":[{"uri":"x://later","mimeType":"text/plain","text":"x"}]}}]` + "\n"
	if got := out.take(c); got != want {
		t.Errorf("batch: got  %s\nwant %s", got, want)
	}
}

// TestOlder holds which tools each revision lists, with prefixes and on pages too.
func TestOlder(t *testing.T) {
	t.Parallel()
	const (
		first  = `[{"name":"a"},{"name":"b"}]`
		second = `[{"name":"a","annotations":{}},{"name":"b"}]`
		newest = `[{"name":"a","annotations":{},"outputSchema":{}},{"name":"b"}]`
	)
	older := []Listing{{Revision20241105, first}, {Revision20251125, second}}
	for _, tt := range []struct {
		revision string
		older    []Listing
		want     string
	}{
		{"2024-11-05", nil, newest},
		{"2026-07-28", nil, newest},
		{"2024-11-05", older, first},
		{"2025-03-26", older, second},
		{"2025-06-18", older, second},
		{"2025-11-25", older, second},
		{"2026-07-28", older, newest},
		{"2024-11-05", older[1:], second},
	} {
		for _, o := range []Options{{}, {PageBytes: 1}, {Prefix: true}} {
			s := &Server{Name: "p", Info: "{}", Tools: newest, Older: tt.older, New: func() Tools { return &fake{} }}
			out := new(lines)
			c := NewEndpoint(s, o).NewConn(NewWriter(out))
			params := ""
			if tt.revision == "2026-07-28" {
				params = meta
			} else {
				handshake(c, tt.revision)
				out.take(c)
			}
			want := tt.want
			if o.Prefix {
				want = strings.ReplaceAll(want, `{"name":"`, `{"name":"p__`)
			}
			if o.PageBytes > 0 {
				want = strings.TrimSuffix(want, `,{"name":"b"}]`) + `],"nextCursor":`
			}
			c.Handle([]byte(`{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{` + params + `}}`))
			if got := out.take(c); !strings.Contains(got, `"tools":`+want) {
				t.Errorf("%s with %+v: got %s, want %s", tt.revision, o, got, want)
			}
		}
	}
}
