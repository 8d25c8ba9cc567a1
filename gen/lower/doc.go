// Package lower turns a manifest into an [ir.Program]: it decides which commands become
// tools, what their properties are called, and what a missing argument is (tools.md 4 to
// 7.1; cli-schema.md 4, 5 and 6.3). It knows nothing of JSON Schema and of Go.
//
// The invariant to know: the order of everything is that of the manifest. Tools, properties
// and slots are what upstream lists, in its order; the departures are those of tools.md 14.
package lower

import (
	"fmt"
	"path/filepath"
	"strconv"

	"github.com/mcpgen/mcpgen/gen/ir"
	"github.com/mcpgen/mcpgen/gen/manifest"
	"github.com/mcpgen/mcpgen/runtime/xxh64"
)

// Lower turns a manifest into a program. Commands that cannot be served are left out, with
// the reason; that is no error. Problems (defaults that are no values of their types,
// malformed expression trees) are returned as [*manifest.Errors].
func Lower(m *manifest.Manifest) (*ir.Program, error) {
	if m.CLI != nil {
		return lowerCLI(m)
	}
	l := &lowering{
		m:      m,
		report: manifest.NewReport(m.File),
		pure:   map[*manifest.Command]compiled{},
		program: &ir.Program{
			Module:              m.Name,
			Version:             m.Version,
			Source:              filepath.Base(m.File.Name),
			Hash:                fmt.Sprintf("%016x", xxh64.Sum(0, m.File.Src)),
			Stage:               m.Release.Stage(),
			BlockRecords:        m.Release.HasBlockRecords(),
			Warnings:            m.Warnings,
			UnsafeSkipNullCheck: m.UnsafeSkipNullCheck,
			InlineSize:          m.InlineSize,
			TmpDir:              m.TmpDir,
		},
	}
	for _, p := range m.Pools {
		l.program.Pools = append(l.program.Pools, ir.Pool{
			Lang: p.Lang, Exec: p.Exec, Socket: p.Socket, Hash: p.Hash, AllowStringNull: p.AllowStringNull,
		})
	}
	l.warnAboutManifest()
	l.compile()
	for _, c := range m.Commands {
		if c.Internal {
			continue
		}
		if reason := l.excluded(c); reason != "" {
			l.program.Excluded = append(l.program.Excluded, ir.Excluded{Command: c.Name, Reason: reason})
			continue
		}
		l.program.Tools = append(l.program.Tools, l.tool(c))
	}
	if err := l.report.Err(); err != nil {
		return nil, err
	}
	return l.program, nil
}

// warnAboutManifest notes what is odd about a manifest as a whole.
func (l *lowering) warnAboutManifest() {
	switch r := l.m.Release; {
	case r.IsOlder():
		l.warn("morloc %s is older than any that mcpgen knows; served as 0.98", l.m.Version)
	case !r.IsKnown():
		l.warn("morloc %s is newer than any that mcpgen knows; served as 0.109", l.m.Version)
	}
	if !l.m.Release.HasKeys() {
		return
	}
	for _, c := range l.m.Commands {
		for i, a := range c.Args {
			if a.Key == "" {
				l.warn("command %q: %s has no key, which its compiler writes; the manifest may be damaged", c.Name, a.Label(i))
			}
		}
	}
}

// lowering is the work on one manifest.
type lowering struct {
	m       *manifest.Manifest
	report  *manifest.Report
	program *ir.Program
	pure    map[*manifest.Command]compiled
}

// problem reports a problem of a command. The path is relative to it, "" for itself; part
// names the part, such as `argument "gap"`, or is "".
func (l *lowering) problem(c *manifest.Command, offset int, path, part, text string) {
	full := "commands[" + strconv.Itoa(c.Index) + "]"
	if path != "" {
		full += "." + path
	}
	subject := fmt.Sprintf("command %q", c.Name)
	if part != "" {
		subject += ", " + part
	}
	l.report.Add(offset, full, subject+": "+text)
}

// warn notes what the author should know.
func (l *lowering) warn(format string, args ...any) {
	l.program.Warnings = append(l.program.Warnings, fmt.Sprintf(format, args...))
}
