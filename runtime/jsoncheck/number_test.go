package jsoncheck_test

import (
	"math/big"
	"strings"
	"testing"

	"github.com/mcpgen/mcpgen/runtime/jsoncheck"
)

func TestNumbers(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		a, b string
		want int
	}{
		{"1", "1.0", 0}, {"1", "10e-1", 0}, {"100", "1E+2", 0}, {"0", "-0.0e9", 0}, {"0.1", "1e-1", 0},
		{"12345678901234567890", "12345678901234567891", -1}, // equal as doubles
		{"0.1", "0.10000000000000000001", -1},
		{"-2", "-1", -1}, {"-1", "1", -1}, {"-1", "0", -1}, {"0", "1e-400", -1}, {"9", "10", -1}, {"0.9", "0.10", 1},
		{"1e400", "1e401", -1}, {"-1e400", "-1e401", 1}, {"1e-5", "1e-6", 1},
		{"1e99999999999999999999", "2", 1}, {"1e-99999999999999999999", "0", 1}, {"1e-99999999999999999999", "1", -1},
		{"0e99999999999999999999", "0", 0},
		{"1e3", "999.9999", 1}, {"00.5"[1:], "5e-1", 0},
	} {
		for _, swap := range []bool{false, true} {
			a, b, want := tt.a, tt.b, tt.want
			if swap {
				a, b, want = b, a, -want
			}
			v := jsoncheck.MustParse(a)
			got := [5]bool{v.Below(b), v.AtMost(b), v.AtLeast(b), v.Above(b), v.Equal(jsoncheck.MustParse(b))}
			if wanted := [5]bool{want < 0, want <= 0, want >= 0, want > 0, want == 0}; got != wanted {
				t.Errorf("%s and %s: below, at most, at least, above, equal = %v, want %v", a, b, got, wanted)
			}
		}
	}
}

func TestInteger(t *testing.T) {
	t.Parallel()
	for number, want := range map[string]bool{
		"1": true, "1.0": true, "1.50e1": true, "1.5": false, "1e-1": false, "10e-1": true, "0.0": true, "0e-9": true,
		"-3": true, "-3.000": true, "1e400": true, "1e-400": false, "12345678901234567890.5": false, "1.5e99999999999999999999": true,
	} {
		if got := jsoncheck.MustParse(number).Is(jsoncheck.Integer); got != want {
			t.Errorf("%s is an integer: %v, want %v", number, got, want)
		}
	}
}

// FuzzNumbers holds comparisons against math/big.
func FuzzNumbers(f *testing.F) {
	f.Add("1.50", "15e-1")
	f.Add("-0", "0.000")
	f.Add("123456789012345678901234567890", "1e29")
	f.Fuzz(func(t *testing.T, a, b string) {
		a, b = strings.Trim(a, " \t\r\n"), strings.Trim(b, " \t\r\n")
		x, y := rational(a), rational(b)
		if x == nil || y == nil {
			return
		}
		v := jsoncheck.MustParse(a)
		want := x.Cmp(y)
		if v.Below(b) != (want < 0) || v.Above(b) != (want > 0) || v.Equal(jsoncheck.MustParse(b)) != (want == 0) {
			t.Errorf("%s and %s: below %v, above %v, want %d", a, b, v.Below(b), v.Above(b), want)
		}
		if got := v.Is(jsoncheck.Integer); got != x.IsInt() {
			t.Errorf("%s is an integer: %v, want %v", a, got, x.IsInt())
		}
	})
}

// rational returns the value of text that is a JSON number of a moderate exponent, else nil.
func rational(text string) *big.Rat {
	v, ok := jsoncheck.Parse([]byte(text))
	e := strings.IndexAny(text, "eE")
	if !ok || !v.Is(jsoncheck.Number) || e >= 0 && len(text)-e > 5 {
		return nil
	}
	x, _ := new(big.Rat).SetString(text)
	return x
}
