package gen

import (
	"os"
	"strings"
	"testing"

	"github.com/mcpgen/mcpgen/gen/ir"
	"github.com/mcpgen/mcpgen/gen/output"
)

var checkedProgram = &ir.Program{Tools: []*ir.Tool{
	{Name: "first", Index: 0},
	{Name: "second", Index: 3, Renders: []ir.Render{{Name: "png", Target: &ir.Target{Command: "second_png", Index: 4}}}},
}}

func TestCheckGo(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name  string
		files []output.File
		want  string
	}{
		{"sound", []output.File{
			{Path: "main.go", Data: []byte("package main\n\nimport \"m/internal/x\"\n\nfunc main() { x.X() }\n")},
			{Path: "main_test.go", Data: []byte("package main\n\nimport \"testing\"\n\nfunc TestX(*testing.T) { main() }\n")},
			{Path: "internal/x/x.go", Data: []byte("package x\n\nimport \"os\"\n\nfunc X() { os.Exit(y) }\n")},
			{Path: "internal/x/y_plan9.go", Data: []byte("package x\n\nconst y = \"for another system\"\n")},
			{Path: "internal/x/y_other.go", Data: []byte("//go:build !plan9\n\npackage x\n\nconst y = 1\n")},
			{Path: "README.md", Data: []byte("no Go\n")},
		}, ""},
		{"function", []output.File{
			{Path: "main.go", Data: []byte("package main\n\nfunc main() {}\n\n// callSecond runs commands[3].\nfunc callSecond() {\n\tx := 1\n}\n")},
		}, `mcpgen: internal: command "second": generated code does not compile: main.go:7:2: declared and not used: x; please report it`},
		{"type", []output.File{
			{Path: "args_gen.go", Data: []byte("package main\n\n// a is for tool \"x\" (commands[4]).\ntype a struct {\n\tX y\n}\n\nfunc main() { undefined() }\n")},
		}, `mcpgen: internal: command "second_png": generated code does not compile: args_gen.go:5:4: undefined: y (and 1 more); please report it`},
		{"shared", []output.File{
			{Path: "main.go", Data: []byte("package main\n\n// callFirst runs commands[0].\nfunc callFirst() {}\n\nfunc main() { x() }\n")},
		}, `mcpgen: internal: generated code does not compile: main.go:6:15: undefined: x; please report it`},
		{"import", []output.File{
			{Path: "main.go", Data: []byte("package main\n\nimport \"os\"\n\nfunc main() {}\n")},
		}, `mcpgen: internal: generated code does not compile: main.go:3:8: "os" imported and not used; please report it`},
		{"syntax", []output.File{
			{Path: "main.go", Data: []byte("package main\n\nfunc main() {\n")},
		}, `mcpgen: internal: generated code: main.go:3:15: expected '}', found 'EOF'; please report it`},
		{"test", []output.File{
			{Path: "main.go", Data: []byte("package main\n\nfunc main() {}\n")},
			{Path: "main_test.go", Data: []byte("package main\n\nvar x int = \"\"\n")},
		}, `mcpgen: internal: generated code does not compile: main_test.go:3:13: cannot use "" (untyped string constant) as int value in variable declaration; please report it`},
		{"too deep to infer", []output.File{
			{Path: "main.go", Data: []byte("package main\n\nfunc each[T any]([]T, func(T)) {}\n\n" +
				"func main() { each([]" + strings.Repeat("[]", 60) + "int(nil), func(" + strings.Repeat("[]", 60) + "int) {}) }\n")},
		}, `mcpgen: internal: generated code cannot be type-checked: unification reached recursion depth limit; please report it`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got := ""
			if err := checkGo(t.Context(), nil, "m", tt.files, map[string]*ir.Program{"m": checkedProgram}); err != nil {
				got = err.Error()
			}
			if got != tt.want {
				t.Errorf("checkGo = %s\nwant      %s", got, tt.want)
			}
		})
	}
}

// TestNoGo checks that a missing go command is said in words, before anything else.
func TestNoGo(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	_, err := Generate(t.Context(), Options{Manifests: []string{pureManifest}})
	if err == nil || !strings.HasPrefix(err.Error(), "there is no go command in PATH") {
		t.Errorf("Generate without go = %v", err)
	}
}

// TestBadGo checks that what the go command complains of is told, and not taken for a fault
// of the generated code.
func TestBadGo(t *testing.T) {
	t.Parallel()
	path := "PATH=" + os.Getenv("PATH")
	for _, tt := range []struct {
		name string
		env  []string
		want string
	}{
		{"no place for its cache", []string{path}, "go list: build cache is required, but could not be located"},
		{"no cache", []string{path, "HOME=" + t.TempDir(), "GOCACHE=off"}, "go list: build cache is disabled by GOCACHE=off"},
		{"experiment", []string{path, "HOME=" + t.TempDir(), "GOEXPERIMENT=bogus"}, "go env: go: unknown GOEXPERIMENT bogus"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			_, err := Generate(t.Context(), Options{Manifests: []string{pureManifest}, Env: tt.env})
			if err == nil || !strings.HasPrefix(err.Error(), tt.want) {
				t.Errorf("Generate = %v\nwant       %s...", err, tt.want)
			}
		})
	}
}

// TestNoTemp checks that a missing folder for temporary files is said in words.
func TestNoTemp(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir()+"/missing")
	_, err := Generate(t.Context(), Options{Manifests: []string{pureManifest}})
	if err == nil || !strings.HasPrefix(err.Error(), "no folder for temporary files, see TMPDIR: ") {
		t.Errorf("Generate without TMPDIR = %v", err)
	}
}

func TestGuard(t *testing.T) {
	t.Parallel()
	names := []string{"a", "b"}
	fault := func(culprit int) func(int) error {
		return func(i int) error {
			if i < 0 || i == culprit {
				panic("mcpgen: internal: no such thing")
			}
			if i >= 0 {
				panic("something else, for want of the others")
			}
			return nil
		}
	}
	err := guard(names, fault(1))
	if err == nil || !strings.HasPrefix(err.Error(), `mcpgen: internal: command "b": no such thing (gen/check_test.go:`) {
		t.Errorf("guard = %v", err)
	}
	err = guard(names, fault(7))
	if err == nil || !strings.HasPrefix(err.Error(), `mcpgen: internal: no such thing (gen/check_test.go:`) {
		t.Errorf("guard = %v", err)
	}
	if err := guard(names, func(int) error { return nil }); err != nil {
		t.Errorf("guard = %v", err)
	}
}
