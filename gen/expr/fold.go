package expr

import (
	"github.com/mcpgen/mcpgen/gen/ir"
	"github.com/mcpgen/mcpgen/runtime/jsonx"
	"github.com/mcpgen/mcpgen/runtime/pure"
)

// This file computes with constants exactly as the generated server does, by the functions
// that it uses. A constant is an ir.Value of Lit, Str, Make, ArmOf, Some and None alone.

// appendResult appends a constant in the form of tool results.
func appendResult(dst []byte, v ir.Value) []byte {
	return appendJSON(dst, v, jsonx.AppendString, jsonx.AppendFloat32, jsonx.AppendFloat64)
}

// showText is the text of show.
func showText(v ir.Value) string {
	return string(appendJSON(nil, v, pure.ShowString, pure.ShowFloat32, pure.ShowFloat64))
}

// An appender writes a value as JSON.
type appender[T any] = func(dst []byte, v T) []byte

func appendJSON(dst []byte, v ir.Value, str appender[string], f32 appender[float32], f64 appender[float64]) []byte {
	each := func(dst []byte, v ir.Value) []byte { return appendJSON(dst, v, str, f32, f64) }
	switch v := v.(type) {
	case *ir.Str:
		return str(dst, v.Text)
	case *ir.None:
		return append(dst, "null"...)
	case *ir.Some:
		return each(dst, v.Of)
	case *ir.Lit:
		if v.Type.Kind == ir.Enum {
			return str(dst, v.Type.Arms[tagOf(v)].Name)
		}
		switch x := scalar(v).(type) {
		case float32:
			return f32(dst, x)
		case float64:
			return f64(dst, x)
		}
		return append(dst, v.Text...)
	case *ir.ArmOf:
		arm := v.Type.Arms[v.Tag]
		if arm.Payload == nil {
			return str(dst, arm.Name)
		}
		dst = append(str(append(dst, '{'), arm.Name), ':')
		return append(jsonx.AppendList(dst, v.Parts, each), '}')
	case *ir.Make:
		if v.Type.Kind != ir.Record {
			return jsonx.AppendList(dst, v.Parts, each)
		}
		sep := byte('{')
		for i, f := range v.Type.Fields {
			dst = append(str(append(dst, sep), f.Name), ':')
			dst = each(dst, v.Parts[i])
			sep = ','
		}
		if len(v.Type.Fields) == 0 {
			dst = append(dst, sep)
		}
		return append(dst, '}')
	}
	panic("mcpgen: internal: not a constant")
}

// A hasher computes structural hashes. It says whether records of fixed width are hashed
// as one block.
type hasher struct{ blocks bool }

// text is the text of hash.
func (h hasher) text(v ir.Value) string { return pure.Hex16(h.hash(0, v)) }

func (h hasher) hash(seed uint64, v ir.Value) uint64 {
	switch v := v.(type) {
	case *ir.Str:
		return pure.HashString(seed, v.Text)
	case *ir.None:
		return pure.HashOptional(seed, nil, h.hash)
	case *ir.Some:
		return pure.HashOptional(seed, &v.Of, h.hash)
	case *ir.Lit:
		if v.Type.Kind == ir.Enum {
			return pure.HashEnum(seed, uint8(tagOf(v)))
		}
		return hashScalar(seed, scalar(v))
	case *ir.ArmOf:
		seed = pure.HashVariant(seed, uint8(v.Tag))
		if payload := v.Type.Arms[v.Tag].Payload; payload != nil {
			return h.parts(seed, &ir.Make{Type: payload, Parts: v.Parts})
		}
		return seed
	case *ir.Make:
		return h.parts(seed, v)
	}
	panic("mcpgen: internal: not a constant")
}

func (h hasher) parts(seed uint64, m *ir.Make) uint64 {
	block := m.Type.IsBlock(h.blocks)
	switch {
	case m.Type.Kind == ir.List && m.Type.Elem.IsBlock(h.blocks):
		return pure.HashFixedList(seed, m.Parts, tags[m.Type.Elem.Kind], raw)
	case m.Type.Kind == ir.List:
		return pure.HashList(seed, m.Parts, h.hash)
	case block && m.Type.Kind == ir.Record:
		return pure.HashFixedRecord(seed, raw(nil, m))
	case block:
		return pure.HashFixedTuple(seed, raw(nil, m))
	case m.Type.Kind == ir.Tuple:
		seed = pure.HashTuple(seed)
	default:
		seed = pure.HashRecord(seed)
	}
	for _, p := range m.Parts {
		seed = h.hash(seed, p)
	}
	return seed
}

// raw appends a constant of fixed width as it lies in memory.
func raw(dst []byte, v ir.Value) []byte {
	switch v := v.(type) {
	case *ir.Lit:
		return rawScalar(dst, scalar(v))
	case *ir.Make:
		from, most := len(dst), 1 // which is not the alignment of a record
		for i, f := range v.Type.Fields {
			most = max(most, f.Type.Align)
			dst = raw(pure.RawAlign(dst, from, f.Type.Align), v.Parts[i])
		}
		return pure.RawAlign(dst, from, most)
	}
	panic("mcpgen: internal: not a constant of fixed width")
}

// constantIndex reads an element of a list; ok is false if that would fail.
func constantIndex(vs []ir.Value, at *ir.Lit) (v ir.Value, ok bool) {
	v, err := indexOf(vs, at)
	return v, err == nil
}

func indexOf(vs []ir.Value, at *ir.Lit) (ir.Value, error) {
	if i, ok := scalar(at).(uint64); ok {
		return pure.Index(vs, i)
	}
	return pure.IndexInt(vs, intOf(at))
}

// constantSlice cuts a list; ok is false if that would fail or a bound is no constant.
func constantSlice(vs []ir.Value, s *ir.Slice) (part []ir.Value, ok bool) {
	var bounds [3]pure.Bound
	for i, v := range []ir.Value{s.Start, s.Stop, s.Step} {
		if v == nil {
			continue
		}
		lit, ok := v.(*ir.Lit)
		if !ok {
			return nil, false
		}
		bounds[i] = boundOf(lit)
	}
	part, err := pure.Slice(vs, bounds[0], bounds[1], bounds[2])
	return part, err == nil
}

func boundOf(lit *ir.Lit) pure.Bound {
	if i, ok := scalar(lit).(uint64); ok {
		return pure.At(i)
	}
	return pure.AtInt(intOf(lit))
}

// intOf reads an integer literal.
func intOf(lit *ir.Lit) jsonx.Int { return jsonx.MustParseInt(lit.Text) }

// tagOf reads an enum literal.
func tagOf(lit *ir.Lit) int { return int(scalar(lit).(uint8)) }
