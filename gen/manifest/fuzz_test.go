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
		var root map[string]json.RawMessage // with names as they are, unlike a struct
		var commands, pools []map[string]json.RawMessage
		err = errors.Join(json.Unmarshal(src, &root), unmarshal(root["commands"], &commands), unmarshal(root["pools"], &pools))
		if err != nil || len(commands) != len(m.Commands) || len(pools) != len(m.Pools) {
			t.Fatalf("%d commands, %d pools; encoding/json finds %d and %d, %v", len(m.Commands), len(m.Pools), len(commands), len(pools), err)
		}
		for i, p := range m.Pools {
			if p.Lang != text(pools[i]["lang"]) || len(p.Exec) == 0 {
				t.Fatalf("pool %d is %+v, want language %s", i, p, pools[i]["lang"])
			}
		}
		for i, c := range m.Commands {
			if c.Name != text(commands[i]["name"]) || c.Index != i {
				t.Fatalf("command %d is %q, want %s", i, c.Name, commands[i]["name"])
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

// unmarshal reads a member that may be missing.
func unmarshal(text json.RawMessage, v any) error {
	if text == nil {
		return nil
	}
	return json.Unmarshal(text, v)
}

// text returns a string, "" if there is none.
func text(raw json.RawMessage) (s string) {
	_ = unmarshal(raw, &s)
	return s
}
