package jsonschema_test

import (
	"bytes"
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

// A departure turns what upstream lists for a tool into what we list (tools.md 14).
type departure func(object string) string

// departures are all tools of the recorded listings that we list differently.
var departures = map[string]departure{
	"config/nested":      floatTexts,
	"exprs/nestedRecord": floatTexts,
	"exprs/echoStation":  floatTexts,
	"exprs/rename":       floatTexts,
	"exprs/relocate":     floatTexts,
	"exprs/station":      floatTexts,
	"exprs/stationOf":    floatTexts,
	"forms/knob":         floatTexts,
	"project/profile":    noResult,
	"pure/tagged":        floatTexts,
	"smiles/describe":    floatTexts,
	"texts/readBin":      floatTexts,
	"texts/roundBin":     floatTexts,
}

const outputSchema = `,"outputSchema":`

// floatTexts is D23: floats of a result may be "nan", "inf" and "-inf".
func floatTexts(object string) string {
	before, result, _ := strings.Cut(object, outputSchema)
	const either = `"anyOf":[{"type":"number"},{"enum":["nan","inf","-inf"]}`
	result = strings.NewReplacer(
		`"type":"number"`, either+"]",
		`"type":["number","null"]`, either+`,{"type":"null"}]`,
	).Replace(result)
	return before + outputSchema + result
}

// noResult is D21: a tool with output actions does not declare its result.
func noResult(object string) string {
	before, _, _ := strings.Cut(object, outputSchema)
	return before + "}"
}

// TestGolden holds the listings of all recorded programs against upstream's.
func TestGolden(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("../../testdata/golden/morloc/tools/*.json")
	if err != nil || len(files) != 12 {
		t.Fatalf("%d listings, %v", len(files), err)
	}
	left := len(departures)
	for _, file := range files {
		program := strings.TrimSuffix(filepath.Base(file), ".json")
		pretty, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		upstream := compactTools(t, pretty)
		p := load(t, "../../testdata/corpus/manifests/"+program+".json")
		if len(p.Tools) != len(upstream) || len(p.Excluded) > 0 {
			t.Errorf("%s: %d tools, want %d; excluded: %v", program, len(p.Tools), len(upstream), p.Excluded)
			continue
		}
		asUpstream := true
		want := make([]string, len(upstream))
		for i, tool := range p.Tools {
			want[i] = upstream[i]
			if depart := departures[program+"/"+tool.Name]; depart != nil {
				left--
				asUpstream = false
				if want[i] = depart(upstream[i]); want[i] == upstream[i] {
					t.Errorf("%s/%s: the departure changes nothing", program, tool.Name)
				}
			}
			if diff := cmp.Diff(want[i], string(jsonschema.ToolObject(tool))); diff != "" {
				t.Errorf("%s/%s (-want +got):\n%s", program, tool.Name, diff)
			}
		}
		list := jsonschema.Tools(p)
		if string(list) != "["+strings.Join(want, ",")+"]" {
			t.Errorf("%s: the list is not that of its tools", program)
		}
		got := jsonschema.Pretty([]byte(`{"tools":` + string(list) + "}"))
		if diff := cmp.Diff(string(pretty), string(got)+"\n"); asUpstream && diff != "" {
			t.Errorf("%s, pretty (-want +got):\n%s", program, diff)
		}
	}
	if left != 0 {
		t.Errorf("%d departures are of no recorded tool", left)
	}
}

// load lowers a manifest.
func load(t *testing.T, path string) *ir.Program {
	t.Helper()
	m, err := manifest.Read(path, manifest.Options{})
	if err != nil {
		t.Fatal(err)
	}
	p, err := lower.Lower(m)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// compactTools returns the tool objects of a listing.
func compactTools(t *testing.T, listing []byte) []string {
	t.Helper()
	var parsed struct{ Tools []json.RawMessage }
	if err := json.Unmarshal(listing, &parsed); err != nil {
		t.Fatal(err)
	}
	list := make([]string, len(parsed.Tools))
	for i, object := range parsed.Tools {
		var compact bytes.Buffer
		if err := json.Compact(&compact, object); err != nil {
			t.Fatal(err)
		}
		list[i] = compact.String()
	}
	return list
}

// TestKitchen is the whole of tools.md 15: listing, and what is left out.
func TestKitchen(t *testing.T) {
	t.Parallel()
	p := load(t, "../manifest/testdata/kitchen.json")
	want, err := os.ReadFile("testdata/kitchen.tools")
	if err != nil {
		t.Fatal(err)
	}
	got := ""
	for _, tool := range p.Tools {
		got += string(jsonschema.ToolObject(tool)) + "\n"
	}
	if diff := cmp.Diff(strings.Split(string(want), "\n"), strings.Split(got, "\n")); diff != "" {
		t.Errorf("listing (-want +got):\n%s", diff)
	}
	excluded := []ir.Excluded{
		{Command: "cat", Reason: "reads from @stdin"},
		{Command: "rows", Reason: "argument has an Arrow Table or stream-handle type"},
		{Command: "openit", Reason: "return has an Arrow Table or stream-handle type"},
		{Command: "dup", Reason: "property name collision on 'x'"},
	}
	if diff := cmp.Diff(excluded, p.Excluded); diff != "" {
		t.Errorf("excluded (-want +got):\n%s", diff)
	}
}

// TestCorpus lists the programs that no listing was recorded of; what is written is JSON.
func TestCorpus(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("../../testdata/corpus/manifests/*.json")
	if err != nil || len(files) != 19 {
		t.Fatalf("%d manifests, %v", len(files), err)
	}
	for _, file := range files {
		p := load(t, file)
		if list := jsonschema.Tools(p); !json.Valid(list) || len(p.Tools) == 0 {
			t.Errorf("%s: %s", file, list)
		}
	}
}
