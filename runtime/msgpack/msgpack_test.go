package msgpack

import (
	"encoding/hex"
	"math"
	"strings"
	"testing"

	"github.com/mcpgen/mcpgen/runtime/voidstar"
)

// bytesOf returns the bytes of spaced hexadecimal digits.
func bytesOf(t testing.TB, digits string) []byte {
	t.Helper()
	b, err := hex.DecodeString(strings.ReplaceAll(digits, " ", ""))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// Forms that are taken, and what is written for the same value.
func TestForms(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ schema, in, out string }{
		{"z", "c0", "c0"},
		{"b", "c2", "c2"},
		{"b", "c3", "c3"},

		{"i1", "ff", "ff"},
		{"i1", "d0 80", "d0 80"},
		{"i1", "d3 ffffffffffffff80", "d0 80"},
		{"i1", "cf 000000000000007f", "7f"},
		{"i2", "d1 ffdf", "d0 df"},
		{"i2", "cd 7fff", "cd 7fff"},
		{"i4", "d2 00000005", "05"},
		{"i4", "ce 7fffffff", "ce 7fffffff"},
		{"i4", "d2 80000000", "d2 80000000"},
		{"i8", "e0", "e0"},
		{"i8", "d1 ff7f", "d1 ff7f"},
		{"i8", "cf 7fffffffffffffff", "cf 7fffffffffffffff"},
		{"i8", "d3 8000000000000000", "d3 8000000000000000"},
		{"u1", "d0 7f", "7f"},
		{"u1", "cc ff", "cc ff"},
		{"u2", "d1 0100", "cd 0100"},
		{"u4", "ce ffffffff", "ce ffffffff"},
		{"u8", "cf ffffffffffffffff", "cf ffffffffffffffff"},

		{"f8", "ca 3fc00000", "cb 3ff8000000000000"},
		{"f8", "05", "cb 4014000000000000"},
		{"f8", "ff", "cb bff0000000000000"},
		{"f8", "cf ffffffffffffffff", "cb 43f0000000000000"},
		{"f4", "cb 3fb999999999999a", "cb 3fb99999a0000000"},
		{"f4", "cb 7fefffffffffffff", "cb 7ff0000000000000"},

		{"j", "d3 8000000000000000", "d3 8000000000000000"},
		{"j", "cf 8000000000000000", "c4 10 0000000000000080 0000000000000000"},
		{"j", "c4 00", "00"},
		{"j", "c4 08 ffffffffffffffff", "ff"},
		{"j", "c5 0010 0000000000000000 0100000000000000", "c4 10 0000000000000000 0100000000000000"},
		{"j", "c6 00000010 0000000000000000 ffffffffffffffff", "c4 10 0000000000000000 ffffffffffffffff"},

		{"s", "d9 02 6869", "a2 6869"},
		{"s", "da 0002 6869", "a2 6869"},
		{"s", "db 00000002 6869", "a2 6869"},
		{"s", "c4 02 ff00", "a2 ff00"},

		{"ai4", "dc 0002 01 02", "92 01 02"},
		{"ai4", "dd 00000000", "90"},
		{"au1", "c4 03 00ff10", "93 00 cc ff 10"},
		{"au1", "93 00 cc ff 10", "93 00 cc ff 10"},
		{"a:2b", "92 c2 c3", "92 c2 c3"},
		{"az", "92 c0 c0", "92 c0 c0"},

		{"t0", "90", "90"},
		{"t2zs", "92 c0 a1 61", "92 c0 a1 61"},
		{"m24names3agej", "92 a1 61 05", "92 a1 61 05"},
		{"m24names3agej", "82 a3 616765 05 a4 6e616d65 a1 61", "92 a1 61 05"},
		{"m13agej", "83 05 a1 78 a3 616765 05 a1 78 92 81 c0 c7 02 01 0000 d4 01 00", "91 05"},
		{"m0", "80", "90"},

		{"?i4", "c0", "c0"},
		{"?i4", "05", "05"},
		{"??i4", "c0", "c0"},
		{"?z", "c0", "c0"},
		{"a?s", "93 c0 a1 61 c0", "93 c0 a1 61 c0"},
	} {
		in, want := bytesOf(t, tt.in), bytesOf(t, tt.out)
		payload, err := ToVoidstar(tt.schema, in)
		if err != nil {
			t.Errorf("ToVoidstar(%s, %x) = %v", tt.schema, in, err)
			continue
		}
		if len(payload)%8 != 0 {
			t.Errorf("ToVoidstar(%s, %x) has %d bytes, want a multiple of 8", tt.schema, in, len(payload))
		}
		if got, err := FromVoidstar(tt.schema, payload); err != nil || string(got) != string(want) {
			t.Errorf("%s: %x became %x, %v, want %x", tt.schema, in, got, err, want)
		}
	}
}

func TestRefused(t *testing.T) {
	t.Parallel()
	const prefix = "serialization error: "
	wrong := func(what string) string {
		return prefix + "size calc " + what + ": the type decoded isn't match with the expected one"
	}
	end := errEnd.Error()
	for _, tt := range []struct{ schema, in, want string }{
		{"z", "c2", wrong("nil")},
		{"b", "01", wrong("bool")},
		{"i4", "a0", wrong("int")},
		{"i4", "cb 4014000000000000", wrong("int")},
		{"f8", "c0", wrong("float")},
		{"j", "c4 01 00", wrong("int")},
		{"j", "a8 0000000000000000", wrong("int")},
		{"s", "05", wrong("string")},
		{"aj", "77", wrong("array")},
		{"as", "c4 01 00", wrong("array")},
		{"au1", "a1 00", wrong("array")},
		{"t1i4", "81 00 00", wrong("array")},
		{"?i4", "c2", wrong("int")},

		{"i1", "cc 80", prefix + "value 128 out of range"},
		{"i1", "d1 ff7f", prefix + "value -129 out of range"},
		{"i8", "cf 8000000000000000", prefix + "value 9223372036854775808 out of range"},
		{"u1", "ff", prefix + "value -1 out of range"},
		{"u1", "cd 0100", prefix + "value 256 out of range"},
		{"u8", "d3 8000000000000000", prefix + "value -9223372036854775808 out of range"},

		{"a:3i4", "92 01 02", "Array length mismatch: expected 3, got 2"},
		{"a:3u1", "c4 02 0102", "Array length mismatch: expected 3, got 2"},
		{"t2zz", "91 c0", prefix + "expected 2 fields, got 1"},
		{"m11ai4", "92 00 00", prefix + "expected 1 fields, got 2"},
		{"m21ai41bi4", "81 a1 61 00", prefix + "missing required field 'b' in record"},
		{"m11ai4", "82 a1 61 00 a1 61 00", prefix + "duplicate field 'a' in record"},
		{"i4", "05 c0", prefix + "1 bytes after the msgpack value"},
		{"i4", "c1", errByte.Error()},

		{"i4", "", end},
		{"?i4", "", end},
		{"i4", "ce 000000", end},
		{"f4", "ca 00", end},
		{"s", "a2 61", end},
		{"s", "db ffffffff 61", end},
		{"j", "c6 fffffff8 61", end},
		{"ai4", "93 01 02", end},
		{"ai4", "dd ffffffff 01", end},
		{"at3sss", "92 93 a0 a0 a0 93", end},
		{"az", "dd ffffffff c0", end},
		{"m11ai4", "81", end},
		{"m11ai4", "81 a1", end},
		{"m11ai4", "82 a1 62", end},
		{"m11ai4", "82 a1 62 dd ffffffff", end},
		{"m11ai4", "82 a1 62 df ffffffff", end},
		{"m11ai4", "82 05", end},
		{"x", "00", "schema error: unknown schema character 'x' at position 0"},
	} {
		in := bytesOf(t, tt.in)
		if got, err := ToVoidstar(tt.schema, in); err == nil || err.Error() != tt.want {
			t.Errorf("ToVoidstar(%s, %x) = %x, %v, want %s", tt.schema, in, got, err, tt.want)
		}
	}
	if _, err := FromVoidstar("x", nil); err == nil {
		t.Error("FromVoidstar takes any schema")
	}
	for schema, payload := range map[string]string{"i4": "", "s": "0500000000000000 1000000000000000", "ai4": "ffffffffffffffff 0000000000000000"} {
		if _, err := FromVoidstar(schema, bytesOf(t, payload)); err != voidstar.ErrMalformed {
			t.Errorf("FromVoidstar(%s, %s) = %v, want %v", schema, payload, err, voidstar.ErrMalformed)
		}
	}
}

// Lengths at which the lead byte changes.
func TestLengths(t *testing.T) {
	t.Parallel()
	for _, n := range []int{0, 15, 16, 31, 32, 255, 256, math.MaxUint16, math.MaxUint16 + 1} {
		for _, tt := range []struct {
			schema string
			head   []byte
			unit   string
		}{
			{"s", appendString32(n), "x"},
			{"au1", append([]byte{0xdd}, be.AppendUint32(nil, uint32(n))...), "\x05"},
			{"j", append([]byte{0xc6}, be.AppendUint32(nil, uint32(8*(n+2)))...), "\x01"},
		} {
			count := n
			if tt.schema == "j" {
				count = 8 * (n + 2)
			}
			in := append(tt.head, strings.Repeat(tt.unit, count)...)
			payload, err := ToVoidstar(tt.schema, in)
			if err != nil {
				t.Errorf("%s of %d: %v", tt.schema, n, err)
				continue
			}
			short, err := FromVoidstar(tt.schema, payload)
			if err != nil || len(short) > len(in) || n < 256 && len(short) >= len(in) {
				t.Errorf("%s of %d: %d bytes, %v, from %d", tt.schema, n, len(short), err, len(in))
			}
			if again, err := ToVoidstar(tt.schema, short); err != nil || string(again) != string(payload) {
				t.Errorf("%s of %d: does not read back: %v", tt.schema, n, err)
			}
		}
	}
}

func appendString32(n int) []byte { return be.AppendUint32([]byte{0xdb}, uint32(n)) }

func TestDepth(t *testing.T) {
	t.Parallel()
	const schema = "&5Chainm14tail?^5Chain"
	for links, ok := range map[int]bool{100_000: true, voidstar.MaxDepth: true, voidstar.MaxDepth + 1: false} {
		in := strings.Repeat("\x91", links+1) + "\xc0"
		payload, err := ToVoidstar(schema, []byte(in))
		if (err == nil) != ok {
			t.Errorf("%d links: ToVoidstar = %v", links, err)
		}
		if !ok {
			continue
		}
		if out, err := FromVoidstar(schema, payload); err != nil || string(out) != in {
			t.Errorf("%d links: FromVoidstar = %d bytes, %v", links, len(out), err)
		}
	}
	// The same one link deeper than FromVoidstar goes.
	var payload []byte
	for i := range voidstar.MaxDepth + 1 {
		payload = le.AppendUint64(payload, uint64(8*i+8))
	}
	payload = le.AppendUint64(payload, math.MaxUint64)
	if _, err := FromVoidstar(schema, payload); err != errDeep {
		t.Errorf("FromVoidstar = %v, want %v", err, errDeep)
	}
	// Unknown members nest without the help of a stack.
	skipped := "\x82\xa1x" + strings.Repeat("\x91", 1_000_000) + "\xc0\xa4tail\xc0"
	if _, err := ToVoidstar(schema, []byte(skipped)); err != nil {
		t.Errorf("unknown member: %v", err)
	}
}

func TestSingle(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", 150)
	for in, want := range map[string]bool{
		"":                       false,
		"\xa0":                   true,
		"\xa2hi":                 true,
		"\xa2hi\n":               false,
		"\xa3hi":                 false,
		"hi":                     false,
		"\xd9\x96" + long:        true,
		"\xd9\x95" + long:        false,
		"\xd9":                   false,
		"\xda\x00\x02hi":         true,
		"\xc4\x02hi":             false,
		"\xdb\xff\xff\xff\xffhi": false,
	} {
		if got := Single([]byte(in)); got != want {
			t.Errorf("Single(%.10q) = %t, want %t", in, got, want)
		}
	}
}
