package packet

import (
	"bytes"
	"math"
	"math/big"
	"strings"
	"testing"

	"github.com/mcpgen/mcpgen/runtime/jsonx"
)

// payload returns what f puts into an argument of the given width.
func payload(width int, f func(c *Call)) []byte {
	var c Call
	c.Reset(0)
	c.Begin("s", width)
	f(&c)
	c.End()
	return c.Payload()
}

// words returns little-endian words, followed by text and zeros up to a multiple of 8.
func words(text string, vs ...uint64) (b []byte) {
	for _, v := range vs {
		b = le.AppendUint64(b, v)
	}
	return pad(append(b, text...), 0, 8)
}

func power(n uint) *big.Int { return new(big.Int).Lsh(big.NewInt(1), n) }

func TestPut(t *testing.T) {
	t.Parallel()
	minus := func(v *big.Int) *big.Int { return new(big.Int).Neg(v) }
	one := big.NewInt(1)
	const all = math.MaxUint64
	for _, tt := range []struct {
		name  string
		width int
		put   func(c *Call)
		want  []byte
	}{
		{"unit", 0, func(c *Call) { c.PutUnit(0, struct{}{}) }, nil},
		{"bools", 2, func(c *Call) { c.PutBool(0, false); c.PutBool(1, true) }, words("\x00\x01")},
		{"bytes", 2, func(c *Call) { c.PutInt8(0, -1); c.PutUint8(1, 200) }, words("\xff\xc8")},
		{"16 bits", 4, func(c *Call) { c.PutInt16(0, -2); c.PutUint16(2, 0x1234) }, words("\xfe\xff\x34\x12")},
		{"32 bits", 8, func(c *Call) { c.PutInt32(0, -2); c.PutUint32(4, 7) }, words("\xfe\xff\xff\xff\x07")},
		{"64 bits", 16, func(c *Call) { c.PutInt64(0, -2); c.PutUint64(8, 7) }, words("", all-1, 7)},
		{"floats", 12, func(c *Call) { c.PutFloat64(0, 1); c.PutFloat32(8, 1) }, words("\x00\x00\x80\x3f", 0x3ff<<52)},
		{"NaN", 12, func(c *Call) { c.PutFloat64(0, math.NaN()); c.PutFloat32(8, float32(math.NaN())) }, words("\x00\x00\xc0\x7f", 0x7ff8<<48)},
		{"negative zero", 8, func(c *Call) { c.PutFloat64(0, math.Copysign(0, -1)) }, words("", 1<<63)},
		{"small int", 16, func(c *Call) { c.PutInt(0, jsonx.NewInt(-3)) }, words("", 1, all-2)},
		{"zero", 16, func(c *Call) { c.PutInt(0, jsonx.NewInt(0)) }, words("", 1, 0)},
		{"big that is small", 16, func(c *Call) { c.PutInt(0, jsonx.FromBig(big.NewInt(-3))) }, words("", 1, all-2)},
		{"-2^63", 16, func(c *Call) { c.PutInt(0, jsonx.FromBig(minus(power(63)))) }, words("", 1, 1<<63)},
		{"2^63", 16, func(c *Call) { c.PutInt(0, jsonx.FromBig(power(63))) }, words("", 2, 16, 1<<63, 0)},
		{"-2^63-1", 16, func(c *Call) { c.PutInt(0, jsonx.FromBig(minus(new(big.Int).Add(power(63), one)))) }, words("", 2, 16, 1<<63-1, all)},
		{"-2^64", 16, func(c *Call) { c.PutInt(0, jsonx.FromBig(minus(power(64)))) }, words("", 2, 16, 0, all)},
		{"-2^127", 16, func(c *Call) { c.PutInt(0, jsonx.FromBig(minus(power(127)))) }, words("", 2, 16, 0, 1<<63)},
		{"2^127", 16, func(c *Call) { c.PutInt(0, jsonx.FromBig(power(127))) }, words("", 3, 16, 0, 1<<63, 0)},
		{"limbs are aligned", 32, func(c *Call) { c.PutString(0, "a"); c.PutInt(16, jsonx.FromBig(power(64))) }, append(words("a", 1, 32, 2, 40), words("", 0, 1)...)},
		{"strings", 48, func(c *Call) { c.PutString(0, "ab"); c.PutString(16, ""); c.PutString(32, "c") }, words("abc", 2, 48, 0, 0, 1, 50)},
		{"floats of a list", 16, func(c *Call) { c.PutFloat64s(0, []float64{1, math.NaN()}) }, words("", 2, 64, 0, 0, 0, 0, 0, 0, 0x3ff<<52, 0x7ff8<<48)},
		{"ints of a list", 16, func(c *Call) { c.PutInt64s(0, []int64{-1}) }, words("", 1, 64, 0, 0, 0, 0, 0, 0, all)},
		{"bytes of a list", 16, func(c *Call) { c.PutBytes(0, []byte("xyz")) }, words("xyz", 3, 64, 0, 0, 0, 0, 0, 0)},
		{"empty lists", 48, func(c *Call) { c.PutFloat64s(0, nil); c.PutInt64s(16, nil); c.PutBytes(32, nil) }, make([]byte, 48)},
		{"list", 16, func(c *Call) { PutList(c, 0, []string{"a", "b"}, 16, 8, (*Call).PutString) }, words("ab", 2, 16, 1, 48, 1, 49)},
		{"empty list", 16, func(c *Call) { PutList(c, 0, nil, 16, 8, (*Call).PutString) }, make([]byte, 16)},
		{"units", 16, func(c *Call) { PutList(c, 0, make([]struct{}, 3), 0, 1, (*Call).PutUnit) }, words("", 3, 16)},
		{"absent", 8, func(c *Call) { PutOptional(c, 0, nil, 4, 4, (*Call).PutInt32) }, words("", all)},
		{"present", 8, func(c *Call) { PutOptional(c, 0, new(int32(5)), 4, 4, (*Call).PutInt32) }, words("\x05", 8)},
	} {
		if got := payload(tt.width, tt.put); !bytes.Equal(got, tt.want) {
			t.Errorf("%s: got\n%x, want\n%x", tt.name, got, tt.want)
		}
	}
}

// The fast paths put what the general one puts.
func TestPutFastPaths(t *testing.T) {
	t.Parallel()
	floats, ints, octets := []float64{1, -2.5, math.NaN()}, []int64{1, -2, math.MinInt64}, []byte("\x00\xffab")
	for name, pair := range map[string][2]func(c *Call){
		"f8": {func(c *Call) { c.PutFloat64s(0, floats) }, func(c *Call) { PutList(c, 0, floats, 8, 64, (*Call).PutFloat64) }},
		"i8": {func(c *Call) { c.PutInt64s(0, ints) }, func(c *Call) { PutList(c, 0, ints, 8, 64, (*Call).PutInt64) }},
		"u1": {func(c *Call) { c.PutBytes(0, octets) }, func(c *Call) { PutList(c, 0, octets, 1, 64, (*Call).PutUint8) }},
	} {
		if got, want := payload(16, pair[0]), payload(16, pair[1]); !bytes.Equal(got, want) {
			t.Errorf("%s: got\n%x, want\n%x", name, got, want)
		}
	}
}

func TestSawNUL(t *testing.T) {
	t.Parallel()
	var c Call
	for _, tt := range []struct {
		text string
		want bool
	}{{"", false}, {"plain", false}, {"a\x00", true}, {"again", false}} {
		c.Reset(1)
		c.Begin("s", 16)
		c.PutString(0, tt.text)
		c.End()
		if c.SawNUL() != tt.want {
			t.Errorf("SawNUL() after %q = %t, want %t", tt.text, c.SawNUL(), tt.want)
		}
	}
}

func TestCallReuse(t *testing.T) {
	t.Parallel()
	build := func(c *Call, mid uint32, text string) []byte {
		c.Reset(mid)
		c.Begin(text, 16) // any schema will do
		c.PutString(0, text)
		c.End()
		c.Begin("?s", 8)
		PutOptional(c, 0, &text, 16, 8, (*Call).PutString)
		c.End()
		return c.Bytes()
	}
	var used Call
	build(&used, 0xffffffff, strings.Repeat("\xff", 1000))
	for _, text := range []string{"", "a", strings.Repeat("abc", 50)} {
		var fresh Call
		if got, want := build(&used, 7, text), build(&fresh, 7, text); !bytes.Equal(got, want) {
			t.Errorf("%.10q: used call\n%x, fresh one\n%x", text, got, want)
		}
	}
}

func TestCallAllocates(t *testing.T) {
	var c Call
	n := jsonx.FromBig(new(big.Int).Lsh(big.NewInt(1), 70))
	floats, texts := []float64{1, 2, 3}, []string{"a", "bc"}
	build := func() {
		c.Reset(7)
		c.Begin("t2i8s", 24)
		c.PutInt64(0, 5)
		c.PutString(8, "hello")
		c.End()
		c.Begin("j", 16)
		c.PutInt(0, n)
		c.End()
		c.Begin("af8", 16)
		c.PutFloat64s(0, floats)
		c.End()
		c.Begin("as", 16)
		PutList(&c, 0, texts, 16, 8, (*Call).PutString)
		c.End()
		c.Bytes()
	}
	if n := testing.AllocsPerRun(100, build); n != 0 {
		t.Errorf("%v allocations, want 0", n)
	}
}

func BenchmarkCall(b *testing.B) {
	var c Call
	b.ReportAllocs()
	for b.Loop() {
		c.Reset(7)
		c.Begin("i8", 8)
		c.PutInt64(0, 5)
		c.End()
		c.Begin("s", 16)
		c.PutString(0, "hello")
		c.End()
		c.Bytes()
	}
}
