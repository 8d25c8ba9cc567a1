package manifest_test

import (
	"path/filepath"
	"testing"

	"github.com/mcpgen/mcpgen/gen/manifest"
)

func TestReadCorpus(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("../../testdata/corpus/manifests/*.json")
	if err != nil || len(files) != 19 {
		t.Fatalf("%d manifests, %v", len(files), err)
	}
	own, err := filepath.Glob("testdata/*.json")
	if err != nil || len(own) != 3 {
		t.Fatalf("%d manifests of our own, %v", len(own), err)
	}
	for _, file := range append(files, own...) {
		m, err := manifest.Read(file, manifest.Options{})
		if err != nil {
			t.Error(err)
			continue
		}
		if m.Version != "0.98.2" || len(m.Commands) == 0 || !filepath.IsAbs(m.Path) {
			t.Errorf("%s: version %q, %d commands, path %q", file, m.Version, len(m.Commands), m.Path)
		}
	}
}
