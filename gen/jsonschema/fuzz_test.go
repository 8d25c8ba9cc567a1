package jsonschema_test

import (
	"encoding/json"
	"os"
	"testing"

	"github.com/mcpgen/mcpgen/gen/jsonschema"
	"github.com/mcpgen/mcpgen/gen/lower"
	"github.com/mcpgen/mcpgen/gen/manifest"
)

// FuzzListing lists the tools of whatever passes for a manifest.
func FuzzListing(f *testing.F) {
	for _, name := range []string{"calc", "smiles", "kitchen"} {
		text, err := os.ReadFile("../manifest/testdata/" + name + ".json")
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		m, err := manifest.Parse("m.json", src, manifest.Options{AnyVersion: true})
		if err != nil {
			return
		}
		p, err := lower.Lower(m)
		if err != nil {
			return
		}
		if list := jsonschema.Tools(p); !json.Valid(list) {
			t.Fatalf("not JSON: %s", list)
		}
	})
}
