package manifest_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/mcpgen/mcpgen/gen/manifest"
)

func TestParseJSON(t *testing.T) {
	t.Parallel()
	root, err := manifest.ParseJSON([]byte(" {\"a\" : [1, -0.5e+3, \"\\u00e9\\ud83d\\ude00\\n\\/\"],\n \"a\":null, \"b\":{\"c\":true,\"d\":false}} "))
	if err != nil {
		t.Fatal(err)
	}
	list := root.Get("a")
	if list.Kind != manifest.ArrayNode || list.Offset != 8 || len(list.Elements) != 3 {
		t.Fatalf("a = %+v", list)
	}
	if got := list.Elements[1]; got.Kind != manifest.NumberNode || got.Num != "-0.5e+3" || got.Offset != 12 {
		t.Errorf("a[1] = %+v", got)
	}
	if got := list.Elements[2].Str; got != "é😀\n/" {
		t.Errorf("a[2] = %q", got)
	}
	if len(root.Members) != 3 || root.Members[1].Key != "a" || root.Members[1].Offset != 49 || !root.Members[1].Value.IsNull() {
		t.Errorf("members %+v", root.Members)
	}
	if b := root.Get("b"); !b.Get("c").Bool || b.Get("d").Bool || b.Get("e") != nil || !b.Get("e").Get("f").IsNull() {
		t.Errorf("b = %+v", b)
	}
}

func TestParseJSONErrors(t *testing.T) {
	t.Parallel()
	tests := []struct {
		text   string
		offset int
		want   string
	}{
		{``, 0, "the document ends here, expected a value"},
		{`{"a":1`, 6, "the document ends here, expected ',' or '}'"},
		{`[1`, 2, "the document ends here, expected ',' or ']'"},
		{`{"a"`, 4, "the document ends here, expected ':'"},
		{`{"a":`, 5, "the document ends here, expected a value"},
		{`"abc`, 4, `the document ends here, expected '"'`},
		{`"a\nb`, 5, `the document ends here, expected '"'`},
		{`"a\`, 3, "the document ends here, expected the rest of an escape sequence"},
		{`{1:2}`, 1, "unexpected '1', expected a key in quotes"},
		{`{"a":1,}`, 7, "unexpected '}', expected a key in quotes"},
		{`[1,]`, 3, "unexpected ']', expected a value"},
		{`[1 2]`, 3, "unexpected '2', expected ',' or ']'"},
		{`{"a" 1}`, 5, "unexpected '1', expected ':'"},
		{`nul`, 0, "unexpected 'n', expected a value"},
		{`01`, 1, "unexpected data after the document"},
		{`-`, 1, "the document ends here, expected a digit"},
		{`1.`, 2, "the document ends here, expected a digit"},
		{`1e+x`, 3, "unexpected 'x', expected a digit"},
		{"\"a\tb\"", 2, "unescaped control character 0x09 in a string"},
		{"\"a\xffb\"", 2, "not UTF-8: unexpected byte 0xFF"},
		{"\"\\n\xed\xa0\x80\"", 3, "not UTF-8: unexpected byte 0xED"},
		{`"\x"`, 1, "unknown escape sequence in a string"},
		{`"\u12g4"`, 1, `\u needs four hexadecimal digits`},
		{`"\u+123"`, 1, `\u needs four hexadecimal digits`},
		{`"\u12"`, 1, `\u needs four hexadecimal digits`},
		{`"\ud800"`, 1, "half of a surrogate pair in a string"},
		{`"\udc00\ud800"`, 1, "half of a surrogate pair in a string"},
		{`{} {}`, 3, "unexpected data after the document"},
		{"\x7fELF", 0, "unexpected byte 0x7F, expected a value"},
		{strings.Repeat("[", manifest.MaxDepth+1), manifest.MaxDepth, "nested deeper than 10000 levels"},
	}
	for _, test := range tests {
		_, err := manifest.ParseJSON([]byte(test.text))
		var syntax *manifest.SyntaxError
		if !errors.As(err, &syntax) || syntax.Text != test.want || syntax.Offset != test.offset {
			t.Errorf("ParseJSON(%.20q): %+v, want %d %s", test.text, err, test.offset, test.want)
		}
	}
}

func TestParseJSONDepth(t *testing.T) {
	t.Parallel()
	text := strings.Repeat(`{"a":[`, manifest.MaxDepth/2) + strings.Repeat("]}", manifest.MaxDepth/2)
	if _, err := manifest.ParseJSON([]byte(text)); err != nil {
		t.Error(err)
	}
}

func TestPosition(t *testing.T) {
	t.Parallel()
	f := &manifest.File{Src: []byte("ab\n\ncde")}
	tests := []struct{ offset, line, col int }{
		{0, 1, 1}, {1, 1, 2}, {2, 1, 3}, {3, 2, 1}, {4, 3, 1}, {6, 3, 3}, {7, 3, 4}, {99, 3, 4}, {-1, 1, 1},
	}
	for _, test := range tests {
		if line, col := f.Position(test.offset); line != test.line || col != test.col {
			t.Errorf("Position(%d) = %d:%d, want %d:%d", test.offset, line, col, test.line, test.col)
		}
	}
}

// FuzzJSON holds the reader against encoding/json, which accepts the same documents but
// for bad UTF-8, half surrogate pairs, and its own limit of depth.
func FuzzJSON(f *testing.F) {
	for _, seed := range []string{
		sound, `[1,-0,1.5e-3,"\u00e9\ud83d\ude00",null,true,false,{}]`, `{"a":1,"a":2}`, "\"\\u0000\"", "[1,]", "01", "\xff", "1e400",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		root, err := manifest.ParseJSON(src)
		if valid := json.Valid(src); err == nil && !valid {
			t.Fatalf("%q was accepted", src)
		} else if err != nil {
			if valid && !strings.Contains(err.Error(), "UTF-8") && !strings.Contains(err.Error(), "surrogate") {
				t.Fatalf("%q was refused: %v", src, err)
			}
			return
		}
		got, err := decoded(print(nil, root))
		if err != nil {
			t.Fatal(err)
		}
		want, err := decoded(src)
		if err != nil {
			t.Fatal(err)
		}
		gotText, _ := json.Marshal(got)
		wantText, _ := json.Marshal(want)
		if !bytes.Equal(gotText, wantText) {
			t.Fatalf("%q was read as %s", src, gotText)
		}
	})
}

// decoded reads JSON without loss of digits.
func decoded(text []byte) (v any, err error) {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	err = d.Decode(&v)
	return v, err
}

// print writes a tree as JSON.
func print(dst []byte, n *manifest.Node) []byte {
	str := func(s string) {
		text, _ := json.Marshal(s)
		dst = append(dst, text...)
	}
	switch n.Kind {
	case manifest.NullNode:
		return append(dst, "null"...)
	case manifest.BoolNode:
		if n.Bool {
			return append(dst, "true"...)
		}
		return append(dst, "false"...)
	case manifest.NumberNode:
		return append(dst, n.Num...)
	case manifest.StringNode:
		str(n.Str)
		return dst
	case manifest.ArrayNode:
		dst = append(dst, '[')
		for i, e := range n.Elements {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = print(dst, e)
		}
		return append(dst, ']')
	}
	dst = append(dst, '{')
	for i, m := range n.Members {
		if i > 0 {
			dst = append(dst, ',')
		}
		str(m.Key)
		dst = print(append(dst, ':'), m.Value)
	}
	return append(dst, '}')
}
