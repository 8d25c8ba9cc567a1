package main

import (
	"io"
	"testing"

	"github.com/mcpgen/mcpgen/runtime/mcp"
)

// TestAllocs is written by hand: warm calls of generated tools allocate nothing, from the
// bytes of a request to those of the reply.
func TestAllocs(t *testing.T) {
	c := mcp.NewConn(&server, mcp.NewWriter(io.Discard))
	c.Handle([]byte(`{"jsonrpc":"2.0","method":"notifications/initialized"}`))
	for _, tt := range []struct{ tool, arguments string }{
		{"answer", `{}`},
		{"big", `{}`},
		{"firstOf", `{"point":{"x":0.30000000000000004,"y":2,"label":"p\u00e9"}}`},
		{"swap", `{"_1":[42,"text"]}`},
		{"tagged", `{"_1":1.5,"_2":-2}`},
		{"hello", `{"name":"world"}`},
	} {
		line := []byte(`{"jsonrpc":"2.0","id":"a-1","method":"tools/call","params":{"name":"` + tt.tool + `","arguments":` + tt.arguments + `}}`)
		call := func() {
			c.Handle(line)
			if _, err := c.Flush(); err != nil {
				t.Fatal(err)
			}
		}
		call()
		if got := testing.AllocsPerRun(200, call); got != 0 {
			t.Errorf("%s: %v allocations, want 0", tt.tool, got)
		}
	}
}
