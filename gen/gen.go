// Package gen turns the manifest of a compiled program into the files of a server. It is a
// library: it reads the manifest and asks the go command about the standard library, and
// writes nothing; the commands of mcpgen decide what becomes of the files.
//
//	manifest.Read ── lower.Lower ── emit.Files ── runtime copy, go.mod, README ── type check
//	   problems        ir.Program      Go             all files                    or error
//
// [Load] does the first two steps, [Generate] all of them.
package gen

import (
	"context"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"

	"github.com/mcpgen/mcpgen/gen/emit"
	"github.com/mcpgen/mcpgen/gen/ir"
	"github.com/mcpgen/mcpgen/gen/output"
)

// A RuntimeMode says where generated code finds the runtime.
type RuntimeMode string

// Modes. With RuntimeCopy, the default, the runtime's source lies in the package, which
// then needs no network to build. With RuntimeModule it is required as a Go module.
const (
	RuntimeCopy   RuntimeMode = "copy"
	RuntimeModule RuntimeMode = "module"
)

// Transports are what a server can be reached by.
type Transports string

// Without HTTP, a server does not contain what it takes, which is most of its size.
const (
	TransportsAll   Transports = "stdio,http" // the default
	TransportsStdio Transports = "stdio"
)

// Options say what to generate. The zero value of all but Manifests will do.
type Options struct {
	Manifests  []string    // paths of manifests, or of launchers: of the programs to serve
	Out        string      // folder of the package; default NAME-mcp in the working directory
	Runtime    RuntimeMode // default RuntimeCopy
	Transports Transports  // default TransportsAll
	Module     string      // path of the package's Go module; default made of the name
	Name       string      // of the server; default the program's, or DefaultName of several
	AnyVersion bool        // read manifests of every compiler
	NoVersion  bool        // leave the version of mcpgen out of the files
	Version    string      // of mcpgen, as in v1.2.3; "" if it has none
	Linked     bool        // the folder of the program is set at link time, not recorded
	Timeouts   []Timeout   // of single tools
	Env        []string    // environment of the go command; nil is that of this process
}

// A Result is a generated package. Nothing of it has been written.
type Result struct {
	*Loaded
	Out    string // folder of the package
	Module string // path of its Go module; "" if it is part of one that is there
	Binary string // what go build calls its binary
	Files  []output.File

	checked string // import path that the package is checked under
}

// Generate makes the files of the package. They have been type-checked: a package that
// does not compile is an error, and a fault of mcpgen.
func Generate(ctx context.Context, o Options) (*Result, error) {
	p, err := Load(o)
	if err != nil {
		return nil, err
	}
	if err := p.setTimeouts(o.Timeouts); err != nil {
		return nil, err
	}
	r, err := place(p, o)
	if err != nil {
		return nil, err
	}
	emitted, programs, err := emitFiles(o, r)
	if err != nil {
		return nil, err
	}
	copied, err := copyRuntime(emitted, r.checked)
	if err != nil {
		return nil, err
	}
	if err := checkGo(ctx, o.Env, r.checked, append(asCopy(emitted, r.checked), copied...), programs); err != nil {
		return nil, err
	}
	r.Files = emitted
	if o.Runtime != RuntimeModule {
		r.Files = append(r.Files, copied...)
	}
	return r, addTexts(r, o)
}

// place decides where the package goes and what it is called.
func place(p *Loaded, o Options) (*Result, error) {
	r := &Result{Loaded: p, Out: o.Out, Module: o.Module}
	if r.Out == "" {
		r.Out = defaultOut(p.Name)
	}
	if r.Module == "" {
		r.Module = defaultModule(p.Name)
	} else if err := checkModule(r.Module); err != nil {
		return nil, err
	}
	r.Binary, r.checked = binaryName(r.Module), r.Module
	if o.Runtime == RuntimeModule {
		root, err := moduleAbove(r.Out)
		if err != nil {
			return nil, err
		}
		inside := root != ""
		switch {
		case inside && o.Module != "":
			return nil, OptionError(fmt.Sprintf("module path %q: %s belongs to the Go module above it; leave the path out", o.Module, r.Out))
		case inside:
			abs, err := filepath.Abs(r.Out)
			if err != nil {
				return nil, err
			}
			r.Module, r.Binary = "", filepath.Base(abs)
			if len(p.Sources) > 1 { // the packages of the programs are imported by their paths
				if r.checked, err = importPath(root, r.Out); err != nil {
					return nil, err
				}
			}
		case !isRequirable(o.Version):
			return nil, fmt.Errorf("this mcpgen was built from a working copy, which no go.mod can require: " +
				"leave --runtime=module out, or write into a Go module that requires " + mcpgenModule)
		}
	}
	return r, nil
}

// emitFiles returns the files that are particular to the programs, and which program a
// package was made for, by import path.
func emitFiles(o Options, r *Result) ([]output.File, map[string]*ir.Program, error) {
	eo := emit.Options{Runtime: r.checked + copyFolder, HTTP: o.Transports != TransportsStdio}
	if o.Runtime == RuntimeModule {
		eo.Runtime = runtimePath
	}
	if !o.NoVersion {
		eo.Version = o.Version
	}
	if len(r.Sources) > 1 {
		return emitJoined(o, r, eo)
	}
	files, err := emitProgram(r.Sources[0], o, r, eo)
	return files, map[string]*ir.Program{r.checked: r.Sources[0].Program}, err
}

// emitProgram returns the package of one program.
func emitProgram(s *Source, o Options, r *Result, eo emit.Options) ([]output.File, error) {
	if !o.Linked {
		folder, err := relativeFolder(r.Out, s.Folder)
		if err != nil {
			return nil, err
		}
		eo.Folder = folder
	}
	var emitted []emit.File
	err := guard(toolNames(s.Program), func(i int) error {
		q := oneTool(s.Program, i)
		eo.Tools, eo.Older = toolObjects(q.Tools), olderObjects(q.Tools)
		files, err := emit.Files(q, eo)
		if i < 0 {
			emitted = files
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	return marked(emitted), nil
}

// marked returns files as they are written: a transcript is ours even in a folder without a
// record.
func marked(emitted []emit.File) []output.File {
	files := make([]output.File, len(emitted))
	for i, f := range emitted {
		files[i] = output.File(f)
		if path.Ext(f.Path) != ".go" {
			files[i].Data = slices.Concat([]byte("# "+output.Marker+"\n"), f.Data)
		}
	}
	return files
}

// relativeFolder returns the program's folder as seen from the package, slash-separated:
// "" if there is no way from one to the other.
func relativeFolder(out, folder string) (string, error) {
	abs, err := realPath(out)
	if err != nil {
		return "", err
	}
	rel, err := filepath.Rel(abs, folder)
	if err != nil {
		return "", nil // another volume
	}
	return filepath.ToSlash(rel), nil
}

// realPath makes path absolute and follows the links of the part of it that exists.
func realPath(path string) (string, error) {
	abs, err := filepath.Abs(path)
	if err != nil {
		return "", err
	}
	rest := ""
	for dir := abs; ; dir = filepath.Dir(dir) {
		if real, err := filepath.EvalSymlinks(dir); err == nil {
			return filepath.Join(real, rest), nil
		} else if !os.IsNotExist(err) || dir == filepath.Dir(dir) {
			return abs, nil
		}
		rest = filepath.Join(filepath.Base(dir), rest)
	}
}
