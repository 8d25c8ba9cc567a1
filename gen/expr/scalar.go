package expr

import (
	"strconv"

	"github.com/mcpgen/mcpgen/gen/ir"
	"github.com/mcpgen/mcpgen/runtime/jsonx"
	"github.com/mcpgen/mcpgen/runtime/pure"
)

// scalar returns the value of a literal in its Go type.
func scalar(lit *ir.Lit) any {
	kind := lit.Type.Kind
	switch kind {
	case ir.Unit:
		return struct{}{}
	case ir.Bool:
		return lit.Text == "true"
	case ir.Int:
		return intOf(lit)
	case ir.Float32, ir.Float64:
		v, err := strconv.ParseFloat(lit.Text, 8*lit.Type.Width)
		mustParsed(lit, err)
		if kind == ir.Float32 {
			return float32(v)
		}
		return v
	case ir.Uint8, ir.Uint16, ir.Uint32, ir.Uint64, ir.Enum:
		v, err := strconv.ParseUint(lit.Text, 10, 8*lit.Type.Width)
		mustParsed(lit, err)
		return unsigned(kind, v)
	}
	v, err := strconv.ParseInt(lit.Text, 10, 8*lit.Type.Width)
	mustParsed(lit, err)
	return signed(kind, v)
}

func mustParsed(lit *ir.Lit, err error) {
	if err != nil {
		panic("mcpgen: internal: literal " + strconv.Quote(lit.Text) + " of type " + lit.Type.Text)
	}
}

func signed(kind ir.Kind, v int64) any {
	switch kind {
	case ir.Int8:
		return int8(v)
	case ir.Int16:
		return int16(v)
	case ir.Int32:
		return int32(v)
	}
	return v
}

func unsigned(kind ir.Kind, v uint64) any {
	switch kind {
	case ir.Uint8, ir.Enum:
		return uint8(v)
	case ir.Uint16:
		return uint16(v)
	case ir.Uint32:
		return uint32(v)
	}
	return v
}

// tags are those of types of fixed width, in hashes of lists.
var tags = map[ir.Kind]uint64{
	ir.Unit: pure.TagUnit, ir.Bool: pure.TagBool,
	ir.Int8: pure.TagInt8, ir.Int16: pure.TagInt16, ir.Int32: pure.TagInt32, ir.Int64: pure.TagInt64,
	ir.Uint8: pure.TagUint8, ir.Uint16: pure.TagUint16, ir.Uint32: pure.TagUint32, ir.Uint64: pure.TagUint64,
	ir.Float32: pure.TagFloat32, ir.Float64: pure.TagFloat64,
	ir.Tuple: pure.TagTuple, ir.Record: pure.TagRecord, ir.Enum: pure.TagEnum,
}

// hashScalar adds a value that scalar made to a hash.
func hashScalar(seed uint64, v any) uint64 {
	switch v := v.(type) {
	case bool:
		return pure.HashBool(seed, v)
	case int8:
		return pure.HashInt8(seed, v)
	case int16:
		return pure.HashInt16(seed, v)
	case int32:
		return pure.HashInt32(seed, v)
	case int64:
		return pure.HashInt64(seed, v)
	case uint8:
		return pure.HashUint8(seed, v)
	case uint16:
		return pure.HashUint16(seed, v)
	case uint32:
		return pure.HashUint32(seed, v)
	case uint64:
		return pure.HashUint64(seed, v)
	case float32:
		return pure.HashFloat32(seed, v)
	case float64:
		return pure.HashFloat64(seed, v)
	case jsonx.Int:
		return pure.HashInt(seed, v)
	}
	return pure.HashUnit(seed, struct{}{})
}

// rawScalar appends a value that scalar made as it lies in memory.
func rawScalar(dst []byte, v any) []byte {
	switch v := v.(type) {
	case bool:
		return pure.RawBool(dst, v)
	case int8:
		return pure.RawInt8(dst, v)
	case int16:
		return pure.RawInt16(dst, v)
	case int32:
		return pure.RawInt32(dst, v)
	case int64:
		return pure.RawInt64(dst, v)
	case uint8:
		return pure.RawUint8(dst, v)
	case uint16:
		return pure.RawUint16(dst, v)
	case uint32:
		return pure.RawUint32(dst, v)
	case uint64:
		return pure.RawUint64(dst, v)
	case float32:
		return pure.RawFloat32(dst, v)
	case float64:
		return pure.RawFloat64(dst, v)
	}
	return dst // a unit
}
