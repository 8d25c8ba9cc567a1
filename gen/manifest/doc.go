// Package manifest reads the manifest of a compiled Morloc program (manifest.md) and the
// schema of a command-line program (cli-schema.md 2 and 3), told apart by what is in them:
// byte for byte, with the place of every value, so that each problem can be shown as
// file:line:column, the path of the value, what is wrong and what to do about it.
//
// [Read] finds and reads a file, [Parse] reads its text. Both hold it against the tables of
// manifest.md 3 and the checks of manifest.md 8 and report up to [MaxProblems] independent
// problems at once. What a manifest means for MCP is not decided here but in gen/lower.
//
// The invariant to know: a [Manifest] that was returned without an error is sound. Its
// schemas are parsed, its indices are in range, its names are distinct. Default texts and
// expression trees alone are left for gen/lower and gen/expr to read.
package manifest
