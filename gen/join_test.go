package gen

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// writeManifest writes the manifest of a program whose commands are constants.
func writeManifest(t *testing.T, name, version string, commands ...string) string {
	t.Helper()
	text := fmt.Sprintf(`{"name":%q,"build":{"path":".","time":1,"morloc_version":%q},"commands":[`, name, version)
	for i, c := range commands {
		if i > 0 {
			text += ","
		}
		text += fmt.Sprintf(`{"name":%q,"type":"pure","desc":[],"args":[],"return":{"schema":"j","type":"Int","desc":[]},`+
			`"expr":{"tag":"lit","schema":"j","lit_type":"j","value":"%d"}}`, c, i)
	}
	file := filepath.Join(t.TempDir(), "manifest.json")
	if err := os.WriteFile(file, []byte(text+"]}"), 0o644); err != nil {
		t.Fatal(err)
	}
	return file
}

func TestJoined(t *testing.T) {
	t.Parallel()
	o := Options{
		Manifests: []string{pureManifest, "../examples/molecules/smiles-build/manifest.json"},
		Out:       filepath.Join(t.TempDir(), "out"),
	}
	r := generate(t, o)
	if r.Name != "morloc" || r.Module != "morloc-mcp" || r.Version != "0.98.2" || len(r.Tools()) != 16 {
		t.Errorf("got name %q, module %q, version %q, %d tools", r.Name, r.Module, r.Version, len(r.Tools()))
	}
	names := paths(r.Files)
	for _, want := range []string{"main.go", "tools_gen.go", "transcript_test.go", "testdata/morloc.transcript",
		"internal/pure/tools_gen.go", "internal/pure/testdata/pure.transcript", "internal/smiles/pools_gen.go"} {
		if !slices.Contains(names, want) {
			t.Errorf("no file %s among %q", want, names)
		}
	}
	if diff := cmp.Diff(r.Files, generate(t, o).Files); diff != "" {
		t.Errorf("generated again (-first +second):\n%s", diff)
	}

	// The code of a program is what it is alone, but for the package it is in.
	alone := generate(t, Options{Manifests: o.Manifests[1:], Out: o.Out, Module: "morloc-mcp"})
	for _, name := range []string{"args_gen.go", "results_gen.go", "pools_gen.go"} {
		got := strings.Replace(find(t, r.Files, "internal/smiles/"+name), "\npackage smiles\n", "\npackage main\n", 1)
		if diff := cmp.Diff(find(t, alone.Files, name), got); diff != "" {
			t.Errorf("%s (-alone +joined):\n%s", name, diff)
		}
	}
	listing, err := Listing(r.Loaded)
	if err != nil || bytes.Count(listing, []byte(`"name": "pure__`)) != 11 || bytes.Count(listing, []byte(`"name": "smiles__`)) != 5 {
		t.Errorf("listing: %v\n%s", err, listing)
	}
}

// TestJoinedModule generates into a Go module that is there: packages import one another by
// their paths in it.
func TestJoinedModule(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "go.mod"), []byte("module example.com/x // servers\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	o := Options{
		Manifests: []string{writeManifest(t, "a", "0.98.2", "f"), writeManifest(t, "b", "0.98.2", "f")},
		Runtime:   RuntimeModule, Out: filepath.Join(dir, "deep", "server"),
	}
	r := generate(t, o)
	if got := find(t, r.Files, "tools_gen.go"); !strings.Contains(got, `"example.com/x/deep/server/internal/a"`) {
		t.Errorf("tools_gen.go:\n%s", got)
	}
	o.Out = filepath.Join(dir, "a b")
	_, err := Generate(t.Context(), o)
	if want := o.Out + `: no package can be imported from there: its path would be "example.com/x/a b"`; err == nil || err.Error() != want {
		t.Errorf("Generate = %v, want %s", err, want)
	}
}

// TestJoinedNames generates programs whose names do all they can to be no packages, or to
// be one another's.
func TestJoinedNames(t *testing.T) {
	t.Parallel()
	var o Options
	for _, name := range []string{"rt", "os", "main", "Main", "program", "find", "func", "internal", "vendor", "con",
		"2fa", "温度", "*/", "a-b", "ab", "A_B", "tool2", "testing", "string", "documentation"} {
		o.Manifests = append(o.Manifests, writeManifest(t, name, "0.98.2", "main", "Program", "program", "import"))
	}
	o.Out = filepath.Join(t.TempDir(), "out")
	r := generate(t, o)
	folders := map[string]bool{}
	for _, name := range paths(r.Files) {
		if rest, ok := strings.CutSuffix(name, "/tools_gen.go"); ok {
			folders[strings.ToLower(rest)] = true
		}
	}
	if len(folders) != len(o.Manifests) {
		t.Errorf("%d packages of %d programs: %v", len(folders), len(o.Manifests), folders)
	}
}

func TestJoinedBare(t *testing.T) {
	t.Parallel()
	l, err := Load(Options{Manifests: []string{
		writeManifest(t, "a", "0.98.2", "both", "mine", "b__odd"), writeManifest(t, "b", "0.98.1", "both", "yours", "odd"),
	}})
	if err != nil {
		t.Fatal(err)
	}
	// b__odd of a is not good alone: it is what odd of b is listed as.
	if diff := cmp.Diff([][]string{{"mine"}, {"yours", "odd"}}, l.bareNames()); diff != "" {
		t.Errorf("bare names (-want +got):\n%s", diff)
	}
	if l.Version != "0.98.2, 0.98.1" {
		t.Errorf("version %q", l.Version)
	}
}

func TestJoinedClashes(t *testing.T) {
	t.Parallel()
	a, again := writeManifest(t, "a", "0.98.2", "b__c"), writeManifest(t, "a", "0.98.2", "d")
	ab := writeManifest(t, "a__b", "0.98.2", "c")
	for _, tt := range []struct {
		manifests []string
		want      string
	}{
		{[]string{a, ab}, "MCP tool name collision on 'a__b__c': a::b__c vs a__b::c. Rename a module or command to disambiguate."},
		{[]string{a, again}, `two programs are called "a": ` + a + " and " + again + "; one server cannot tell them apart"},
		{[]string{a, a}, `two programs are called "a": ` + a + " and " + a + "; one server cannot tell them apart"},
		{[]string{a, "nothing.json"}, "open nothing.json: no such file or directory"},
	} {
		if _, err := Load(Options{Manifests: tt.manifests}); err == nil || err.Error() != tt.want {
			t.Errorf("Load = %v\nwant   %s", err, tt.want)
		}
	}
}

// TestJoinedNotes checks that notes say whose they are, and that names which are too long
// only with their prefix are told of.
func TestJoinedNotes(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", 60)
	l, err := Load(Options{Manifests: []string{writeManifest(t, "alpha", "0.98.2", long), writeManifest(t, "b", "0.98.2", "f")}})
	if err != nil {
		t.Fatal(err)
	}
	want := []string{`alpha: tool name "alpha__` + long + `": some clients want 1 to 64 of [A-Za-z0-9_-]`}
	if diff := cmp.Diff(want, l.Notes()); diff != "" {
		t.Errorf("notes (-want +got):\n%s", diff)
	}
}
