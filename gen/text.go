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

// contents says what is in each of the files that a package can have; commands says it in a
// package of command lines alone, where that is something else.
var contents = []struct{ path, text, commands string }{
	{"main.go", "`main.go` | the main function", ""},
	{"tools_gen.go", "`tools_gen.go` | the tools as they are listed, and which function runs which", ""},
	{
		"args_gen.go", "`args_gen.go` | the arguments of each tool: a struct, how it is read from a request and packed for a pool",
		"`args_gen.go` | the arguments of each tool: a struct, how it is read from a request, and the words it becomes",
	},
	{"results_gen.go", "`results_gen.go` | results: their types, how they are read from a pool and written as JSON", ""},
	{"pure_gen.go", "`pure_gen.go` | commands that need no pool, compiled to Go", ""},
	{"pools_gen.go", "`pools_gen.go` | the language pools of the program", ""},
	{"command_gen.go", "`command_gen.go` | the command-line program, and the commands that are tools", ""},
	{"checks_gen.go", "`checks_gen.go` | the JSON Schemas of the author, compiled to Go", ""},
	{"resources_gen.go", "`resources_gen.go` | what clients can read of the program", ""},
	{"transcript_test.go", "`transcript_test.go`, `testdata/` | sessions that `go test` replays; `go test -update` records them", ""},
	{
		"internal/", "`internal/` | a package for each program: its tools, arguments, results and pools, and its own sessions",
		"`internal/` | a package for each program: its tools, arguments and commands, and its own sessions",
	},
	{"internal/rt", "`internal/rt/` | the runtime: protocol, transport, pools", "`internal/rt/` | the runtime: protocol, transport, processes"},
	{"go.mod", "`go.mod` | the Go module", ""},
}

func readme(r *Result, o Options) templates.Readme {
	joined := len(r.Sources) > 1
	t := templates.Readme{
		Program: r.Name, Version: r.Version, Source: r.Sources[0].Program.Source, Binary: r.Binary,
		Copied: o.Runtime != RuntimeModule, HTTP: o.Transports != TransportsStdio,
	}
	for _, s := range r.Sources {
		folder := addProgram(&t, s, r, o)
		if joined {
			p := s.Program
			t.Programs = append(t.Programs, templates.Program{Name: p.Module, Version: p.Version, Source: p.Source, Folder: folder, CLI: p.CLI != nil})
		} else {
			t.Folder = folder
		}
	}
	for _, tool := range r.Tools() {
		t.Tools = append(t.Tools, templates.Tool{Name: tool.Name, Arguments: arguments(tool), Doc: firstLine(tool.Doc)})
	}
	for _, c := range contents {
		if c.path == "internal/" && !joined {
			continue
		}
		if slices.ContainsFunc(r.Files, func(f output.File) bool {
			return f.Path == c.path || strings.HasPrefix(f.Path, strings.TrimSuffix(c.path, "/")+"/")
		}) {
			text := c.text
			if c.commands != "" && !t.Functions() {
				text = c.commands
			}
			t.Files = append(t.Files, text)
		}
	}
	return t
}

// addProgram adds the pools or the command of a program and what is not served of it. It returns the
// program's folder if the package records it.
func addProgram(t *templates.Readme, s *Source, r *Result, o Options) (folder string) {
	p := s.Program
	for _, pool := range p.Pools {
		lang := pool.Lang
		if len(r.Sources) > 1 {
			lang = p.Module + ", " + lang
		}
		t.Pools = append(t.Pools, templates.Pool{Lang: lang, Command: strings.Join(pool.Exec, " ")})
	}
	if p.CLI != nil {
		t.Commands = append(t.Commands, templates.CLI{Name: p.Module, Command: strings.Join(p.CLI.Command, " ")})
	}
	for _, x := range p.Excluded {
		t.Excluded = append(t.Excluded, templates.Excluded{Name: s.Prefix + x.Command, Reason: x.Reason})
	}
	if len(p.Pools) > 0 && !o.Linked {
		folder, _ = relativeFolder(r.Out, s.Folder)
	}
	return folder
}

// arguments returns the keys of a tool's arguments; those that may be left out end with a
// question mark.
func arguments(t *ir.Tool) []string {
	var keys []string
	add := func(key string, required bool) {
		if !required {
			key += "?"
		}
		keys = append(keys, key)
	}
	for _, p := range t.Params {
		add(p.Key, p.Required)
	}
	switch l := t.Leaf; {
	case l == nil:
	case l.Stdin:
		for _, name := range l.Input.Properties {
			add(name, slices.Contains(l.Input.Check.Required, name))
		}
	default:
		for _, p := range l.Properties {
			if l.IsPublished(p.Name) {
				add(p.Name, p.Required)
			}
		}
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
