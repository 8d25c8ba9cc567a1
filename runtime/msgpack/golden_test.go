package msgpack

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"os"
	"slices"
	"testing"

	"github.com/mcpgen/mcpgen/runtime/packet"
	"github.com/mcpgen/mcpgen/runtime/voidstar"
)

// A computedPacket is a packet made by hand from the specification.
type computedPacket struct {
	Name, Schema, JSON, Hex string
}

// pairs returns, by type and value, the payloads of both encodings where the golden
// packets have them.
func pairs(t testing.TB) (values []pair) {
	t.Helper()
	text, err := os.ReadFile("../../testdata/golden/packets.json")
	if err != nil {
		t.Fatal(err)
	}
	var file struct{ Packets []computedPacket }
	if err := json.Unmarshal(text, &file); err != nil {
		t.Fatal(err)
	}
	index := map[[2]string]int{}
	for _, p := range file.Packets {
		b, err := hex.DecodeString(p.Hex)
		if err != nil {
			t.Fatal(err)
		}
		reply, err := packet.Open(b)
		if err != nil {
			t.Fatal(err)
		}
		key := [2]string{p.Schema, p.JSON}
		if _, ok := index[key]; !ok {
			index[key] = len(values)
			values = append(values, pair{schema: p.Schema, json: p.JSON})
		}
		v := &values[index[key]]
		switch {
		case reply.Format == packet.FormatMsgpack:
			v.msgpack = reply.Payload
		case p.Name[:3] == "vs_":
			v.voidstar = reply.Payload
		}
	}
	return values
}

type pair struct {
	schema, json      string
	msgpack, voidstar []byte
}

func TestGoldenPairs(t *testing.T) {
	t.Parallel()
	both := 0
	for _, p := range pairs(t) {
		if p.msgpack == nil {
			checkRoundTrip(t, p.schema, p.voidstar)
			continue
		}
		both++
		got, err := ToVoidstar(p.schema, p.msgpack)
		if err != nil || !bytes.Equal(got, p.voidstar) {
			t.Errorf("%s %s: ToVoidstar = %x, %v, want %x", p.schema, p.json, got, err, p.voidstar)
		}
		got, err = FromVoidstar(p.schema, p.voidstar)
		if err != nil || !bytes.Equal(got, p.msgpack) {
			t.Errorf("%s %s: FromVoidstar = %x, %v, want %x", p.schema, p.json, got, err, p.msgpack)
		}
	}
	if both != 24 {
		t.Errorf("%d values in both encodings, want 24", both)
	}
}

// checkRoundTrip translates a payload to msgpack and back.
func checkRoundTrip(t *testing.T, schema string, payload []byte) {
	t.Helper()
	packed, err := FromVoidstar(schema, payload)
	if err != nil {
		t.Errorf("%s: FromVoidstar(%x) = %v", schema, payload, err)
		return
	}
	if got, err := ToVoidstar(schema, packed); err != nil || !bytes.Equal(got, payload) {
		t.Errorf("%s: %x became %x, %v, by way of %x", schema, payload, got, err, packed)
	}
}

// FuzzMsgpack translates arbitrary bytes. That neither panics nor allocates for what they only
// claim to hold; and what is understood is what a reader without types finds to be of the type,
// and is translated back to its shortest form.
func FuzzMsgpack(f *testing.F) {
	for _, p := range pairs(f) {
		if p.msgpack != nil {
			f.Add(p.schema, p.msgpack)
		}
	}
	for _, c := range valueCases(f) {
		f.Add(c.schema, c.msgpack)
	}
	f.Add("&2LL?^2LL", []byte("\x92\x01\x92\x02\xc0"))
	f.Add("m11am11bs", []byte("\x81\xa1a\x81\xa1b\xc4\x02xy"))
	f.Fuzz(func(t *testing.T, schema string, src []byte) {
		Single(src)
		if len(schema) > 100 || len(src) > 1000 {
			return
		}
		s, err := voidstar.ParseSchema(schema)
		if err != nil || isEndless(s) {
			return
		}
		var want []byte
		v, rest, ok := readItem(src)
		if ok = ok && len(rest) == 0; ok {
			want, ok = shortest(nil, s, v)
		}
		payload, err := ToVoidstar(schema, src)
		if (err == nil) != ok {
			t.Fatalf("%s: %x: %v, by the specification it is a value: %v", schema, src, err, ok)
		}
		if err != nil {
			return
		}
		packed, err := FromVoidstar(schema, payload)
		if err != nil || !bytes.Equal(packed, want) {
			t.Fatalf("%s: %x is %x in voidstar and that %x in msgpack, %v, want %x", schema, src, payload, packed, err, want)
		}
		again, err := ToVoidstar(schema, packed)
		if err != nil {
			t.Fatalf("%s: %x is understood, its shortest form %x not: %v", schema, src, packed, err)
		}
		if packed2, err := FromVoidstar(schema, again); err != nil || !bytes.Equal(packed2, packed) {
			t.Errorf("%s: %x became %x, %v", schema, packed, packed2, err)
		}
	})
}

// isEndless reports whether a type holds an optional of nothing but itself, of which an item may
// be read without end.
func isEndless(s *voidstar.Schema) bool {
	seen := map[*voidstar.Schema]bool{}
	var visit func(s *voidstar.Schema, optionals int) bool
	visit = func(s *voidstar.Schema, optionals int) bool {
		switch {
		case s == nil:
			return false
		case s.Kind == voidstar.KindOptional:
			return optionals > 100 || visit(s.Elem, optionals+1) // more than a schema has bytes
		case seen[s]:
			return false
		}
		seen[s] = true
		inField := func(f voidstar.Field) bool { return visit(f.Schema, 0) }
		inArm := func(a voidstar.Arm) bool { return visit(a.Payload, 0) }
		return visit(s.Elem, 0) || slices.ContainsFunc(s.Fields, inField) || slices.ContainsFunc(s.Arms, inArm)
	}
	return visit(s, 0)
}
