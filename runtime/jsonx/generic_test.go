package jsonx_test

import (
	"slices"
	"strconv"
	"strings"

	"github.com/mcpgen/mcpgen/runtime/jsonx"
	"github.com/mcpgen/mcpgen/runtime/voidstar"
)

// decode reads a value by a [jsonx.Decoder] as generated code does, and writes it: strings as
// Go does, floats in hexadecimal, members in the order of the type.
func decode(d *jsonx.Decoder, s *voidstar.Schema) string {
	switch s.Kind {
	case voidstar.KindUnit:
		d.Unit()
		return "null"
	case voidstar.KindBool:
		return strconv.FormatBool(d.Bool())
	case voidstar.KindInt8:
		return strconv.Itoa(int(d.Int8()))
	case voidstar.KindInt16:
		return strconv.Itoa(int(d.Int16()))
	case voidstar.KindInt32:
		return strconv.Itoa(int(d.Int32()))
	case voidstar.KindInt64:
		return strconv.FormatInt(d.Int64(), 10)
	case voidstar.KindUint8:
		return strconv.Itoa(int(d.Uint8()))
	case voidstar.KindUint16:
		return strconv.Itoa(int(d.Uint16()))
	case voidstar.KindUint32:
		return strconv.FormatUint(uint64(d.Uint32()), 10)
	case voidstar.KindUint64:
		return strconv.FormatUint(d.Uint64(), 10)
	case voidstar.KindFloat32:
		return floatText(float64(d.Float32()))
	case voidstar.KindFloat64:
		return floatText(d.Float64())
	case voidstar.KindInt:
		return d.Int().String()
	case voidstar.KindString:
		return strconv.Quote(d.Text())
	}
	return decodeParts(d, s)
}

// decodeParts is decode for types that are made of others.
func decodeParts(d *jsonx.Decoder, s *voidstar.Schema) string {
	element := func(d *jsonx.Decoder) string { return decode(d, s.Elem) }
	switch s.Kind {
	case voidstar.KindOptional:
		if v := jsonx.Optional(d, element); v != nil {
			return *v
		}
		return "null"
	case voidstar.KindList:
		if s.Elem.Kind == voidstar.KindFloat64 && s.Len == 0 {
			var texts []string
			for _, v := range d.Float64s(nil) {
				texts = append(texts, floatText(v))
			}
			return "[" + strings.Join(texts, ",") + "]"
		}
		want := s.Len
		if want == 0 {
			want = -1
		}
		return "[" + strings.Join(jsonx.List(d, nil, want, element), ",") + "]"
	case voidstar.KindTuple:
		var texts []string
		a := d.Array(len(s.Fields))
		for _, f := range s.Fields {
			if d.Element(&a) {
				texts = append(texts, decode(d, f.Schema))
			}
		}
		d.EndArray(&a)
		return "[" + strings.Join(texts, ",") + "]"
	case voidstar.KindRecord:
		return decodeRecord(d, s)
	}
	arms := jsonx.Arms{}
	for _, a := range s.Arms {
		fields := 0
		if a.Payload != nil {
			fields = len(a.Payload.Fields)
		}
		arms.Names, arms.Fields = append(arms.Names, a.Name), append(arms.Fields, fields)
	}
	if s.Kind == voidstar.KindEnum {
		return arms.Names[d.Enum(arms.Names)]
	}
	x := d.Variant(&arms)
	text := arms.Names[x.Tag]
	if x.Fields {
		text += decode(d, s.Arms[x.Tag].Payload)
	}
	d.EndVariant(&x)
	return text
}

func decodeRecord(d *jsonx.Decoder, s *voidstar.Schema) string {
	keys := keysOf(s)
	texts := make([]string, len(s.Fields))
	for i := range texts {
		texts[i] = "null"
	}
	o := d.Object(&keys)
	for d.Member(&o) {
		if i := slices.Index(keys.Names, string(d.Key())); i < 0 {
			d.Unknown(&o)
		} else if d.First(&o, i) {
			texts[i] = decode(d, s.Fields[i].Schema)
		}
	}
	d.EndObject(&o)
	return "{" + strings.Join(texts, ",") + "}"
}

func keysOf(s *voidstar.Schema) (keys jsonx.Keys) {
	keys.Required = make(jsonx.Set, (len(s.Fields)+63)/64)
	for i, f := range s.Fields {
		keys.Names = append(keys.Names, f.Name)
		if f.Schema.Kind != voidstar.KindOptional {
			keys.Required[i/64] |= 1 << (i % 64)
		}
	}
	return keys
}
