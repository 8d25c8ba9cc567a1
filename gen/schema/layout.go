package schema

import (
	"fmt"

	"github.com/mcpgen/mcpgen/gen/ir"
)

// slots are the widths and alignments of all kinds but tuples and records.
var slots = map[ir.Kind]struct{ width, align int }{
	ir.Unit: {0, 1}, ir.Bool: {1, 1},
	ir.Int8: {1, 1}, ir.Int16: {2, 2}, ir.Int32: {4, 4}, ir.Int64: {8, 8},
	ir.Uint8: {1, 1}, ir.Uint16: {2, 2}, ir.Uint32: {4, 4}, ir.Uint64: {8, 8},
	ir.Float32: {4, 4}, ir.Float64: {8, 8},
	ir.Int: {16, 8}, ir.String: {16, 8}, ir.List: {16, 8}, ir.Optional: {8, 8},
	ir.Enum: {1, 1}, ir.Variant: {16, 8},
	ir.Table: {16, 8}, ir.IFile: {16, 8}, ir.OStream: {16, 8}, ir.IStream: {16, 8},
}

// layOut sets widths, alignments and offsets. Upstream iterates until the widths of
// back-references are stable; laying out the inner type first gives the same numbers.
func layOut(types []made) *Error {
	for _, m := range types {
		if s, ok := slots[m.typ.Kind]; ok {
			m.typ.Width, m.typ.Align = s.width, s.align
		}
	}
	busy := map[*ir.Type]bool{}
	for _, m := range types {
		if problem := place(m.typ, busy); problem != "" {
			return &Error{problem, m.pos}
		}
	}
	return nil
}

// place lays out a tuple or record and, before it, those inside of its slot. The alignment
// of a finished type is not 0. It returns what is wrong, or "".
func place(t *ir.Type, busy map[*ir.Type]bool) string {
	if t.Align != 0 {
		return ""
	}
	if busy[t] {
		return fmt.Sprintf("declaration '%s' contains itself inline (a back-reference reachable through tuple or record fields only)", t.Name)
	}
	busy[t] = true
	end, widest := 0, 1
	for i := range t.Fields {
		f := &t.Fields[i]
		if problem := place(f.Type, busy); problem != "" {
			return problem
		}
		f.Offset = roundUp(end, f.Type.Align)
		end = f.Offset + f.Type.Width
		widest = max(widest, f.Type.Align)
		if end > MaxWidth {
			return fmt.Sprintf("type is wider than %d bytes", MaxWidth)
		}
	}
	t.Width, t.Align = roundUp(end, widest), widest
	if t.Kind == ir.Record {
		t.Align = 8 // its trailing padding still follows from its fields
	}
	return ""
}

// roundUp returns the first multiple of align from n on; align is a power of two.
func roundUp(n, align int) int { return (n + align - 1) &^ (align - 1) }
