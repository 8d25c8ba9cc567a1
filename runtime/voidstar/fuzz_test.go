package voidstar_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/mcpgen/mcpgen/runtime/msgpack"
	"github.com/mcpgen/mcpgen/runtime/packet"
	"github.com/mcpgen/mcpgen/runtime/voidstar"
)

// FuzzVoidstar reads arbitrary payloads as values of arbitrary types: a reader neither panics
// nor goes on for ever, and what it renders while not bad is JSON that survives being encoded
// and read again, also by way of msgpack. What else is found out about that value is true.
func FuzzVoidstar(f *testing.F) {
	for _, p := range computedPackets(f) {
		if reply, err := packet.Open(p.Hex); err == nil && reply.Format == packet.FormatVoidstar {
			f.Add(p.Schema, []byte(reply.Payload))
		}
	}
	f.Add("e33Red5Green4Blue", []byte{2})
	f.Add("&4Listv23Nil04Cons2s^4List", []byte("\x01\x00\x00\x00\x00\x00\x00\x00\x10\x00\x00\x00\x00\x00\x00\x00\x02\x00\x00\x00\x00\x00\x00\x00\x30\x00\x00\x00\x00\x00\x00\x00"+
		"\x00\x00\x00\x00\x00\x00\x00\x00\xff\xff\xff\xff\xff\xff\xff\xffa\x00"))
	f.Fuzz(func(t *testing.T, schema string, payload []byte) {
		s, err := voidstar.ParseSchema(schema)
		if err != nil || len(schema) > 100 || len(payload) > 1000 || !utf8.ValidString(schema) || strings.Contains(schema, "\x00") {
			return
		}
		var r voidstar.Reader
		r.Reset(payload)
		text := appender(s)(&r, nil, r.Root())
		if r.Bad() || len(text) > 10_000 || !isPlain(s, map[*voidstar.Schema]bool{}) {
			return
		}
		if !json.Valid(text) {
			t.Fatalf("%s of %x renders as %s", schema, payload, text)
		}
		var c packet.Call
		c.Reset(1)
		plain := decodeJSON(t, string(text))
		argument(t, &c, schema, plain)
		laid := c.Payload()
		check := func(how string, payload []byte) {
			r.Reset(payload)
			if again := appender(s)(&r, nil, r.Root()); string(again) != string(text) || r.Bad() {
				t.Errorf("%s: %s, %s, became %s", schema, text, how, again)
			}
		}
		check("laid out", laid)
		packed, err := msgpack.FromVoidstar(schema, laid)
		if err != nil {
			t.Fatalf("%s: %s in msgpack: %v", schema, text, err)
		}
		unpacked, err := msgpack.ToVoidstar(schema, packed)
		if err != nil {
			t.Fatalf("%s: %s out of msgpack: %v", schema, text, err)
		}
		check("in msgpack", unpacked)
		_, _, _, found := voidstar.FindNUL(schema, payload)
		_, _, _, again := voidstar.FindNUL(schema, laid)
		if want := hasNUL(plain); found != want || again != want || c.SawNUL() != want {
			t.Errorf("%s: %s: FindNUL says %v and %v, the call %v, want %v", schema, text, found, again, c.SawNUL(), want)
		}
		fitted, err := voidstar.Fit(schema, laid)
		if err != nil {
			t.Fatalf("%s: Fit of %s: %v", schema, text, err)
		}
		check("as a file", fitted)
	})
}

// isPlain reports whether JSON of a type can be read only one way: the members of each record
// and the constructors of each variant have different names, null stands for one thing, and no
// list has a length that pools are not held to.
func isPlain(s *voidstar.Schema, seen map[*voidstar.Schema]bool) bool {
	if s == nil || seen[s] {
		return true
	}
	seen[s] = true
	if s.Len > 0 || s.Kind == voidstar.KindOptional && (s.Elem.Kind == voidstar.KindOptional || s.Elem.Kind == voidstar.KindUnit) {
		return false
	}
	names := map[string]bool{}
	for _, f := range s.Fields {
		if names[f.Name] && s.Kind == voidstar.KindRecord || !isPlain(f.Schema, seen) {
			return false
		}
		names[f.Name] = true
	}
	for _, a := range s.Arms {
		if names[a.Name] || !isPlain(a.Payload, seen) {
			return false
		}
		names[a.Name] = true
	}
	return isPlain(s.Elem, seen)
}

// hasNUL reports whether there is a string with U+0000 in a JSON value.
func hasNUL(v any) bool {
	switch v := v.(type) {
	case string:
		return strings.Contains(v, "\x00")
	case []any:
		return slices.ContainsFunc(v, hasNUL)
	case map[string]any:
		for _, value := range v {
			if hasNUL(value) {
				return true
			}
		}
	}
	return false
}
