package jsonx

import (
	"math"
	"testing"
)

// A point is a record with an optional field; a shape holds some.
type point struct {
	X, Y float64
	Note *string
}

type shape struct {
	N      int8
	Points []point
	Pair   struct {
		A Int
		B bool
	}
	Three []int32
	Big   uint64
	Maybe *int32
}

var (
	pointKeys = Keys{Names: []string{"x", "y", "note"}, Required: Set{1 | 1<<1}}
	shapeKeys = Keys{
		Names:    []string{"n", "points", "pair", "three", "big", "maybe"},
		Required: Set{1 | 1<<1},
	}
)

func decodePoint(d *Decoder) (v point) {
	o := d.Object(&pointKeys)
	for d.Member(&o) {
		switch string(d.Key()) {
		case "x":
			if d.First(&o, 0) {
				v.X = d.Float64()
			}
		case "y":
			if d.First(&o, 1) {
				v.Y = d.Float64()
			}
		case "note":
			if d.First(&o, 2) {
				v.Note = Optional(d, (*Decoder).Text)
			}
		default:
			d.Unknown(&o)
		}
	}
	d.EndObject(&o)
	return v
}

func (s *shape) decode(d *Decoder) error {
	o := d.Object(&shapeKeys)
	for d.Member(&o) {
		switch string(d.Key()) {
		case "n":
			if d.First(&o, 0) {
				s.N = d.Int8()
			}
		case "points":
			if d.First(&o, 1) {
				s.Points = List(d, s.Points, -1, decodePoint)
			}
		case "pair":
			if d.First(&o, 2) {
				a := d.Array(2)
				if d.Element(&a) {
					s.Pair.A = d.Int()
				}
				if d.Element(&a) {
					s.Pair.B = d.Bool()
				}
				d.EndArray(&a)
			}
		case "three":
			if d.First(&o, 3) {
				s.Three = List(d, s.Three, 3, (*Decoder).Int32)
			}
		case "big":
			if d.First(&o, 4) {
				s.Big = d.Uint64()
			}
		case "maybe":
			if d.First(&o, 5) {
				s.Maybe = Optional(d, (*Decoder).Int32)
			}
		default:
			d.Unknown(&o)
		}
	}
	d.EndObject(&o)
	return d.Err()
}

// TestFaults is the order of complaints of tools.md 7.
func TestFaults(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ name, in, want string }{
		{"good", `{"n":1,"points":[{"x":1,"y":2}],"pair":[3,true],"three":[1,2,3],"big":18446744073709551615}`, ""},
		{"integral floats", `{"n":5.0,"points":[],"pair":[1e2,false],"three":[1.0,2e0,-0]}`, ""},
		{"null stands for nothing", `null`, "missing required argument 'n'"},
		{"no object", `[1]`, "'arguments' must be an object"},
		{"nothing", ``, "missing required argument 'n'"},
		{"unknown before missing", `{"zz":1,"aa":2}`, "unknown argument 'zz'"},
		{"duplicate in the client's order", `{"n":1,"n":2,"zz":1}`, "duplicate argument 'n'"},
		{"missing before wrong", `{"n":"x"}`, "missing required argument 'points'"},
		{"wrong in argument order", `{"points":3,"n":"x"}`, "argument 'n' must be an integer"},
		{"wrong element", `{"n":1,"points":[{"x":1,"y":2},{"x":"a","y":2}]}`, "argument 'points[1].x' must be a number"},
		{"first element counts", `{"n":1,"points":[{"x":1},{"zz":1}]}`, "missing required argument 'points[0].y'"},
		{"unknown inside", `{"n":1,"points":[{"y":"b","x":"a","z":0}]}`, "unknown argument 'points[0].z'"},
		{"duplicate inside", `{"n":1,"points":[{"x":1,"x":2,"y":2}]}`, "duplicate argument 'points[0].x'"},
		{"field order inside", `{"n":1,"points":[{"y":"b","x":"a"}]}`, "argument 'points[0].x' must be a number"},
		{"not a record", `{"n":1,"points":[[1,2]]}`, "argument 'points[0]' must be an object"},
		{"optional", `{"n":1,"points":[{"x":1,"y":2,"note":5}]}`, "argument 'points[0].note' must be a string or null"},
		{"optional out of range", `{"n":1,"points":[],"maybe":3000000000}`,
			"argument 'maybe' is out of range for I32 (-2147483648 to 2147483647)"},
		{"optional null", `{"n":1,"points":[{"x":1,"y":2,"note":null}],"maybe":null}`, ""},
		{"out of range", `{"n":128,"points":[]}`, "argument 'n' is out of range for I8 (-128 to 127)"},
		{"out of range for 64 bits", `{"n":1,"points":[],"big":18446744073709551616}`,
			"argument 'big' is out of range for U64 (0 to 18446744073709551615)"},
		{"negative", `{"n":1,"points":[],"big":-1}`, "argument 'big' is out of range for U64 (0 to 18446744073709551615)"},
		{"fraction", `{"n":1.5,"points":[]}`, "argument 'n' must be an integer"},
		{"text for a number", `{"n":"1","points":[]}`, "argument 'n' must be an integer"},
		{"exponent", `{"n":1,"points":[],"pair":[1e99999,true]}`, "argument 'pair[0]' must be an integer"},
		{"huge exponent", `{"n":1,"points":[],"pair":[1e999999999999999999999,true]}`, "argument 'pair[0]' must be an integer"},
		{"short tuple", `{"n":1,"points":[],"pair":["x"]}`, "argument 'pair' must have exactly 2 elements"},
		{"long tuple", `{"n":1,"points":[],"pair":[1,true,3,4]}`, "argument 'pair' must have exactly 2 elements"},
		{"length", `{"n":1,"points":[],"three":[1,2]}`, "argument 'three' must have exactly 3 elements"},
		{"no array", `{"n":1,"points":{}}`, "argument 'points' must be an array"},
		{"beyond the range", `{"n":1,"points":[{"x":1e400,"y":0}]}`, "argument 'points[0].x' is out of range for F64"},
		{"names with escapes", `{"n":1,"p\u006fints":[{"x":true,"y":0}]}`, "argument 'points[0].x' must be a number"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if tt.in != "" && check([]byte(tt.in)) != nil {
				t.Fatal("the input is not JSON")
			}
			var d Decoder
			var s shape
			d.Reset([]byte(tt.in))
			got := ""
			if err := s.decode(&d); err != nil {
				got = err.Error()
			}
			if got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

func TestValues(t *testing.T) {
	t.Parallel()
	decoder := func(text string) *Decoder { return &Decoder{Lexer: Lexer{Src: []byte(text)}} }
	if got := decoder(`"a\"\u00e9\ud83d\ude00"`).Text(); got != "a\"é😀" {
		t.Errorf("Text() = %q", got)
	}
	if got := decoder(`123456789012345678901234567890.0`).Int().String(); got != "123456789012345678901234567890" {
		t.Errorf("Int() = %s", got)
	}
	if got := decoder(`-1200e-2`).Int().String(); got != "-12" {
		t.Errorf("Int() = %s", got)
	}
	if got := decoder(`1e400`).Float32(); !math.IsInf(float64(got), 1) {
		t.Errorf("Float32() = %v", got)
	}
	if got := decoder(`"-inf"`).Float64(); !math.IsInf(got, -1) {
		t.Errorf("Float64() = %v", got)
	}
	if got := decoder(`-0.0`).Float64(); !math.Signbit(got) {
		t.Errorf("Float64() = %v, want -0", got)
	}
}

func TestDecodeAllocs(t *testing.T) {
	line := []byte(`{"n":1,"points":[],"pair":[12345,true],"three":[1,2,3],"big":7}`)
	var d Decoder
	var s shape
	read := func() {
		d.Reset(line)
		if err := s.decode(&d); err != nil {
			t.Fatal(err)
		}
	}
	read()
	if n := testing.AllocsPerRun(100, read); n != 0 {
		t.Errorf("%v allocations for warm arguments, want 0", n)
	}
}
