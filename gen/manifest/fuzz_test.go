package manifest_test

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/mcpgen/mcpgen/gen/manifest"
)

// FuzzManifest checks that no bytes make the reader panic, that what it refuses has problems
// with places, and that what it accepts is sound and what encoding/json finds.
func FuzzManifest(f *testing.F) {
	f.Add([]byte(sound))
	for _, pattern := range []string{"testdata/*.json", "../../testdata/corpus/manifests/*.json", "../../testdata/next/*.json"} {
		paths, err := filepath.Glob(pattern)
		if err != nil || len(paths) == 0 {
			f.Fatalf("%s: %v", pattern, err)
		}
		for _, path := range paths {
			if text, err := os.ReadFile(path); err != nil {
				f.Fatal(err)
			} else if len(text) < 12_000 {
				f.Add(text)
			}
		}
	}
	f.Add([]byte(`{"name":"d","build":{"path":".","time":1,"morloc_version":"0.98.2"},"commands":[{"args":[{"kind":"grp"},{"kind":"flag"}]}]}`))
	f.Add([]byte(`{"commands":[{"name":"a","terminals":[{}],"args":[{"entries":[{}],"kind":"grp","schema":"m0"}]}],"build":[]}`))
	f.Fuzz(func(t *testing.T, src []byte) {
		m, err := manifest.Parse("m.json", src, manifest.Options{AnyVersion: true})
		if err != nil {
			var errs *manifest.Errors
			if !errors.As(err, &errs) || len(errs.Problems) == 0 || len(errs.Problems) > manifest.MaxProblems {
				t.Fatalf("%v", err)
			}
			for _, p := range errs.Problems {
				if p.Line < 1 || p.Col < 1 || p.Text == "" || p.Listing() == "" {
					t.Fatalf("%+v", p)
				}
			}
			return
		}
		if m.CLI != nil {
			return
		}
		var plain struct {
			Name     string
			Commands []struct{ Name string }
			Pools    []struct{ Lang string }
		}
		if err := json.Unmarshal(src, &plain); err != nil || len(plain.Commands) != len(m.Commands) || len(plain.Pools) != len(m.Pools) {
			t.Fatalf("%d commands, %d pools; encoding/json finds %d and %d, %v", len(m.Commands), len(m.Pools), len(plain.Commands), len(plain.Pools), err)
		}
		for i, p := range m.Pools {
			if p.Lang != plain.Pools[i].Lang || len(p.Exec) == 0 {
				t.Fatalf("pool %d is %+v, want language %q", i, p, plain.Pools[i].Lang)
			}
		}
		for i, c := range m.Commands {
			if c.Name != plain.Commands[i].Name || c.Index != i {
				t.Fatalf("command %d is %q, want %q", i, c.Name, plain.Commands[i].Name)
			}
			if c.Return.Type == nil || c.Pure && c.Expr == nil || !c.Pure && c.Pool >= len(m.Pools) {
				t.Fatalf("command %q is not sound", c.Name)
			}
			for _, a := range c.Args {
				if a.Type == nil {
					t.Fatalf("an argument of %q has no type", c.Name)
				}
				for _, e := range a.Entries {
					if a.Type.Fields[e.Field].Type != e.Arg.Type {
						t.Fatalf("entry %q of %q has another type", e.Key, c.Name)
					}
				}
			}
			for _, action := range c.Actions {
				if action.Entry != nil && len(action.Entry.Args) != len(c.Args) {
					t.Fatalf("output action %q of %q has other arguments", action.Long, c.Name)
				}
			}
		}
	})
}
