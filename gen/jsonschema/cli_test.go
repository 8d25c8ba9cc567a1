package jsonschema_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mcpgen/mcpgen/gen/ir"
	"github.com/mcpgen/mcpgen/gen/jsonschema"
	"github.com/mcpgen/mcpgen/gen/lower"
	"github.com/mcpgen/mcpgen/gen/manifest"
)

const argsbarg = "../../testdata/golden/argsbarg/"

// readCLI lowers what describes a command line.
func readCLI(t *testing.T, file string) *ir.Program {
	t.Helper()
	m, err := manifest.Read(file, manifest.Options{})
	if err != nil {
		t.Fatal(err)
	}
	p, err := lower.Lower(m)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// TestCLIGolden lists the programs of the specification, whole.
func TestCLIGolden(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob(argsbarg + "*.tools.json")
	if err != nil || len(files) != 4 {
		t.Fatalf("%d listings, %v", len(files), err)
	}
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".tools.json")
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := readCLI(t, argsbarg+name+".manifest.json")
			want := readJSON(t, file)
			for _, revision := range []string{"2025-06-18", "2025-11-25", "2026-07-28"} {
				got := decodeJSON(t, []byte(`{"tools":`+string(jsonschema.ToolsFor(p, revision))+`}`))
				if diff := cmp.Diff(want, got); diff != "" {
					t.Errorf("%s: %s", revision, diff)
				}
			}
			export, err := os.ReadFile(argsbarg + name + ".schema.json")
			if err != nil {
				t.Fatal(err)
			}
			if text := *p.Resources[0].Text; text != string(export) {
				t.Errorf("the resource of the schema is not the export: %s", cmp.Diff(string(export), text))
			}
		})
	}
}

func readJSON(t *testing.T, file string) any {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return decodeJSON(t, data)
}

func decodeJSON(t *testing.T, data []byte) any {
	t.Helper()
	var v any
	if err := json.Unmarshal(data, &v); err != nil {
		t.Fatalf("%v in %s", err, data)
	}
	return v
}

// The listings of the specification are equal byte for byte (cli-schema.md 13).
func TestCLIExamples(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, want string }{
		{"tracker.manifest.json", `{"name":"status","description":"status — Show status.","inputSchema":{"type":"object","properties":{"profile":{"type":"string","description":"Profile name."},"trace":{"type":"boolean","description":"Trace to stderr."}},"additionalProperties":false}}
{"name":"issue_get","description":"issue get — Get one issue.","inputSchema":{"type":"object","properties":{"profile":{"type":"string","description":"Profile name."},"trace":{"type":"boolean","description":"Trace to stderr."},"repo":{"type":"string","description":"Repository."},"number":{"type":"string","description":"Issue number."}},"additionalProperties":false,"required":["repo","number"]}}
{"name":"issue_label_set","description":"issue label-set — Set labels. [requires env: TRACKER_TOKEN, TRACKER_URL]","inputSchema":{"type":"object","properties":{"profile":{"type":"string","description":"Profile name."},"trace":{"type":"boolean","description":"Trace to stderr."},"repo":{"type":"string","description":"Repository."},"mode":{"type":"string","enum":["add","replace"],"description":"Merge mode."},"number":{"type":"string","description":"Issue number."},"labels":{"type":"array","items":{"type":"string"},"description":"Labels.","minItems":1}},"additionalProperties":false,"required":["repo","mode","number","labels"]}}
{"name":"export","description":"Custom text.","inputSchema":{"type":"object","properties":{"profile":{"type":"string","description":"Profile name."},"trace":{"type":"boolean","description":"Trace to stderr."}},"additionalProperties":false}}`},
		{"tracker.schema.json", `{"name":"status","description":"status — Show status.","inputSchema":{"type":"object","properties":{"profile":{"type":"string","description":"Profile name."},"trace":{"type":"boolean","description":"Trace to stderr."}},"additionalProperties":false}}
{"name":"issue_get","description":"issue get — Get one issue.","inputSchema":{"type":"object","properties":{"profile":{"type":"string","description":"Profile name."},"trace":{"type":"boolean","description":"Trace to stderr."},"repo":{"type":"string","description":"Repository."},"number":{"type":"string","description":"Issue number."}},"additionalProperties":false,"required":["repo","number"]}}
{"name":"issue_label_set","description":"issue label-set — Set labels.","inputSchema":{"type":"object","properties":{"profile":{"type":"string","description":"Profile name."},"trace":{"type":"boolean","description":"Trace to stderr."},"repo":{"type":"string","description":"Repository."},"mode":{"type":"string","enum":["add","replace"],"description":"Merge mode."},"number":{"type":"string","description":"Issue number."},"labels":{"type":"array","items":{"type":"string"},"description":"Labels.","minItems":1}},"additionalProperties":false,"required":["repo","mode","number","labels"]}}
{"name":"issue_purge","description":"issue purge — Delete everything.","inputSchema":{"type":"object","properties":{"profile":{"type":"string","description":"Profile name."},"trace":{"type":"boolean","description":"Trace to stderr."},"repo":{"type":"string","description":"Repository."}},"additionalProperties":false,"required":["repo"]}}
{"name":"export","description":"export — Export data.","inputSchema":{"type":"object","properties":{"profile":{"type":"string","description":"Profile name."},"trace":{"type":"boolean","description":"Trace to stderr."}},"additionalProperties":false}}`},
		{"hello.schema.json", `{"name":"hello_sh","description":"hello.sh — Greets people.","inputSchema":{"type":"object","properties":{"shout":{"type":"boolean","description":"Upper case."},"name":{"type":"string","description":"Who to greet."}},"additionalProperties":false}}`},
		{"kinds.manifest.json", `{"name":"all","description":"all — All kinds.","inputSchema":{"type":"object","properties":{"dry-run":{"type":"boolean","description":"Do nothing."},"title":{"type":"string","description":"Title text."},"ratio":{"type":"number","description":"A number."},"level":{"type":"string","enum":["low","mid","high"],"description":"Level."},"src":{"type":"string","description":"Source."},"dst":{"type":"string","description":"Destination."}},"additionalProperties":false,"required":["title","src"]}}
{"name":"rest0","description":"rest0 — Zero or more.","inputSchema":{"type":"object","properties":{"flag":{"type":"boolean","description":"Flag."},"items":{"type":"array","items":{"type":"string"},"description":"Items."}},"additionalProperties":false}}
{"name":"rest1","description":"rest1 — One or more.","inputSchema":{"type":"object","properties":{"items":{"type":"array","items":{"type":"string"},"description":"Items.","minItems":1}},"additionalProperties":false,"required":["items"]}}
{"name":"upto3","description":"upto3 — One to three.","inputSchema":{"type":"object","properties":{"words":{"type":"array","items":{"type":"string"},"description":"Words.","minItems":1,"maxItems":3}},"additionalProperties":false,"required":["words"]}}
{"name":"pair","description":"pair — Exactly two.","inputSchema":{"type":"object","properties":{"xy":{"type":"array","items":{"type":"string"},"description":"Two.","minItems":2,"maxItems":2}},"additionalProperties":false,"required":["xy"]}}
{"name":"out","description":"out — Output shapes.","inputSchema":{"type":"object","properties":{"stdout":{"type":"string","description":"stdout text."},"stderr":{"type":"string","description":"stderr text."},"code":{"type":"number","description":"Exit code."},"throw":{"type":"string","description":"Throw."}},"additionalProperties":false}}
{"name":"a_b","description":"a-b — Collides one.","inputSchema":{"type":"object","properties":{},"additionalProperties":false}}
{"name":"a_b_2","description":"a_b — Collides two.","inputSchema":{"type":"object","properties":{},"additionalProperties":false}}
{"name":"a_b_3","description":"a b — Collides three.","inputSchema":{"type":"object","properties":{},"additionalProperties":false}}
{"name":"shadow_leaf","description":"shadow leaf — Inner leaf.","inputSchema":{"type":"object","properties":{"size":{"type":"number","description":"Inner size."}},"additionalProperties":false}}
{"name":"na_ve","description":"naïve — Non-ASCII key.","inputSchema":{"type":"object","properties":{},"additionalProperties":false}}`},
	}
	for _, test := range tests {
		var got []string
		for _, tool := range readCLI(t, argsbarg+test.name).Tools {
			got = append(got, string(jsonschema.ToolObject(tool)))
		}
		if diff := cmp.Diff(strings.Split(test.want, "\n"), got); diff != "" {
			t.Errorf("%s: %s", test.name, diff)
		}
	}
}

// The two programs that are of no use as they are exported.
func TestCLIExportsWithProblems(t *testing.T) {
	t.Parallel()
	m, err := manifest.Read(argsbarg+"kinds.schema.json", manifest.Options{})
	if err != nil {
		t.Fatal(err)
	}
	_, err = lower.Lower(m)
	want := argsbarg + `kinds.schema.json:267:5: commands[7]: tool name collision: "a_b": "a-b", "a_b", "a b"
` + argsbarg + `kinds.schema.json:328:9: commands[9].positionals[0]: duplicate property "path" in "dup"`
	if err == nil || err.Error() != want {
		t.Errorf("got\n%v\nwant\n%s", err, want)
	}
}

// Members that came with a revision are not sent before it (cli-schema.md 5.5).
func TestLeafRevisions(t *testing.T) {
	t.Parallel()
	tool := func(typ string) *ir.Tool {
		return &ir.Tool{Name: "t", Doc: []string{"D"}, Leaf: &ir.Leaf{
			Output:      &ir.AuthorSchema{Text: []byte(`{"type":"` + typ + `"}`), IsObject: typ == "object"},
			Annotations: []byte(`{"readOnlyHint":true}`),
		}}
	}
	const (
		head   = `{"name":"t","description":"D","inputSchema":{"type":"object","properties":{},"additionalProperties":false}`
		object = `,"outputSchema":{"type":"object"}`
		array  = `,"outputSchema":{"type":"array"}`
		notes  = `,"annotations":{"readOnlyHint":true}`
	)
	tests := []struct{ revision, object, array string }{
		{"2024-11-05", "", ""},
		{"2025-03-26", notes, notes},
		{"2025-06-18", object + notes, notes},
		{"2025-11-25", object + notes, notes},
		{"2026-07-28", object + notes, array + notes},
	}
	for _, test := range tests {
		if got, want := string(jsonschema.ToolObjectFor(tool("object"), test.revision)), head+test.object+"}"; got != want {
			t.Errorf("%s: object: %s, want %s", test.revision, got, want)
		}
		if got, want := string(jsonschema.ToolObjectFor(tool("array"), test.revision)), head+test.array+"}"; got != want {
			t.Errorf("%s: array: %s, want %s", test.revision, got, want)
		}
	}
}

// Kinds of properties that the examples of the specification do not have.
func TestLeafProperties(t *testing.T) {
	t.Parallel()
	tests := []struct {
		p    ir.Property
		want string
	}{
		{ir.Property{Place: ir.PathParam, Required: true, Min: 1, Max: 1}, `"type":"string","description":"D","minLength":1`},
		{ir.Property{Place: ir.Option, Format: "duration", Default: []byte(`"1m"`)}, `"type":"string","description":"D","pattern":"^\\d+[hdms]?$","default":"1m"`},
		{ir.Property{Place: ir.Option, Format: "date"}, `"type":"string","description":"D","format":"date"`},
		{ir.Property{Place: ir.Option, Format: "date-time"}, `"type":"string","description":"D","format":"date-time"`},
		{ir.Property{Place: ir.Option, Format: "comma-list"}, `"oneOf":[{"type":"string"},{"type":"array","items":{"type":"string"}}],"description":"D"`},
		{ir.Property{Place: ir.Option, Pattern: `"\d`}, `"type":"string","description":"D","pattern":"\"\\d"`},
		{ir.Property{Place: ir.Option, Kind: ir.KindNumber, Default: []byte("5")}, `"type":"number","description":"D","default":5`},
		{ir.Property{Place: ir.Option, Kind: ir.KindJSON}, `"type":"object","description":"D"`},
		{ir.Property{Place: ir.Positional, Min: 2, Max: 3}, `"type":"array","items":{"type":"string"},"description":"D","minItems":2,"maxItems":3`},
		{ir.Property{Place: ir.Positional, Max: 1}, `"type":"string","description":"D"`},
	}
	for _, test := range tests {
		p := test.p
		p.Name, p.Description = "x", "D"
		got := string(jsonschema.ToolObject(&ir.Tool{Name: "t", Leaf: &ir.Leaf{Properties: []*ir.Property{&p}}}))
		want := `{"name":"t","description":"","inputSchema":{"type":"object","properties":{"x":{` + test.want + `}},"additionalProperties":false`
		if p.Required {
			want += `,"required":["x"]`
		}
		if got != want+"}}" {
			t.Errorf("got  %s\nwant %s}}", got, want)
		}
	}
}

// FuzzCLISchema: whatever describes a command line, nothing panics; what is accepted is listed
// as JSON with an argument for each property, in each revision. Without a text, one is made
// from the seed.
func FuzzCLISchema(f *testing.F) {
	files, err := filepath.Glob(argsbarg + "*.schema.json")
	if err != nil || len(files) != 4 {
		f.Fatalf("%d exports, %v", len(files), err)
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(data), uint64(0))
		f.Add(`{"mcpgen":1,"format":"argsbarg","server":{"onCollision":"suffix","resources":[{"uri":"a:b","name":"n","args":[]}]},"tools":{"apply":{"kind":"json","inputSchema":{"type":"object","$ref":"#"}},"dup":{"enabled":false}},"schema":`+string(data)+`}`, uint64(0))
	}
	f.Add(`{"key":"p","description":"P.","options":[{"name":"n","description":"","kind":"number","default":"0x"}],"positionals":[{"name":"😀","description":"","argMin":0,"argMax":0}]}`, uint64(0))
	f.Add(`{"mcpgen":1,"format":"argsbarg","dialect":7,"tools":{"":{"leaf":false}},"schema":{"key":"-","description":"","commands":[{"key":":a","description":"","commands":[{"key":"mcp","description":""}]}]}}`, uint64(0))
	for seed := range uint64(200) {
		f.Add("", seed)
	}
	f.Fuzz(func(t *testing.T, text string, seed uint64) {
		if text == "" {
			text = randomExport(seed)
		}
		m, err := manifest.Parse("m.json", []byte(text), manifest.Options{})
		if err != nil || m.CLI == nil {
			return
		}
		p, err := lower.Lower(m)
		if err != nil {
			return
		}
		for _, revision := range []string{"2024-11-05", "2025-03-26", "2025-06-18", "2026-07-28"} {
			var tools []struct {
				Name        string
				InputSchema struct{ Properties map[string]any }
			}
			listing := jsonschema.ToolsFor(p, revision)
			if err := json.Unmarshal(listing, &tools); err != nil {
				t.Fatalf("%v in %s", err, listing)
			}
			checkListed(t, p, len(tools), func(i int) (string, map[string]any) { return tools[i].Name, tools[i].InputSchema.Properties })
		}
		if !json.Valid([]byte(*p.Resources[0].Text)) {
			t.Fatalf("resource %s", *p.Resources[0].Text)
		}
	})
}

// checkListed holds a listing against the program it was made of.
func checkListed(t *testing.T, p *ir.Program, n int, listed func(i int) (name string, properties map[string]any)) {
	t.Helper()
	if n != len(p.Tools) {
		t.Fatalf("%d tools listed, want %d", n, len(p.Tools))
	}
	seen := map[string]bool{}
	for i, tool := range p.Tools {
		name, properties := listed(i)
		if name != tool.Name || seen[name] {
			t.Fatalf("tool %d is %q, want %q, once", i, name, tool.Name)
		}
		seen[name] = true
		if tool.Leaf.Input == nil && len(properties) != len(tool.Leaf.Properties) {
			t.Fatalf("tool %q: properties %v of %d", name, properties, len(tool.Leaf.Properties))
		}
		for _, s := range tool.Leaf.Argv {
			if s.Property >= len(tool.Leaf.Properties) || s.Property < 0 && s.Word == "" {
				t.Fatalf("tool %q: step %+v", name, s)
			}
		}
	}
}
