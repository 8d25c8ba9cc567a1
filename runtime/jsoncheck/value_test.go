package jsoncheck_test

import (
	"regexp"
	"strconv"
	"testing"

	"github.com/mcpgen/mcpgen/runtime/jsoncheck"
)

func TestEqual(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		a, b string
		want bool
	}{
		{`null`, `null`, true}, {`null`, `false`, false}, {`true`, `true`, true}, {`true`, `false`, false},
		{`"é"`, `"\u00e9"`, true}, {`"a"`, `"b"`, false}, {`"1"`, `1`, false}, {`""`, `""`, true},
		{`[1,2]`, `[1.0,2e0]`, true}, {`[1,2]`, `[2,1]`, false}, {`[1]`, `[1,1]`, false}, {`[]`, `{}`, false},
		{`{"a":1,"b":2}`, `{"b":2,"a":1}`, true}, {`{"a":1}`, `{"a":1,"b":1}`, false}, {`{"a":1,"b":2}`, `{"a":1,"c":2}`, false},
		{`{"a":1,"a":2}`, `{"a":2}`, true}, {`{"a":{"b":[]}}`, `{"a":{"b":[]}}`, true}, {`{"a":1}`, `{"a":2}`, false},
	} {
		a, b := jsoncheck.MustParse(tt.a), jsoncheck.MustParse(tt.b)
		if a.Equal(b) != tt.want || b.Equal(a) != tt.want {
			t.Errorf("%s equals %s: %v, want %v", tt.a, tt.b, a.Equal(b), tt.want)
		}
	}
}

// TestOtherKinds holds that a predicate about one kind of values says nothing of others.
func TestOtherKinds(t *testing.T) {
	t.Parallel()
	re := regexp.MustCompile("x")
	for _, text := range []string{`null`, `true`, `1`, `"a"`, `[1,2]`, `{"a":1}`} {
		v := jsoncheck.MustParse(text)
		for name, tt := range map[string]struct {
			of   jsoncheck.Types
			said bool
		}{
			"Shorter":    {jsoncheck.String, v.Shorter(9)},
			"Longer":     {jsoncheck.String, v.Longer(0)},
			"Differs":    {jsoncheck.String, v.Differs(re)},
			"Fewer":      {jsoncheck.Array, v.Fewer(9)},
			"More":       {jsoncheck.Array, v.More(0)},
			"NoElements": {jsoncheck.Array, !v.NoElements(0).OK()},
			"NoMembers":  {jsoncheck.Object, !v.NoMembers().OK()},
			"Require":    {jsoncheck.Object, !v.Require("x").OK()},
			"Below":      {jsoncheck.Number, v.Below("9")},
			"AtMost":     {jsoncheck.Number, v.AtMost("9")},
			"AtLeast":    {jsoncheck.Number, v.AtLeast("0")},
			"Above":      {jsoncheck.Number, v.Above("0")},
		} {
			if tt.said != v.Is(tt.of) {
				t.Errorf("%s of %s: %v, want %v", name, text, tt.said, v.Is(tt.of))
			}
		}
	}
}

func TestFault(t *testing.T) {
	t.Parallel()
	v := jsoncheck.MustParse(`{"gone":0,"a/b":{"~":[0,{"x":1}]},"gone":1}`)
	deep := v
	for _, name := range []string{"a/b", "~"} {
		deep, _ = deep.Member(name)
	}
	for _, x := range deep.Elements() {
		deep = x
	}
	for _, tt := range []struct {
		name                 string
		fault                jsoncheck.Fault
		text, argument, rest string
	}{
		{"none", jsoncheck.Fault{}, "", "", ""},
		{"root", v.Fault("must be array"), "must be array", "", "must be array"},
		{"missing", v.Require("a/b", "z"), "/z is required", "z", "is required"},
		{"deep", deep.Fault("must be null"), "/a~1b/~0/1 must be null", "a/b", "/~0/1 must be null"},
		{"deep and missing", deep.Require("/"), "/a~1b/~0/1/~1 is required", "a/b", "/~0/1/~1 is required"},
		{"enum", v.OneOf(jsoncheck.MustParse(`[ 1.0, "é" ]`)), `must be one of [1.0,"é"]`, "", `must be one of [1.0,"é"]`},
	} {
		if tt.fault.OK() {
			if tt.name != "none" {
				t.Errorf("%s: no fault", tt.name)
			}
			continue
		}
		name, all, rest := tt.fault.Argument()
		if got := tt.fault.Text(); got != tt.text || name != tt.argument || all != (tt.argument == "") || rest != tt.rest {
			t.Errorf("%s: text %q, argument %q %q, want %q, %q %q", tt.name, got, name, rest, tt.text, tt.argument, tt.rest)
		}
	}
}

func TestFaults(t *testing.T) {
	t.Parallel()
	v := jsoncheck.MustParse(`{"a":[1,2],"b":1}`)
	a, _ := v.Member("a")
	var faults jsoncheck.Faults
	faults.Add(jsoncheck.Fault{})
	for _, x := range a.Elements() {
		faults.Add(x.Fault("first of a"))
	}
	faults.Require(v, "a", "z", "y")
	faults.Add(v.Fault("all"))
	faults.Add(v.Fault("all again"))
	b, _ := v.Member("b")
	faults.Add(b.Fault("is not allowed"))
	want := []string{"/b is not allowed", "/y is required", "/a/0 first of a", "/z is required", "all"}
	all := faults.InOrder(v, "y", "a", "z")
	if len(all) != len(want) {
		t.Fatalf("%d faults, want %d", len(all), len(want))
	}
	for i, f := range all {
		if f.Text() != want[i] {
			t.Errorf("fault %d is %q, want %q", i, f.Text(), want[i])
		}
	}
}

// TestManyFaults holds that as many faults as a message has room for are gathered in time
// that grows with their number only: with the square of it, this would take hours.
func TestManyFaults(t *testing.T) {
	t.Parallel()
	const n = 200_000
	text := []byte{'{'}
	for i := range n {
		text = append(strconv.AppendInt(append(text, '"'), int64(i), 10), `":1,`...)
	}
	text[len(text)-1] = '}'
	v, ok := jsoncheck.Parse(text)
	if !ok {
		t.Fatal("no JSON")
	}
	var faults jsoncheck.Faults
	for range 2 {
		for m := range v.Members() {
			faults.Add(m.Fault("is not allowed"))
		}
	}
	all := faults.InOrder(v, "0", "x")
	if len(all) != n {
		t.Errorf("%d faults, want %d", len(all), n)
	}
	if name, _, text := all[n-2].Argument(); name != strconv.Itoa(n-1) || text != "is not allowed" {
		t.Errorf("the last one is %q %q", name, text)
	}
}
