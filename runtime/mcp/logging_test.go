package mcp

import (
	"strings"
	"testing"
)

// newLogging returns a Conn of a server with the logging capability.
func newLogging() (*Conn, *fake, *lines) {
	c, f, out := newFake()
	e := NewEndpoint(c.endpoint.server, Options{Logging: true})
	return e.NewConn(NewWriter(out)), f, out
}

func TestLogging(t *testing.T) {
	t.Parallel()
	const message = `{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","logger":"p\"y","data":"a\"b\n"}}` + "\n"
	const logLevel = `"io.modelcontextprotocol/logLevel":`
	legacyCall, modernCall := call("1", "later"), modernCall("1", "later")
	leveled := func(level string) string {
		return strings.Replace(modernCall, `"_meta":{`, `"_meta":{`+logLevel+level+`,`, 1)
	}
	for _, tt := range []struct{ name, level, call, want string }{
		{"no level set", ``, legacyCall, message},
		{"that level", `"info"`, legacyCall, message},
		{"less", `"debug"`, legacyCall, message},
		{"more", `"notice"`, legacyCall, ``},
		{"modern, no level", ``, modernCall, ``},
		{"modern, that level", ``, leveled(`"info"`), message},
		{"modern, more", ``, leveled(`"error"`), ``},
		{"modern, no such level", ``, leveled(`"loud"`), ``},
	} {
		c, f, out := newLogging()
		handshake(c, "2025-11-25")
		if tt.level != "" {
			c.Handle([]byte(`{"jsonrpc":"2.0","id":9,"method":"logging/setLevel","params":{"level":` + tt.level + `}}`))
		}
		out.take(c)
		c.Handle([]byte(tt.call))
		r := <-f.detached
		r.Log(LevelInfo, "p\"y", "a\"b\n")
		if got := out.take(c); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
		if wants := r.WantsLog(LevelInfo); wants != (tt.want != "") {
			t.Errorf("%s: wants it: %v", tt.name, wants)
		}
		r.Log(LevelInfo, "", "a\"b\n")
		if got, want := out.take(c), strings.Replace(tt.want, `"logger":"p\"y",`, "", 1); got != want {
			t.Errorf("%s, without a logger: %q, want %q", tt.name, got, want)
		}
		r.Value([]byte("1"))
	}
}

func TestSetLevel(t *testing.T) {
	t.Parallel()
	set := func(params string) string {
		return `{"jsonrpc":"2.0","id":1,"method":"logging/setLevel","params":` + params + `}`
	}
	c, _, out := newLogging()
	c.Handle([]byte(`{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25"}}`))
	if got, want := out.take(c), `"capabilities":{"logging":{},"tools":{"listChanged":false}}`; !strings.Contains(got, want) {
		t.Errorf("initialize: %s, want %s", got, want)
	}
	for _, tt := range []struct{ params, want string }{
		{`{"level":"emergency"}`, `"id":1,"result":{}}`},
		{`{"level":"loud"}`, `"id":1,"error":{"code":-32602,"message":"unknown level"}}`},
		{`{"level":1}`, `"id":1,"error":{"code":-32602,"message":"unknown level"}}`},
		{`{}`, `"id":1,"error":{"code":-32602,"message":"unknown level"}}`},
	} {
		c.Handle([]byte(set(tt.params)))
		if got := out.take(c); !strings.Contains(got, tt.want) {
			t.Errorf("%s: %s, want %s", tt.params, got, tt.want)
		}
	}
	c, _, out = newFake()
	c.Handle([]byte(set(`{"level":"info"}`)))
	if got, want := out.take(c), `"id":1,"error":{"code":-32601,"message":"unknown method 'logging/setLevel'"}}`; !strings.Contains(got, want) {
		t.Errorf("without the capability: %s, want %s", got, want)
	}
}
