package gen

import (
	"path/filepath"
	"slices"

	"github.com/mcpgen/mcpgen/gen/ir"
	"github.com/mcpgen/mcpgen/gen/jsonschema"
	"github.com/mcpgen/mcpgen/gen/lower"
	"github.com/mcpgen/mcpgen/gen/manifest"
)

// Loaded is a program that was read and found sound.
type Loaded struct {
	Program *ir.Program
	Folder  string // of the manifest, absolute and without symbolic links
}

// Load reads the manifest that o names. Problems in it are [*manifest.Errors].
func Load(o Options) (*Loaded, error) {
	m, err := manifest.Read(o.Manifest, manifest.Options{AnyVersion: o.AnyVersion})
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
	if o.Name != "" {
		p.Module = o.Name
	}
	return &Loaded{Program: p, Folder: filepath.Dir(m.Path)}, nil
}

// Listing returns the tools/list payload of p, indented, with a final newline.
func Listing(p *ir.Program) ([]byte, error) {
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

// toolObjects returns the tools as they are listed.
func toolObjects(p *ir.Program) [][]byte {
	objects := make([][]byte, len(p.Tools))
	for i, t := range p.Tools {
		objects[i] = jsonschema.ToolObject(t)
	}
	return objects
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
