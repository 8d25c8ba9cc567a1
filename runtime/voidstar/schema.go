package voidstar

// A Kind is the outermost constructor of a [Schema].
type Kind uint8

// Kinds, with their codes in schema text (pool-protocol 4.1).
const (
	KindUnit     Kind = iota // z
	KindBool                 // b
	KindInt8                 // i1
	KindInt16                // i2
	KindInt32                // i4
	KindInt64                // i8
	KindUint8                // u1
	KindUint16               // u2
	KindUint32               // u4
	KindUint64               // u8
	KindFloat32              // f4
	KindFloat64              // f8
	KindInt                  // j
	KindString               // s
	KindList                 // a
	KindTuple                // t
	KindRecord               // m
	KindOptional             // ?
	KindEnum                 // e
	KindVariant              // v
)

// A Schema is a type schema with the layout of its values. It is read-only once parsed;
// those of recursive types are cyclic.
type Schema struct {
	Kind   Kind
	Elem   *Schema // of lists and optionals
	Len    int     // of a list: the exact number of elements, 0 for any
	Fields []Field // of tuples and records
	Arms   []Arm   // of enums and variants, by their tags
	Width  int     // bytes of a slot
	Align  int     // of a slot
}

// A Field is a component of a tuple, which has no name, or of a record.
type Field struct {
	Name   string
	Schema *Schema
	Offset int // bytes from the start of the slot
}

// An Arm is a constructor of an enum or a variant.
type Arm struct {
	Name    string
	Payload *Schema // a tuple of its fields, nil if it has none
}

// DataAlign returns the alignment of a list's block of elements of this type.
func (s *Schema) DataAlign() int {
	if s.Kind >= KindInt8 && s.Kind <= KindFloat64 {
		return 64
	}
	return s.Align
}

// IsFixed reports whether values have no part outside of their slot and no structure but
// tuples.
func (s *Schema) IsFixed() bool {
	if s.Kind == KindTuple {
		for _, f := range s.Fields {
			if !f.Schema.IsFixed() {
				return false
			}
		}
		return true
	}
	return s.Kind <= KindFloat64 || s.Kind == KindEnum
}

func (s *Schema) isStruct() bool { return s.Kind == KindTuple || s.Kind == KindRecord }

// place lays out the fields of a tuple or record like a C struct.
func (s *Schema) place() {
	end, most := 0, 1
	for i := range s.Fields {
		f := &s.Fields[i]
		f.Offset = up(end, f.Schema.Align)
		end = f.Offset + f.Schema.Width
		most = max(most, f.Schema.Align)
	}
	s.Width, s.Align = up(end, most), most
	if s.Kind == KindRecord {
		s.Align = 8 // of its own slot, whatever its fields need
	}
}

// up rounds n up to a multiple of align, a power of two.
func up(n, align int) int { return (n + align - 1) &^ (align - 1) }
