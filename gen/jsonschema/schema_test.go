package jsonschema_test

import (
	"strings"
	"testing"

	"github.com/mcpgen/mcpgen/gen/ir"
	"github.com/mcpgen/mcpgen/gen/jsonschema"
	"github.com/mcpgen/mcpgen/gen/schema"
)

func parse(t *testing.T, text string) *ir.Type {
	t.Helper()
	typ, err := schema.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return typ
}

// property returns what is listed for a tool with one property.
func property(t *testing.T, p *ir.Param) string {
	t.Helper()
	p.Key = "x"
	text := string(jsonschema.ToolObject(&ir.Tool{
		Name: "f", Params: []*ir.Param{p}, Slots: []ir.Slot{{Type: p.Type}},
		Raw: &ir.Target{Return: parse(t, "z")},
	}))
	const before = `{"name":"f","description":"","inputSchema":{"type":"object","properties":{"x":`
	const after = `},"required":[],"additionalProperties":false}}`
	if !strings.HasPrefix(text, before) || !strings.HasSuffix(text, after) {
		t.Fatal(text)
	}
	return text[len(before) : len(text)-len(after)]
}

// TestSchemas is tools.md 3.
func TestSchemas(t *testing.T) {
	t.Parallel()
	tests := []struct{ schema, want string }{
		{"z", `{"type":"null"}`},
		{"b", `{"type":"boolean"}`},
		{"i1", `{"type":"integer"}`},
		{"u8", `{"type":"integer"}`},
		{"j", `{"type":"integer"}`},
		{"f4", `{"type":"number"}`},
		{"?f8", `{"type":["number","null"]}`},
		{"s", `{"type":"string"}`},
		{"?b", `{"type":["boolean","null"]}`},
		{"?z", `{"type":"null"}`},
		{"??j", `{"type":["integer","null"]}`},
		{"aau1", `{"type":"array","items":{"type":"array","items":{"type":"integer"}}}`},
		{"a:3f8", `{"type":"array","items":{"type":"number"}}`},
		{"?as", `{"type":["array","null"],"items":{"type":"string"}}`},
		{"a?s", `{"type":"array","items":{"type":["string","null"]}}`},
		{"t2sj", `{"type":"array","prefixItems":[{"type":"string"},{"type":"integer"}],"minItems":2,"maxItems":2}`},
		{"?t1b", `{"type":["array","null"],"prefixItems":[{"type":"boolean"}],"minItems":1,"maxItems":1}`},
		{"t0", `{"type":"array","prefixItems":[],"minItems":0,"maxItems":0}`},
		{"m0", `{"type":"object","properties":{},"required":[],"additionalProperties":false}`},
		{"?m11xj", `{"type":["object","null"],"properties":{"x":{"type":"integer"}},"required":["x"],"additionalProperties":false}`},
		{"m23a\"bj1c?s", `{"type":"object","properties":{"a\"b":{"type":"integer"},"c":{"type":["string","null"]}},"required":["a\"b"],"additionalProperties":false}`},
		{"&2LLm24headj4tail?^2LL", `{"type":"object","properties":{"head":{"type":"integer"},"tail":{"type":["object","null"]}},"required":["head"],"additionalProperties":false}`},
		{"&4Treem25valuej8childrena^4Tree", `{"type":"object","properties":{"value":{"type":"integer"},"children":{"type":"array","items":{"type":"object"}}},"required":["value","children"],"additionalProperties":false}`},
		{"?&4Nodem13kida^4Node", `{"type":["object","null"],"properties":{"kid":{"type":"array","items":{"type":"object"}}},"required":["kid"],"additionalProperties":false}`},
		// D8: a back-reference to anything but a record promises nothing.
		{"&3Pata^3Pat", `{"type":"array","items":{}}`},
		{"&4Pairt2j?^4Pair", `{"type":"array","prefixItems":[{"type":"integer"},{}],"minItems":2,"maxItems":2}`},
		{"&1A?t1^1A", `{"type":["array","null"],"prefixItems":[{}],"minItems":1,"maxItems":1}`},
		{"t2&1Am11x?^1A^1A", `{"type":"array","prefixItems":[{"type":"object","properties":{"x":{"type":["object","null"]}},"required":[],"additionalProperties":false},{"type":"object"}],"minItems":2,"maxItems":2}`},
	}
	for _, test := range tests {
		if got := property(t, &ir.Param{Type: parse(t, test.schema)}); got != test.want {
			t.Errorf("%s:\ngot  %s\nwant %s", test.schema, got, test.want)
		}
	}
}

func TestDescriptions(t *testing.T) {
	t.Parallel()
	tests := []struct {
		param ir.Param
		want  string
	}{
		{ir.Param{Type: parse(t, "j"), Doc: []string{"a", "", "b"}}, `{"type":"integer","description":"a b"}`},
		{ir.Param{Type: parse(t, "j"), HasDefault: true, DefaultText: "1"}, `{"type":"integer","description":"(default: 1)"}`},
		{ir.Param{Type: parse(t, "j"), HasDefault: true}, `{"type":"integer","description":"(default: )"}`},
		{ir.Param{Type: parse(t, "s"), HasDefault: true, DefaultText: `"/tmp"`, Doc: []string{"é\t<"}},
			`{"type":"string","description":"é\t< (default: \"/tmp\")"}`},
		{ir.Param{Type: parse(t, "j"), Doc: []string{""}}, `{"type":"integer"}`},
		{ir.Param{Type: parse(t, "aj"), Many: true, Doc: []string{"d"}}, `{"type":"array","items":{"type":"integer"},"description":"d"}`},
		{ir.Param{Type: parse(t, "a:2j"), Many: true}, `{"type":"array","items":{"type":"integer"}}`},
		{ir.Param{Type: parse(t, "j"), Many: true, Doc: []string{"d"}}, `{"type":"array","items":{"type":"integer"},"description":"d"}`},
		{ir.Param{Type: parse(t, "t1j"), Many: true}, `{"type":"array","items":{"type":"array","prefixItems":[{"type":"integer"}],"minItems":1,"maxItems":1}}`},
		// D9: a list that may be absent is a list.
		{ir.Param{Type: parse(t, "?as"), Many: true}, `{"type":["array","null"],"items":{"type":"string"}}`},
	}
	for _, test := range tests {
		if got := property(t, &test.param); got != test.want {
			t.Errorf("got  %s\nwant %s", got, test.want)
		}
	}
}

func TestOutputSchema(t *testing.T) {
	t.Parallel()
	point := `{"type":"object","properties":{"x":{"anyOf":[{"type":"number"},{"enum":["nan","inf","-inf"]}]},` +
		`"y":{"anyOf":[{"type":"number"},{"enum":["nan","inf","-inf"]},{"type":"null"}]}},"required":["x"],"additionalProperties":false}`
	tests := []struct {
		schema, mime string
		renders      []ir.Render
		want         string // "": no outputSchema
	}{
		{schema: "m21xf81y?f4", want: point},
		{schema: "m21xf81y?f4", renders: []ir.Render{{Name: "a\"b"}}},
		{schema: "?m11xj"},
		{schema: "am11xj"},
		{schema: "t1j"},
		{schema: "s", mime: "image/png"},
	}
	for _, test := range tests {
		got := string(jsonschema.ToolObject(&ir.Tool{
			Name: "f", Doc: []string{"a", "b"}, Renders: test.renders,
			Raw: &ir.Target{Return: parse(t, test.schema), Mime: test.mime},
		}))
		want := `{"name":"f","description":"a\nb","inputSchema":{"type":"object","properties":{`
		if test.renders != nil {
			want += `"_render":{"type":"string","enum":["raw","a\"b"],"default":"raw","description":"Output projection: 'raw' returns the underlying typed value; a renderer name returns that projection (e.g. an image)."}`
		}
		want += `},"required":[],"additionalProperties":false}`
		if test.want != "" {
			want += `,"outputSchema":` + test.want
		}
		if want += "}"; got != want {
			t.Errorf("%s:\ngot  %s\nwant %s", test.schema, got, want)
		}
	}
}

// Fields of a group that are published one by one are described as they stand in the
// group's schema: what it has declared before them is a reference.
func TestUnrolledGroupReferences(t *testing.T) {
	t.Parallel()
	group := parse(t, "&1Cm31a?^1C1b&1Dm11x?^1D1ca^1D")
	tool := &ir.Tool{Name: "f", Raw: &ir.Target{Return: parse(t, "z")}}
	slot := ir.Slot{Type: group, Param: -1, Fields: make([]int, len(group.Fields))}
	for i, f := range group.Fields {
		slot.Fields[i] = i
		tool.Params = append(tool.Params, &ir.Param{Key: f.Name, Type: f.Type})
	}
	tool.Slots = []ir.Slot{slot}
	want := `{"a":{"type":["object","null"]},"b":{"type":"object","properties":{"x":{"type":["object","null"]}},"required":[],"additionalProperties":false},"c":{"type":"array","items":{"type":"object"}}}`
	if got := string(jsonschema.ToolObject(tool)); !strings.Contains(got, `"properties":`+want) {
		t.Errorf("got %s\nwant %s", got, want)
	}
}
