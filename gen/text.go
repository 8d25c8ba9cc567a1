package gen

import (
	"slices"
	"strings"

	"github.com/mcpgen/mcpgen/gen/ir"
	"github.com/mcpgen/mcpgen/gen/output"
	"github.com/mcpgen/mcpgen/templates"
)

// addTexts adds the files that are not Go.
func addTexts(r *Result, o Options) error {
	if r.Module != "" {
		m := templates.Module{Path: r.Module, Go: goVersion}
		if o.Runtime == RuntimeModule {
			m.Require = mcpgenModule + " " + o.Version
		}
		data, err := templates.GoMod(m)
		if err != nil {
			return err
		}
		r.Files = append(r.Files, output.File{Path: "go.mod", Data: data})
	}
	data, err := templates.ReadmeMD(readme(r, o))
	if err != nil {
		return err
	}
	r.Files = append(r.Files, output.File{Path: "README.md", Data: data})
	slices.SortFunc(r.Files, func(a, b output.File) int { return strings.Compare(a.Path, b.Path) })
	return nil
}

// contents says what is in each of the files that a package can have.
var contents = []struct{ path, text string }{
	{"main.go", "`main.go` | the main function"},
	{"tools_gen.go", "`tools_gen.go` | the tools as they are listed, and which function runs which"},
	{"args_gen.go", "`args_gen.go` | the arguments of each tool: a struct, how it is read from a request and packed for a pool"},
	{"results_gen.go", "`results_gen.go` | results: their types, how they are read from a pool and written as JSON"},
	{"pure_gen.go", "`pure_gen.go` | commands that need no pool, compiled to Go"},
	{"pools_gen.go", "`pools_gen.go` | the language pools of the program"},
	{"transcript_test.go", "`transcript_test.go`, `testdata/` | sessions that `go test` replays; `go test -update` records them"},
	{"internal/rt", "`internal/rt/` | the runtime: protocol, transport, pools"},
	{"go.mod", "`go.mod` | the Go module"},
}

func readme(r *Result, o Options) templates.Readme {
	p := r.Program
	t := templates.Readme{
		Program: p.Module, Version: p.Version, Source: p.Source, Binary: r.Binary,
		Copied: o.Runtime != RuntimeModule, HTTP: o.Transports != TransportsStdio,
	}
	for _, pool := range p.Pools {
		t.Pools = append(t.Pools, templates.Pool{Lang: pool.Lang, Command: strings.Join(pool.Exec, " ")})
	}
	if len(p.Pools) > 0 && !o.Linked {
		t.Folder, _ = relativeFolder(r.Out, r.Folder)
	}
	for _, tool := range p.Tools {
		t.Tools = append(t.Tools, templates.Tool{Name: tool.Name, Arguments: arguments(tool), Doc: firstLine(tool.Doc)})
	}
	for _, x := range p.Excluded {
		t.Excluded = append(t.Excluded, templates.Excluded{Name: x.Command, Reason: x.Reason})
	}
	for _, c := range contents {
		if slices.ContainsFunc(r.Files, func(f output.File) bool {
			return f.Path == c.path || strings.HasPrefix(f.Path, c.path+"/")
		}) {
			t.Files = append(t.Files, c.text)
		}
	}
	return t
}

// arguments returns the keys of a tool's arguments; those that may be left out end with a
// question mark.
func arguments(t *ir.Tool) []string {
	var keys []string
	for _, p := range t.Params {
		key := p.Key
		if !p.Required {
			key += "?"
		}
		keys = append(keys, key)
	}
	if t.HasRender() {
		keys = append(keys, "_render?")
	}
	return keys
}

func firstLine(lines []string) string {
	for _, line := range lines {
		if line != "" {
			return line
		}
	}
	return ""
}
