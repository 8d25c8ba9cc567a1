package jsonschema_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
	"unicode/utf8"

	standard "github.com/google/jsonschema-go/jsonschema"

	"github.com/mcpgen/mcpgen/gen/jsonschema"
	"github.com/mcpgen/mcpgen/gen/lower"
	"github.com/mcpgen/mcpgen/gen/manifest"
)

// FuzzListing lists the tools of whatever passes for a manifest: JSON whose objects have no
// member twice, of tools with different names and with schemas that another library resolves.
func FuzzListing(f *testing.F) {
	for _, pattern := range []string{"../manifest/testdata/*.json", "../../testdata/corpus/manifests/*.json", "../../testdata/next/*s.json"} {
		paths, err := filepath.Glob(pattern)
		if err != nil || len(paths) == 0 {
			f.Fatalf("%s: %v", pattern, err)
		}
		for _, path := range paths {
			text, err := os.ReadFile(path)
			if err != nil {
				f.Fatal(err)
			}
			if len(text) < 12_000 {
				f.Add(text)
			}
		}
	}
	f.Fuzz(checkListing)
}

// FuzzTool lists one tool, whose manifest is sound but for the texts in it.
func FuzzTool(f *testing.F) {
	for _, seed := range [][6]string{
		{"echo", "_1", "s", "Str", "", "says \"it\" again\n\u2028"}, {"a b", "x-y", "m21aj1b?s", "Point", `{"a":1,"b":null}`, ""},
		{"é", "_render", "&4Treem25valuej8childrena^4Tree", "Tree", "", "\\"}, {"shape", "p", shape, "Shape", `"Dot"`, "*/"},
		{"f", "k", "t2a:3f8?e33Red5Green4Blue", "<T>", "", "\t"}, {"", "", "z", "", "null", "\x00"},
	} {
		f.Add(seed[0], seed[1], seed[2], seed[3], seed[4], seed[5])
	}
	f.Fuzz(func(t *testing.T, name, key, schema, typ, value, doc string) {
		positional := map[string]any{"kind": "pos", "key": key, "schema": schema, "type": typ, "desc": []string{doc}}
		optional := map[string]any{"kind": "opt", "key": key + "2", "schema": schema, "type": typ, "long": "long", "desc": []string{doc}}
		if optional["default"] = value; value == "" {
			delete(optional, "default")
		}
		text, err := json.Marshal(map[string]any{
			"name": "p", "build": map[string]any{"path": ".", "time": 1, "morloc_version": "0.109.0"},
			"pools": []any{map[string]any{"lang": "py", "exec": []string{"p.py"}, "socket": "s"}},
			"commands": []any{map[string]any{
				"name": name, "type": "remote", "mid": 1, "pool": 0, "desc": []string{doc}, "args": []any{positional, optional},
				"return": map[string]any{"schema": schema, "type": typ},
				"named_types": []any{map[string]any{"name": typ, "kind": "data", "constructors": []any{
					map[string]any{"name": "Dot", "desc": []string{doc}}, map[string]any{"name": "Red", "desc": []string{doc, doc}},
				}}},
			}},
		})
		if err != nil {
			t.Fatal(err)
		}
		checkListing(t, text)
	})
}

// checkListing checks the listing of a manifest.
func checkListing(t *testing.T, src []byte) {
	m, err := manifest.Parse("m.json", src, manifest.Options{AnyVersion: true})
	if err != nil {
		return
	}
	p, err := lower.Lower(m)
	if err != nil {
		return
	}
	list := jsonschema.Tools(p)
	var tools []struct {
		Name                      string
		InputSchema, OutputSchema json.RawMessage
	}
	if err := json.Unmarshal(list, &tools); err != nil || !utf8.Valid(list) || len(tools) != len(p.Tools) {
		t.Fatalf("not a list of %d tools, %v: %s", len(p.Tools), err, list)
	}
	var indented bytes.Buffer
	if err := json.Indent(&indented, list, "", "  "); err != nil || indented.String() != string(jsonschema.Pretty(list)) {
		t.Fatalf("indented otherwise than by encoding/json: %s", list)
	}
	if name := repeated(json.NewDecoder(bytes.NewReader(list))); name != nil {
		t.Fatalf("member %q twice: %s", *name, list)
	}
	names := map[string]bool{}
	for i, tool := range tools {
		if tool.Name != p.Tools[i].Name || names[tool.Name] {
			t.Fatalf("tool %d is called %q: %s", i, tool.Name, list)
		}
		names[tool.Name] = true
		resolve(t, tool.InputSchema)
		if tool.OutputSchema != nil {
			resolve(t, tool.OutputSchema)
		}
	}
}

// resolve has another library read a schema.
func resolve(t *testing.T, text []byte) {
	t.Helper()
	var s standard.Schema
	err := json.Unmarshal(text, &s)
	if err == nil {
		_, err = s.Resolve(nil)
	}
	if err != nil {
		t.Fatalf("no schema: %v: %s", err, text)
	}
}

// repeated returns the name of a member that an object of the value at hand has twice, nil if
// there is none.
func repeated(d *json.Decoder) *string {
	token, _ := d.Token()
	if token != json.Delim('[') && token != json.Delim('{') {
		return nil
	}
	seen := map[string]bool{}
	var found *string
	for d.More() {
		if token == json.Delim('{') {
			name, _ := d.Token()
			if key := name.(string); seen[key] {
				found = &key
			} else {
				seen[key] = true
			}
		}
		if inner := repeated(d); inner != nil {
			found = inner
		}
	}
	_, _ = d.Token()
	return found
}
