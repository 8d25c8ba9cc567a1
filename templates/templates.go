// Package templates holds the text of generated files that are not Go. Files that are Go
// are made by gen/emit.
package templates

import (
	"bytes"
	"embed"
	"fmt"
	"strings"
	"text/template"
	"unicode"
)

//go:embed *.tmpl
var source embed.FS

var parsed = template.Must(template.New("").Funcs(template.FuncMap{
	"code": Code,
	"text": Text,
}).ParseFS(source, "*.tmpl"))

// A Module describes the go.mod file of a generated package.
type Module struct {
	Path    string // of the module
	Go      string // version of the language
	Require string // module and version of the runtime; "" if it is copied
}

// A Readme describes the README.md of a generated package.
type Readme struct {
	Program  string // name of the program
	Version  string // of its compiler
	Source   string // base name of the manifest
	Binary   string // what go build leaves
	Folder   string // of the program, relative to the package; "" if none is recorded
	Pools    []Pool
	Commands []CLI // what commands are run with
	Tools    []Tool
	Excluded []Excluded
	Copied   bool // the runtime lies in internal/rt
	HTTP     bool // the server can be served over HTTP too
	Files    []string
	Programs []Program // that the server joins; nil if it is of one program
}

// Functions reports whether any of the programs is one of functions, not of commands.
func (r Readme) Functions() bool { return len(r.Commands) < max(1, len(r.Programs)) }

// A Program is one of several that a server joins.
type Program struct {
	Name    string
	Version string // of its compiler
	Source  string // base name of the manifest
	Folder  string // of the program, relative to the package; "" if none is recorded
	CLI     bool   // it is a command line
}

// A CLI is a command-line program whose commands are tools.
type CLI struct {
	Name    string // of the program
	Command string // as it is started
}

// A Pool is a language process that the program needs.
type Pool struct {
	Lang    string
	Command string // as it is started
}

// A Tool is a row of the table of tools.
type Tool struct {
	Name      string
	Arguments []string
	Doc       string // first line of the description
}

// An Excluded is a command that is not served.
type Excluded struct {
	Name   string
	Reason string
}

// GoMod returns the file go.mod.
func GoMod(m Module) ([]byte, error) { return execute("go.mod.tmpl", m) }

// ReadmeMD returns the file README.md.
func ReadmeMD(r Readme) ([]byte, error) { return execute("README.md.tmpl", r) }

func execute(name string, data any) ([]byte, error) {
	var b bytes.Buffer
	if err := parsed.ExecuteTemplate(&b, name, data); err != nil {
		return nil, fmt.Errorf("mcpgen: internal: template %s: %w", name, err)
	}
	return b.Bytes(), nil
}

// Code returns a Markdown code span of arbitrary text, fit for a table: with a fence that
// the text does not contain, on one line.
func Code(s string) string {
	s = strings.ReplaceAll(oneLine(s), "|", `\|`)
	fence := "`"
	for strings.Contains(s, fence) {
		fence += "`"
	}
	if len(fence) > 1 || strings.TrimSpace(s) == "" {
		s = " " + s + " "
	}
	return fence + s + fence
}

// Text returns arbitrary text as a line of Markdown that shows it as it is.
func Text(s string) string {
	var b strings.Builder
	for _, r := range oneLine(s) {
		if strings.ContainsRune("\\`*_{}[]<>#|~&", r) {
			b.WriteByte('\\')
		}
		b.WriteRune(r)
	}
	return b.String()
}

// oneLine replaces whatever could end a line, or is not to be seen.
func oneLine(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) {
			return r
		}
		return ' '
	}, s)
}
