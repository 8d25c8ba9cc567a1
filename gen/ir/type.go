package ir

// A Kind is the outermost constructor of a [Type].
type Kind uint8

// Kinds, with the codes of the type schema (manifest.md 6).
const (
	Unit     Kind = iota // z
	Bool                 // b
	Int8                 // i1
	Int16                // i2
	Int32                // i4
	Int64                // i8
	Uint8                // u1
	Uint16               // u2
	Uint32               // u4
	Uint64               // u8
	Float32              // f4
	Float64              // f8
	Int                  // j, an integer of any size
	String               // s
	List                 // a
	Tuple                // t
	Record               // m
	Optional             // ?
	Enum                 // e: names, none of which has fields
	Variant              // v: names, some of which have fields
	Table                // T; never served
	IFile                // F; never served
	OStream              // O; never served
	IStream              // I; never served
)

// A Type is a parsed type schema without its hints. Types of recursive schemas are
// cyclic: a back-reference is the very Type that was declared.
type Type struct {
	Kind   Kind
	Elem   *Type   // of List and Optional
	Len    int     // of a List: the exact number of elements, 0 for any
	Fields []Field // of Tuple and Record; columns of Table
	Arms   []Arm   // of Enum and Variant, by their tags

	// Owner is the variant of which t is the fields of a constructor; nil for all others.
	Owner *Type

	// Name is set if the type was declared with & (then something inside refers back).
	Name string

	// Text is the schema text of this very type without hints, complete in itself (a
	// type met through a back-reference restates its declaration). It is what packets
	// carry. Two types with the same Text are the same.
	Text string

	Width int // bytes of a value in its slot
	Align int // of the slot
}

// A Field is a component of a tuple (no name), a record or a table.
type Field struct {
	Name   string
	Type   *Type
	Offset int // bytes from the start of the slot
}

// An Arm is a constructor of a sum type. Its tag is its index in [Type.Arms].
type Arm struct {
	Name string
	// Payload is a tuple of the fields; nil if there are none. The value's slot holds a
	// pointer to it. Only the arm refers to this Type; see [Type.Owner].
	Payload *Type
}

// Arm returns the constructor of the owner whose fields t is.
func (t *Type) Arm() Arm {
	for _, a := range t.Owner.Arms {
		if a.Payload == t {
			return a
		}
	}
	panic("mcpgen: internal: fields of no constructor")
}

// IsSum reports whether t is an enum or a variant.
func (t *Type) IsSum() bool { return t.Kind == Enum || t.Kind == Variant }

// IsFixed reports whether values of t have no part outside of their slot and no
// structure but tuples: z, b, integers but j, floats, enums, and tuples of those.
func (t *Type) IsFixed() bool { return t.IsBlock(false) }

// IsBlock is [Type.IsFixed], where records may count as tuples do.
func (t *Type) IsBlock(records bool) bool {
	switch t.Kind {
	case Tuple, Record:
		if t.Kind == Record && !records {
			return false
		}
		for _, f := range t.Fields {
			if !f.Type.IsBlock(records) {
				return false
			}
		}
		return true
	case Int, String, List, Optional, Variant, Table, IFile, OStream, IStream:
		return false
	}
	return true
}

// IsInteger reports whether t is an integer, of any size or not.
func (t *Type) IsInteger() bool {
	return t.Kind >= Int8 && t.Kind <= Uint64 || t.Kind == Int
}

// IsServable reports whether values of t have a JSON form: no table and no stream
// handle anywhere in it.
func (t *Type) IsServable() bool { return t.servable(map[*Type]bool{}) }

func (t *Type) servable(seen map[*Type]bool) bool {
	if seen[t] {
		return true
	}
	seen[t] = true
	if t.Kind >= Table {
		return false
	}
	if t.Elem != nil && !t.Elem.servable(seen) {
		return false
	}
	for _, f := range t.Fields {
		if !f.Type.servable(seen) {
			return false
		}
	}
	for _, a := range t.Arms {
		if a.Payload != nil && !a.Payload.servable(seen) {
			return false
		}
	}
	return true
}
