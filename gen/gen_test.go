package gen

import (
	"bytes"
	"context"
	"fmt"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mcpgen/mcpgen/gen/output"
)

const pureManifest = "../examples/pure/pure-build/manifest.json"

// paths returns the paths of files.
func paths(files []output.File) []string {
	var names []string
	for _, f := range files {
		names = append(names, f.Path)
	}
	return names
}

func find(t *testing.T, files []output.File, path string) string {
	t.Helper()
	for _, f := range files {
		if f.Path == path {
			return string(f.Data)
		}
	}
	t.Fatalf("no file %q among %q", path, paths(files))
	return ""
}

func generate(t *testing.T, o Options) *Result {
	t.Helper()
	r, err := Generate(t.Context(), o)
	if err != nil {
		t.Fatalf("Generate: %v", err)
	}
	return r
}

func TestGenerate(t *testing.T) {
	t.Parallel()
	r := generate(t, Options{Manifests: []string{pureManifest}, Out: filepath.Join(t.TempDir(), "out")})
	if r.Module != "pure-mcp" || r.Binary != "pure-mcp" || len(r.Tools()) != 11 {
		t.Errorf("got module %q, binary %q, %d tools", r.Module, r.Binary, len(r.Tools()))
	}
	for _, f := range r.Files {
		switch line, _, _ := strings.Cut(string(f.Data), "\n"); {
		case strings.HasSuffix(f.Path, "_test.go") && strings.HasPrefix(f.Path, "internal/"):
			t.Errorf("%s: a test of the runtime was copied", f.Path)
		case strings.HasSuffix(f.Path, ".go") && line != "// "+output.Marker:
			t.Errorf("%s: first line %q", f.Path, line)
		case strings.HasPrefix(f.Path, "internal/rt/pool"), strings.HasPrefix(f.Path, "internal/rt/packet"):
			t.Errorf("%s: a program without pools does not need it", f.Path)
		case f.Path == "internal/rt/source.go":
			t.Errorf("%s: the embedding was copied", f.Path)
		case bytes.Contains(f.Data, []byte(`"`+runtimePath)):
			t.Errorf("%s: imports the runtime from elsewhere", f.Path)
		}
	}
	if wd, _ := os.Getwd(); strings.Contains(find(t, r.Files, "README.md"), wd) {
		t.Error("README.md holds an absolute path")
	}

	again := generate(t, Options{Manifests: []string{pureManifest}, Out: filepath.Join(t.TempDir(), "elsewhere", "deep")})
	for i, f := range again.Files {
		if f.Path != r.Files[i].Path || !bytes.Equal(f.Data, r.Files[i].Data) {
			t.Errorf("%s differs when generated again, elsewhere", f.Path)
		}
	}
}

func TestGenerateModule(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	inside := filepath.Join(dir, "inside", "server")
	outside := filepath.Join(dir, "outside", "server")
	if err := os.MkdirAll(filepath.Dir(inside), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "inside", "go.mod"), []byte("module example.com/x\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	o := Options{Manifests: []string{pureManifest}, Runtime: RuntimeModule, Out: outside, Version: "v1.2.3"}

	r := generate(t, o)
	if got := find(t, r.Files, "go.mod"); !strings.Contains(got, "\nrequire "+mcpgenModule+" v1.2.3\n") {
		t.Errorf("go.mod outside of a module:\n%s", got)
	}
	if got := find(t, r.Files, "main.go"); !strings.Contains(got, `"`+runtimePath+`"`) {
		t.Errorf("main.go does not import %s:\n%s", runtimePath, got)
	}
	for _, name := range paths(r.Files) {
		if strings.HasPrefix(name, "internal/") {
			t.Errorf("%s: written though the runtime is required", name)
		}
	}

	o.Out = inside
	r = generate(t, o)
	for _, name := range paths(r.Files) {
		if name == "go.mod" {
			t.Error("go.mod inside of a module")
		}
	}
	if r.Module != "" || r.Binary != "server" {
		t.Errorf("inside of a module: module %q, binary %q, want none and server", r.Module, r.Binary)
	}
	o.Version = ""
	generate(t, o) // needs no version there
}

func TestGenerateErrors(t *testing.T) {
	t.Parallel()
	outside := filepath.Join(t.TempDir(), "x")
	tests := []struct {
		name string
		o    Options
		want string
	}{
		{"missing", Options{Manifests: []string{"nothing.json"}}, "open nothing.json: no such file or directory"},
		{"module path", Options{Manifests: []string{pureManifest}, Module: "a b"},
			`module path "a b": want one like example.com/you/server`},
		{"no version", Options{Manifests: []string{pureManifest}, Runtime: RuntimeModule, Out: outside},
			"this mcpgen was built from a working copy, which no go.mod can require: leave --runtime=module out, " +
				"or write into a Go module that requires github.com/mcpgen/mcpgen"},
		{"dirty version", Options{Manifests: []string{pureManifest}, Runtime: RuntimeModule, Out: outside, Version: "v0.1.0+dirty"},
			"this mcpgen was built from a working copy, which no go.mod can require: leave --runtime=module out, " +
				"or write into a Go module that requires github.com/mcpgen/mcpgen"},
		{"module path inside", Options{Manifests: []string{pureManifest}, Runtime: RuntimeModule, Out: "x", Module: "y"},
			`module path "y": x belongs to the Go module above it; leave the path out`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			_, err := Generate(t.Context(), tt.o)
			if err == nil || err.Error() != tt.want {
				t.Errorf("Generate = %v\nwant %s", err, tt.want)
			}
		})
	}
}

func TestCancelled(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Generate(ctx, Options{Manifests: []string{pureManifest}}); err != context.Canceled {
		t.Errorf("Generate = %v, want %v", err, context.Canceled)
	}
}

func TestName(t *testing.T) {
	t.Parallel()
	r := generate(t, Options{Manifests: []string{pureManifest}, Name: "other", Module: "example.com/x/server/v2"})
	if r.Name != "other" || r.Out != "other-mcp" || r.Binary != "server" {
		t.Errorf("got name %q, folder %q, binary %q", r.Name, r.Out, r.Binary)
	}
	for _, f := range r.Files {
		if strings.HasSuffix(f.Path, ".go") && bytes.Contains(f.Data, []byte(`"other-mcp/`)) {
			t.Errorf("%s does not import from example.com/x/server/v2", f.Path)
		}
	}
	find(t, r.Files, "internal/rt/main.go")
}

func TestDefaultModule(t *testing.T) {
	t.Parallel()
	tests := []struct{ program, want string }{
		{"pure", "pure-mcp"},
		{"My_Prog-2", "My_Prog-2-mcp"},
		{`a"b`, "a-b-mcp"},
		{"../../etc", "etc-mcp"},
		{"", "program-mcp"},
		{"日本", "program-mcp"},
		{"a.b", "a-b-mcp"},
		{strings.Repeat("x", 100), strings.Repeat("x", 64) + "-mcp"},
	}
	for _, tt := range tests {
		got := defaultModule(tt.program)
		if got != tt.want {
			t.Errorf("defaultModule(%q) = %q, want %q", tt.program, got, tt.want)
		}
		if err := checkModule(got); err != nil {
			t.Error(err)
		}
	}
}

func TestRelativeFolder(t *testing.T) {
	t.Parallel()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	program := filepath.Join(dir, "prog", "prog-build")
	if err := os.MkdirAll(program, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(filepath.Join("..", "prog", "prog-build"), filepath.Join(dir, "prog", "link")); err != nil {
		t.Skip(err)
	}
	tests := []struct{ out, want string }{
		{"prog/prog-mcp", "../prog-build"},
		{"prog/prog-build", "."},
		{"prog/prog-build/deep/er", "../.."},
		{"prog/link/x", ".."},
		{"not/there", "../../prog/prog-build"},
	}
	for _, tt := range tests {
		got, err := relativeFolder(filepath.Join(dir, tt.out), program)
		if err != nil || got != tt.want {
			t.Errorf("relativeFolder(%q) = %q, %v, want %q", tt.out, got, err, tt.want)
		}
	}
}

func TestCopyRuntime(t *testing.T) {
	t.Parallel()
	emitted := []output.File{{Path: "main.go", Data: []byte(`package main

import rt "example.com/s/internal/rt"

func main() { rt.Main(nil, nil) }
`)}}
	files, err := copyRuntime(emitted, "example.com/s")
	if err != nil {
		t.Fatal(err)
	}
	have := map[string]bool{}
	imports := map[string]bool{}
	for _, f := range files {
		dir := filepath.ToSlash(filepath.Dir(f.Path))
		have["example.com/s/"+dir] = true
		file, err := parser.ParseFile(token.NewFileSet(), f.Path, f.Data, parser.ImportsOnly)
		if err != nil {
			t.Fatal(err)
		}
		for _, spec := range file.Imports {
			if name := strings.Trim(spec.Path.Value, `"`); strings.Contains(name, ".") {
				imports[name] = true
			}
		}
	}
	for name := range imports {
		if !have[name] {
			t.Errorf("%s is imported and was not copied", name)
		}
	}
	delete(have, "example.com/s/internal/rt")
	for name := range have {
		if !imports[name] {
			t.Errorf("%s was copied and is not imported", name)
		}
	}
	emitted[0].Data = []byte("package main\n\nimport _ \"example.com/s/internal/rt/nothing\"\n")
	if _, err := copyRuntime(emitted, "example.com/s"); err == nil || !strings.Contains(err.Error(), `no runtime package "nothing"`) {
		t.Errorf("copyRuntime of a missing package: %v", err)
	}
}

// TestCorpus generates every program of the corpus twice: it type-checks, and the second
// time gives the same bytes.
func TestCorpus(t *testing.T) {
	t.Parallel()
	manifests, err := filepath.Glob("../testdata/corpus/manifests/*.json")
	if err != nil || len(manifests) == 0 {
		t.Fatalf("no manifests: %v", err)
	}
	for _, name := range manifests {
		t.Run(filepath.Base(name), func(t *testing.T) {
			t.Parallel()
			o := Options{Manifests: []string{name}, Out: filepath.Join(t.TempDir(), "out"), Version: "v1.2.3"}
			first, second := generate(t, o), generate(t, o)
			if diff := cmp.Diff(first.Files, second.Files); diff != "" {
				t.Errorf("generated again (-first +second):\n%s", diff)
			}
		})
	}
}

// TestManyCommands generates a program as large as the largest servers that are known.
func TestManyCommands(t *testing.T) {
	t.Parallel()
	const n = 700
	text := `{"name":"many","build":{"path":".","time":1,"morloc_version":"0.98.2"},"commands":[`
	for i := range n {
		if i > 0 {
			text += ","
		}
		text += fmt.Sprintf(`{"name":"f%d","type":"pure","desc":["Number %d."],`+
			`"args":[{"kind":"pos","schema":"as","type":"[Str]","name":"x%d","desc":[]}],`+
			`"return":{"schema":"as","type":"[Str]","desc":[]},`+
			`"expr":{"tag":"lambda","vars":["x"],"body":{"tag":"bound","schema":"as","var":"x"}}}`, i, i, i)
	}
	name := filepath.Join(t.TempDir(), "manifest.json")
	if err := os.WriteFile(name, []byte(text+"]}"), 0o644); err != nil {
		t.Fatal(err)
	}
	r := generate(t, Options{Manifests: []string{name}})
	if len(r.Tools()) != n {
		t.Errorf("%d tools, want %d", len(r.Tools()), n)
	}
	listing, err := Listing(r.Loaded)
	if err != nil || bytes.Count(listing, []byte(`"inputSchema"`)) != n {
		t.Errorf("the listing has %d tools, %v", bytes.Count(listing, []byte(`"inputSchema"`)), err)
	}
}
