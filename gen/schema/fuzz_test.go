package schema_test

import (
	"testing"

	"github.com/mcpgen/mcpgen/gen/ir"
	"github.com/mcpgen/mcpgen/gen/schema"
)

// FuzzSchema checks that the text of every part of what parses is itself a schema, of an
// equal type with the same text and layout.
func FuzzSchema(f *testing.F) {
	for _, seed := range []string{
		"z", "?as", "a:2a:3f8", "t2bm21ab1bb", "<std::map<$1,$2>>at2sj", "T:22idj5valuef8", "<int>I",
		"&4Tree<dict>m25valuej8childrena^4Tree", "&4Pairt2j?^4Pair", "&3Pata^3Pat", "m12éj", "t=00",
		"&1Am21xa&1Bm21p?^1A1q?^1B1ya^1B", "&1At2a&1At2ja^1Aa^1A", "t2&1Aa^1A^1A", "m19x", "&1At1^1A",
		"&1Am21x&1Bm11p?^1A1y&1Dm11s&1Am21r?^1B1tj", "*", "a:007j",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		typ, err := schema.Parse(text)
		if err != nil {
			return
		}
		walk(typ, map[*ir.Type]bool{}, func(part *ir.Type) {
			again, err := schema.Parse(part.Text)
			if err != nil {
				t.Fatalf("Parse(%q), a part of %q: %v", part.Text, text, err)
			}
			if again.Text != part.Text || !schema.Equal(again, part) || !sameLayout(again, part, map[*ir.Type]bool{}) {
				t.Fatalf("Parse(%q), a part of %q, is another type: %q", part.Text, text, again.Text)
			}
		})
	})
}

// walk visits t and all its parts once.
func walk(t *ir.Type, seen map[*ir.Type]bool, visit func(*ir.Type)) {
	if t == nil || seen[t] {
		return
	}
	seen[t] = true
	visit(t)
	walk(t.Elem, seen, visit)
	for _, f := range t.Fields {
		walk(f.Type, seen, visit)
	}
	for _, a := range t.Arms {
		walk(a.Payload, seen, visit)
	}
}

func sameLayout(a, b *ir.Type, seen map[*ir.Type]bool) bool {
	if seen[a] {
		return true
	}
	seen[a] = true
	if a.Width != b.Width || a.Align != b.Align || a.Len != b.Len || a.Name != b.Name || a.Text != b.Text {
		return false
	}
	if a.Elem != nil && !sameLayout(a.Elem, b.Elem, seen) {
		return false
	}
	for i := range a.Fields {
		if a.Fields[i].Offset != b.Fields[i].Offset || !sameLayout(a.Fields[i].Type, b.Fields[i].Type, seen) {
			return false
		}
	}
	for i, arm := range a.Arms {
		if p := arm.Payload; p != nil && !sameLayout(p, b.Arms[i].Payload, seen) {
			return false
		}
	}
	return true
}
