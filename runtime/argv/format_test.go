package argv

import (
	"math"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"
)

func TestRender(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ literal, want string }{
		{"0", "0"}, {"-0", "0"}, {"-0.0", "0"}, {"-0e5", "0"}, {"7", "7"}, {"-7", "-7"},
		{"12345678901234567890", "12345678901234567890"},
		{"1.50", "1.5"}, {"1E5", "100000"}, {"1e21", "1e+21"}, {"1e20", "100000000000000000000"},
		{"0.0000001", "1e-7"}, {"0.000001", "0.000001"}, {"-1.5e-10", "-1.5e-10"}, {"123e-20", "1.23e-18"},
		{"1e100", "1e+100"}, {"1.7976931348623157e308", "1.7976931348623157e+308"}, {"5e-324", "5e-324"},
		{"1e-400", "0"}, {"-1e-400", "0"}, {"1e999", "1e999"}, {"-1.0E+999", "-1.0E+999"},
		{"0.1", "0.1"}, {"0.30000000000000004", "0.30000000000000004"}, {"9007199254740993.0", "9007199254740992"},
	} {
		if got := render([]byte(tt.literal)); got != tt.want {
			t.Errorf("render(%s) = %s, want %s", tt.literal, got, tt.want)
		}
	}
}

// FuzzFormatDouble checks the form that ECMAScript demands, and that no shorter one would do.
func FuzzFormatDouble(f *testing.F) {
	for _, v := range []float64{0, 1, -1.5, 1e21, 1e-7, 123456789.125, math.MaxFloat64, 5e-324} {
		f.Add(math.Float64bits(v))
	}
	plain := regexp.MustCompile(`^-?(0|[1-9]\d{0,20})(\.\d*[1-9])?$`)
	scientific := regexp.MustCompile(`^-?[1-9](\.\d*[1-9])?e[+-][1-9]\d{0,2}$`)
	f.Fuzz(func(t *testing.T, bits uint64) {
		v := math.Float64frombits(bits)
		if math.IsNaN(v) || math.IsInf(v, 0) {
			t.Skip()
		}
		s := formatDouble(v)
		form := scientific
		if abs := math.Abs(v); abs == 0 || 1e-6 <= abs && abs < 1e21 {
			form = plain
		}
		if !form.MatchString(s) {
			t.Errorf("%v: %s has not the form %v", v, s, form)
		}
		if back, err := strconv.ParseFloat(s, 64); err != nil || back != v {
			t.Errorf("%v: %s reads back as %v", v, s, back)
		}
		digits := func(s string) int {
			s, _, _ = strings.Cut(s, "e")
			return len(strings.Trim(strings.NewReplacer("-", "", ".", "").Replace(s), "0"))
		}
		if shortest := strconv.FormatFloat(v, 'e', -1, 64); digits(s) != digits(shortest) {
			t.Errorf("%v: %s has more digits than %s", v, s, shortest)
		}
	})
}

// FuzzIsNumber holds IsNumber against a pattern.
func FuzzIsNumber(f *testing.F) {
	for _, s := range []string{
		"", " ", "1", "+1", "-1", ".5", "5.", ".", "1e3", "1e", "e3", "1e+3", "-.5e-3", "0x1F", "0xg", "-0x1", "0o17", "0o8",
		"0b101", "0b2", "0x", "Infinity", "NaN", "1_000", "12abc", "\ufeff7\u3000", "\u00857", "1 2", "--1", "00", "0XaF", "٣",
	} {
		f.Add(s)
	}
	number := regexp.MustCompile(`^([+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?|0[xX][0-9a-fA-F]+|0[oO][0-7]+|0[bB][01]+)$`)
	const space = "\t\n\v\f\r \u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000\ufeff"
	f.Fuzz(func(t *testing.T, s string) {
		if got, want := IsNumber(s), number.MatchString(strings.Trim(s, space)); got != want {
			t.Errorf("IsNumber(%q) = %v", s, got)
		}
		if got, want := Trim(s), strings.Trim(s, space); got != want {
			t.Errorf("Trim(%q) = %q, want %q", s, got, want)
		}
	})
}

func TestDurations(t *testing.T) {
	t.Parallel()
	for s, want := range map[string]bool{
		"0": true, "90": true, "30s": true, "20M": true, "1h": true, "2D": true, " 5m\n": true, "0005": true,
		"": false, "m": false, "5 m": false, "-5m": false, "5mm": false, "1.5h": false, "5w": false, "٥m": false,
	} {
		if got := isDuration(s); got != want {
			t.Errorf("isDuration(%q) = %v", s, got)
		}
	}
}

// FuzzDates holds isDate and isDateTime against package time.
func FuzzDates(f *testing.F) {
	for _, s := range []string{
		"2024-02-29", "2023-02-29", "1900-02-29", "2000-02-29", "0000-01-01", "2026-04-31", "2026-13-01", "2026-00-10",
		"2026-1-01", "12026-01-01", "2026-01-01T00:00:00Z", "2026-01-01T00:00:00.5Z", "2026-01-01T24:00:00Z",
		"2026-01-01T23:59:60Z", "2026-01-01T23:59:59+23:59", "2026-01-01T23:59:59+24:00", "2026-01-01T23:59:59-0130",
		"2026-01-01t00:00:00z", "2026-01-01 00:00:00Z", "2026-01-01T00:00Z", "2026-01-01T00:00:00", "2026-01-01T00:00:00.Z",
		"2026-01-01T00:00:00,5Z", "2026-01-01T0:00:00Z", "",
	} {
		f.Add(s)
	}
	form := regexp.MustCompile(`^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]([01]\d|2[0-3]):[0-5]\d)$`)
	f.Fuzz(func(t *testing.T, s string) {
		if _, err := time.Parse(time.DateOnly, s); isDate(s) != (err == nil) {
			t.Errorf("isDate(%q) = %v; %v", s, isDate(s), err)
		}
		want := form.MatchString(s)
		if want {
			_, err := time.Parse("2006-01-02T15:04:05", s[:19])
			want = err == nil
		}
		if got := isDateTime(s); got != want {
			t.Errorf("isDateTime(%q) = %v", s, got)
		}
	})
}
