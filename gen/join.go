package gen

import (
	"cmp"
	"errors"
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/mcpgen/mcpgen/gen/emit"
	"github.com/mcpgen/mcpgen/gen/ir"
	"github.com/mcpgen/mcpgen/gen/names"
	"github.com/mcpgen/mcpgen/gen/output"
)

// DefaultName is the name of a server of several programs, if one of them is not a command
// line (design decision 30).
const DefaultName = "morloc"

// commandsName is that of a server of command lines alone, if its output has no name either.
const commandsName = "cli"

// separator stands between the name of a program and those of its tools.
const separator = "__"

// join makes one server of several programs, or says why that cannot be.
func (l *Loaded) join(o Options) error {
	l.Name = joinedName(l.Sources, o)
	var versions []string
	from := map[string]string{} // manifests, by the names of their programs
	for i, s := range l.Sources {
		p := s.Program
		if first, twice := from[p.Module]; twice {
			return fmt.Errorf("two programs are called %q: %s and %s; one server cannot tell them apart", p.Module, first, o.Manifests[i])
		}
		from[p.Module] = o.Manifests[i]
		s.Prefix = p.Module + separator
		if !slices.Contains(versions, p.Version) {
			versions = append(versions, p.Version)
		}
		for _, t := range p.Tools {
			listed := s.Prefix + t.Name
			if want := names.CheckTool(listed); want != "" && names.CheckTool(t.Name) == "" {
				p.Warnings = append(p.Warnings, fmt.Sprintf("tool name %q: %s", listed, want))
			}
		}
	}
	l.Version = strings.Join(versions, ", ")
	if err := l.checkURIs(); err != nil {
		return err
	}
	return l.checkClashes()
}

// joinedName returns the name of a server of several programs.
func joinedName(sources []*Source, o Options) string {
	isFunctions := func(s *Source) bool { return s.Program.CLI == nil }
	switch {
	case o.Name != "":
		return o.Name
	case slices.ContainsFunc(sources, isFunctions):
		return DefaultName
	case o.Out != "":
		if name := strings.TrimSuffix(filepath.Base(filepath.Clean(o.Out)), suffix); filepath.IsLocal(name) && name != "." {
			return name
		}
	}
	return commandsName
}

// checkURIs tells of two resources that would be read by one URI.
func (l *Loaded) checkURIs() error {
	owners := map[string]string{}
	for _, s := range l.Sources {
		for _, r := range s.Program.Resources {
			uri := cmp.Or(r.JoinedURI, r.URI)
			if first, clash := owners[uri]; clash {
				return fmt.Errorf("resource %q of %q has the URI of one of %q, %q; give it another", r.Name, s.Program.Module, first, uri)
			}
			owners[uri] = s.Program.Module
		}
	}
	return nil
}

// checkClashes tells of two tools that would be listed under one name, which names with the
// separator in them can make (tools.md 13).
func (l *Loaded) checkClashes() error {
	owners := map[string]owner{}
	for _, s := range l.Sources {
		for _, t := range s.Program.Tools {
			listed, mine := s.Prefix+t.Name, owner{s.Program.Module, t.Name}
			if first, clash := owners[listed]; clash {
				return errors.New("MCP tool name collision on '" + listed + "': " + first.text() + " vs " + mine.text() +
					". Rename a module or command to disambiguate.")
			}
			owners[listed] = mine
		}
	}
	return nil
}

// An owner is a tool by its program and the name it has there.
type owner struct{ program, tool string }

func (o owner) text() string { return o.program + "::" + o.tool }

// bareNames returns, by program, the names of tools that are good without the prefix (design
// decision 8): those that only one program has, and that are not what another is listed as.
func (l *Loaded) bareNames() [][]string {
	seen := map[string]int{}
	for _, s := range l.Sources {
		for _, t := range s.Program.Tools {
			seen[t.Name]++
			seen[s.Prefix+t.Name]++
		}
	}
	bare := make([][]string, len(l.Sources))
	for i, s := range l.Sources {
		for _, t := range s.Program.Tools {
			if seen[t.Name] == 1 {
				bare[i] = append(bare[i], t.Name)
			}
		}
	}
	return bare
}

// taken are names that the main package of a joined server needs for itself.
var taken = []string{"rt", "os", "testing", "stdio", "httpx", "transcript", "program", "find", "name", "tool"}

// emitJoined returns a package for each program, below the folder internal, and the main
// package that joins them.
func emitJoined(o Options, r *Result, eo emit.Options) ([]output.File, map[string]*ir.Program, error) {
	var (
		files    []output.File
		parts    []emit.Part
		programs = map[string]*ir.Program{}
		scope    = names.NewScope(taken...)
		bare     = r.bareNames()
	)
	for i, s := range r.Sources {
		one := eo
		one.Package = scope.Take(names.Package(s.Program.Module))
		folder := path.Join("internal", one.Package)
		emitted, err := emitProgram(s, o, r, one)
		if err != nil {
			return nil, nil, err
		}
		for _, f := range emitted {
			f.Path = path.Join(folder, f.Path)
			files = append(files, f)
		}
		part := emit.Part{
			Program: s.Program, Package: one.Package, Path: path.Join(r.checked, folder),
			Prefix: s.Prefix, Bare: bare[i],
		}
		parts = append(parts, part)
		programs[part.Path] = s.Program
	}
	eo.Tools, eo.Older = toolObjects(r.Tools()), olderObjects(r.Tools())
	main, err := emit.Join(r.Name, r.Version, parts, eo)
	return append(marked(main), files...), programs, err
}
