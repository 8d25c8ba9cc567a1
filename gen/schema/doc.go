// Package schema reads type schemas, the strings in which a manifest describes types
// (manifest.md 6), into [ir.Type] with their layout in memory (pool-protocol.md 4.1).
//
// Hints are read and dropped. A back-reference becomes the very type that was declared, so
// types of recursive schemas are cyclic. Names are looked up in the enclosing declarations
// from the inside out, then among the finished ones, latest first; this serves both rules
// of scoping that compilers follow.
//
// The invariant to know: a back-reference always leads to a type that contains itself, and
// never without a list, an optional or a variant in between. So every such type is
// 8-aligned, has a width, and walks that stop at those three are finite.
package schema

import (
	"fmt"

	"github.com/mcpgen/mcpgen/gen/ir"
)

// Limits of what is read; no compiler writes anything near them.
const (
	MaxLength = 64 << 10 // bytes of a schema
	MaxDepth  = 40       // types inside each other; the Go compiler infers types less than 50 deep
	MaxWidth  = 1 << 20  // bytes of a value's slot

	// maxText bounds the texts of all parts of a schema together.
	maxText = 16 << 20
)

// An Error says what is wrong with a schema, and where.
type Error struct {
	Text string // without prefix and position
	Pos  int    // byte of the schema
}

// Error implements error, in the wording of upstream.
func (e *Error) Error() string {
	return fmt.Sprintf("schema error: %s at position %d", e.Text, e.Pos)
}

// Parse reads a schema: one type and nothing behind it. The result is shared by nothing
// else and complete: layout, names and texts are set everywhere. An error is an [*Error].
//
// Lengths of names count bytes. Some compilers write the number of characters instead,
// which is not the same for names that are not ASCII; see [ParseLenient].
func Parse(text string) (*ir.Type, error) {
	t, err := parse(text, false)
	if err != nil {
		return nil, err
	}
	return t, nil
}

// ParseLenient is [Parse], but what is no schema otherwise is read once more with lengths
// of names that count characters; counted says that this is how it was understood
// (manifest-next.md 3.2).
func ParseLenient(text string) (t *ir.Type, counted bool, err error) {
	t, failed := parse(text, false)
	if failed == nil {
		return t, false, nil
	}
	if t, again := parse(text, true); again == nil {
		return t, true, nil
	}
	return nil, false, failed
}

func parse(text string, runes bool) (*ir.Type, *Error) {
	if len(text) > MaxLength {
		return nil, &Error{fmt.Sprintf("schema of %d bytes, want at most %d", len(text), MaxLength), MaxLength}
	}
	p := parser{text: text, runes: runes}
	t := p.typ(0)
	if p.err == nil && p.pos < len(text) {
		p.fail(p.pos, "trailing characters after schema")
	}
	if p.err == nil {
		p.checkReferences()
	}
	if p.err == nil {
		p.err = layOut(p.types)
	}
	if p.err == nil {
		p.err = setTexts(p.types)
	}
	if p.err != nil {
		return nil, p.err
	}
	return t, nil
}
