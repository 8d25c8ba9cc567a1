package pure

import (
	"strings"
	"testing"
)

var (
	sumNames  = []string{"Circle", "Rect", "Dot"}
	sumFields = []int{1, 2, 0}
)

type sum struct {
	tag    uint8
	fields []float64
}

func readSum(d *Decoder) (v sum) {
	x := d.Variant(sumNames, sumFields)
	v.tag = x.Tag
	if x.Fields {
		t := d.Tuple(sumFields[x.Tag])
		for d.Next(&t) {
			v.fields = append(v.fields, d.Float64())
		}
		d.EndTuple(&t)
	}
	d.EndVariant(&x)
	return v
}

// The texts of manifest-next.md 5.2.
func TestReadSum(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		`"Dot"`:                        "",
		` {"Rect" : [1, 2.5]} `:        "",
		`{"Dot":null}`:                 "",
		`{"Dot":[ ]}`:                  "",
		`{"\u0044ot":[]}`:              "",
		`"Oval"`:                       "'Oval' is not a constructor of this type; expected one of Circle, Rect, Dot",
		`{"Oval":[1]}`:                 "'Oval' is not a constructor of this type; expected one of Circle, Rect, Dot",
		`"Rect"`:                       "constructor 'Rect' takes 2 fields but was given none",
		`"Circle"`:                     "constructor 'Circle' takes 1 fields but was given none",
		`{}`:                           errKeys,
		`{"Circle":[1],"Dot":[]}`:      errKeys,
		`{"Circle":["x",{}],"Dot":[]}`: errKeys,
		`{"Oval":[1],"Dot":{"a":[]}}`:  errKeys,
		`{"Circle":2}`:                 "expected JSON array, got 2",
		`{"Rect":[1]}`:                 "expected 2 fields, got 1",
		`{"Rect":[1,2,3]}`:             "expected 2 fields, got 3",
		`{"Dot":5}`:                    "expected JSON array, got 5",
		`{"Dot":[[]]}`:                 "expected JSON array, got [[]]",
		`["Circle",2]`:                 `expected a tagged variant object, got ["Circle",2]`,
		`3`:                            "expected a tagged variant object, got 3",
		`null`:                         "expected a tagged variant object, got null",
	} {
		_, err := Read(in, readSum)
		if want == "" && err != nil || want != "" && (err == nil || err.Error() != prefix+want || !IsUser(err)) {
			t.Errorf("%s: got  %v\nwant %s", in, err, want)
		}
	}
	// A variant that is wrong does not spoil a later member of that name.
	type pair struct{ v sum }
	got, err := Read(`{"a":{"Circle":["x"]},"a":"Dot"}`, func(d *Decoder) (p pair) {
		r := d.Record([]string{"a"})
		for d.Field(&r) {
			p.v = readSum(d)
		}
		return p
	})
	if err != nil || got.v.tag != 2 {
		t.Errorf("%+v, %v", got, err)
	}
}

func TestReadEnum(t *testing.T) {
	t.Parallel()
	read := func(d *Decoder) uint8 { return d.Enum([]string{"Red", "Green", "Blue"}) }
	for in, want := range map[string]string{
		`"Blue"`:   "",
		`"Purple"`: "'Purple' is not a constructor of this type; expected one of Red, Green, Blue",
		`"red"`:    "'red' is not a constructor of this type; expected one of Red, Green, Blue",
		`3`:        "expected one of Red, Green, Blue, got 3",
		`{"a":"` + strings.Repeat("x", 100) + `"}`: `expected one of Red, Green, Blue, got {"a":"` + strings.Repeat("x", 71) + "...",
	} {
		got, err := Read(in, read)
		if want == "" && (err != nil || got != 2) || want != "" && (err == nil || err.Error() != prefix+want) {
			t.Errorf("%s: %d, %v, want %s", in, got, err, want)
		}
	}
}
