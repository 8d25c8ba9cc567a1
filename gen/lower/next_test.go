package lower_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mcpgen/mcpgen/gen/ir"
	"github.com/mcpgen/mcpgen/gen/lower"
	"github.com/mcpgen/mcpgen/gen/manifest"
)

// lowerVersion lowers the commands of a program of a version.
func lowerVersion(t *testing.T, version string, commands ...string) (*ir.Program, error) {
	t.Helper()
	text := strings.Replace(wrap(strings.Join(commands, ",\n")), "0.98.2", version, 1)
	m, err := manifest.Parse("dir/m.json", []byte(text), manifest.Options{AnyVersion: true})
	if err != nil {
		t.Fatal(err)
	}
	return lower.Lower(m)
}

const shapeText = "v36Circle1f84Rect2f8f83Dot0"

// Defaults of enums and variants are JSON, as arguments are.
func TestSumDefaults(t *testing.T) {
	t.Parallel()
	arg := func(schema, text string) string {
		return `{"kind":"alt","key":"x","schema":"` + schema + `","default":` + quoteJSON(text) + `}`
	}
	for _, test := range []struct{ schema, text, fault string }{
		{"e21A1B", `"B"`, ""},
		{shapeText, `"Dot"`, ""},
		{shapeText, `{"Dot":[]}`, ""},
		{shapeText, `{"Dot":null}`, ""},
		{shapeText, `{"Rect":[1,2.5]}`, ""},
		{"?" + shapeText, `null`, ""},
		{"?" + shapeText, `{"Circle":[1]}`, ""},
		{"&1Lv21N01C2j^1L", `{"C":[1,{"C":[2,"N"]}]}`, ""},
		{"e21A1B", `"C"`, `found "C": want one of A, B`},
		{"e21A1B", `B`, "invalid character"},
		{"e21A1B", `1`, "found a number: want one of A, B"},
		{"?e21A1B", `1`, "found a number: want one of A, B or null"},
		{shapeText, `"Circle"`, `found "Circle": want an object with its 1 field`},
		{shapeText, `{"Circle":1}`, `Circle: found a number: want an array`},
		{shapeText, `{"Circle":[1,2]}`, `Circle: found 2 elements: want exactly 1`},
		{shapeText, `{"Circle":["x"]}`, `Circle[0]: found "x": want a number`},
		{shapeText, `{"Dot":5}`, `Dot: found a number: want null or an empty array`},
		{shapeText, `{}`, `found an object: want a constructor name or an object with one constructor`},
		{shapeText, `{"Dot":[],"Circle":[1]}`, `found an object: want a constructor name or an object with one constructor`},
		{shapeText, `{"Oval":[]}`, `found "Oval": want one of Circle, Rect, Dot`},
	} {
		p, err := lowerVersion(t, "0.109.0", remote("f", arg(test.schema, test.text), ""))
		if test.fault == "" {
			if err != nil {
				t.Errorf("%s %s: %v", test.schema, test.text, err)
			} else if x := p.Tools[0].Params[0]; x.Default == nil || x.DefaultText != test.text || x.Required {
				t.Errorf("%s %s: %+v", test.schema, test.text, x)
			}
			continue
		}
		if err == nil || (!strings.Contains(err.Error(), test.fault) && test.text != "B") {
			t.Errorf("%s %s: %v, want %q", test.schema, test.text, err, test.fault)
		}
	}
	_, err := lowerVersion(t, "0.109.0", remote("f", `{"kind":"alt","key":"x","schema":"`+shapeText+`","required":false}`, ""))
	if err == nil || !strings.Contains(err.Error(), `argument "x": no default, which an option of this type needs`) {
		t.Errorf("an alt that nothing stands in for: %v", err)
	}
}

// What a key says counts; names and the old rules count where there is none.
func TestKeys(t *testing.T) {
	t.Parallel()
	p, err := lowerVersion(t, "0.109.0", remote("f", `{"kind":"pos","key":"_1","schema":"j","name":"n"},`+
		`{"kind":"opt","key":"a","schema":"j","long":"b","default":"1"},{"kind":"flag","key":"c","long":"d"},`+
		`{"kind":"grp","key":"e f","schema":"m11yj","type":"G","group_opt":{},"entries":[]},`+
		`{"kind":"grp","key":"unused","schema":"m11zj","type":"H","entries":[{"key":"z","arg":{"kind":"opt","key":"other","long":"w","default":"1"}}]}`, ""))
	if err != nil {
		t.Fatal(err)
	}
	var keys []string
	for _, x := range p.Tools[0].Params {
		keys = append(keys, x.Key)
	}
	if diff := cmp.Diff([]string{"_1", "a", "c", "e f", "z"}, keys); diff != "" {
		t.Error(diff)
	}
	p, err = lowerVersion(t, "0.109.0", remote("f", `{"kind":"pos","key":"a","schema":"j"},{"kind":"alt","key":"a","schema":"e11A","required":true}`, ""))
	if err != nil || len(p.Excluded) != 1 || p.Excluded[0].Reason != "property name collision on 'a'" {
		t.Errorf("%v, %v", p, err)
	}
	p, err = lowerVersion(t, "0.109.0", remote("f", `{"kind":"pos","key":"_render","schema":"j"}`, ""))
	if err != nil || len(p.Excluded) != 1 || p.Excluded[0].Reason != "property name collision on '_render'" {
		t.Errorf("%v, %v", p, err)
	}
}

// What the author should know about the age of a manifest.
func TestReleaseWarnings(t *testing.T) {
	t.Parallel()
	const keyless = `command "f": argument "n" has no key, which its compiler writes; the manifest may be damaged`
	for version, want := range map[string][]string{
		"0.98.2":  nil,
		"0.102.1": nil,
		"0.103.0": {keyless},
		"0.109.0": {keyless},
		"0.110.0": {"morloc 0.110.0 is newer than any that mcpgen knows; served as 0.109", keyless},
		"next":    {"morloc next is newer than any that mcpgen knows; served as 0.109", keyless},
		"0.97.1":  {"morloc 0.97.1 is older than any that mcpgen knows; served as 0.98"},
	} {
		p, err := lowerVersion(t, version, remote("f", `{"kind":"pos","schema":"j","name":"n"}`, ""))
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, p.Warnings); diff != "" {
			t.Errorf("%s: %s", version, diff)
		}
		if key := p.Tools[0].Params[0].Key; key != "n" {
			t.Errorf("%s: key %q", version, key)
		}
	}
}
