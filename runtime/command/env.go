package command

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/mcpgen/mcpgen/runtime/argv"
)

// An environment is that of the program: NAME=value, each name once.
type environment struct {
	vars []string
	at   map[string]int // where a name is in vars
}

func newEnvironment(vars []string) environment {
	e := environment{at: make(map[string]int, len(vars))}
	e.addAll(vars)
	return e
}

// key is what tells names apart.
func key(name string) string {
	if runtime.GOOS == "windows" {
		return strings.ToUpper(name)
	}
	return name
}

// get returns the value of a variable, and whether it is set.
func (e *environment) get(name string) (value string, ok bool) {
	i, ok := e.at[key(name)]
	if !ok {
		return "", false
	}
	_, value, _ = strings.Cut(e.vars[i][1:], "=") // Windows has names that begin with it
	return value, true
}

// addAll sets variables, of which later ones win.
func (e *environment) addAll(vars []string) {
	for _, v := range vars {
		name, ok := nameOf(v)
		if !ok {
			continue
		}
		if i, ok := e.at[key(name)]; ok {
			e.vars[i] = v
			continue
		}
		e.at[key(name)] = len(e.vars)
		e.vars = append(e.vars, v)
	}
}

// nameOf returns the name of a variable; it is not ok if no program can be given it.
func nameOf(variable string) (name string, ok bool) {
	i := strings.IndexByte(variable, '=')
	if i == 0 && runtime.GOOS == "windows" {
		i = 1 + strings.IndexByte(variable[1:], '=')
	}
	return variable[:max(i, 0)], i > 0 && !hasNUL(variable)
}

// tokenVariable may hold the token that opens the server, over HTTP. Programs are not to see it,
// wherever it was set.
const tokenVariable = "MORLOC_MCP_TOKEN"

// withoutToken returns variables, which it changes, without that one.
func withoutToken(vars []string) []string {
	return slices.DeleteFunc(vars, func(v string) bool {
		name, _ := nameOf(v)
		return key(name) == tokenVariable
	})
}

// hasNUL reports whether s has a byte that ends it for the kernel, which starts no program
// then.
func hasNUL(s string) bool { return strings.IndexByte(s, 0) >= 0 }

// addLogin adds variables of a login shell: of its PATH the folders that are not there yet,
// in front; of the others those that are not set.
func (e *environment) addLogin(vars []string) {
	for _, v := range vars {
		name, ok := nameOf(v)
		if !ok {
			continue
		}
		old, set := e.get(name)
		switch {
		case !set:
			e.addAll([]string{v})
		case key(name) == "PATH":
			e.addAll([]string{"PATH=" + joinPath(v[len("PATH="):], old)})
		}
	}
}

// joinPath puts the folders of a list in front of another that does not have them.
func joinPath(first, second string) string {
	known := filepath.SplitList(second)
	var added []string
	for _, dir := range filepath.SplitList(first) {
		if dir != "" && !slices.Contains(known, dir) && !slices.Contains(added, dir) {
			added = append(added, dir)
		}
	}
	if second != "" {
		added = append(added, second)
	}
	return strings.Join(added, string(filepath.ListSeparator))
}

// expandHome replaces a leading ~ by the home folder.
func expandHome(path string) string {
	if path == "~" || strings.HasPrefix(path, "~/") {
		return os.Getenv("HOME") + path[1:]
	}
	return path
}

// errNUL is for the lines of a file that are left out.
var errNUL = errors.New("lines with NUL bytes, which no variable can hold")

// readEnvFile returns the variables that a file sets (cli-schema.md 7.3), also if something is
// wrong with others.
func readEnvFile(path string) (vars []string, err error) {
	text, err := readFile(path)
	for line := range strings.SplitSeq(string(text), "\n") {
		line = argv.Trim(line)
		i := strings.IndexByte(line, '=')
		switch {
		case i < 1 || line[0] == '#':
			continue
		case hasNUL(line):
			err = errNUL
			continue
		}
		vars = append(vars, argv.Trim(line[:i])+"="+unquote(argv.Trim(line[i+1:])))
	}
	return vars, err
}

// unquote strips one pair of equal quotes.
func unquote(s string) string {
	if n := len(s); n >= 2 && s[0] == s[n-1] && (s[0] == '"' || s[0] == '\'') {
		return s[1 : n-1]
	}
	return s
}
