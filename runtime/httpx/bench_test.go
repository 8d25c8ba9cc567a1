package httpx

import (
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
)

// BenchmarkEcho is a call of the tool echo on a kept-alive connection, against a handler
// that reads the body and writes the same bytes without looking at either.
func BenchmarkEcho(b *testing.B) {
	service, err := open(newDemo().program(), "--http-port", "0")
	if err != nil {
		b.Fatal(err)
	}
	go func() { _ = service.Serve() }()
	id := service.handler.sessions.mint(state)
	service.handler.sessions.(*table).byID[id].state.Ready = true
	call := tool("1", "echo", `{"_1":"hello"}`)
	b.Run("server=ours", func(b *testing.B) {
		repeatedly(b, service.door.Addr().String(), post(call, "Mcp-Session-Id: "+id))
	})

	const reply = `{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"\"hello\""}],"isError":false}}` + "\n"
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		b.Fatal(err)
	}
	bare := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil || !strings.Contains(string(body), "tools/call") {
			w.WriteHeader(http.StatusBadRequest)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("Cache-Control", "no-store")
		_, _ = io.WriteString(w, reply)
	})}
	go func() { _ = bare.Serve(l) }()
	b.Run("server=bare", func(b *testing.B) {
		repeatedly(b, l.Addr().String(), post(call, "Mcp-Session-Id: "+id))
	})
	service.Shutdown(0, func() {})
	_ = bare.Close()
}

// repeatedly makes a request again and again.
func repeatedly(b *testing.B, addr string, r request) {
	c, err := net.Dial("tcp", addr)
	if err != nil {
		b.Fatal(err)
	}
	defer c.Close()
	text := []byte(r.text(addr))
	buf := make([]byte, 64<<10)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := c.Write(text); err != nil {
			b.Fatal(err)
		}
		n, err := c.Read(buf) // a small reply is one segment
		if err != nil || !strings.HasSuffix(string(buf[max(0, n-4):n]), "}}\n") {
			b.Fatalf("%v: %s", err, buf[:n])
		}
	}
}
