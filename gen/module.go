package gen

import (
	"fmt"
	"os"
	"path"
	"path/filepath"
	"strings"

	"golang.org/x/mod/modfile"
	"golang.org/x/mod/module"
)

const (
	mcpgenModule = "github.com/mcpgen/mcpgen"
	runtimePath  = mcpgenModule + "/runtime" // import path of the runtime's root package
	copyFolder   = "/internal/rt"            // where copies of it lie in a module
	goVersion    = "1.26"                    // of the language that the runtime is written in
)

// suffix tells a server from the program it serves.
const suffix = "-mcp"

// defaultOut returns the name of the folder for the server of a program.
func defaultOut(program string) string { return path.Base(defaultModule(program)) }

// defaultModule makes a module path of a program's name, which may be any text.
func defaultModule(program string) string {
	var b strings.Builder
	for _, r := range program {
		switch {
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9', r == '_', r == '-':
			b.WriteRune(r)
		default:
			b.WriteByte('-')
		}
	}
	name := strings.Trim(b.String(), "-_")
	if len(name) > 64 {
		name = name[:64]
	}
	if name == "" {
		name = "program"
	}
	return name + suffix
}

// checkModule checks a module path that the user chose. It need not be one that could be
// fetched.
func checkModule(p string) error {
	if module.CheckImportPath(p) != nil {
		return OptionError(fmt.Sprintf("module path %q: want one like example.com/you/server", p))
	}
	return nil
}

// isRequirable reports whether a go.mod can require a version of mcpgen: not one that was
// built from a working copy.
func isRequirable(version string) bool {
	return module.CanonicalVersion(version) == version && version != ""
}

// binaryName returns what go build calls the binary of a module: the last element of its
// path that is no major version.
func binaryName(p string) string {
	prefix, _, _ := module.SplitPathVersion(p)
	return path.Base(prefix)
}

// moduleAbove returns the folder of the Go module that a folder, which need not exist,
// belongs to: one whose go.mod lies above it. It is "" if there is none.
func moduleAbove(out string) (string, error) {
	dir, err := realPath(out)
	if err != nil {
		return "", err
	}
	for dir != filepath.Dir(dir) {
		dir = filepath.Dir(dir)
		if info, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil && info.Mode().IsRegular() {
			return dir, nil
		}
	}
	return "", nil
}

// importPath returns the import path of the package in a folder below the one of its module.
func importPath(root, out string) (string, error) {
	file := filepath.Join(root, "go.mod")
	text, err := os.ReadFile(file)
	if err != nil {
		return "", err
	}
	real, err := realPath(out)
	if err != nil {
		return "", err
	}
	below, err := relativeFolder(root, real)
	if err != nil {
		return "", err
	}
	p := path.Join(modfile.ModulePath(text), below)
	if module.CheckImportPath(p) != nil {
		return "", fmt.Errorf("%s: no package can be imported from there: its path would be %q", out, p)
	}
	return p, nil
}
