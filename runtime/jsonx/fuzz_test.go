package jsonx_test

import (
	"bytes"
	"fmt"
	"regexp"
	"testing"

	"github.com/mcpgen/mcpgen/runtime/jsonx"
	"github.com/mcpgen/mcpgen/runtime/voidstar"
)

// argumentTypes are types of arguments that use all the methods of a Decoder.
var argumentTypes = []string{
	"m31xi41y?s4listaf8", "m31aj1b?u81cab", "m21pt2i1u11q?a:2f4", "m11rm31xf81y?i21zz", "m21e?e33Red5Green4Blue1vv36Circle1f84Rect2f8f83Dot0",
	"m11l&4Listv23Nil04Cons2j^4List", "m11oa?m21aj1b?t1s", "t3bi8u2", "&4Treem25valuej8childrena^4Tree", "m11x??s", "m0", "m21a?v11X2?i4?s1bu4",
}

// FuzzArguments reads arguments as any type, and holds what a Decoder makes of them against
// encoding/json: the same value, or the one fault that the order of tools.md 7 puts first.
func FuzzArguments(f *testing.F) {
	f.Add("?&1A?^1A", []byte(`{"a":1}`))
	for _, schema := range argumentTypes {
		for _, text := range []string{
			`{"x":1,"y":"a\u00e9","list":[1,-0,1e400,"inf","-inf","nan",2.5e-3]}`, `{"a":5.0,"b":18446744073709551615,"c":[true,false,null]}`,
			`{"p":[-128,255],"q":[3.4e38,1e39]}`, `{"r":{"y":1,"x":"a","z":0,"x":2}}`, `{"e":"Gr\u0065en","v":{"Rect":[1,2]}}`, `{"e":"Pink","v":{"Dot":null}}`,
			`{"l":{"Cons":[1e3,{"Cons":[-1,"Nil"]}]}}`, `{"o":[{"a":1e10001,"b":null},null,{"b":["x"]}]}`, `{"a":[true,9223372036854775808,65536]}`,
			`{"value":1,"children":[{"value":2,"children":[]}]}`, `{"p":[1],"q":[2]}`, `{"x":null}`, `null`, ``, `[]`, `{}`, `{"a":{"X":[1,"s"],"Y":1},"b":4294967296}`, `{"v":"Circle","e":null}`,
		} {
			f.Add(schema, []byte(text))
		}
	}
	halves := regexp.MustCompile(`(?i)\\ud[89a-f]`) // encoding/json repairs half surrogate pairs
	f.Fuzz(func(t *testing.T, schema string, text []byte) {
		s := argumentsOf(schema)
		l := jsonx.Lexer{Src: text}
		if s == nil || len(text) > 10_000 || halves.Match(text) || len(text) > 0 && l.Value(0) != nil || l.Pos != len(text) {
			return
		}
		var d jsonx.Decoder
		d.Reset(text)
		got := decodeRecord(&d, s)
		if err := d.Err(); err != nil {
			got = err.Error()
		}
		if want := expected(t, s, text); got != want {
			t.Fatalf("%s as %s: got  %s\nwant %s", text, schema, got, want)
		}
	})
}

// argumentsOf returns the record of arguments that a schema stands for, nil if none can be
// read as generated code reads them.
func argumentsOf(schema string) *voidstar.Schema {
	s, err := voidstar.ParseSchema(schema)
	if err != nil || len(schema) > 300 || !isReadable(s, 0, map[*voidstar.Schema]bool{}) {
		return nil
	}
	if s.Kind != voidstar.KindRecord {
		s = &voidstar.Schema{Kind: voidstar.KindRecord, Fields: []voidstar.Field{{Name: "a", Schema: s}}}
	}
	return s
}

// isReadable reports whether a type can be generated: its members have different names, and
// there is an end to the optionals in each other, of which so many were met.
func isReadable(s *voidstar.Schema, optionals int, seen map[*voidstar.Schema]bool) bool {
	switch {
	case s == nil:
		return true
	case s.Kind == voidstar.KindOptional:
		return optionals < 300 && isReadable(s.Elem, optionals+1, seen) // no schema here is longer
	case seen[s]:
		return true
	}
	seen[s] = true
	names := map[string]bool{}
	for _, f := range s.Fields {
		if names[f.Name] && s.Kind == voidstar.KindRecord || !isReadable(f.Schema, 0, seen) {
			return false
		}
		names[f.Name] = true
	}
	for _, a := range s.Arms {
		if names[a.Name] || !isReadable(a.Payload, 0, seen) {
			return false
		}
		names[a.Name] = true
	}
	return isReadable(s.Elem, 0, seen)
}

// expected returns what reading arguments should give.
func expected(t *testing.T, s *voidstar.Schema, text []byte) string {
	t.Helper()
	if len(text) == 0 || bytes.Equal(text, []byte("null")) {
		text = []byte("{}")
	}
	n, err := treeOf(text)
	if err != nil {
		t.Fatalf("encoding/json reads %q: %v", text, err)
	}
	if !n.isObject {
		return jsonx.ErrNotObject.Error()
	}
	value, wrong := describe(n, s, "")
	if wrong != nil {
		return fmt.Sprint(wrong)
	}
	return value
}
