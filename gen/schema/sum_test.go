package schema_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/mcpgen/mcpgen/gen/ir"
	"github.com/mcpgen/mcpgen/gen/schema"
)

// constructors writes n of them, as an enum has them.
func constructors(n int) string {
	var b strings.Builder
	for i := range n {
		b.WriteString("2" + string(rune('A'+i/16)) + string(rune('a'+i%16)))
	}
	return b.String()
}

// TestSums is the table of manifest-next.md 11.3, but for its errors.
func TestSums(t *testing.T) {
	t.Parallel()
	tests := []struct {
		text, want  string // want: "" for the text itself
		kind        ir.Kind
		arms        int
		width, size int // size: of the last arm's payload, -1 for none
	}{
		{"e21A1B", "", ir.Enum, 2, 1, -1},
		{"v11U1z", "", ir.Variant, 1, 16, 0},
		{"e=01" + constructors(64), "", ir.Enum, 64, 1, -1},
		{"e=04" + constructors(256), "", ir.Enum, 256, 1, -1},
		{"&1Xv21N01C1^1X", "", ir.Variant, 2, 16, 16},
		{"&1Xv11A1&1Xv21N01C1^1X", "", ir.Variant, 1, 16, 16},
		{"<Color>e33Red5Green4Blue", "e33Red5Green4Blue", ir.Enum, 3, 1, -1},
		{"v36Circle1f84Rect2f8f83Dot0", "", ir.Variant, 3, 16, -1},
		{"v23Nil04Cons2i4s", "", ir.Variant, 2, 16, 24},
		{"v12At2m21xi41yi4e21A1B", "", ir.Variant, 1, 16, 16},
		{"v11A=10" + "i1", "v11A1i1", ir.Variant, 1, 16, 1}, // a count in more digits than it needs
		{"&6Tree#1v24Leaf04Node2j^6Tree#1", "", ir.Variant, 2, 16, 32},
	}
	for _, test := range tests {
		typ := parse(t, test.text)
		if test.want == "" {
			test.want = test.text
		}
		if typ.Text != test.want || typ.Kind != test.kind || len(typ.Arms) != test.arms || typ.Width != test.width || !typ.IsSum() {
			t.Errorf("Parse(%.40q) = %.40q, %d arms, width %d", test.text, typ.Text, len(typ.Arms), typ.Width)
		}
		size := -1
		if p := typ.Arms[test.arms-1].Payload; p != nil {
			size = p.Width
		}
		if size != test.size {
			t.Errorf("Parse(%.40q) has a payload of %d bytes, want %d", test.text, size, test.size)
		}
	}
}

// An enum is a byte wherever it stands, and of fixed width; a variant is neither.
func TestSumLayout(t *testing.T) {
	t.Parallel()
	typ := parse(t, "m35colore33Red5Green4Blue1nj5shapev21A01B1j")
	if typ.Width != 40 || typ.Fields[1].Offset != 8 || typ.Fields[2].Offset != 24 {
		t.Errorf("record of width %d, offsets %d and %d", typ.Width, typ.Fields[1].Offset, typ.Fields[2].Offset)
	}
	if !parse(t, "t3be33Red5Green4Bluei4").IsFixed() || parse(t, "t1v21A01B1i4").IsFixed() {
		t.Error("enums are of fixed width, variants are not")
	}
	if parse(t, "v21A01B1aF").IsServable() || !parse(t, "&1Lv21N01C2j^1L").IsServable() {
		t.Error("a variant is served if its fields are")
	}
}

func TestSumErrors(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"e=14" + constructors(257):     "enum has 257 constructors; the limit is 256 so a tag fits in one byte",
		"v=14":                         "variant has 257 arms; the limit is 256 so a tag fits in one byte",
		"e3":                           "expected enum constructor name length",
		"e19A":                         "enum constructor name extends past end",
		"v19A":                         "variant arm name extends past end",
		"v1":                           "expected variant arm name length",
		"e11\xff":                      "invalid UTF-8 in enum constructor name",
		"t=":                           "truncated escaped count: '=' with no digit",
		"t=0":                          "truncated escaped count: '=' with no digit",
		"t==":                          "invalid base-62 size character '='",
		"t" + strings.Repeat("=0", 20): "count overflows a usize",
		"v11A":                         "expected a count",
		"e":                            "expected a count",
		"e%":                           "invalid base-62 size character '%'",
		"i=01":                         "invalid base-62 size character '='",
		"&1Xm11a^1X":                   "declaration 'X' contains itself inline (a back-reference reachable through tuple or record fields only)",
		"e41A1B1A1C":                   "duplicate constructor name 'A'",
		"v21A01A0":                     "duplicate constructor name 'A'",
		"e0":                           "enum has no constructors",
		"v0":                           "variant has no arms",
		"v11A1" + strings.Repeat("v11A1", schema.MaxDepth) + "j": "schema nesting exceeds 40 levels",
	} {
		_, err := schema.Parse(text)
		var e *schema.Error
		if !errors.As(err, &e) || e.Text != want {
			t.Errorf("Parse(%.30q): %v, want %q", text, err, want)
		}
	}
}

// TestLenient: a name that is not ASCII, with its length in bytes and in characters.
func TestLenient(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]struct {
		name    string
		counted bool
	}{
		"e14R\u00e9s":   {"R\u00e9s", false},
		"e13R\u00e9s":   {"R\u00e9s", true},
		"m13R\u00e9sj":  {"", true},
		"v13R\u00e9s1j": {"R\u00e9s", true},
	} {
		typ, counted, err := schema.ParseLenient(text)
		if err != nil || counted != want.counted {
			t.Errorf("ParseLenient(%q): %v, counted %t", text, err, counted)
			continue
		}
		if want.name != "" && typ.Arms[0].Name != want.name {
			t.Errorf("ParseLenient(%q) names %q", text, typ.Arms[0].Name)
		}
		if again := parse(t, typ.Text); !schema.Equal(again, typ) { // what is sent counts bytes
			t.Errorf("ParseLenient(%q) has the text %q", text, typ.Text)
		}
	}
	if _, counted, err := schema.ParseLenient("e15R\u00e9s"); err == nil || counted || !strings.Contains(err.Error(), "extends past end") {
		t.Errorf("a length that is wrong in both ways: %v", err)
	}
}

// What has the same constructors with the same fields is the same type.
func TestSumEqual(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		a, b string
		want bool
	}{
		{"e21A1B", "e21A1B", true},
		{"e21A1B", "e21B1A", false},
		{"e21A1B", "e31A1B1C", false},
		{"e21A1B", "v21A01B0", false},
		{"v21A01B1j", "v21A01B1i8", false},
		{"v21A01B1j", "v21A1j1B0", false},
		{"&1Lv21N01C2j^1L", "&1Mv21N01C2j^1M", true},
		{"&1Lv21N01C2j^1L", "v21N01C2j&1Lv21N01C2j^1L", true},
		{"&1Lv21N01C2j^1L", "&1Lv21N01C2s^1L", false},
	} {
		if got := schema.Equal(parse(t, test.a), parse(t, test.b)); got != test.want {
			t.Errorf("Equal(%s, %s) = %t", test.a, test.b, got)
		}
	}
}
