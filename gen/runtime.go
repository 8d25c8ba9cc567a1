package gen

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/mcpgen/mcpgen/gen/output"
	"github.com/mcpgen/mcpgen/runtime"
)

// copyRuntime returns the runtime packages that emitted files of a module need, directly
// or not, as they lie in that module: without tests, and importing one another from there.
func copyRuntime(emitted []output.File, module string) ([]output.File, error) {
	packages, err := runtimePackages()
	if err != nil {
		return nil, err
	}
	var queue []string
	for _, f := range emitted {
		if path.Ext(f.Path) == ".go" {
			file, err := parser.ParseFile(token.NewFileSet(), f.Path, f.Data, parser.ImportsOnly)
			if err != nil {
				return nil, internal("%v", err)
			}
			queue = append(queue, runtimeImports(file, runtimePath, module+copyFolder)...)
		}
	}
	var copied []output.File
	done := map[string]bool{}
	for ; len(queue) > 0; queue = queue[1:] {
		name := queue[0]
		if done[name] {
			continue
		}
		done[name] = true
		if packages[name] == nil {
			return nil, internal("there is no runtime package %q", name)
		}
		for _, f := range packages[name] {
			queue = append(queue, runtimeImports(f.syntax, runtimePath)...)
			data, err := f.in(module)
			if err != nil {
				return nil, err
			}
			copied = append(copied, output.File{Path: path.Join(copyFolder[1:], f.path), Data: data})
		}
	}
	slices.SortFunc(copied, func(a, b output.File) int { return strings.Compare(a.Path, b.Path) })
	return copied, nil
}

// A sourceFile is a file of the runtime.
type sourceFile struct {
	path   string // relative to the runtime's root
	data   []byte
	syntax *ast.File // imports only
	fset   *token.FileSet
}

// runtimePackages returns the files of the runtime by package: its path below the root, "."
// being the root itself. Tests are left out, and the file that embeds the others.
func runtimePackages() (map[string][]sourceFile, error) {
	packages := map[string][]sourceFile{}
	err := fs.WalkDir(runtime.Source, ".", func(name string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() || strings.HasSuffix(name, "_test.go") || name == "source.go" {
			return err
		}
		f := sourceFile{path: name, fset: token.NewFileSet()}
		if f.data, err = runtime.Source.ReadFile(name); err != nil {
			return err
		}
		if f.syntax, err = parser.ParseFile(f.fset, name, f.data, parser.ImportsOnly); err != nil {
			return internal("runtime: %v", err)
		}
		packages[path.Dir(name)] = append(packages[path.Dir(name)], f)
		return nil
	})
	return packages, err
}

// runtimeImports returns which runtime packages a file imports, if the runtime lies at one
// of roots.
func runtimeImports(file *ast.File, roots ...string) []string {
	var names []string
	for _, spec := range file.Imports {
		target, _ := strconv.Unquote(spec.Path.Value)
		for _, root := range roots {
			if target == root {
				names = append(names, ".")
			} else if name, ok := strings.CutPrefix(target, root+"/"); ok {
				names = append(names, name)
			}
		}
	}
	return names
}

// in returns the text of f as it is in the copy of a module.
func (f *sourceFile) in(module string) ([]byte, error) {
	data, err := format.Source(moveImports(f.data, f.syntax, f.fset, module))
	if err != nil {
		return nil, internal("runtime: %v", err)
	}
	return slices.Concat([]byte("// "+output.Marker+"\n\n"), data), nil
}

// moveImports makes a file import the runtime from its copy in a module.
func moveImports(data []byte, file *ast.File, fset *token.FileSet, module string) []byte {
	var b bytes.Buffer
	end := 0
	for _, spec := range file.Imports {
		target, _ := strconv.Unquote(spec.Path.Value)
		if target != runtimePath && !strings.HasPrefix(target, runtimePath+"/") {
			continue
		}
		at := fset.Position(spec.Path.Pos()).Offset
		b.Write(data[end:at])
		b.WriteString(strconv.Quote(module + copyFolder + strings.TrimPrefix(target, runtimePath)))
		end = at + len(spec.Path.Value)
	}
	b.Write(data[end:])
	return b.Bytes()
}

// asCopy returns the Go among files with the runtime imported from the copy in a module.
// Lines stay where they are.
func asCopy(files []output.File, module string) []output.File {
	var moved []output.File
	for _, f := range files {
		if path.Ext(f.Path) != ".go" {
			continue
		}
		fset := token.NewFileSet()
		if syntax, err := parser.ParseFile(fset, f.Path, f.Data, parser.ImportsOnly); err == nil {
			f.Data = moveImports(f.Data, syntax, fset, module)
		}
		moved = append(moved, f)
	}
	return moved
}

// internal returns an error that is a fault of mcpgen.
func internal(format string, args ...any) error {
	return fmt.Errorf("mcpgen: internal: "+format+"; please report it", args...)
}
