package jsonx

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"
)

func TestAppendFloat(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		v    float64
		want string
	}{
		{7, "7"}, {0.30000000000000004, "0.30000000000000004"}, {1e21, "1e+21"}, {1e20, "100000000000000000000"},
		{math.Copysign(0, -1), "-0"}, {0, "0"}, {1e-7, "1e-7"}, {1e-6, "0.000001"}, {-2.5e-10, "-2.5e-10"},
		{math.NaN(), `"nan"`}, {math.Inf(1), `"inf"`}, {math.Inf(-1), `"-inf"`},
		{1 << 53, "9007199254740992"}, {123456789012345678, "123456789012345680"}, {math.MaxFloat64, "1.7976931348623157e+308"},
	} {
		if got := string(AppendFloat64(nil, tt.v)); got != tt.want {
			t.Errorf("AppendFloat64(%v) = %s, want %s", tt.v, got, tt.want)
		}
	}
	for _, tt := range []struct {
		v    float32
		want string
	}{
		{0.1, "0.1"}, {16777217, "16777216"}, {1e-7, "1e-7"}, {1e-6, "0.000001"}, {3.4e38, "3.4e+38"},
		{float32(math.Inf(1)), `"inf"`}, {float32(math.Copysign(0, -1)), "-0"},
	} {
		if got := string(AppendFloat32(nil, tt.v)); got != tt.want {
			t.Errorf("AppendFloat32(%v) = %s, want %s", tt.v, got, tt.want)
		}
	}
}

// FuzzFloat compares floats with encoding/json, and reads them back.
func FuzzFloat(f *testing.F) {
	for _, v := range []float64{0, 1, -1.5, 1e300, 1e-300, 5e-324, 0.1, 1e21, 1e-6, 123456.789} {
		f.Add(math.Float64bits(v))
	}
	f.Fuzz(func(t *testing.T, bits uint64) {
		v, w := math.Float64frombits(bits), math.Float32frombits(uint32(bits))
		if got := AppendFloat64(nil, v); got[0] != '"' {
			if want, _ := json.Marshal(v); string(got) != string(want) {
				t.Fatalf("AppendFloat64 = %s, want %s", got, want)
			}
			d := Decoder{Lexer: Lexer{Src: got}}
			if back := d.Float64(); math.Float64bits(back) != bits {
				t.Fatalf("%s reads back as %v", got, back)
			}
		}
		if got := AppendFloat32(nil, w); got[0] != '"' {
			if want, _ := json.Marshal(w); string(got) != string(want) {
				t.Fatalf("AppendFloat32 = %s, want %s", got, want)
			}
		}
	})
}

// TestAppendDecimals compares decimals with few places, and their neighbours, with
// encoding/json.
func TestAppendDecimals(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(1, 2))
	for range 200_000 {
		v := float64(r.Int64N(1e13)-5e12) / math.Pow10(r.IntN(7))
		for _, v := range []float64{v, math.Nextafter(v, 0), math.Nextafter(v, math.Inf(1)), v / 1e9} {
			want, _ := json.Marshal(v)
			if got := AppendFloat64(nil, v); string(got) != string(want) && v != 0 {
				t.Fatalf("AppendFloat64(%x) = %s, want %s", v, got, want)
			}
		}
	}
}

// TestAppendShortest compares floats of all sizes that are written without an exponent with
// strconv: some with few bits, whose decimals end, so that two may be as near, and some beside
// them.
func TestAppendShortest(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(5, 6))
	for range 300_000 {
		mantissa := r.Uint64()>>11 | 1<<52
		if r.IntN(2) == 0 {
			mantissa &^= 1<<r.IntN(53) - 1
		}
		v := math.Ldexp(float64(mantissa), r.IntN(80)-72)
		for _, v := range []float64{v, -math.Nextafter(v, 0), math.Nextafter(v, math.Inf(1))} {
			if abs := math.Abs(v); abs < 1e-6 {
				continue
			}
			want := strconv.FormatFloat(v, 'f', -1, 64)
			if got := string(AppendFloat64(nil, v)); got != want {
				t.Fatalf("AppendFloat64(%x) = %s, want %s", v, got, want)
			}
		}
	}
}

func TestAppendIndented(t *testing.T) {
	t.Parallel()
	const src = `{"a":[1,{"b":[]},"x,{}:y\"z"],"c":{},"d":null}`
	want := "{\n  \"a\": [\n    1,\n    {\n      \"b\": []\n    },\n    \"x,{}:y\\\"z\"\n  ],\n  \"c\": {},\n  \"d\": null\n}"
	if got := string(AppendIndented(nil, []byte(src))); got != want {
		t.Errorf("got %s\nwant %s", got, want)
	}
}

func TestInt(t *testing.T) {
	t.Parallel()
	long := "9" + strings.Repeat("0123456789", 3000)
	for _, tt := range []struct{ text, want string }{
		{"0", "0"}, {"-0", "0"}, {"007", "7"}, {"9223372036854775807", "9223372036854775807"},
		{"9223372036854775808", "9223372036854775808"}, {"-9223372036854775808", "-9223372036854775808"},
		{"-9223372036854775809", "-9223372036854775809"}, {long, long}, {"-" + long, "-" + long},
		{"00000000000000000000000000001", "1"},
		{"", "bad"}, {"-", "bad"}, {"+1", "bad"}, {"1.0", "bad"}, {"1e3", "bad"}, {" 1", "bad"}, {"--1", "bad"},
	} {
		got := "bad"
		if v, ok := ParseInt(tt.text); ok {
			got = v.String()
		}
		if got != tt.want {
			t.Errorf("ParseInt(%.40q) = %.40s, want %.40s", tt.text, got, tt.want)
		}
	}
	if small, large := NewInt(-5).Parts(); small != -5 || large != nil {
		t.Errorf("Parts() = %d, %v", small, large)
	}
}
