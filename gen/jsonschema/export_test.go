package jsonschema

import "github.com/mcpgen/mcpgen/gen/ir"

// ToolObject returns the compact JSON of one tool, as the latest revision has it.
func ToolObject(t *ir.Tool) []byte { return ToolObjectFor(t, withAnyOutput) }
