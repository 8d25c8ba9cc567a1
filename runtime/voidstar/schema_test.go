package voidstar

import (
	"fmt"
	"strings"
	"testing"
)

// layout writes down a schema: kind, width and alignment of all its parts.
func layout(s *Schema, open map[*Schema]bool) string {
	if open[s] {
		return "^"
	}
	open[s] = true
	defer delete(open, s)
	text := fmt.Sprintf("%d:%d/%d", s.Kind, s.Width, s.Align)
	if s.Len > 0 {
		text += fmt.Sprintf("x%d", s.Len)
	}
	if s.Elem != nil {
		text += "[" + layout(s.Elem, open) + "]"
	}
	var fields []string
	for _, f := range s.Fields {
		fields = append(fields, fmt.Sprintf("%s@%d %s", f.Name, f.Offset, layout(f.Schema, open)))
	}
	if fields != nil {
		text += "{" + strings.Join(fields, ", ") + "}"
	}
	return text
}

func TestParseSchema(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"z":  "0:0/1",
		"i1": "2:1/1",
		"u8": "9:8/8",
		"f4": "10:4/4",
		"f8": "11:8/8",
		"j":  "12:16/8",
		"s":  "13:16/8",

		"<a<b>c>a<d>i2":    "14:16/8[3:2/2]",
		"<list>a:3i4":      "14:16/8x3[4:4/4]",
		"a:0b":             "14:16/8[1:1/1]",
		"t0":               "15:0/1",
		"t3bi8s":           "15:32/8{@0 1:1/1, @8 5:8/8, @16 13:16/8}",
		"m11ab":            "16:1/8{a@0 1:1/1}",
		"t2bm11ab":         "15:16/8{@0 1:1/1, @8 16:1/8{a@0 1:1/1}}",
		"m22idi41xu2":      "16:8/8{id@0 4:4/4, x@4 7:2/2}",
		"m14a<b>z":         "16:0/8{a<b>@0 0:0/1}",
		"<dict>?<d>m11au1": "17:8/8[16:1/8{a@0 6:1/1}]",
		"&2LLm21hj1t?^2LL": "16:24/8{h@0 12:16/8, t@16 17:8/8[^]}",
		"t2&1Xi4^1X":       "15:16/8{@0 4:4/4, @8 4:4/8}",
		"&1A&1Ba^1A":       "14:16/8[^]",
		"&1Aa&1Ai4":        "14:16/8[4:4/4]",
		"&1At2i1a&1Aa^1A":  "15:24/8{@0 2:1/1, @8 14:16/8[14:16/8[^]]}",
	} {
		s, err := ParseSchema(text)
		if err != nil {
			t.Errorf("ParseSchema(%q) = %v", text, err)
			continue
		}
		if got := layout(s, map[*Schema]bool{}); got != want {
			t.Errorf("ParseSchema(%q) = %s, want %s", text, got, want)
		}
	}
}

func TestParseSchemaErrors(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"":                        "schema error: unexpected end of schema",
		"<hint":                   "schema error: unexpected end of schema",
		"a":                       "schema error: unexpected end of schema",
		"t2i4":                    "schema error: unexpected end of schema",
		"m1":                      "schema error: unexpected end of schema",
		"m15ab":                   "schema error: unexpected end of schema",
		"i":                       "schema error: unexpected end of schema",
		"x":                       "schema error: unknown schema character 'x' at position 0",
		"aax":                     "schema error: unknown schema character 'x' at position 2",
		"T":                       "schema error: unknown schema character 'T' at position 0",
		"i4i4":                    "schema error: trailing characters after schema at position 2",
		"i3":                      "schema error: invalid integer size 3",
		"u0":                      "schema error: invalid unsigned integer size 0",
		"f2":                      "schema error: invalid float size 2",
		"t%":                      "schema error: want a base-62 digit at position 1",
		"a:i4":                    "schema error: want a list length at position 2",
		"a:99999999999b":          "schema error: want a list length at position 2",
		"^1T":                     "schema error: back-reference to undeclared name 'T'",
		"&1At1^1A":                "schema error: type contains itself at position 8",
		"&1A^1A":                  "schema error: type contains itself at position 6",
		strings.Repeat("a", 1001): "schema error: too deep at position 1000",
	} {
		s, err := ParseSchema(text)
		if err == nil || err.Error() != want {
			t.Errorf("ParseSchema(%.40q) = %v, %v, want %s", text, s, err, want)
		}
	}
}

// A type may not double its width with each reference until it overflows.
func TestParseSchemaWide(t *testing.T) {
	t.Parallel()
	text := "s"
	for i := range 40 {
		text = fmt.Sprintf("t2&1%c%s^1%c", 'A'+i%26, text, 'A'+i%26)
	}
	if _, err := ParseSchema(text); err == nil || !strings.Contains(err.Error(), "type too wide") {
		t.Errorf("ParseSchema = %v, want a type too wide", err)
	}
}

func FuzzSchema(f *testing.F) {
	for _, text := range []string{"z", "a:3f8", "t3bi8s", "<x>?<y>m24names3agej", "&4Treem25valuej8childrena^4Tree", "t2&1Xi4^1X"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		s, err := ParseSchema(text)
		if err != nil {
			return
		}
		if s.Width < 0 || s.Width > maxWidth || s.Align&(s.Align-1) != 0 || s.Align < 1 || s.Align > 8 {
			t.Errorf("ParseSchema(%q) has width %d, alignment %d", text, s.Width, s.Align)
		}
		for i, f := range s.Fields {
			if f.Offset%f.Schema.Align != 0 || f.Offset+f.Schema.Width > s.Width {
				t.Errorf("ParseSchema(%q): field %d is at %d of %d", text, i, f.Offset, s.Width)
			}
		}
	})
}
