package voidstar

import (
	"bytes"
	"math"
	"strings"
	"testing"
)

// u64s returns a payload of little-endian words.
func u64s(vs ...uint64) (b []byte) {
	for _, v := range vs {
		b = le.AppendUint64(b, v)
	}
	return b
}

const absent = math.MaxUint64 // an optional or an empty string

func TestReadText(t *testing.T) {
	t.Parallel()
	integer, text, raw := (*Reader).AppendInt, (*Reader).AppendString, (*Reader).AppendRawString
	ints := func(r *Reader, dst []byte, at int) []byte { return r.AppendList(dst, at, 8, (*Reader).AppendInt64) }
	units := func(r *Reader, dst []byte, at int) []byte { return r.AppendList(dst, at, 0, (*Reader).AppendUnit) }
	optional := func(r *Reader, dst []byte, at int) []byte { return r.AppendOptional(dst, at, (*Reader).AppendInt64) }
	for _, tt := range []struct {
		name    string
		read    Append
		payload []byte
		want    string
	}{
		{"no limb", integer, u64s(0, 7), "0"},
		{"one limb", integer, u64s(1, math.MaxUint64), "-1"},
		{"2^63", integer, u64s(2, 16, 1<<63, 0), "9223372036854775808"},
		{"-2^64", integer, u64s(2, 16, 0, math.MaxUint64), "-18446744073709551616"},
		{"two limbs where one would do", integer, u64s(2, 16, 5, 0), "5"},
		{"limbs outside", integer, u64s(2, 24, 0, 1), "bad"},
		{"limbs nowhere", integer, u64s(2, absent, 0, 1), "bad"},
		{"limbs beyond count", integer, u64s(1<<61, 16, 0, 1), "bad"},
		{"string", text, append(u64s(4, 16), "a\"\xffb"...), `"a\"` + "\uFFFD" + `b"`},
		{"string with volume", text, append(u64s(2, 5<<48|16), "ok"...), `"ok"`},
		{"empty, no pointer", text, u64s(0, absent), `""`},
		{"raw keeps bytes", raw, append(u64s(4, 16), "a\"\xffb"...), "a\"\xffb"},
		{"string outside", text, append(u64s(4, 17), "abcd"...), "bad"},
		{"string nowhere", text, append(u64s(4, absent), "abcd"...), "bad"},
		{"string of 2^63", text, append(u64s(1<<63, 16), "abcd"...), "bad"},
		{"string of 2^64-1", text, append(u64s(math.MaxUint64, 16), "abcd"...), "bad"},
		{"infinity", (*Reader).AppendFloat64, u64s(math.Float64bits(math.Inf(-1))), `"-inf"`},
		{"negative zero", (*Reader).AppendFloat64, u64s(1 << 63), "-0"},
		{"single precision", (*Reader).AppendFloat32, u64s(uint64(math.Float32bits(0.1))), "0.1"},
		{"float outside", (*Reader).AppendFloat64, nil, "bad"},
		{"float cut", (*Reader).AppendFloat64, u64s(1)[:7], "bad"},
		{"bool of 2", (*Reader).AppendBool, []byte{2}, "true"},
		{"list", ints, u64s(2, 16, 1, 2), "[1,2]"},
		{"empty list", ints, u64s(0, absent), "[]"},
		{"list outside", ints, u64s(3, 16, 1, 2), "bad"},
		{"list of 2^61", ints, u64s(1<<61, 16, 1, 2), "bad"},
		{"units", units, u64s(3, 16), "[null,null,null]"},
		{"too many units", units, u64s(1<<28+1, 16), "bad"},
		{"optional", optional, u64s(8, 5), "5"},
		{"absent optional", optional, u64s(absent), "null"},
		{"any sign is absent", optional, u64s(1 << 63), "null"},
		{"optional outside", optional, u64s(9, 5), "bad"},
		{"optional far outside", optional, u64s(1<<48-1, 5), "bad"},
		{"strings", (*Reader).AppendRawStrings, append(u64s(2, 16, 1, 48, 2, 49), "abc"...), "abc"},
		{"bytes", (*Reader).AppendRawBytes, append(u64s(3, 16), 0, 255, 7), "\x00\xff\x07"},
		{"lists of bytes", (*Reader).AppendRawBytesList, append(u64s(2, 16, 1, 48, 2, 49), 7, 8, 9), "\x07\x08\x09"},
		{"strings outside", (*Reader).AppendRawStrings, append(u64s(2, 16, 1, 48, 2, 50), "abc"...), "bad"},
	} {
		var r Reader
		r.Reset(tt.payload)
		got := string(tt.read(&r, nil, r.Root()))
		if r.Bad() {
			got = "bad"
		}
		if got != tt.want {
			t.Errorf("%s: got %q, want %q", tt.name, got, tt.want)
		}
	}
}

// Values that lie outside are read as zero, and the reader stays bad until Reset.
func TestReadOutside(t *testing.T) {
	t.Parallel()
	var r Reader
	for _, at := range []int{8, 7, -1, math.MaxInt, math.MinInt, 1 << 48} {
		r.Reset(u64s(math.MaxUint64))
		if got := r.Int16(at); got != 0 || !r.Bad() {
			t.Errorf("Int16(%d) = %d, bad %t; want 0 and bad", at, got, r.Bad())
		}
		if got := r.Int64(0); got != -1 {
			t.Errorf("Int64(0) = %d after a bad read, want -1", got)
		}
		if r.Reset(nil); r.Bad() {
			t.Error("bad after Reset")
		}
	}
	if got := List(&r, 0, 8, (*Reader).Int64); len(got) != 0 || !r.Bad() {
		t.Errorf("List = %v, bad %t; want none and bad", got, r.Bad())
	}
}

// appendChain renders &5Chainm14tail?^5Chain.
func appendChain(r *Reader, dst []byte, at int) []byte {
	return r.AppendOptional(append(dst, '>'), at, appendChain)
}

func TestDepth(t *testing.T) {
	t.Parallel()
	chain := func(links int) []byte {
		var b []byte
		for i := range links {
			b = le.AppendUint64(b, uint64(8*i+8))
		}
		return le.AppendUint64(b, absent)
	}
	for links, bad := range map[int]bool{100_000: false, MaxDepth: false, MaxDepth + 1: true} {
		var r Reader
		r.Reset(chain(links))
		got := appendChain(&r, nil, 0)
		if r.Bad() != bad {
			t.Errorf("%d links: bad %t, want %t", links, r.Bad(), bad)
		}
		if want := strings.Repeat(">", links+1) + "null"; !bad && string(got) != want {
			t.Errorf("%d links: %d bytes, want %d", links, len(got), len(want))
		}
		const schema = "&5Chainm14tail?^5Chain"
		if _, err := Estimate(schema, r.mem); (err != nil) != bad {
			t.Errorf("%d links: Estimate = %v", links, err)
		}
		if _, _, _, ok := FindNUL(schema, r.mem); ok {
			t.Errorf("%d links: FindNUL found something", links)
		}
	}
}

// Lists that share their elements may stand for more than fits in any memory.
func TestBudget(t *testing.T) {
	t.Parallel()
	var r Reader
	r.Reset(u64s(2, 0, 2, 0)) // both elements are the list itself
	r.budget = 10_000
	var list Append
	list = func(r *Reader, dst []byte, at int) []byte { return r.AppendList(dst, at, 16, list) }
	if got := list(&r, nil, 0); !r.Bad() || len(got) > 50_000 {
		t.Errorf("%d bytes, bad %t; want few and bad", len(got), r.Bad())
	}

	r.Reset(append(u64s(1<<10, 16), bytes.Repeat(u64s(1<<14, 0), 1<<10)...)) // strings, all the same
	r.budget = 10_000
	if got := r.AppendRawStrings(nil, 0); !r.Bad() || len(got) > 16*10_000 {
		t.Errorf("%d bytes, bad %t; want few and bad", len(got), r.Bad())
	}
}

func TestResetShared(t *testing.T) {
	t.Parallel()
	const magic = 0x0cb10df0
	block := u64s(1<<32|magic, 24)
	list := append(block, u64s(2, 7<<48|16, 0)...) // its elements in volume 7
	strings := u64s(1, 7<<48|48, 2, 1<<48|40, 0, 0)
	strings = append(u64s(0, 0), append(strings[:32], "xyz"...)...)
	list = append(list, "pq"...)
	volumes := map[int][]byte{1: list, 7: strings, 9: u64s(magic, 8, 1), 3: u64s(1<<32, 8, 1)}
	asked := 0
	volume := func(i int) []byte { asked++; return volumes[i] }

	var r Reader
	if err := r.ResetShared(1<<48|16, volume); err != nil {
		t.Fatal(err)
	}
	got := r.AppendList(nil, r.Root(), 16, (*Reader).AppendString)
	if want := `["x","pq"]`; string(got) != want || r.Bad() {
		t.Errorf("got %s, bad %t; want %s", got, r.Bad(), want)
	}
	if asked != 3 { // 1, 7, and 1 again
		t.Errorf("asked for %d volumes, want 3", asked)
	}
	for _, tt := range []struct {
		root int
		want error
	}{
		{9<<48 | 16, errReleased},
		{3<<48 | 16, errNoBlock},
		{1<<48 | 24, errNoBlock},
		{1<<48 | 8, errNoBlock},
		{1 << 48, errNoBlock},
		{8, errNoBlock},
		{2<<48 | 16, errNoBlock},
		{math.MaxInt, errNoBlock},
		{-1, errNoBlock},
	} {
		if err := r.ResetShared(tt.root, volume); err != tt.want || !r.Bad() {
			t.Errorf("ResetShared(%#x) = %v, bad %t; want %v and bad", tt.root, err, r.Bad(), tt.want)
		}
	}
}

func TestReadValues(t *testing.T) {
	t.Parallel()
	var r Reader
	r.Reset(append(u64s(3, 16), "a\xffb"...))
	if got, want := r.String(0), "a\uFFFDb"; got != want {
		t.Errorf("String = %q, want %q", got, want)
	}
	r.Reset(u64s(2, 16, 0, 1))
	if v := r.Int(0).String(); v != "18446744073709551616" {
		t.Errorf("Int = %s, want 2^64", v)
	}
	r.Reset(u64s(2, 16, math.MaxUint64, math.MaxUint64))
	if v, ok := r.Int(0).Int64(); v != -1 || !ok {
		t.Errorf("Int = %d, %t, want -1 in 64 bits", v, ok)
	}
	r.Reset(u64s(8, 5))
	if v := Optional(&r, 0, (*Reader).Int64); v == nil || *v != 5 {
		t.Errorf("Optional = %v, want 5", v)
	}
	r.Reset(u64s(absent))
	if v := Optional(&r, 0, (*Reader).Int64); v != nil {
		t.Errorf("Optional = %v, want nil", v)
	}
}

func TestReaderAllocates(t *testing.T) {
	payload := append(u64s(7, 3, 48, 1, 56, 0, math.Float64bits(2.5)), "abc"...)
	var r Reader
	var dst []byte
	read := func() {
		r.Reset(payload)
		dst = r.AppendInt64(dst[:0], 0)
		dst = r.AppendString(dst, 8)
		dst = r.AppendFloat64(dst, 48)
		dst = r.AppendInt(dst, 24)
		dst = r.AppendOptional(dst, 16, (*Reader).AppendUint64)
	}
	if n := testing.AllocsPerRun(100, read); n != 0 {
		t.Errorf("%v allocations, want 0", n)
	}
	if r.Bad() {
		t.Error("bad")
	}
}
