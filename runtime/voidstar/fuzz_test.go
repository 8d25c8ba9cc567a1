package voidstar_test

import (
	"encoding/json"
	"testing"

	"github.com/mcpgen/mcpgen/runtime/packet"
	"github.com/mcpgen/mcpgen/runtime/voidstar"
)

// Whatever bytes a payload consists of, a reader neither panics nor goes on for ever, and
// what it renders while not bad is JSON that survives being encoded and read again.
func FuzzVoidstar(f *testing.F) {
	known := map[string]bool{} // others may have fields of one name
	for _, p := range computedPackets(f) {
		known[p.Schema] = true
		if reply, err := packet.Open(p.Hex); err == nil && reply.Format == packet.FormatVoidstar {
			f.Add(p.Schema, []byte(reply.Payload))
		}
	}
	f.Fuzz(func(t *testing.T, schema string, payload []byte) {
		s, err := voidstar.ParseSchema(schema)
		if err != nil || len(schema) > 100 || len(payload) > 1000 {
			return
		}
		voidstar.FindNUL(schema, payload)
		voidstar.Estimate(schema, payload)
		var r voidstar.Reader
		r.Reset(payload)
		text := appender(s)(&r, nil, r.Root())
		if r.Bad() || len(text) > 10_000 || !known[schema] {
			return
		}
		if !json.Valid(text) {
			t.Fatalf("%s of %x renders as %s", schema, payload, text)
		}
		var c packet.Call
		c.Reset(1)
		argument(t, &c, schema, decodeJSON(t, string(text)))
		r.Reset(c.Payload())
		if again := appender(s)(&r, nil, r.Root()); string(again) != string(text) || r.Bad() {
			t.Errorf("%s: %s became %s", schema, text, again)
		}
	})
}
