package jsoncheck_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/mcpgen/mcpgen/runtime/jsoncheck"
	"github.com/mcpgen/mcpgen/runtime/jsonx"
)

func TestParse(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, text, compact string // "": it is not one JSON text
	}{
		{"object", " {\"a\" : [1 , 2]}\n", `{"a":[1,2]}`},
		{"scalar", "\t-1.50e+3\r\n", `-1.50e+3`},
		{"digits", `[12345678901234567890,1.0,0.10]`, `[12345678901234567890,1.0,0.10]`},
		{"escapes", `{"\u0061\"b": "\/ \u00e9"}`, `{"\u0061\"b":"\/ \u00e9"}`},
		{"empty containers", `{ "a" : { } , "b" : [ ] }`, `{"a":{},"b":[]}`},
		{"repeated", `{"a":1,"b":2,"a":[3]}`, `{"b":2,"a":[3]}`},
		{"repeated, escaped", `{"\u0061":{"x":1},"a":{"y":2}}`, `{"a":{"y":2}}`},
		{"repeated inside of repeated", `[{"a":{"b":1,"b":2},"a":{"c":1,"c":3,"c":4}}]`, `[{"a":{"c":4}}]`},
		{"only repeated", `{"a":1,"a":2,"a":3}`, `{"a":3}`},
		{"null", `null`, `null`},
		{"empty", ``, ``},
		{"blank", " \n", ``},
		{"two texts", `{} {}`, ``},
		{"lines", "{}\n{}\n", ``},
		{"NaN", `NaN`, ``},
		{"comment", `{} // x`, ``},
		{"byte order mark", "\ufeff{}", ``},
		{"not UTF-8", "\"\xff\"", ``},
		{"cut", `{"a":`, ``},
		{"other white space", "\v1", ``},
		{"deepest", strings.Repeat("[", jsonx.MaxDepth) + strings.Repeat("]", jsonx.MaxDepth),
			strings.Repeat("[", jsonx.MaxDepth) + strings.Repeat("]", jsonx.MaxDepth)},
		{"too deep", strings.Repeat("[", jsonx.MaxDepth+1) + strings.Repeat("]", jsonx.MaxDepth+1), ``},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got := ""
			if v, ok := jsoncheck.Parse([]byte(tt.text)); ok {
				got = string(v.Append(nil))
			}
			if got != tt.compact {
				t.Errorf("Parse(%.100q) = %.100q, want %.100q", tt.text, got, tt.compact)
			}
		})
	}
}

// TestManyMembers holds that names are found to come again whatever their number.
func TestManyMembers(t *testing.T) {
	t.Parallel()
	for _, n := range []int{15, 16, 17, 18, 1000} {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, `"m%d":%d,`, i%(n-3), i)
		}
		text := "{" + strings.TrimSuffix(b.String(), ",") + "}"
		v, ok := jsoncheck.Parse([]byte(text))
		if !ok {
			t.Fatal("no JSON")
		}
		got := 0
		for m := range v.Members() {
			got++
			if i := string(m.Append(nil)); (m.Name() == "m0") != (i == fmt.Sprint(n-3)) {
				t.Errorf("%d members: %s is %s", n, m.Name(), i)
			}
		}
		if got != n-3 {
			t.Errorf("of %d members %d are left, want %d", n, got, n-3)
		}
	}
}

// FuzzParse holds the tree against encoding/json: both read the same texts, to the same
// values.
func FuzzParse(f *testing.F) {
	for _, seed := range []string{
		`{"a":1,"b":[true,null,"x\n"],"a":{"c":-0.5e3}}`, `[]`, ` "\ud83d\ude00" `, `1 2`, `{"a":1,}`, `{"":{"":1,"":2}}`,
		`[[[1]],{"k":[{}]}]`, "\"\xff\"", `{"\u0061":1,"a":2}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		v, ok := jsoncheck.Parse(text)
		d := json.NewDecoder(bytes.NewReader(text))
		d.UseNumber()
		var want any
		err := d.Decode(&want)
		if !ok {
			// It takes halves of surrogates, bytes that are not UTF-8, and more depth.
			if json.Valid(text) && utf8.Valid(text) && !bytes.Contains(text, []byte(`\u`)) && len(text) < jsonx.MaxDepth {
				t.Fatalf("Parse(%q) found no JSON", text)
			}
			return
		}
		if err != nil || d.More() {
			t.Fatalf("Parse(%q) found JSON, encoding/json: %v", text, err)
		}
		if got := plain(t, v); !reflect.DeepEqual(got, want) {
			t.Fatalf("Parse(%q) = %v, want %v", text, got, want)
		}
		compact := v.Append(nil)
		again, ok := jsoncheck.Parse(compact)
		if !ok || !again.Equal(v) || !bytes.Equal(again.Append(nil), compact) {
			t.Fatalf("%q is %q when compact", text, compact)
		}
	})
}

// plain returns a value in the form of encoding/json, found by the methods of its type.
func plain(t *testing.T, v jsoncheck.Value) any {
	switch {
	case v.Is(jsoncheck.Object):
		all := map[string]any{}
		for m := range v.Members() {
			if _, ok := all[m.Name()]; ok {
				t.Errorf("%q comes twice", m.Name())
			}
			all[m.Name()] = plain(t, m)
		}
		return all
	case v.Is(jsoncheck.Array):
		all := []any{}
		for i, x := range v.Elements() {
			if i != len(all) {
				t.Errorf("index %d, want %d", i, len(all))
			}
			all = append(all, plain(t, x))
		}
		return all
	}
	d := json.NewDecoder(bytes.NewReader(v.Append(nil)))
	d.UseNumber()
	var scalar any
	if err := d.Decode(&scalar); err != nil {
		t.Errorf("%s: %v", v.Append(nil), err)
	}
	return scalar
}
