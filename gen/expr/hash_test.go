package expr

import "github.com/mcpgen/mcpgen/gen/ir"

// Hashes as programs before 0.103 have them.

func hashText(v ir.Value) string { return hasher{}.text(v) }

func hash(seed uint64, v ir.Value) uint64 { return hasher{}.hash(seed, v) }
