package main

import (
	"io"
	"testing"

	"github.com/mcpgen/mcpgen/runtime/mcp"
)

// TestAllocs is written by hand: generated tools allocate nothing when warm, from the bytes
// of a request to those of the reply, but for what their own functions do.
func TestAllocs(t *testing.T) {
	c := mcp.NewConn(&server, mcp.NewWriter(io.Discard))
	c.Handle([]byte(`{"jsonrpc":"2.0","method":"notifications/initialized"}`))
	for _, tt := range []struct {
		tool, arguments string
		want            float64
	}{
		{"answer", `{}`, 0},
		{"big", `{}`, 0},
		{"firstOf", `{"point":{"x":0.30000000000000004,"y":2,"label":"p\u00e9"}}`, 0},
		{"swap", `{"_1":[42,"text"]}`, 0},
		{"tagged", `{"_1":1.5,"_2":-2}`, 0},
		{"hello", `{"name":"world"}`, 1}, // the greeting
	} {
		line := []byte(`{"jsonrpc":"2.0","id":"a-1","method":"tools/call","params":{"name":"` + tt.tool + `","arguments":` + tt.arguments + `}}`)
		call := func() {
			c.Handle(line)
			if _, err := c.Flush(); err != nil {
				t.Fatal(err)
			}
		}
		call()
		if got := testing.AllocsPerRun(200, call); got != tt.want {
			t.Errorf("%s: %v allocations, want %v", tt.tool, got, tt.want)
		}
	}
}
