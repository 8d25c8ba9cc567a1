package voidstar_test

import (
	"encoding/json"
	"fmt"
	"math"
	"math/big"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/mcpgen/mcpgen/runtime/jsonx"
	"github.com/mcpgen/mcpgen/runtime/packet"
	"github.com/mcpgen/mcpgen/runtime/voidstar"
)

// What generated code does for one type, this file does for any: it puts JSON values
// into calls and renders values as JSON, driven by a schema.

func mustParse(t testing.TB, text string) *voidstar.Schema {
	t.Helper()
	s, err := voidstar.ParseSchema(text)
	if err != nil {
		t.Fatalf("ParseSchema(%q) = %v", text, err)
	}
	return s
}

// decodeJSON decodes text without loss of digits.
func decodeJSON(t testing.TB, text string) any {
	t.Helper()
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		t.Fatalf("%q: %v", text, err)
	}
	return v
}

// withoutHints removes hints from schema text.
func withoutHints(text string) string {
	var b strings.Builder
	depth := 0
	for _, c := range text {
		switch {
		case c == '<':
			depth++
		case c == '>':
			depth--
		case depth == 0:
			b.WriteRune(c)
		}
	}
	return b.String()
}

// argument puts v as the next argument of c.
func argument(t testing.TB, c *packet.Call, schema string, v any) {
	t.Helper()
	s := mustParse(t, schema)
	c.Begin(schema, s.Width)
	put(c, s, 0, v)
	c.End()
}

func integer(v any) *big.Int {
	i, ok := new(big.Int).SetString(string(v.(json.Number)), 10)
	if !ok {
		panic("not an integer: " + string(v.(json.Number)))
	}
	return i
}

func number(v any) float64 {
	if s, ok := v.(string); ok {
		return map[string]float64{"nan": math.NaN(), "inf": math.Inf(1), "-inf": math.Inf(-1)}[s]
	}
	f, _ := v.(json.Number).Float64()
	return f
}

func put(c *packet.Call, s *voidstar.Schema, at int, v any) {
	switch s.Kind {
	case voidstar.KindUnit:
		c.PutUnit(at, struct{}{})
	case voidstar.KindBool:
		c.PutBool(at, v.(bool))
	case voidstar.KindInt8:
		c.PutInt8(at, int8(integer(v).Int64()))
	case voidstar.KindInt16:
		c.PutInt16(at, int16(integer(v).Int64()))
	case voidstar.KindInt32:
		c.PutInt32(at, int32(integer(v).Int64()))
	case voidstar.KindInt64:
		c.PutInt64(at, integer(v).Int64())
	case voidstar.KindUint8:
		c.PutUint8(at, uint8(integer(v).Uint64()))
	case voidstar.KindUint16:
		c.PutUint16(at, uint16(integer(v).Uint64()))
	case voidstar.KindUint32:
		c.PutUint32(at, uint32(integer(v).Uint64()))
	case voidstar.KindUint64:
		c.PutUint64(at, integer(v).Uint64())
	case voidstar.KindFloat32:
		c.PutFloat32(at, float32(number(v)))
	case voidstar.KindFloat64:
		c.PutFloat64(at, number(v))
	case voidstar.KindInt:
		c.PutInt(at, jsonx.FromBig(integer(v)))
	case voidstar.KindString:
		c.PutString(at, v.(string))
	case voidstar.KindList:
		packet.PutList(c, at, v.([]any), s.Elem.Width, s.Elem.DataAlign(), putter(s.Elem))
	case voidstar.KindOptional:
		var held *any
		if v != nil {
			held = &v
		}
		packet.PutOptional(c, at, held, s.Elem.Width, s.Elem.Align, putter(s.Elem))
	case voidstar.KindTuple:
		for i, f := range s.Fields {
			put(c, f.Schema, at+f.Offset, v.([]any)[i])
		}
	case voidstar.KindRecord:
		members, _ := v.(map[string]any)
		for i, f := range s.Fields {
			if members == nil {
				put(c, f.Schema, at+f.Offset, v.([]any)[i])
			} else {
				put(c, f.Schema, at+f.Offset, members[f.Name])
			}
		}
	case voidstar.KindEnum:
		c.PutUint8(at, tagOf(s, v.(string)))
	case voidstar.KindVariant:
		if name, ok := v.(string); ok {
			c.PutTag(at, tagOf(s, name))
		}
		members, _ := v.(map[string]any)
		for name, fields := range members {
			tag := tagOf(s, name)
			payload := s.Arms[tag].Payload
			packet.PutVariant(c, at, tag, fields, payload.Width, payload.Align, putter(payload))
		}
	}
}

// tagOf returns the tag of a constructor that there is.
func tagOf(s *voidstar.Schema, name string) uint8 {
	return uint8(slices.IndexFunc(s.Arms, func(a voidstar.Arm) bool { return a.Name == name }))
}

func putter(s *voidstar.Schema) func(*packet.Call, int, any) {
	return func(c *packet.Call, at int, v any) { put(c, s, at, v) }
}

var scalars = map[voidstar.Kind]voidstar.Append{
	voidstar.KindUnit:    (*voidstar.Reader).AppendUnit,
	voidstar.KindBool:    (*voidstar.Reader).AppendBool,
	voidstar.KindInt8:    (*voidstar.Reader).AppendInt8,
	voidstar.KindInt16:   (*voidstar.Reader).AppendInt16,
	voidstar.KindInt32:   (*voidstar.Reader).AppendInt32,
	voidstar.KindInt64:   (*voidstar.Reader).AppendInt64,
	voidstar.KindUint8:   (*voidstar.Reader).AppendUint8,
	voidstar.KindUint16:  (*voidstar.Reader).AppendUint16,
	voidstar.KindUint32:  (*voidstar.Reader).AppendUint32,
	voidstar.KindUint64:  (*voidstar.Reader).AppendUint64,
	voidstar.KindFloat32: (*voidstar.Reader).AppendFloat32,
	voidstar.KindFloat64: (*voidstar.Reader).AppendFloat64,
	voidstar.KindInt:     (*voidstar.Reader).AppendInt,
	voidstar.KindString:  (*voidstar.Reader).AppendString,
}

// maxText is how much of a value is rendered, in bytes: one that loops has no end.
const maxText = 1 << 20

// appender returns a function that renders values with the methods that generated code
// uses.
func appender(s *voidstar.Schema) voidstar.Append {
	switch s.Kind {
	case voidstar.KindList:
		return func(r *voidstar.Reader, dst []byte, at int) []byte {
			return r.AppendList(dst, at, s.Elem.Width, appender(s.Elem))
		}
	case voidstar.KindOptional:
		return func(r *voidstar.Reader, dst []byte, at int) []byte {
			return r.AppendOptional(dst, at, appender(s.Elem))
		}
	case voidstar.KindTuple, voidstar.KindRecord:
		return func(r *voidstar.Reader, dst []byte, at int) []byte {
			if len(dst) > maxText {
				return dst
			}
			braces := "[]"
			if s.Kind == voidstar.KindRecord {
				braces = "{}"
			}
			dst = append(dst, braces[0])
			for i, f := range s.Fields {
				if i > 0 {
					dst = append(dst, ',')
				}
				if s.Kind == voidstar.KindRecord {
					dst = append(jsonx.AppendString(dst, f.Name), ':')
				}
				dst = appender(f.Schema)(r, dst, at+f.Offset)
			}
			return append(dst, braces[1])
		}
	case voidstar.KindEnum, voidstar.KindVariant:
		return func(r *voidstar.Reader, dst []byte, at int) []byte { return appendSum(r, dst, at, s) }
	}
	return scalars[s.Kind]
}

func appendSum(r *voidstar.Reader, dst []byte, at int, s *voidstar.Schema) []byte {
	if s.Kind == voidstar.KindEnum {
		return jsonx.AppendString(dst, s.Arms[r.Tag(at, len(s.Arms))].Name)
	}
	arm := s.Arms[r.Arm(at, len(s.Arms))]
	if arm.Payload == nil {
		return jsonx.AppendString(dst, arm.Name)
	}
	dst = append(jsonx.AppendString(append(dst, '{'), arm.Name), ':')
	return append(r.AppendPayload(dst, at, appender(arm.Payload)), '}')
}

// value returns a function that reads values as what put takes, through the methods
// that return Go values. Floats come with the digits of the recordings.
func value(s *voidstar.Schema) func(*voidstar.Reader, int) any {
	return func(r *voidstar.Reader, at int) any {
		switch s.Kind {
		case voidstar.KindUnit:
			r.Unit(at)
			return nil
		case voidstar.KindBool:
			return r.Bool(at)
		case voidstar.KindFloat32:
			return float(float64(r.Float32(at)), 7)
		case voidstar.KindFloat64:
			return float(r.Float64(at), 15)
		case voidstar.KindInt:
			return json.Number(r.Int(at).String())
		case voidstar.KindString:
			return r.String(at)
		case voidstar.KindList:
			return append([]any{}, voidstar.List(r, at, s.Elem.Width, value(s.Elem))...)
		case voidstar.KindOptional:
			if v := voidstar.Optional(r, at, value(s.Elem)); v != nil {
				return *v
			}
			return nil
		case voidstar.KindTuple:
			vs := []any{}
			for _, f := range s.Fields {
				vs = append(vs, value(f.Schema)(r, at+f.Offset))
			}
			return vs
		case voidstar.KindRecord:
			vs := map[string]any{}
			for _, f := range s.Fields {
				vs[f.Name] = value(f.Schema)(r, at+f.Offset)
			}
			return vs
		}
		return json.Number(fixed(s.Kind, r, at))
	}
}

func fixed(k voidstar.Kind, r *voidstar.Reader, at int) string {
	switch k {
	case voidstar.KindInt8:
		return fmt.Sprint(r.Int8(at))
	case voidstar.KindInt16:
		return fmt.Sprint(r.Int16(at))
	case voidstar.KindInt32:
		return fmt.Sprint(r.Int32(at))
	case voidstar.KindInt64:
		return fmt.Sprint(r.Int64(at))
	case voidstar.KindUint8:
		return fmt.Sprint(r.Uint8(at))
	case voidstar.KindUint16:
		return fmt.Sprint(r.Uint16(at))
	case voidstar.KindUint32:
		return fmt.Sprint(r.Uint32(at))
	default:
		return fmt.Sprint(r.Uint64(at))
	}
}

func float(v float64, digits int) any {
	switch {
	case math.IsNaN(v):
		return "nan"
	case math.IsInf(v, 0):
		return strings.ToLower(strings.TrimPrefix(fmt.Sprint(v), "+"))
	}
	return json.Number(strconv.FormatFloat(v, 'g', digits, 64))
}

// normal changes the floats of a rendered value to the digits of the recordings.
func normal(s *voidstar.Schema, v any) any {
	switch s.Kind {
	case voidstar.KindFloat32:
		return float(float64(float32(number(v))), 7)
	case voidstar.KindFloat64:
		return float(number(v), 15)
	case voidstar.KindList:
		for i, x := range v.([]any) {
			v.([]any)[i] = normal(s.Elem, x)
		}
	case voidstar.KindOptional:
		if v != nil {
			return normal(s.Elem, v)
		}
	case voidstar.KindTuple:
		for i, f := range s.Fields {
			v.([]any)[i] = normal(f.Schema, v.([]any)[i])
		}
	case voidstar.KindRecord:
		for _, f := range s.Fields {
			v.(map[string]any)[f.Name] = normal(f.Schema, v.(map[string]any)[f.Name])
		}
	}
	return v
}
