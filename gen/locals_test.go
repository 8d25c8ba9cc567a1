package gen

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/mcpgen/mcpgen/gen/output"
)

// kindsOfNames are what authors name, with the schema of a type of that name.
var kindsOfNames = []struct {
	name   string
	schema func(name string) string // nil: a command is named
}{
	{"commands", nil},
	{"records", func(name string) string { return "m2" + counted(name) + "j" + counted("Y") + "at2sj" }},
	{"enums", func(name string) string { return "e2" + counted(name) + counted("Y") }},
	{"variants", func(name string) string { return "v2" + counted(name) + "2sj" + counted("Y") + "0" }},
}

// TestNamesOfLocals generates programs whose commands and types are called what parameters
// and variables are called in generated code: none may hide what it is named like.
func TestNamesOfLocals(t *testing.T) {
	t.Parallel()
	set := map[string]bool{}
	manifests := []string{"../testdata/corpus/manifests/corners.json", "../examples/tracker/tracker.schema.json"}
	for _, kind := range kindsOfNames {
		manifests = append(manifests, programNamed(t, kind.schema, "some"))
	}
	for _, name := range manifests {
		addLocals(t, set, generate(t, Options{Manifests: []string{name}, Out: filepath.Join(t.TempDir(), "out")}))
	}
	locals := slices.Sorted(maps.Keys(set))
	if !slices.Contains(locals, "dst") || !slices.Contains(locals, "seed") {
		t.Fatalf("the locals of generated code are %q", locals)
	}
	for _, kind := range kindsOfNames {
		t.Run(kind.name, func(t *testing.T) {
			t.Parallel()
			name := programNamed(t, kind.schema, locals...)
			generate(t, Options{Manifests: []string{name}, Out: filepath.Join(t.TempDir(), "out")})
		})
	}
}

// programNamed writes the manifest of a program in which commands are called by the given
// names, or types that all is done with which can be done.
func programNamed(t *testing.T, schema func(name string) string, names ...string) string {
	t.Helper()
	var commands []string
	add := func(kind, name, arg, typ, result, rest string) {
		commands = append(commands, fmt.Sprintf(`{"name":%q,"type":%q,`+
			`"args":[{"kind":"pos","schema":%q,"type":%q}],"return":{"schema":%q,"type":""},%s}`,
			name, kind, arg, typ, result, rest))
	}
	bound := func(schema string) string { return fmt.Sprintf(`{"tag":"bound","schema":%q,"var":"arg"}`, schema) }
	function := func(body string) string { return `"expr":{"tag":"lambda","vars":["arg"],"body":` + body + `}` }
	node := func(tag, schema, child string) string {
		return fmt.Sprintf(`{"tag":%q,"schema":%q,"child":%s}`, tag, schema, child)
	}
	for _, name := range names {
		if schema == nil {
			add("pure", name, "s", "Str", "s", function(bound("s")))
			continue
		}
		typ := schema(name)
		add("pure", name+"-read", typ, name, typ, function(node("read", typ, node("show", "s", bound(typ)))))
		add("pure", name+"-hash", typ, name, "s", function(node("hash", "s", bound(typ))))
		add("pure", name+"-load", "s", "Str", typ, function(node("load", typ, bound("s"))))
		add("remote", name+"-remote", typ, name, typ, `"mid":1,"pool":0`)
	}
	path := filepath.Join(t.TempDir(), "manifest.json")
	text := `{"name":"named","build":{"path":".","time":1,"morloc_version":"0.109.0"},` +
		`"pools":[{"lang":"py","exec":["python3","pools/py/pool.py"],"socket":"pipe-py"}],"commands":[` +
		strings.Join(commands, ",") + "]}"
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

// counted returns a name as type schemas have it, behind its length.
func counted(name string) string {
	return string("0123456789abcdefghijklmnopqrstuvwxyz"[len(name)]) + name
}

// addLocals adds the parameters and variables of the functions of a package, without those
// of the compiled functions of commands, which authors name.
func addLocals(t *testing.T, set map[string]bool, r *Result) {
	t.Helper()
	for _, f := range r.Files {
		if filepath.Dir(f.Path) == "." && filepath.Ext(f.Path) == ".go" {
			addLocalsOf(t, set, f)
		}
	}
}

func addLocalsOf(t *testing.T, set map[string]bool, f output.File) {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), f.Path, f.Data, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	add := func(all ...ast.Expr) {
		for _, x := range all {
			if name, ok := x.(*ast.Ident); ok && name.Name != "_" {
				set[name.Name] = true
			}
		}
	}
	for _, d := range file.Decls {
		function, ok := d.(*ast.FuncDecl)
		if !ok || f.Path == "pure_gen.go" && strings.Contains(function.Doc.Text(), "commands[") {
			continue
		}
		ast.Inspect(function, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.Field:
				for _, name := range n.Names {
					add(name)
				}
			case *ast.ValueSpec:
				for _, name := range n.Names {
					add(name)
				}
			case *ast.AssignStmt:
				if n.Tok == token.DEFINE {
					add(n.Lhs...)
				}
			case *ast.RangeStmt:
				add(n.Key, n.Value)
			}
			return true
		})
	}
}
