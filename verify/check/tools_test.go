package check

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/mcpgen/mcpgen/verify/client"
)

func toolOf(t testing.TB, text string) client.Tool {
	t.Helper()
	var tool client.Tool
	if err := json.Unmarshal([]byte(text), &tool.Members); err != nil {
		t.Fatal(err)
	}
	_ = json.Unmarshal(tool.Members["name"], &tool.Name)
	return tool
}

// rules returns the rules of findings, those of notes with a ? after them.
func rules(findings []Finding) []string {
	list := []string{}
	for _, f := range findings {
		if f.Note {
			f.Rule += "?"
		}
		list = append(list, f.Rule)
	}
	return list
}

const object = `"inputSchema":{"type":"object"}`

func TestTools(t *testing.T) {
	input := func(schema string) string { return `{"name":"a","inputSchema":` + schema + `}` }
	output := func(schema string) string { return `{"name":"a",` + object + `,"outputSchema":` + schema + `}` }
	const draft07 = `"$schema":"http://json-schema.org/draft-07/schema#"`
	for _, tt := range []struct {
		name, tool, revision string
		want                 []string
	}{
		{"sound", input(`{"type":"object","properties":{"a":{"type":"string"}},"required":["a"]}`), "", nil},
		{"no name", `{` + object + `}`, "", []string{"name-missing"}},
		{"name is a number", `{"name":7,` + object + `}`, "", []string{"name-missing"}},
		{"name form", `{"name":"a b",` + object + `}`, "", []string{"name-form"}},
		{"name form, older", `{"name":"a b",` + object + `}`, "2025-06-18", []string{"name-form?"}},
		{"no schema", `{"name":"a"}`, "", []string{"input-missing"}},
		{"null schema", input(`null`), "", []string{"input-missing"}},
		{"not an object's", input(`{"type":"string"}`), "", []string{"input-missing"}},
		{"unknown type", input(`{"type":"object","properties":{"a":{"type":"strin"}}}`), "", []string{"schema-invalid"}},
		{"bad keyword", input(`{"type":"object","properties":{"a":{"minimum":"3"}}}`), "", []string{"schema-invalid"}},
		{"draft-07", input(`{` + draft07 + `,"type":"object","properties":{"a":{"items":[{"type":"string"}]}}}`), "", nil},
		{"tuple items are draft-07's", input(`{"type":"object","properties":{"a":{"items":[{"type":"string"}]}}}`), "", []string{"schema-invalid"}},
		{"either will do before", input(`{"type":"object","properties":{"a":{"items":[{"type":"string"}]}}}`), "2025-06-18", nil},
		{"other dialect", input(`{"$schema":"http://json-schema.org/draft-04/schema#","type":"object"}`), "", []string{"schema-invalid?"}},
		{"dangling reference", input(`{"type":"object","properties":{"a":{"$ref":"#/$defs/none"}}}`), "", []string{"schema-invalid"}},
		{"recursive reference", input(`{"type":"object","properties":{"a":{"$ref":"#"}}}`), "", nil},
		{"endless reference", input(`{"type":"object","$ref":"#"}`), "", []string{"schema-invalid"}},
		{"endless by a detour", input(`{"type":"object","allOf":[{"$ref":"#/$defs/a"}],"$defs":{"a":{"anyOf":[{"$ref":"#b"}]},"b":{"$anchor":"b","not":{"$ref":"#/$defs/a"}}}}`), "", []string{"schema-invalid"}},
		{"foreign reference", input(`{"type":"object","properties":{"a":{"$ref":"https://example.invalid/x"}}}`), "", []string{"ref-external"}},
		{"reference in data", input(`{"type":"object","default":{"$ref":"https://example.invalid/x"}}`), "", nil},
		{"own id", input(`{"type":"object","$id":"https://example.invalid/x","properties":{"a":{"$ref":"https://example.invalid/x#/$defs/b"}},"$defs":{"b":true}}`), "", nil},
		{"regular expression of ECMA", input(`{"type":"object","properties":{"a":{"pattern":"^(?!x)"}},"patternProperties":{"(?=y)":{}}}`), "", nil},
		{"required, closed", input(`{"type":"object","additionalProperties":false,"required":["q"]}`), "", []string{"required-undeclared"}},
		{"required, by pattern", input(`{"type":"object","additionalProperties":false,"patternProperties":{"^q":{}},"required":["q"]}`), "", nil},
		{"required, open", input(`{"type":"object","required":["q"]}`), "", nil},
		{"required twice", input(`{"type":"object","required":["q","q"]}`), "", []string{"schema-invalid", "required-undeclared"}},
		{"output type", output(`{"type":"array"}`), "", []string{"output-type"}},
		{"output type, modern", output(`{"type":"array"}`), "2026-07-28", nil},
		{"output, too early", output(`{"type":"array"}`), "2025-03-26", []string{"late-field?"}},
		{"output is a list", output(`[]`), "", []string{"schema-invalid"}},
		{"hints", `{"name":"a",` + object + `,"annotations":{"readOnlyHint":"yes"}}`, "", []string{"annotation-type"}},
		{"annotations", `{"name":"a",` + object + `,"annotations":[]}`, "", []string{"annotation-type"}},
		{"late", `{"name":"a","title":"A",` + object + `,"execution":{},"icons":[]}`, "2025-03-26", []string{"late-field?", "late-field?", "late-field?"}},
		{"too large", input(`{"type":"object","description":"` + strings.Repeat("x", maxSchemaBytes) + `"}`), "", []string{"schema-invalid?"}},
		{"too deep", input(`{"type":"object","not":` + strings.Repeat(`{"not":`, 200) + `true` + strings.Repeat(`}`, 200) + `}`), "", []string{"schema-invalid?"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			revision := tt.revision
			if revision == "" {
				revision = "2025-11-25"
			}
			got := Tools([]client.Tool{toolOf(t, tt.tool)}, revision, false)
			if !slices.Equal(rules(got), append([]string{}, tt.want...)) {
				t.Errorf("%v, want %v", got, tt.want)
			}
		})
	}
}

// TestSameFinding holds the finding about a schema with several loops against that of other
// times: results of two runs are compared.
func TestSameFinding(t *testing.T) {
	var loops []string
	for _, name := range strings.Split("abcdefgh", "") {
		loops = append(loops, `"`+name+`":{"$ref":"#/$defs/`+name+`"}`)
	}
	tool := toolOf(t, `{"name":"a","inputSchema":{"type":"object","$defs":{`+strings.Join(loops, ",")+`}}}`)
	for range 50 {
		got := Tools([]client.Tool{tool}, "2025-11-25", false)
		if len(got) != 1 || !strings.Contains(got[0].Message, `"#/$defs/a" refers to itself`) {
			t.Fatalf("%v, want the first loop", got)
		}
	}
}

func TestHeaders(t *testing.T) {
	for _, tt := range []struct {
		properties string
		want       int
	}{
		{`{"a":{"type":"string","x-mcp-header":"X-A"},"b":{"type":"object","properties":{"c":{"type":"integer","x-mcp-header":"X-B"}}}}`, 0},
		{`{"a":{"type":"number","x-mcp-header":"X-A"}}`, 1},
		{`{"a":{"type":"string","x-mcp-header":""}}`, 1},
		{`{"a":{"type":"string","x-mcp-header":"a b"}}`, 1},
		{`{"a":{"type":"string","x-mcp-header":"A"},"b":{"type":"string","x-mcp-header":"a"}}`, 1},
		{`{"a":{"type":"array","items":{"type":"string","x-mcp-header":"A"}}}`, 1},
	} {
		tool := toolOf(t, `{"name":"a","inputSchema":{"type":"object","properties":`+tt.properties+`}}`)
		if got := Tools([]client.Tool{tool}, client.Modern, true); len(got) != tt.want {
			t.Errorf("%s: %v, want %d", tt.properties, got, tt.want)
		}
		if got := Tools([]client.Tool{tool}, client.Modern, false); len(got) != 0 {
			t.Errorf("%s: %v on stdio, want none", tt.properties, got)
		}
	}
}

// TestRecorded finds nothing in the tools of the reference servers.
func TestRecorded(t *testing.T) {
	files, err := filepath.Glob(filepath.Join("..", "..", "testdata", "golden", "qa", "live", "*.tools.json"))
	if err != nil || len(files) == 0 {
		t.Fatal("no recordings")
	}
	total := 0
	for _, file := range files {
		var recorded struct{ Tools []json.RawMessage }
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(text, &recorded); err != nil {
			t.Fatal(err)
		}
		var list []client.Tool
		for _, raw := range recorded.Tools {
			list = append(list, toolOf(t, string(raw)))
		}
		total += len(list)
		for _, f := range Tools(list, "2025-11-25", false) {
			t.Errorf("%s: %+v", filepath.Base(file), f)
		}
	}
	if total != 13+16+14+9+1 {
		t.Errorf("%d tools checked", total)
	}
}

func TestResult(t *testing.T) {
	const schema = `"outputSchema":{"type":"object","properties":{"n":{"type":"integer"}},"required":["n"]}`
	for _, tt := range []struct {
		name, members, result, revision string
		bad                             bool
	}{
		{"text", "", `{"content":[{"type":"text","text":"x"}]}`, "", false},
		{"no blocks", "", `{"content":[]}`, "", false},
		{"no content", "", `{}`, "", true},
		{"content is text", "", `{"content":"x"}`, "", true},
		{"untyped block", "", `{"content":[{"text":"x"}]}`, "", true},
		{"no object", "", `7`, "", true},
		{"conforms", schema, `{"content":[],"structuredContent":{"n":1}}`, "", false},
		{"does not", schema, `{"content":[],"structuredContent":{"n":"1"}}`, "", true},
		{"missing", schema, `{"content":[]}`, "", true},
		{"missing in an error", schema, `{"content":[],"isError":true}`, "", false},
		{"before there were any", schema, `{"content":[]}`, "2025-03-26", false},
		{"a list", `"outputSchema":{"type":"array"}`, `{"content":[],"structuredContent":[]}`, "2026-07-28", false},
		{"a list, too early", `"outputSchema":true`, `{"content":[],"structuredContent":[]}`, "", true},
		{"endless schema", `"outputSchema":{"type":"object","$ref":"#"}`, `{"content":[],"structuredContent":{}}`, "", false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			members := tt.members
			if members != "" {
				members = "," + members
			}
			revision := tt.revision
			if revision == "" {
				revision = "2025-11-25"
			}
			err := Result(toolOf(t, `{"name":"a"`+members+`}`), json.RawMessage(tt.result), revision)
			if (err != nil) != tt.bad {
				t.Errorf("Result = %v, want an error: %v", err, tt.bad)
			}
		})
	}
}

// FuzzTools checks arbitrary schemas, and arbitrary values by them. A schema is judged the same
// each time; a value that a schema allows is allowed by all of it alone, one that it does not is
// allowed by neither, and no value is refused by it and by its opposite.
func FuzzTools(f *testing.F) {
	f.Add([]byte(`{"type":"object","$ref":"#","$defs":{"a":{"$anchor":"b"}}}`), []byte(`{"n":1}`))
	f.Add([]byte(`{"type":"object","properties":{"a":{"$dynamicRef":"#x"}},"$dynamicAnchor":"x"}`), []byte(`{"a":{"a":{}}}`))
	f.Add([]byte(`{"$id":"x","allOf":[{"$ref":"x"}],"items":[true]}`), []byte(`[1]`))
	f.Add([]byte(`{"type":"object","properties":{"a":{"type":["integer","null"],"minimum":1}},"required":["a"],"additionalProperties":false}`), []byte(`{"a":0}`))
	f.Add([]byte(`{"oneOf":[{"type":"array","prefixItems":[{"const":1}],"items":false},{"enum":["x",{}]}],"unevaluatedItems":false}`), []byte(`[1]`))
	f.Add([]byte(`{"if":{"pattern":"^a"},"then":{"maxLength":2},"else":{"minLength":3},"dependentRequired":{"a":["b"]}}`), []byte(`"abc"`))
	f.Fuzz(func(t *testing.T, schema, value []byte) {
		if !json.Valid(schema) || !json.Valid(value) {
			return
		}
		result := json.RawMessage(`{"content":[],"structuredContent":` + string(value) + `}`)
		judge := func(schema string) (findings []Finding, err error) {
			text := json.RawMessage(schema)
			tool := client.Tool{Name: "a", Members: map[string]json.RawMessage{"inputSchema": text, "outputSchema": text}}
			return Tools([]client.Tool{tool}, client.Modern, true), Result(tool, result, client.Modern)
		}
		findings, err := judge(string(schema))
		again, errAgain := judge(string(schema))
		if !slices.Equal(rules(findings), rules(again)) || (err == nil) != (errAgain == nil) {
			t.Fatalf("%s: %v, %v, then %v, %v", schema, findings, err, again, errAgain)
		}
		isBroken := slices.ContainsFunc(findings, func(f Finding) bool { return f.Rule == "schema-invalid" })
		if isBroken || bytes.Contains(schema, []byte("$")) || bytes.Contains(schema, []byte(`\u`)) || len(schema) > 2000 {
			return // inside of another one, references lead elsewhere
		}
		_, errWrapped := judge(`{"allOf":[` + string(schema) + `]}`)
		_, errOpposite := judge(`{"not":` + string(schema) + `}`)
		if (err == nil) != (errWrapped == nil) || err != nil && errOpposite != nil {
			t.Fatalf("%s of %s: %v, as a part %v, the opposite %v", value, schema, err, errWrapped, errOpposite)
		}
	})
}
