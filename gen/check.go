package gen

import (
	"context"
	"errors"
	"fmt"
	"go/ast"
	"go/build"
	"go/parser"
	"go/token"
	"go/types"
	"go/version"
	"io"
	"os"
	"os/exec"
	"path"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/tools/go/packages"

	"github.com/mcpgen/mcpgen/gen/ir"
	"github.com/mcpgen/mcpgen/gen/output"
)

// checkGo type-checks the Go files of a module, tests included, as they are for this
// machine. It asks the go command about the standard library only, whose compiled form is
// at hand; the module's own files, the copied runtime with them, are checked here, without
// a folder to lie in.
//
// programs are those that packages of the module were made for, by import path. An error is
// about the installed Go, or a fault of mcpgen.
func checkGo(ctx context.Context, env []string, module string, files []output.File, programs map[string]*ir.Program) error {
	// Where the go command runs: somewhere without a go.mod.
	dir, err := os.MkdirTemp("", "mcpgen-check-")
	if err != nil {
		return fmt.Errorf("no folder for temporary files, see TMPDIR: %w", err)
	}
	defer os.RemoveAll(dir)
	if err := checkToolchain(ctx, env, dir); err != nil {
		return err
	}
	c := &checker{
		module:  module,
		fset:    token.NewFileSet(),
		folders: map[string][]*ast.File{},
		done:    map[string]*types.Package{},
	}
	if err := c.parse(files); err != nil {
		return err
	}
	if err := c.loadStandard(ctx, env, dir); err != nil {
		return err
	}
	if err := c.check(); err != nil {
		return err
	}
	return c.report(files, programs)
}

// check checks the module's packages. go/types panics rather than complain where types are
// nested deeper than it can infer: the compiler could not build such code either.
func (c *checker) check() (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = internal("generated code cannot be type-checked: %v", r)
		}
	}()
	c.Import(c.module)
	return nil
}

// checkToolchain tells whether there is a go command that is new enough.
func checkToolchain(ctx context.Context, env []string, dir string) error {
	have, err := goCommand(ctx, GoEnv(env), dir, "env", "GOVERSION")
	switch {
	case errors.Is(err, exec.ErrNotFound):
		return fmt.Errorf("there is no go command in PATH; mcpgen checks what it writes with it: install Go %s or later", goVersion)
	case err != nil:
		return err
	case version.IsValid(have) && version.Compare(have, "go"+goVersion) < 0:
		return fmt.Errorf("the go command is %s; install Go %s or later", have, goVersion)
	}
	return nil
}

// goCommand runs the go command in dir and returns what it prints. When it fails, the error
// is what it says about that.
func goCommand(ctx context.Context, env []string, dir string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Env, cmd.Dir = env, dir
	out, err := cmd.Output()
	if ctx.Err() != nil {
		return "", ctx.Err()
	}
	if exit, ok := errors.AsType[*exec.ExitError](err); ok && len(exit.Stderr) > 0 {
		err = errors.New(strings.TrimSpace(string(exit.Stderr)))
	}
	if err != nil {
		return "", fmt.Errorf("go %s: %w", args[0], err)
	}
	return strings.TrimSpace(string(out)), nil
}

// GoEnv returns the environment for a go command that must not reach for a network and
// must not be led astray by settings made for other modules. A nil env is that of this
// process.
func GoEnv(env []string) []string {
	if env == nil {
		env = os.Environ()
	}
	return append(slices.Clone(env),
		"GOFLAGS=-mod=mod", "GOPROXY=off", "GOWORK=off", "GO111MODULE=on", "GOPACKAGESDRIVER=off")
}

// A checker checks the packages of one module. It is the importer of all of them.
type checker struct {
	module  string
	fset    *token.FileSet
	folders map[string][]*ast.File    // files by the import path of their package
	done    map[string]*types.Package // by import path
	errs    []types.Error
}

// parse reads the files that belong to a build for this machine.
func (c *checker) parse(files []output.File) error {
	system := build.Default
	system.CgoEnabled = false
	for _, f := range files {
		if path.Ext(f.Path) != ".go" {
			continue
		}
		system.OpenFile = func(string) (io.ReadCloser, error) {
			return io.NopCloser(strings.NewReader(string(f.Data))), nil
		}
		if match, err := system.MatchFile("", path.Base(f.Path)); err == nil && !match {
			continue
		}
		syntax, err := parser.ParseFile(c.fset, f.Path, f.Data, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return internal("generated code: %v", err)
		}
		name := path.Join(c.module, path.Dir(f.Path))
		c.folders[name] = append(c.folders[name], syntax)
	}
	return nil
}

// loadStandard loads the packages of the standard library that the files import.
func (c *checker) loadStandard(ctx context.Context, env []string, dir string) error {
	var names []string
	for _, files := range c.folders {
		for _, f := range files {
			for _, spec := range f.Imports {
				name, _ := strconv.Unquote(spec.Path.Value)
				if c.folders[name] == nil && name != "unsafe" && !slices.Contains(names, name) {
					names = append(names, name)
				}
			}
		}
	}
	slices.Sort(names)
	env = append(GoEnv(env), "CGO_ENABLED=0", "GOOS="+runtime.GOOS, "GOARCH="+runtime.GOARCH)
	loaded, err := packages.Load(&packages.Config{
		Context: ctx, Dir: dir, Env: env,
		Mode: packages.NeedName | packages.NeedTypes | packages.NeedExportFile,
	}, names...)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil {
		return fmt.Errorf("go list: %w", err)
	}
	for _, p := range loaded {
		if len(p.Errors) > 0 {
			return internal("package %s: %v", p.PkgPath, p.Errors[0])
		}
		c.done[p.PkgPath] = p.Types
	}
	c.done["unsafe"] = types.Unsafe
	for _, name := range names {
		if c.done[name] != nil {
			continue
		}
		// Load keeps some failures of the go command to itself, such as that there is no
		// place for its cache.
		if _, err := goCommand(ctx, env, dir, "list", "-export", name); err != nil {
			return err
		}
		return internal("package %s: not loaded", name)
	}
	return nil
}

// Import implements [types.Importer].
func (c *checker) Import(name string) (*types.Package, error) {
	if p := c.done[name]; p != nil {
		return p, nil
	}
	config := types.Config{
		GoVersion: "go" + goVersion,
		Importer:  c,
		Sizes:     types.SizesFor("gc", runtime.GOARCH),
		Error:     func(err error) { c.errs = append(c.errs, err.(types.Error)) },
	}
	p, err := config.Check(name, c.fset, c.folders[name], nil)
	c.done[name] = p
	return p, err
}

// report returns what was found: the first error and how many others there are.
func (c *checker) report(files []output.File, programs map[string]*ir.Program) error {
	if len(c.errs) == 0 {
		return nil
	}
	first := c.errs[0]
	at := c.fset.Position(first.Pos)
	message, _, _ := strings.Cut(first.Msg, "\n") // what follows is detail for compilers' authors
	text := fmt.Sprintf("generated code does not compile: %s: %s", at, message)
	if n := len(c.errs) - 1; n > 0 {
		text += fmt.Sprintf(" (and %d more)", n)
	}
	if name := c.commandAt(first.Pos, files, programs); name != "" {
		text = fmt.Sprintf("command %q: %s", name, text)
	}
	return internal("%s", text)
}

// commandMark and toolMark are how generated code says which command or tool a declaration is
// for.
var (
	commandMark = regexp.MustCompile(`commands\[(\d+)\]`)
	toolMark    = regexp.MustCompile(`tool\s+(?://\s+)?"([A-Za-z0-9_.-]+)"`)
)

// commandAt returns the name of the command for which the declaration at pos was made, ""
// if it is not for a single one.
func (c *checker) commandAt(pos token.Pos, files []output.File, programs map[string]*ir.Program) string {
	at := c.fset.Position(pos)
	i := slices.IndexFunc(files, func(f output.File) bool { return f.Path == at.Filename })
	name := path.Join(c.module, path.Dir(at.Filename))
	if i < 0 || programs[name] == nil {
		return ""
	}
	for _, f := range c.folders[name] {
		for _, d := range f.Decls {
			if d.Pos() > pos || pos > d.End() {
				continue
			}
			text := files[i].Data[c.fset.Position(start(d)).Offset:c.fset.Position(d.End()).Offset]
			if m := commandMark.FindSubmatch(text); m != nil {
				index, _ := strconv.Atoi(string(m[1]))
				return commandName(programs[name], index)
			}
			if m := toolMark.FindSubmatch(text); m != nil {
				return string(m[1])
			}
		}
	}
	return ""
}

// start returns where a declaration begins, with the comment above it.
func start(d ast.Decl) token.Pos {
	var doc *ast.CommentGroup
	switch d := d.(type) {
	case *ast.FuncDecl:
		doc = d.Doc
	case *ast.GenDecl:
		doc = d.Doc
	}
	if doc != nil {
		return doc.Pos()
	}
	return d.Pos()
}

// commandName returns the name of a command by its index in the manifest, if it is served.
func commandName(p *ir.Program, index int) string {
	for _, t := range p.Tools {
		if t.Index == index {
			return t.Name
		}
		for _, r := range t.Renders {
			if r.Target.Index == index {
				return r.Target.Command
			}
		}
	}
	return ""
}
