package schema_test

import (
	"strings"
	"testing"

	"github.com/mcpgen/mcpgen/gen/ir"
	"github.com/mcpgen/mcpgen/gen/schema"
)

func parse(t *testing.T, text string) *ir.Type {
	t.Helper()
	typ, err := schema.Parse(text)
	if err != nil {
		t.Fatalf("Parse(%q): %v", text, err)
	}
	return typ
}

// offsets lists the offsets of the fields of t.
func offsets(t *ir.Type) []int {
	var list []int
	for _, f := range t.Fields {
		list = append(list, f.Offset)
	}
	return list
}

func TestParse(t *testing.T) {
	t.Parallel()
	tests := []struct {
		schema, text string // text "": the same
		width, align int
		offsets      []int
	}{
		{schema: "z", width: 0, align: 1},
		{schema: "b", width: 1, align: 1},
		{schema: "s", width: 16, align: 8},
		{schema: "j", width: 16, align: 8},
		{schema: "i1", width: 1, align: 1},
		{schema: "i2", width: 2, align: 2},
		{schema: "i4", width: 4, align: 4},
		{schema: "i8", width: 8, align: 8},
		{schema: "u1", width: 1, align: 1},
		{schema: "u2", width: 2, align: 2},
		{schema: "u4", width: 4, align: 4},
		{schema: "u8", width: 8, align: 8},
		{schema: "f4", width: 4, align: 4},
		{schema: "f8", width: 8, align: 8},
		{schema: "aj", width: 16, align: 8},
		{schema: "aau1", width: 16, align: 8},
		{schema: "a:3f8", width: 16, align: 8},
		{schema: "a:0j", text: "aj", width: 16, align: 8},
		{schema: "a:007j", text: "a:7j", width: 16, align: 8},
		{schema: "a:2a:3f8", width: 16, align: 8},
		{schema: "?j", width: 8, align: 8},
		{schema: "??j", width: 8, align: 8},
		{schema: "?as", width: 8, align: 8},
		{schema: "a?s", width: 16, align: 8},
		{schema: "t0", width: 0, align: 1},
		{schema: "m0", width: 0, align: 8},
		{schema: "t2sj", width: 32, align: 8, offsets: []int{0, 16}},
		{schema: "t3bi2b", width: 6, align: 2, offsets: []int{0, 2, 4}},
		{schema: "t2zb", width: 1, align: 1, offsets: []int{0, 0}},
		{schema: "tabbbbbbbbbb", width: 10, align: 1, offsets: []int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}},
		{schema: "m21ab1bb", width: 2, align: 8, offsets: []int{0, 1}},
		{schema: "t2bm21ab1bb", width: 16, align: 8, offsets: []int{0, 8}},
		{schema: "m11ab", width: 1, align: 8, offsets: []int{0}},
		{schema: "m36tmpDirsanumThreadsjcremoveCachesb", width: 40, align: 8, offsets: []int{0, 16, 32}},
		{schema: "m11xm11yj", width: 16, align: 8, offsets: []int{0}},
		{schema: "m12xs?aj", width: 8, align: 8, offsets: []int{0}},
		{schema: "<dict>at2sj", text: "at2sj", width: 16, align: 8},
		{schema: "<std::map<$1,$2>>at2sj", text: "at2sj", width: 16, align: 8},
		{schema: "<x><y>j", text: "j", width: 16, align: 8},
		{schema: "<>j", text: "j", width: 16, align: 8},
		{schema: "<list>a:3i4", text: "a:3i4", width: 16, align: 8},
		{schema: "<dict>m26smiless2mwf8", text: "m26smiless2mwf8", width: 24, align: 8, offsets: []int{0, 16}},
		{schema: "&4Treem25valuej8childrena^4Tree", width: 32, align: 8, offsets: []int{0, 16}},
		{schema: "&4Tree<dict>m25valuej8childrena<t>^4Tree", text: "&4Treem25valuej8childrena^4Tree", width: 32, align: 8, offsets: []int{0, 16}},
		{schema: "<dict>&2LL<x>m24headj4tail?^2LL", text: "&2LLm24headj4tail?^2LL", width: 24, align: 8, offsets: []int{0, 16}},
		{schema: "&3Pata^3Pat", width: 16, align: 8},
		{schema: "&4Pairt2j?^4Pair", width: 24, align: 8, offsets: []int{0, 16}},
		// The width of a back-reference is known before its declaration ends.
		{schema: "&1At3i1a?m11x^1Ai1", width: 32, align: 8, offsets: []int{0, 8, 24}},
		{schema: "&1Am21xt2i1a^1A1yi1", width: 32, align: 8, offsets: []int{0, 24}},
		// A finished declaration stays visible; the nearest enclosing one comes first.
		{schema: "t2&1Aa^1A^1A", width: 32, align: 8, offsets: []int{0, 16}},
		{schema: "&1At2a&1At2ja^1Aa^1A", width: 32, align: 8, offsets: []int{0, 16}},
		{schema: "T", width: 16, align: 8},
		{schema: "T:0", text: "T", width: 16, align: 8},
		{schema: "T:22idj5valuef8", width: 16, align: 8, offsets: []int{0, 0}},
		{schema: "F", width: 16, align: 8},
		{schema: "O", width: 16, align: 8},
		{schema: "<int>I", text: "I", width: 16, align: 8},
		{schema: "m12éj", width: 16, align: 8, offsets: []int{0}},
		{schema: "m10j", width: 16, align: 8, offsets: []int{0}},
		{schema: strings.Repeat("a", schema.MaxDepth-1) + "j", width: 16, align: 8},
	}
	for _, test := range tests {
		t.Run(test.schema[:min(len(test.schema), 40)], func(t *testing.T) {
			t.Parallel()
			typ := parse(t, test.schema)
			want := test.text
			if want == "" {
				want = test.schema
			}
			if typ.Text != want {
				t.Errorf("Text = %q, want %q", typ.Text, want)
			}
			if typ.Width != test.width || typ.Align != test.align {
				t.Errorf("width %d align %d, want %d and %d", typ.Width, typ.Align, test.width, test.align)
			}
			got := offsets(typ)
			if len(got) != len(test.offsets) {
				t.Fatalf("offsets %v, want %v", got, test.offsets)
			}
			for i := range got {
				if got[i] != test.offsets[i] {
					t.Fatalf("offsets %v, want %v", got, test.offsets)
				}
			}
		})
	}
}

func TestBackReferenceIsTheDeclaredType(t *testing.T) {
	t.Parallel()
	tree := parse(t, "&4Treem25valuej8childrena^4Tree")
	children := tree.Fields[1].Type
	if children.Elem != tree {
		t.Fatal("the back-reference is another type than its declaration")
	}
	if want := "a&4Treem25valuej8childrena^4Tree"; children.Text != want {
		t.Errorf("Text of the list = %q, want %q", children.Text, want)
	}
	if tree.Name != "Tree" || children.Name != "" {
		t.Errorf("names %q and %q, want Tree and none", tree.Name, children.Name)
	}
}

func TestTextRestatesDeclarations(t *testing.T) {
	t.Parallel()
	a := parse(t, "&1Am21xa&1Bm21p?^1A1q?^1B1ya^1B")
	b := a.Fields[0].Type.Elem
	if want := "&1Bm21p?&1Am21xa^1B1ya^1B1q?^1B"; b.Text != want {
		t.Errorf("Text of B = %q, want %q", b.Text, want)
	}
	for _, typ := range []*ir.Type{a, b, a.Fields[1].Type, b.Fields[0].Type} {
		again := parse(t, typ.Text)
		if again.Text != typ.Text || !schema.Equal(again, typ) {
			t.Errorf("Parse(%q) has text %q", typ.Text, again.Text)
		}
	}
}

func TestParseErrors(t *testing.T) {
	t.Parallel()
	tests := []struct{ schema, want string }{
		{"", "unexpected end of schema at position 0"},
		{"a", "unexpected end of schema at position 1"},
		{"t2j", "unexpected end of schema at position 3"},
		{"x", "unknown schema character 'x' at position 0"},
		{"*", "unknown schema character '*' at position 0"},
		{"aé", "unknown schema character 'é' at position 1"},
		{"jj", "trailing characters after schema at position 1"},
		{"ajs", "trailing characters after schema at position 2"},
		{"i", "expected size after 'i'/'u' at position 1"},
		{"u", "expected size after 'i'/'u' at position 1"},
		{"f", "expected size after 'f' at position 1"},
		{"i3", "invalid integer size 3 at position 1"},
		{"ua", "invalid integer size 10 at position 1"},
		{"f2", "invalid float size 2 at position 1"},
		{"f1", "invalid float size 1 at position 1"},
		{"a:j", "expected decimal digit at position 2"},
		{"a:2147483648j", "list length exceeds 2147483647 at position 2"},
		{"t", "expected tuple size at position 1"},
		{"m", "expected map size at position 1"},
		{"m1", "expected map key length at position 2"},
		{"m19x", "map key extends past end at position 2"},
		{"m11\xff" + "j", "invalid UTF-8 in map key at position 2"},
		{"m11\x00" + "j", "NUL in map key at position 2"},
		{"m21aj1as", `map key "a" given twice at position 5`},
		{"T:", "expected table column count after ':' at position 2"},
		{"T:1", "expected table column key length at position 3"},
		{"&", "expected name length at position 1"},
		{"^", "expected name length at position 1"},
		{"&4Tre", "schema name extends past end at position 1"},
		{"^4Tree", "back-reference to undeclared name 'Tree' at position 0"},
		{"<dict", "unclosed '<' in hint at position 0"},
		{"a<a<b>j", "unclosed '<' in hint at position 1"},
		{"m=10", "expected map key length at position 4"},
		{"&0^0", "declaration without a name at position 0"},
		{"a&0a^0", "declaration without a name at position 1"},
		{"&1A^1A", "declaration 'A' names a back-reference at position 3"},
		{"&1At1^1A", "declaration 'A' contains itself inline (a back-reference reachable through tuple or record fields only) at position 3"},
		{"a&1At2jm11x^1A", "declaration 'A' contains itself inline (a back-reference reachable through tuple or record fields only) at position 4"},
		{"t2&1Aj^1A", "back-reference to 'A', which is not recursive at position 6"},
		{strings.Repeat("a", schema.MaxDepth) + "j", "schema nesting exceeds 40 levels at position 40"},
		{strings.Repeat("j", schema.MaxLength+1), "schema of 65537 bytes, want at most 65536 at position 65536"},
		{"&1Am21x&1Bm11p?^1A1y&1Dm11s&1Am21r?^1B1tj", "name 'A' is declared for two types that contain each other at position 30"},
	}
	for _, test := range tests {
		t.Run(test.schema[:min(len(test.schema), 40)], func(t *testing.T) {
			t.Parallel()
			_, err := schema.Parse(test.schema)
			if err == nil || err.Error() != "schema error: "+test.want {
				t.Errorf("Parse(%q): %v, want schema error: %s", test.schema, err, test.want)
			}
		})
	}
}

// A short schema must not describe something enormous.
func TestParseIsBounded(t *testing.T) {
	t.Parallel()
	doubling := "a^1A"
	for range 24 {
		doubling = "t3?^1B^1B&1B" + doubling
	}
	for _, text := range []string{
		strings.Repeat("<", 60_000),
		strings.Repeat("&1A", 20_000) + "j",
		strings.Repeat("<>", 30_000) + "j",
		"m2" + "1a" + strings.Repeat("t/", 100) + "1b" + doubling,
		entangled(60),
	} {
		_, _ = schema.Parse(text) // ends, in time
	}
	if _, err := schema.Parse(entangled(60)); err == nil {
		t.Error("a type of 2^60 bytes was accepted")
	}
}

// entangled is a record whose n fields each are twice as wide as the one before.
func entangled(n int) string {
	name := func(i int) string { return "1" + string(rune('A'+i)) }
	text := "m" + string("0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ+/"[n]) + "1@&" + name(0) + "t2j?^" + name(0)
	for i := 1; i < n; i++ {
		text += "2" + "f" + string(rune('0'+i)) + "&" + name(i) + "t3?^" + name(i) + "^" + name(i-1) + "^" + name(i-1)
	}
	return text
}
