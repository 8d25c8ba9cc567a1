package gen

import (
	"bytes"
	"slices"

	"github.com/mcpgen/mcpgen/gen/emit"
	"github.com/mcpgen/mcpgen/gen/ir"
	"github.com/mcpgen/mcpgen/gen/jsonschema"
)

// revisions are those of the protocol that servers speak, ascending.
var revisions = []string{"2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28"}

// toolObjects returns the tools as they are listed by the latest revision.
func toolObjects(tools []*ir.Tool) [][]byte { return objectsFor(tools, revisions[len(revisions)-1]) }

// olderObjects returns the tools as they are listed by older revisions, where that differs,
// the oldest first.
func olderObjects(tools []*ir.Tool) []emit.Listing {
	var older []emit.Listing
	newer := toolObjects(tools)
	for _, r := range slices.Backward(revisions[:len(revisions)-1]) {
		objects := objectsFor(tools, r)
		if !slices.EqualFunc(objects, newer, bytes.Equal) {
			older = append(older, emit.Listing{Until: r, Tools: objects})
			newer = objects
		}
	}
	slices.Reverse(older)
	return older
}

func objectsFor(tools []*ir.Tool, revision string) [][]byte {
	objects := make([][]byte, len(tools))
	for i, t := range tools {
		objects[i] = jsonschema.ToolObjectFor(t, revision)
	}
	return objects
}
