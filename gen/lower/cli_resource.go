package lower

import (
	"fmt"
	"strings"

	"github.com/mcpgen/mcpgen/gen/ir"
	"github.com/mcpgen/mcpgen/gen/manifest"
	"github.com/mcpgen/mcpgen/runtime/jsonx"
)

// resources lists the export itself, and what the author declares (cli-schema.md 9).
func (l *cliLowering) resources(report *manifest.Report) {
	schema := l.schemaResource()
	l.program.Resources = []ir.Resource{schema}
	taken := map[string]string{schema.URI: "the schema"}
	for _, r := range l.cli.Resources {
		if owner, clash := taken[r.URI]; clash {
			report.Add(r.Node.Get("uri").Offset, r.At+".uri", fmt.Sprintf("resource %q: the URI is that of %s too", r.URI, owner))
			continue
		}
		taken[r.URI] = r.At
		l.program.Resources = append(l.program.Resources, r.Resource)
	}
}

// schemaResource is the export as the program prints it.
func (l *cliLowering) schemaResource() ir.Resource {
	text := string(append(jsonx.AppendIndented(nil, l.cli.File.Text(l.cli.Schema)), '\n'))
	r := ir.Resource{URI: l.cli.SchemaURI, Name: "cli-schema", MIME: "application/json", Text: &text}
	if r.URI == "" {
		r.URI = schemaURI(l.cli.Root.Key)
		if l.cli.Dialect == manifest.Dialect1 {
			r.URI, r.JoinedURI = "argsbarg://schema", r.URI
		}
	}
	return r
}

// schemaURI returns a URI that programs with different keys do not share.
func schemaURI(key string) string {
	scheme := strings.Map(func(c rune) rune {
		if c >= 'a' && c <= 'z' || c >= '0' && c <= '9' || c == '+' || c == '.' || c == '-' {
			return c
		}
		return '-'
	}, strings.ToLower(key))
	if scheme[0] < 'a' || scheme[0] > 'z' {
		scheme = "cli-" + scheme
	}
	return scheme + "://schema"
}
