package lower_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mcpgen/mcpgen/gen/ir"
)

// show writes a constant: JSON but for absent optionals, which are a dash.
func show(v ir.Value) string {
	var parts []string
	switch v := v.(type) {
	case nil:
		return "none"
	case *ir.Lit:
		return v.Text
	case *ir.Str:
		return fmt.Sprintf("%q", v.Text)
	case *ir.Some:
		return "some " + show(v.Of)
	case *ir.None:
		return "-"
	case *ir.Make:
		for _, p := range v.Parts {
			parts = append(parts, show(p))
		}
	}
	return "[" + strings.Join(parts, " ") + "]"
}

// describe writes a property on a line.
func describe(p *ir.Param) string {
	text := p.Key + " " + p.Type.Text + " = " + show(p.Default)
	for _, part := range []struct {
		is   bool
		text string
	}{
		{p.Required, "required"}, {p.Flag, "flag"}, {p.Many, "many"},
		{p.HasDefault, "says " + p.DefaultText}, {p.TypeText != "", "type " + p.TypeText},
	} {
		if part.is {
			text += ", " + part.text
		}
	}
	for _, f := range p.Fields {
		text += "; " + describe(f)
	}
	return text
}

func TestParams(t *testing.T) {
	t.Parallel()
	const entries = `"entries":[
  {"key":"dir","arg":{"kind":"opt","long":"tmp-dir","type":"Str    (a filename)","default":"\"/tmp\""}},
  {"key":"n","arg":{"kind":"opt","long":"num"}},
  {"key":"clean","arg":{"kind":"flag","long":"c","default":"false"}},
  {"key":"note","arg":{"kind":"opt","long":"note","many":true}}]`
	const record = `"schema":"<dict>m43dirs1nj5cleanb4note?as","type":"SysConfig"`
	tests := []struct {
		name, args string
		want       []string // properties, then slots
	}{
		{"positionals", `{"kind":"pos","schema":"j","type":"Int"},{"kind":"pos","schema":"?s","name":"who"},{"kind":"pos","schema":"as","many":true,"name":null}`,
			[]string{"_1 j = none, required, type Int", "who ?s = none", "_3 as = none, required, many", "j 0", "?s 1", "as 2"}},
		{"options", `{"kind":"opt","schema":"j","long":"gap","short":"g","default":"-2"},{"kind":"opt","schema":"f8","short":"mm","default":"1.5"},{"kind":"pos","schema":"j"},{"kind":"opt","schema":"?j","long":"o"}`,
			[]string{"gap j = -2, says -2", "m f8 = 1.5, says 1.5", "_1 j = none, required", "o ?j = none", "j 0", "f8 1", "j 2", "?j 3"}},
		{"flags", `{"kind":"flag","short":"l","long":"local","long_rev":"global","default":"true"},{"kind":"flag","short":"v"}`,
			[]string{"local b = true, flag, says true, type Bool", "v b = false, flag, type Bool", "b 0", "b 1"}},
		{"unrolled", `{"kind":"pos","schema":"j"},{"kind":"grp",` + record + `,` + entries + `}`,
			[]string{
				"_1 j = none, required",
				`dir s = "/tmp", says "/tmp", type Str`, "n j = none, required", "clean b = false, flag, says false, type Bool", "note ?as = none",
				"j 0", "m43dirs1nj5cleanb4note?as -1 SysConfig [1 2 3 4]",
			}},
		{"unrolled in another order", `{"kind":"grp","schema":"m31aj1b?j1cj","entries":[{"key":"c","arg":{"kind":"opt","long":"c"}},{"key":"a","arg":{"kind":"opt","long":"a"}}]}`,
			[]string{"c j = none, required", "a j = none, required", "m31aj1b?j1cj -1  [1 -1 0]"}},
		{"whole", `{"kind":"grp",` + record + `,"group_opt":{"short":null,"long":"sys-config"},` + entries + `}`,
			[]string{
				`sysconfig m43dirs1nj5cleanb4note?as = none, type SysConfig; dir s = "/tmp", says "/tmp", type Str; n j = none, required; ` +
					"clean b = false, flag, says false, type Bool; note ?as = none",
				"m43dirs1nj5cleanb4note?as 0",
			}},
		{"whole without type or entries", `{"kind":"grp","schema":"m21aj1b?j","group_opt":{}}`,
			[]string{"group m21aj1b?j = none; a j = none, required; b ?j = none", "m21aj1b?j 0"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			tool := lowered(t, remote("f", test.args, "")).Tools[0]
			var got []string
			for _, p := range tool.Params {
				got = append(got, describe(p))
			}
			for _, s := range tool.Slots {
				text := fmt.Sprintf("%s %d", s.Type.Text, s.Param)
				if s.Fields != nil {
					text += fmt.Sprintf(" %s %v", s.Group, s.Fields)
				}
				got = append(got, text)
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// TestDefaults is tools.md 7.1: the text is JSON, exactly.
func TestDefaults(t *testing.T) {
	t.Parallel()
	tests := []struct{ schema, text, want string }{
		{"j", "5", "5"},
		{"j", "-2", "-2"},
		{"j", "123456789012345678901234567890", "123456789012345678901234567890"},
		{"u8", "18446744073709551615", "18446744073709551615"},
		{"f8", "2", "2"},
		{"f8", "1e-3", "0.001"},
		{"f8", `"inf"`, "inf"},
		{"f8", `"nan"`, "nan"},
		{"b", "true", "true"},
		{"z", "null", "null"},
		{"s", `"/tmp"`, `"/tmp"`},
		{"s", `"a\nb\u0000\u00e9"`, `"a\nb\x00é"`},
		{"as", `["a","b"]`, `["a" "b"]`},
		{"m21aj1bs", `{"b":"x","a":1}`, `[1 "x"]`},
		{"m11a?j", `{}`, `[-]`},
		{"?j", "null", "-"},
		{"?j", "3", "some 3"},
		{"?s", "null", "-"},
		{"?s", `"null"`, `some "null"`},
		{"?aj", "null", "-"},
		{"&2LLm24headj4tail?^2LL", `{"head":1,"tail":{"head":2}}`, "[1 some [2 -]]"},
	}
	for _, test := range tests {
		arg := fmt.Sprintf(`{"kind":"opt","long":"o","schema":%q,"default":%s}`, test.schema, quoteJSON(test.text))
		p := lowered(t, remote("f", arg, "")).Tools[0].Params[0]
		if got := show(p.Default); got != test.want || p.DefaultText != test.text || !p.HasDefault || p.Required {
			t.Errorf("%s %s: %s, want %s", test.schema, test.text, got, test.want)
		}
	}
}

func quoteJSON(s string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(s) + `"`
}
