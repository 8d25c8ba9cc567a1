package voidstar

import (
	"encoding/hex"
	"strings"
	"testing"
)

func payloadOf(t *testing.T, digits string) []byte {
	t.Helper()
	b, err := hex.DecodeString(strings.ReplaceAll(digits, " ", ""))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// A NUL in a constructor's field has a path like any other.
func TestFindNULInVariant(t *testing.T) {
	t.Parallel()
	const schema = "&4Listv23Nil04Cons2s^4List"
	payload := payloadOf(t, "0100000000000000 1000000000000000"+ // Cons
		"0100000000000000 5000000000000000 0100000000000000 3000000000000000"+ // "a", Cons
		"0200000000000000 5100000000000000 0000000000000000 ffffffffffffffff"+ // "b\0", Nil
		"6162000000000000")
	path, at, size, ok := FindNUL(schema, payload)
	if !ok || path != ".Cons[1].Cons[0]" || at != 1 || size != 2 {
		t.Errorf("FindNUL = %q, %d, %d, %t", path, at, size, ok)
	}
	payload[0x51], payload[0x52] = 'b', 'c'
	if path, _, _, ok := FindNUL(schema, payload); ok {
		t.Errorf("FindNUL = %q", path)
	}
	payload[0x20] = 9 // no such constructor
	if _, _, _, ok := FindNUL(schema, payload); ok {
		t.Error("FindNUL finds something in what is no value")
	}
}

func TestParseSums(t *testing.T) {
	t.Parallel()
	if s, err := ParseSchema("e=14" + strings.Repeat("2ab", 257)); err == nil {
		t.Errorf("257 constructors: %+v", s)
	}
	s, err := ParseSchema("&1Xm11av21N01C1t2j^1X")
	if err != nil {
		t.Fatal(err)
	}
	payload := s.Fields[0].Schema.Arms[1].Payload
	if s.Width != 16 || payload.Width != 32 || payload.Fields[0].Schema.Fields[1].Schema.Width != 16 {
		t.Errorf("record of width %d, payload of width %d", s.Width, payload.Width)
	}
	for text, want := range map[string]string{
		"e0": "schema error: 0 constructors at position 2", "v0": "schema error: 0 constructors at position 2",
		"v11A": "schema error: unexpected end of schema", "e=": "schema error: unexpected end of schema",
		"m" + strings.Repeat("=0", 9) + "1": "schema error: count too large at position 13", "t=zz": "schema error: unexpected end of schema",
		"&1At1^1A": "schema error: type contains itself at position 8",
	} {
		if _, err := ParseSchema(text); err == nil || err.Error() != want {
			t.Errorf("ParseSchema(%q): %v, want %s", text, err, want)
		}
	}
}
