package jsonx

import "testing"

var (
	shapeArms  = Arms{Names: []string{"Circle", "Rect", "Dot"}, Fields: []int{1, 2, 0}}
	sumKeys    = Keys{Names: []string{"a", "b"}, Required: Set{3}}
	colorNames = []string{"Red", "Green"}
)

// readSum reads an object whose member a is a variant of floats and whose member b is an enum.
func readSum(d *Decoder) (tag uint8, fields []float64, color uint8) {
	o := d.Object(&sumKeys)
	for d.Member(&o) {
		switch string(d.Key()) {
		case "a":
			if d.First(&o, 0) {
				x := d.Variant(&shapeArms)
				if tag = x.Tag; x.Fields {
					fields = List(d, nil, shapeArms.Fields[x.Tag], (*Decoder).Float64)
				}
				d.EndVariant(&x)
			}
		case "b":
			if d.First(&o, 1) {
				color = d.Enum(colorNames)
			}
		default:
			d.Unknown(&o)
		}
	}
	d.EndObject(&o)
	return tag, fields, color
}

func TestSum(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		in     string
		tag    uint8
		fields int
		color  uint8
	}{
		{`{"a":"Dot","b":"Red"}`, 2, 0, 0},
		{`{"b":"Green","a":{"Rect":[1,2]}}`, 1, 2, 1},
		{` { "a" : { "Circle" : [ 1 ] } , "b" : "Green" } `[1:], 0, 1, 1},
		{`{"a":{"Dot":null},"b":"\u0052ed"}`, 2, 0, 0},
		{`{"a":{"D\u006ft":[ ]},"b":"Red"}`, 2, 0, 0},
	} {
		var d Decoder
		d.Reset([]byte(test.in))
		tag, fields, color := readSum(&d)
		if d.Err() != nil || tag != test.tag || len(fields) != test.fields || color != test.color {
			t.Errorf("%s: %d %v %d, %v", test.in, tag, fields, color, d.Err())
		}
	}
}

// Faults of sum types take their place in the order of tools.md 7.
func TestSumFaults(t *testing.T) {
	t.Parallel()
	const shape = "must be a constructor name or an object with one constructor"
	for in, want := range map[string]string{
		`{"a":"Oval","b":"Pink"}`:                        "argument 'a': 'Oval' is not one of Circle, Rect, Dot",
		`{"b":"Pink","a":"Oval"}`:                        "argument 'a': 'Oval' is not one of Circle, Rect, Dot",
		`{"a":"Dot","b":"Pink"}`:                         "argument 'b': 'Pink' is not one of Red, Green",
		`{"a":"Dot","b":{}}`:                             "argument 'b' must be one of Red, Green",
		`{"a":"Circle"}`:                                 "missing required argument 'b'",
		`{"a":"Circle","b":"Red","c":1}`:                 "unknown argument 'c'",
		`{"a":{"Circle":[1]},"a":"Dot","b":"Red"}`:       "duplicate argument 'a'",
		`{"a":{"Circle":["x"],"Dot":[]},"b":1}`:          "argument 'a' " + shape,
		`{"a":{},"b":"Red"}`:                             "argument 'a' " + shape,
		`{"a":[],"b":"Red"}`:                             "argument 'a' " + shape,
		`{"a":{"Rect":[1,"x"]},"b":"Red"}`:               "argument 'a.Rect[1]' must be a number",
		`{"a":{"Rect":[1,"x",3]},"b":"Red"}`:             "argument 'a.Rect' must have exactly 2 elements",
		`{"a":{"Oval":[[{"deep":{}}]],"x":0},"b":"Red"}`: "argument 'a' " + shape,
		`{"a":{"Dot":{"x":[1]}},"b":"Red"}`:              "argument 'a.Dot' must be an array",
	} {
		var d Decoder
		d.Reset([]byte(in))
		readSum(&d)
		if err := d.Err(); err == nil || err.Error() != want {
			t.Errorf("%s: got  %v\nwant %s", in, err, want)
		}
	}
}

// Whatever a valid value is, it is read to its end, once.
func FuzzVariant(f *testing.F) {
	for _, seed := range []string{`"Dot"`, `{"Rect":[1,2]}`, `{"Circle":[1],"x":{}}`, `{}`, `{"Dot":[]}`, `null`, `[{"a":1}]`, `{"Oval":{"a":[1]}}`} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, value string) {
		text := []byte(`{"a":` + value + `,"b":"Red"}`)
		l := Lexer{Src: text}
		if l.Value(0) != nil || l.Pos != len(text) {
			return
		}
		inner := Lexer{Src: []byte(value)}
		inner.Space()
		if inner.Value(1) != nil {
			return
		}
		if inner.Space(); inner.Pos != len(value) {
			return
		}
		var d Decoder
		d.Reset(text)
		_, _, color := readSum(&d)
		if d.Pos != len(text) || color != 0 {
			t.Fatalf("%s: ends at %d of %d, %v", text, d.Pos, len(text), d.Err())
		}
	})
}
