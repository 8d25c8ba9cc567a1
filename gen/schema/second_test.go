package schema_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/mcpgen/mcpgen/gen/ir"
	"github.com/mcpgen/mcpgen/gen/schema"
	"github.com/mcpgen/mcpgen/runtime/voidstar"
)

// FuzzSecondParser holds the generator's reading of schemas against that of the runtime,
// which was written apart from it: whatever is served has the same shape and layout for
// both, with hints and without.
func FuzzSecondParser(f *testing.F) {
	for _, seed := range []string{
		"e33Red5Green4Blue", "v36Circle1f84Rect2f8f83Dot0", "&4Treev24Leaf04Node3f8^4Tree^4Tree",
		"&1Av23Nil05ACons2i8&1Bv15BCons2i8^1A", "&1Xm11av21N01C1t2j^1X", "&1Xv11A1&1Xv21N01C1^1X",
		"<d>m38e=01xyzu1", "t2&1Xv21N01C1^1X^1X", "v11U1z", "v11A2t2bf8m11xi2", "m24names5shape?v21A01B1as",
		"&5Chainm14tail?^5Chain", "a:3e21A1B", "t=10" + strings.Repeat("z", 65),
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		typ, err := schema.Parse(text)
		if err != nil || !typ.IsServable() {
			return
		}
		for _, text := range []string{text, typ.Text} {
			other, err := voidstar.ParseSchema(text)
			if err != nil {
				t.Fatalf("%q: the runtime says %v", text, err)
			}
			if diff := compare(typ, other, map[*ir.Type]*voidstar.Schema{}); diff != "" {
				t.Fatalf("%q: %s", text, diff)
			}
		}
	})
}

// kindOf returns the kind of the runtime, whose order is that of the generator.
func kindOf(k ir.Kind) voidstar.Kind { return voidstar.Kind(k) }

// compare returns where two readings of a type differ, "" if nowhere.
func compare(a *ir.Type, b *voidstar.Schema, seen map[*ir.Type]*voidstar.Schema) string {
	if seen[a] != nil {
		return ""
	}
	seen[a] = b
	if kindOf(a.Kind) != b.Kind || a.Width != b.Width || a.Align != b.Align || a.Len != b.Len ||
		len(a.Fields) != len(b.Fields) || len(a.Arms) != len(b.Arms) || (a.Elem == nil) != (b.Elem == nil) {
		return fmt.Sprintf("%s is kind %d of width %d, alignment %d; the runtime has kind %d, width %d, alignment %d",
			a.Text, a.Kind, a.Width, a.Align, b.Kind, b.Width, b.Align)
	}
	if a.Elem != nil {
		if diff := compare(a.Elem, b.Elem, seen); diff != "" {
			return diff
		}
	}
	for i, f := range a.Fields {
		g := b.Fields[i]
		if f.Name != g.Name || f.Offset != g.Offset {
			return fmt.Sprintf("field %d of %s is %q at %d; the runtime has %q at %d", i, a.Text, f.Name, f.Offset, g.Name, g.Offset)
		}
		if diff := compare(f.Type, g.Schema, seen); diff != "" {
			return diff
		}
	}
	for i, arm := range a.Arms {
		other := b.Arms[i]
		if arm.Name != other.Name || (arm.Payload == nil) != (other.Payload == nil) {
			return fmt.Sprintf("constructor %d of %s is %q; the runtime has %q", i, a.Text, arm.Name, other.Name)
		}
		if arm.Payload == nil {
			continue
		}
		if diff := compare(arm.Payload, other.Payload, seen); diff != "" {
			return diff
		}
	}
	return ""
}

// TestRandomSchemas makes schemas of all kinds, which both parsers must understand alike.
func TestRandomSchemas(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(1, 2))
	for range 5000 {
		g := generator{r: r, budget: 40}
		text := g.typ(0)
		typ, err := schema.Parse(text)
		if err != nil {
			t.Fatalf("Parse(%q): %v", text, err)
		}
		if typ.Text != text {
			t.Fatalf("Parse(%q) has the text %q", text, typ.Text)
		}
		other, err := voidstar.ParseSchema(text)
		if err != nil {
			t.Fatalf("%q: the runtime says %v", text, err)
		}
		if diff := compare(typ, other, map[*ir.Type]*voidstar.Schema{}); diff != "" {
			t.Fatalf("%q: %s", text, diff)
		}
	}
}

// A generator writes random schemas. Declarations are of variants that refer to themselves,
// so everything it writes is legal.
type generator struct {
	r      *rand.Rand
	budget int
	open   []string
}

func (g *generator) typ(depth int) string {
	simple := []string{"z", "b", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f4", "f8", "j", "s"}
	g.budget--
	if g.budget <= 0 || depth > 6 {
		return simple[g.r.IntN(len(simple))]
	}
	switch g.r.IntN(12) {
	case 0:
		return "a" + g.typ(depth+1)
	case 1:
		return "?" + g.typ(depth+1)
	case 2:
		n := g.r.IntN(4)
		text := "t" + string(rune('0'+n))
		for range n {
			text += g.typ(depth + 1)
		}
		return text
	case 3:
		n := g.r.IntN(4)
		text := "m" + string(rune('0'+n))
		for i := range n {
			text += "1" + string(rune('a'+i)) + g.typ(depth+1)
		}
		return text
	case 4:
		n := 1 + g.r.IntN(80)
		text := "e" + count(n)
		for i := range n {
			text += fmt.Sprintf("3%c%02d", 'A'+i%26, i)
		}
		return text
	case 5, 6:
		return g.variant(depth, "")
	case 7:
		name := fmt.Sprintf("T#%d", len(g.open)+1)
		g.open = append(g.open, name)
		text := "&3" + name + g.variant(depth, "4Self1^3"+name)
		g.open = g.open[:len(g.open)-1]
		return text
	}
	return simple[g.r.IntN(len(simple))]
}

// variant writes a variant whose last constructor is given, if it is not "".
func (g *generator) variant(depth int, last string) string {
	n := 1 + g.r.IntN(4)
	arms := ""
	for i := range n {
		fields := g.r.IntN(3)
		arms += "1" + string(rune('A'+i)) + string(rune('0'+fields))
		for range fields {
			arms += g.typ(depth + 1)
		}
	}
	if last != "" {
		n++
	}
	return "v" + string(rune('0'+n)) + arms + last
}

// count writes a count.
func count(n int) string {
	const digits = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ+/"
	if n < 64 {
		return digits[n : n+1]
	}
	return "=" + digits[n%64:n%64+1] + count(n/64)
}
