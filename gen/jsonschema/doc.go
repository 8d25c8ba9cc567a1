// Package jsonschema writes the listing of a program's tools: the bytes that tools/list
// answers with (tools.md 2 to 5; cli-schema.md 5). Commands of a command line are listed with
// more members in later revisions of the protocol; other tools are the same in all of them.
//
// The listing of functions is upstream's, key for key, with the departures of tools.md 14: floats of
// results may be strings, a tool with output actions declares no result, and a
// back-reference promises an object only if it is one.
package jsonschema

import (
	"strings"

	"github.com/mcpgen/mcpgen/gen/ir"
	"github.com/mcpgen/mcpgen/runtime/jsonx"
)

// Tools returns the tool objects of a program as a compact JSON array, as the latest revision
// of the protocol has them.
func Tools(p *ir.Program) []byte { return ToolsFor(p, withAnyOutput) }

// ToolsFor returns the tool objects of a program as a compact JSON array, as a revision of the
// protocol has them.
func ToolsFor(p *ir.Program, revision string) []byte {
	dst := []byte{'['}
	for i, t := range p.Tools {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(dst, ToolObjectFor(t, revision)...)
	}
	return append(dst, ']')
}

// ToolObjectFor returns the compact JSON of one tool, as a revision of the protocol has it.
func ToolObjectFor(t *ir.Tool, revision string) []byte {
	if t.Leaf == nil {
		return appendTool(nil, t)
	}
	w := writer{}
	w.leaf(t, revision)
	return w.dst
}

// Pretty returns compact JSON text in the form of --mcp-tools (tools.md 13), without a
// final newline.
func Pretty(compact []byte) []byte { return jsonx.AppendIndented(nil, compact) }

// render is the property that chooses an output action, around its names.
const (
	renderBefore = `"_render":{"type":"string","enum":["raw"`
	renderAfter  = `],"default":"raw","description":"Output projection: 'raw' returns the underlying typed value; a renderer name returns that projection (e.g. an image)."}`
)

func appendTool(dst []byte, t *ir.Tool) []byte {
	dst = jsonx.AppendString(append(dst, `{"name":`...), t.Name)
	dst = jsonx.AppendString(append(dst, `,"description":`...), strings.Join(t.Doc, "\n"))
	dst = append(dst, `,"inputSchema":{"type":"object","properties":{`...)
	w := writer{dst: dst}
	groups := unrolled(t)
	for i, p := range t.Params {
		w.comma('{')
		w.declared = groups[i]
		w.property(p)
	}
	if t.HasRender() {
		w.comma('{')
		w.raw(renderBefore)
		for _, r := range t.Renders {
			w.raw(",")
			w.str(r.Name)
		}
		w.raw(renderAfter)
	}
	w.raw(`},"required":[`)
	for _, p := range t.Params {
		if p.Required {
			w.comma('[')
			w.str(p.Key)
		}
	}
	w.raw(`],"additionalProperties":false}`)
	if t.Raw.Return.Kind == ir.Record && t.Raw.Mime == "" && !t.HasRender() {
		w.raw(`,"outputSchema":`)
		w.declared, w.result = nil, true
		w.schema(t.Raw.Return)
	}
	return append(w.dst, '}')
}

// unrolled returns, for the properties that are fields of a group, what the group's schema
// has declared before that field: there, upstream writes back-references.
func unrolled(t *ir.Tool) []declarations {
	list := make([]declarations, len(t.Params))
	for _, s := range t.Slots {
		if s.Param >= 0 {
			continue
		}
		seen := declarations{}
		if s.Type.Name != "" {
			seen[s.Type] = true
		}
		for f, param := range s.Fields {
			if param >= 0 {
				list[param] = seen.clone()
			}
			seen.add(s.Type.Fields[f].Type)
		}
	}
	return list
}
