package gen

import (
	"path/filepath"
	"slices"

	"github.com/mcpgen/mcpgen/gen/ir"
	"github.com/mcpgen/mcpgen/gen/jsonschema"
	"github.com/mcpgen/mcpgen/gen/lower"
	"github.com/mcpgen/mcpgen/gen/manifest"
)

// Loaded is what a server serves: one program or several, read and found sound.
type Loaded struct {
	Name    string // of the server
	Version string // of the compiler, or of the command line; of several, each once
	Sources []*Source
}

// A Source is a program and where it was read.
type Source struct {
	Program *ir.Program
	Folder  string // of the manifest, absolute and without symbolic links
	Prefix  string // of the names of its tools; "" if it is the only program
}

// Load reads the manifests that o names. Problems in one of them are [*manifest.Errors].
func Load(o Options) (*Loaded, error) {
	if len(o.Manifests) == 0 {
		return nil, internal("no manifest")
	}
	l := new(Loaded)
	for _, path := range o.Manifests {
		s, err := load(path, o)
		if err != nil {
			return nil, err
		}
		l.Sources = append(l.Sources, s)
	}
	if len(l.Sources) > 1 {
		return l, l.join(o)
	}
	p := l.Sources[0].Program
	switch {
	case o.Name != "" && p.CLI != nil:
		p.ServerName = o.Name
	case o.Name != "":
		p.Module = o.Name
	}
	l.Name, l.Version = p.Module, p.Version
	return l, nil
}

// load reads one manifest.
func load(path string, o Options) (*Source, error) {
	m, err := manifest.Read(path, manifest.Options{AnyVersion: o.AnyVersion})
	if err != nil {
		return nil, err
	}
	var p *ir.Program
	err = guard(commandNames(m), func(i int) error {
		one := *m
		if i >= 0 {
			one.Commands = m.Commands[i : i+1]
		}
		lowered, err := lower.Lower(&one)
		if i < 0 {
			p = lowered
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	return &Source{Program: p, Folder: filepath.Dir(m.Path)}, nil
}

// Tools returns the tools under the names that they are listed with.
func (l *Loaded) Tools() []*ir.Tool {
	if len(l.Sources) == 1 {
		return l.Sources[0].Program.Tools
	}
	var tools []*ir.Tool
	for _, s := range l.Sources {
		for _, t := range s.Program.Tools {
			listed := *t
			listed.Name = s.Prefix + t.Name
			tools = append(tools, &listed)
		}
	}
	return tools
}

// Notes returns lines about what is not served, and what the author should know; those of
// several programs begin with the name of theirs.
func (l *Loaded) Notes() []string {
	var notes []string
	for _, s := range l.Sources {
		of := ""
		if len(l.Sources) > 1 {
			of = s.Program.Module + ": "
		}
		for _, x := range s.Program.Excluded {
			notes = append(notes, of+x.Note())
		}
		for _, w := range s.Program.Warnings {
			notes = append(notes, of+w)
		}
	}
	return notes
}

// Listing returns the tools/list payload, indented, with a final newline.
func Listing(l *Loaded) ([]byte, error) {
	p := &ir.Program{Tools: l.Tools()}
	var text []byte
	err := guard(toolNames(p), func(i int) error {
		payload := slices.Concat([]byte(`{"tools":`), jsonschema.Tools(oneTool(p, i)), []byte("}"))
		if i < 0 {
			text = append(jsonschema.Pretty(payload), '\n')
		}
		return nil
	})
	return text, err
}

func commandNames(m *manifest.Manifest) []string {
	names := make([]string, len(m.Commands))
	for i, c := range m.Commands {
		names[i] = c.Name
	}
	return names
}

func toolNames(p *ir.Program) []string {
	names := make([]string, len(p.Tools))
	for i, t := range p.Tools {
		names[i] = t.Name
	}
	return names
}

// oneTool returns p with tool i alone, or as it is if i < 0.
func oneTool(p *ir.Program, i int) *ir.Program {
	if i < 0 {
		return p
	}
	one := *p
	one.Tools = p.Tools[i : i+1]
	return &one
}
