package msgpack

import (
	"bytes"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/mcpgen/mcpgen/runtime/voidstar"
)

// A valueCase is an entry of testdata/next/values.txt.
type valueCase struct {
	name, schema      string
	size              int
	msgpack, voidstar []byte
}

func valueCases(t testing.TB) (cases []valueCase) {
	t.Helper()
	text, err := os.ReadFile("../../testdata/next/values.txt")
	if err != nil {
		t.Fatal(err)
	}
	var c *valueCase
	for line := range strings.Lines(string(text)) {
		words := strings.Fields(line)
		switch {
		case len(words) == 0 || line[0] == '#':
		case line[0] == 'W':
			cases = append(cases, valueCase{name: words[0], schema: words[1]})
			c = &cases[len(cases)-1]
		case words[0] == "E":
			number, packed, _ := strings.Cut(strings.TrimSpace(line), ", msgpack ")
			c.size, _ = strconv.Atoi(strings.TrimPrefix(number, "E "))
			c.msgpack = bytesOf(t, packed)
		case len(words[0]) == 4:
			c.voidstar = append(c.voidstar, bytesOf(t, strings.Join(words[1:], ""))...)
		}
	}
	if len(cases) != 32 {
		t.Fatalf("%d cases, want 32", len(cases))
	}
	return cases
}

func TestSumValues(t *testing.T) {
	t.Parallel()
	for _, c := range valueCases(t) {
		if got, err := ToVoidstar(c.schema, c.msgpack); err != nil || !bytes.Equal(got, c.voidstar) {
			t.Errorf("%s: ToVoidstar = %x, %v, want %x", c.name, got, err, c.voidstar)
		}
		if got, err := FromVoidstar(c.schema, c.voidstar); err != nil || !bytes.Equal(got, c.msgpack) {
			t.Errorf("%s: FromVoidstar = %x, %v, want %x", c.name, got, err, c.msgpack)
		}
		if got, err := voidstar.Estimate(c.schema, c.voidstar); err != nil || got != c.size {
			t.Errorf("%s: Estimate = %d, %v, want %d", c.name, got, err, c.size)
		}
	}
}

func TestSumsRefused(t *testing.T) {
	t.Parallel()
	const (
		color = "e33Red5Green4Blue"
		shape = "v36Circle1f84Rect2f8f83Dot0"
		text  = "serialization error: "
		wrong = text + "size calc "
		match = ": the type decoded isn't match with the expected one"
	)
	for _, test := range []struct{ schema, in, want string }{
		{color, "07", text + "enum tag 7 is out of range; the type has 3 constructors (Red, Green, Blue)"},
		{color, "ff", text + "enum tag -1 is out of range; the type has 3 constructors (Red, Green, Blue)"},
		{color, "a3 526564", wrong + "int" + match},
		{shape, "92 05 c0", text + "variant tag 5 is out of range; the type has 3 arms"}, // R19
		{shape, "92 ff c0", text + "variant tag -1 is out of range; the type has 3 arms"},
		{shape, "92 c0 c0", wrong + "int" + match},
		{shape, "93 02 c0 c0", wrong + "array" + match},
		{shape, "02", wrong + "array" + match},
		{shape, "92 02 91 c0", wrong + "nil" + match},
		{shape, "92 00 c0", wrong + "array" + match},
		{shape, "92 01 91 00", text + "expected 2 fields, got 1"},
		{shape, "92 00", errEnd.Error()},
		{shape, "92", errEnd.Error()},
		{"a" + shape, "dd 10000000 92 02 c0", errEnd.Error()},
	} {
		if got, err := ToVoidstar(test.schema, bytesOf(t, test.in)); err == nil || err.Error() != test.want {
			t.Errorf("ToVoidstar(%s, %s) = %x, %v, want %s", test.schema, test.in, got, err, test.want)
		}
	}
	if got, err := ToVoidstar(shape, bytesOf(t, "92 02 90")); err != nil || !bytes.Equal(got[8:], bytes.Repeat([]byte{255}, 8)) {
		t.Errorf("an empty array for no fields: %x, %v", got, err)
	}
	for _, test := range []struct{ schema, payload string }{
		{color, "03"}, // R18
		{shape, "03 00000000000000 ffffffffffffffff"},
		{shape, "00 00000000000000 ffffffffffffffff"},
		{shape, "00 00000000000000 1000000000000000"},
		{shape, "02"},
	} {
		payload := bytesOf(t, test.payload)
		if _, err := FromVoidstar(test.schema, payload); err != voidstar.ErrMalformed {
			t.Errorf("FromVoidstar(%s, %s): %v", test.schema, test.payload, err)
		}
	}
	if _, err := voidstar.Estimate(shape, bytesOf(t, "03")); err != voidstar.ErrMalformed {
		t.Errorf("Estimate of a tag out of range: %v", err)
	}
	// A pointer behind a constructor without fields says nothing.
	if got, err := FromVoidstar(shape, bytesOf(t, "02 00000000000000 0000000000000000")); err != nil || !bytes.Equal(got, bytesOf(t, "92 02 c0")) {
		t.Errorf("Dot with a pointer: %x, %v", got, err)
	}
}

// Records of more fields than bits in a word, which escaped counts make possible.
func TestManyFields(t *testing.T) {
	t.Parallel()
	schema, in := "m=61", "de0046"
	for i := range 70 {
		name := string(rune('a'+i/26)) + string(rune('a'+i%26))
		schema += "2" + name + "u1"
		in += "a2" + string("0123456789abcdef"[name[0]>>4]) + string("0123456789abcdef"[name[0]&15]) +
			string("0123456789abcdef"[name[1]>>4]) + string("0123456789abcdef"[name[1]&15]) + "05"
	}
	payload, err := ToVoidstar(schema, bytesOf(t, in))
	if err != nil || !bytes.Equal(payload[:70], bytes.Repeat([]byte{5}, 70)) {
		t.Errorf("%x, %v", payload, err)
	}
}

// A list made of variants, as deep as a value may be, takes time in proportion.
func TestVariantDepth(t *testing.T) {
	t.Parallel()
	const schema = "&4Listv23Nil04Cons2j^4List"
	for _, n := range []int{100_000, voidstar.MaxDepth, voidstar.MaxDepth + 1} {
		in := strings.Repeat("\x92\x01\x92\x01", n) + "\x92\x00\xc0"
		payload, err := ToVoidstar(schema, []byte(in))
		if n > voidstar.MaxDepth {
			if err != errDeep {
				t.Errorf("%d links: %v", n, err)
			}
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		if out, err := FromVoidstar(schema, payload); err != nil || string(out) != in {
			t.Errorf("%d links: %d bytes, %v", n, len(out), err)
		}
		if size, err := voidstar.Estimate(schema, payload); err != nil || size != 16+n*(7+32) {
			t.Errorf("%d links: estimate %d, %v", n, size, err)
		}
	}
}
