package jsoncheck_test

import (
	"strings"
	"testing"

	"github.com/mcpgen/mcpgen/runtime/jsoncheck"
)

// TestOverrun goes down into a value as a schema does that doubles the work at each level, and
// through one so large that each part of it can be looked at often.
func TestOverrun(t *testing.T) {
	t.Parallel()
	parse := func(text string) jsoncheck.Value {
		v, ok := jsoncheck.Parse([]byte(text))
		if !ok {
			t.Fatal("no JSON")
		}
		return v
	}
	var twice func(v jsoncheck.Value)
	twice = func(v jsoncheck.Value) {
		for range 2 {
			for _, x := range v.Elements() {
				twice(x)
			}
			for m := range v.Members() {
				twice(m)
			}
		}
	}
	for _, pair := range []string{"[]", `{"a":}`} {
		open, closing := pair[:len(pair)-1], pair[len(pair)-1:]
		v := parse(strings.Repeat(open, 100) + "1" + strings.Repeat(closing, 100))
		twice(v)
		f := v.Overrun()
		if f.Text() != "cannot be checked in reasonable time" {
			t.Errorf("%s: overrun %q", open, f.Text())
		}
		if _, all, _ := f.Argument(); !all {
			t.Errorf("%s: the fault is of one argument", open)
		}
		var faults jsoncheck.Faults
		faults.Require(v, "a")
		if all := faults.InOrder(v, "a"); len(all) != 1 || all[0].Text() != f.Text() {
			t.Errorf("%s: faults %v", open, all)
		}
	}

	v := parse("[" + strings.Repeat("1,", 100_000) + "1]")
	for range 25 {
		for _, x := range v.Elements() {
			_ = x.Below("2")
		}
	}
	text := parse(`["` + strings.Repeat("a", 1_000_000) + `"]`)
	for range 20 {
		for _, x := range text.Elements() {
			_ = x.Longer(1)
		}
	}
	for name, v := range map[string]jsoncheck.Value{"numbers": v, "text": text, "constant": jsoncheck.MustParse("[]")} {
		if f := v.Overrun(); !f.OK() {
			t.Errorf("%s: %s", name, f.Text())
		}
	}
}
