package files

import (
	"fmt"
	"testing"

	"github.com/mcpgen/mcpgen/runtime/voidstar"
)

func TestSameSchema(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, a, b string
		same       bool
	}{
		{"hints", "<std::vector<$1>>a<int>i4", "ai4", true},
		{"lengths", "a:3f8", "af8", true},
		{"names of fields", "m11xj", "m11yj", false},
		{"spelled out", "&1Tm21xj1ya^1T", "m21xj1ya&1Um21xj1ya^1U", true},
		{"recursive and not", "&1Tm21xj1ya^1T", "m21xj1yaz", false},
		{"constructors", "e23Red5Green", "e23Red5Green", true},
		{"order of constructors", "e23Red5Green", "e25Green3Red", false},
		{"fewer constructors", "e13Red", "e23Red5Green", false},
		{"fields of constructors", "v21A1j1B0", "v21A1s1B0", false},
		{"constructors with and without fields", "v21A1j1B0", "v21A1j1B1j", false},
		{"not a schema", "v2", "v2x", false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if got := sameSchema(tt.a, tt.b); got != tt.same {
				t.Errorf("sameSchema(%q, %q) = %v", tt.a, tt.b, got)
			}
		})
	}
}

// FuzzSameSchema holds the comparison of types against one that sorts all their parts into
// classes, by what they are at first and then by the classes of their own parts.
func FuzzSameSchema(f *testing.F) {
	for _, pair := range [][2]string{
		{"a:3f8", "af8"}, {"&1Tm21xj1ya^1T", "m21xj1ya&1Um21xj1ya^1U"}, {"e23Red5Green", "e25Green3Red"}, {"v21A1j1B0", "v21A1s1B0"},
		{"&1Tv21A01B1^1T", "v21A01B1&1Tv21A01B1^1T"}, {"<x>?<y>m24names3agej", "?m24names3agej"}, {"t2&1Xa^1X^1X", "t2a&1Xa^1Xa&1Ya^1Y"}, {"z", "b"},
	} {
		f.Add(pair[0], pair[1])
	}
	f.Fuzz(func(t *testing.T, a, b string) {
		s, errS := voidstar.ParseSchema(a)
		u, errU := voidstar.ParseSchema(b)
		if len(a)+len(b) > 200 || errS != nil || errU != nil {
			return
		}
		if got, want := sameSchema(a, b), a == b || inOneClass(s, u); got != want || got != sameSchema(b, a) {
			t.Fatalf("sameSchema(%q, %q) = %v, want %v", a, b, got, want)
		}
	})
}

// inOneClass reports whether two types are in one class after as many rounds as there are
// parts.
func inOneClass(a, b *voidstar.Schema) bool {
	var all []*voidstar.Schema
	class := map[*voidstar.Schema]int{}
	var collect func(s *voidstar.Schema)
	collect = func(s *voidstar.Schema) {
		if _, known := class[s]; s == nil || known {
			return
		}
		class[s] = 0
		all = append(all, s)
		collect(s.Elem)
		for _, f := range s.Fields {
			collect(f.Schema)
		}
		for _, arm := range s.Arms {
			collect(arm.Payload)
		}
	}
	collect(a)
	collect(b)
	for range all {
		next, number := map[*voidstar.Schema]int{}, map[string]int{}
		for _, s := range all {
			text := fmt.Sprint(s.Kind)
			if s.Elem != nil {
				text += fmt.Sprint(" of ", class[s.Elem])
			}
			for _, f := range s.Fields {
				text += fmt.Sprintf(" %q %d", f.Name, class[f.Schema])
			}
			for _, arm := range s.Arms {
				text += fmt.Sprintf(" %q", arm.Name)
				if arm.Payload != nil {
					text += fmt.Sprint(" with ", class[arm.Payload])
				}
			}
			if _, known := number[text]; !known {
				number[text] = len(number) + 1
			}
			next[s] = number[text]
		}
		class = next
	}
	return class[a] == class[b]
}
