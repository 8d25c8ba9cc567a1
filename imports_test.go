// Package mcpgen holds the tests that are about the repository as a whole.
package mcpgen

import (
	"encoding/json"
	"errors"
	"io"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

const module = "github.com/mcpgen/mcpgen"

// mayImport says which packages of ours a package may import. A name that ends in "/..."
// stands for all packages below it; "runtime/..." includes runtime itself.
var mayImport = map[string][]string{
	// The model and what knows nothing of anything else.
	"gen/ir":      {},
	"gen/names":   {},
	"gen/pattern": {},
	"gen/output":  {},
	"templates":   {},

	// From the manifest to the model. All of gen may use the leaves of the runtime: one
	// rule of escaping, hashing and limits for both worlds.
	"gen/schema":     {"gen/ir", shared},
	"gen/manifest":   {"gen/ir", "gen/schema", "gen/names", shared},
	"gen/assert":     {"gen/ir", "gen/manifest", "gen/pattern", shared},
	"gen/expr":       {"gen/ir", "gen/schema", "gen/names", "gen/manifest", shared},
	"gen/jsonschema": {"gen/ir", "gen/schema", "gen/names", shared},
	"gen/lower":      {"gen/ir", "gen/schema", "gen/names", "gen/manifest", "gen/expr", "gen/pattern", "gen/assert", shared},

	// From the model to files.
	"gen/emit":   {"gen/ir", "gen/names", "gen/jsonschema", "templates", shared},
	"gen":        {"gen/...", "templates", "runtime"}, // runtime for its source
	"cmd/mcpgen": {"gen/...", "verify", "verify/catalog", "verify/report"},

	// The harness reads manifests and lists their tools; it never emits.
	"verify":         {"verify/...", "gen/manifest", "gen/lower", "gen/jsonschema"},
	"verify/catalog": {},
	"verify/process": {},
	"verify/report":  {},
	"verify/client":  {},
	"verify/check":   {"verify/client"},

	// The runtime never imports gen. Leaves import no sibling but jsonx, for its numbers, and
	// xxh64; mcp knows no transport and no pool; pool knows no protocol but that of pools.
	"runtime":            {"runtime/jsonx", "runtime/mcp"},
	"runtime/jsonx":      {},
	"runtime/jsoncheck":  {"runtime/jsonx"},
	"runtime/packet":     {"runtime/jsonx"},
	"runtime/xxh64":      {},
	"runtime/zstd":       {"runtime/xxh64"},
	"runtime/voidstar":   {"runtime/jsonx"},
	"runtime/msgpack":    {"runtime/voidstar"},
	"runtime/shm":        {},
	"runtime/rpc":        {"runtime/jsonx"},
	"runtime/spawn":      {},
	"runtime/argv":       {"runtime/jsonx"},
	"runtime/command":    {"runtime", "runtime/mcp", "runtime/jsonx", "runtime/argv", "runtime/jsoncheck", "runtime/spawn"},
	"runtime/mcp":        {"runtime/jsonx", "runtime/rpc"},
	"runtime/stdio":      {"runtime/mcp", "runtime/rpc"},
	"runtime/httpx":      {"runtime", "runtime/mcp", "runtime/rpc", "runtime/jsonx"},
	"runtime/pool":       {"runtime/spawn", "runtime/packet", "runtime/shm", "runtime/voidstar", "runtime/msgpack", "runtime/zstd"},
	"runtime/remote":     {"runtime", "runtime/mcp", "runtime/jsonx", "runtime/packet", "runtime/voidstar", "runtime/msgpack", "runtime/pool", "runtime/shm"},
	"runtime/pure":       {"runtime/jsonx", "runtime/xxh64"},
	"runtime/files":      {"runtime/jsonx", "runtime/packet", "runtime/voidstar", "runtime/msgpack", "runtime/zstd", "runtime/pure"},
	"runtime/transcript": {"runtime/..."},

	// Programs that stand beside the product.
	"internal/...": {"runtime/...", "gen/..."},
	"bench/...":    {"runtime/...", "bench/internal/..."},
	"examples/...": {"runtime/..."},
}

// shared names the parts of the runtime that the generator may use.
const shared = "runtime/{jsonx,rpc,packet,pure,xxh64,argv}"

// onRequestPath are the packages that a call passes through. They use neither reflection
// nor what is built on it.
var onRequestPath = []string{
	"runtime/jsonx", "runtime/rpc", "runtime/mcp", "runtime/stdio", "runtime/httpx", "runtime/packet",
	"runtime/voidstar", "runtime/remote", "runtime/pool", "runtime/pure", "runtime/command", "runtime/spawn",
	"runtime/argv", "runtime/jsoncheck",
}

var offRequestPath = []string{"reflect", "encoding/json", "fmt"}

// A listed is what go list says of a package.
type listed struct {
	ImportPath string
	Standard   bool
	Imports    []string
	Incomplete bool
}

// TestImports holds the packages against the tables above.
func TestImports(t *testing.T) {
	packages := list(t)
	standard := map[string]bool{}
	for _, p := range packages {
		standard[p.ImportPath] = p.Standard
	}
	for _, p := range packages {
		name, ours := ourName(p.ImportPath)
		if !ours || name == "" {
			continue
		}
		if p.Incomplete {
			t.Errorf("%s: go list cannot load it", name)
		}
		allowed, known := rowOf(name)
		if !known {
			t.Errorf("%s: new package: say in mayImport what it may import", name)
			continue
		}
		for _, target := range p.Imports {
			switch other, ours := ourName(target); {
			case ours && !slices.ContainsFunc(allowed, func(a string) bool { return covers(a, other) }):
				t.Errorf("%s imports %s, may import only %q", name, other, allowed)
			case !ours && !standard[target] && (name == "runtime" || covers("runtime/...", name) || covers("examples/...", name)):
				t.Errorf("%s imports %s, may import only the standard library", name, target)
			case slices.Contains(onRequestPath, name) && slices.Contains(offRequestPath, target):
				t.Errorf("%s imports %s, which has no place on the request path", name, target)
			}
		}
	}
	for name := range mayImport {
		if !strings.HasSuffix(name, "/...") && !isListed(packages, name) {
			t.Errorf("mayImport has %s, which is no package", name)
		}
	}
}

// TestCovers tests what the tables are read with.
func TestCovers(t *testing.T) {
	for _, tt := range []struct {
		pattern, name string
		want          bool
	}{
		{"gen/ir", "gen/ir", true},
		{"gen/ir", "gen/irx", false},
		{"gen/...", "gen/ir", true},
		{"gen/...", "gen", true},
		{"gen/...", "general", false},
		{shared, "runtime/jsonx", true},
		{shared, "runtime/mcp", false},
		{shared, "runtime", false},
	} {
		if got := covers(tt.pattern, tt.name); got != tt.want {
			t.Errorf("covers(%q, %q) = %v, want %v", tt.pattern, tt.name, got, tt.want)
		}
	}
}

// list returns the packages of the module and all they depend on, without tests.
func list(t *testing.T) []listed {
	t.Helper()
	out, err := exec.Command("go", "list", "-deps", "-json=ImportPath,Standard,Imports,Incomplete", "./...").Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	var packages []listed
	decoder := json.NewDecoder(strings.NewReader(string(out)))
	for {
		var p listed
		if err := decoder.Decode(&p); errors.Is(err, io.EOF) {
			return packages
		} else if err != nil {
			t.Fatal(err)
		}
		packages = append(packages, p)
	}
}

// ourName returns an import path without the module's; "" is the module's root.
func ourName(path string) (name string, ours bool) {
	if path == module {
		return "", true
	}
	return strings.CutPrefix(path, module+"/")
}

// rowOf returns the row of the table for a package.
func rowOf(name string) (allowed []string, known bool) {
	if allowed, known = mayImport[name]; known {
		return allowed, true
	}
	for pattern, allowed := range mayImport {
		if strings.HasSuffix(pattern, "/...") && covers(pattern, name) {
			return append(slices.Clone(allowed), pattern), true
		}
	}
	return nil, false
}

// covers reports whether a pattern of the table stands for a package.
func covers(pattern, name string) bool {
	if below, ok := strings.CutSuffix(pattern, "/..."); ok {
		return name == below || strings.HasPrefix(name, below+"/")
	}
	if head, tail, ok := strings.Cut(pattern, "{"); ok {
		last, found := strings.CutPrefix(name, head)
		return found && slices.Contains(strings.Split(strings.TrimSuffix(tail, "}"), ","), last)
	}
	return pattern == name
}

func isListed(packages []listed, name string) bool {
	return slices.ContainsFunc(packages, func(p listed) bool { return p.ImportPath == module+"/"+name })
}
