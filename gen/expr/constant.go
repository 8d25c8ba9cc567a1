package expr

import (
	"math"
	"slices"
	"strconv"

	"github.com/mcpgen/mcpgen/gen/ir"
	"github.com/mcpgen/mcpgen/gen/manifest"
	"github.com/mcpgen/mcpgen/runtime/jsonx"
)

// ParseConstant reads a JSON value as a constant of a type, by the rules for tool arguments
// (tools.md 7): exact integers of any size (5.0 is 5), floats also as "inf", "-inf" and
// "nan"; an optional field may be missing; unknown and repeated fields are refused. The
// error is an *[Error] for the first fault, with a path relative to the value ("" for the
// value itself).
func ParseConstant(t *ir.Type, node *manifest.Node) (ir.Value, error) {
	v, err := constant(t, &place{node: node})
	if err != nil {
		return nil, err
	}
	return v, nil
}

func constant(t *ir.Type, p *place) (ir.Value, *Error) {
	switch {
	case t.Kind == ir.Unit:
		if p.node.IsNull() {
			return &ir.Lit{Type: t, Text: unitText}, nil
		}
	case t.Kind == ir.Bool:
		if p.node.Kind == manifest.BoolNode {
			return &ir.Lit{Type: t, Text: strconv.FormatBool(p.node.Bool)}, nil
		}
	case t.IsInteger():
		return integerConstant(t, p)
	case t.Kind == ir.Float32, t.Kind == ir.Float64:
		return floatConstant(t, p)
	case t.Kind == ir.String:
		if p.node.Kind == manifest.StringNode {
			return &ir.Str{Type: t, Text: p.node.Str}, nil
		}
	case t.Kind == ir.Optional:
		return optionalConstant(t, p)
	case t.Kind == ir.List, t.Kind == ir.Tuple:
		return sequenceConstant(t, p)
	case t.Kind == ir.Record:
		return recordConstant(t, p)
	case t.Kind == ir.Enum:
		return enumConstant(t, p)
	case t.Kind == ir.Variant:
		return variantConstant(t, p)
	}
	return nil, p.mistaken(noun(t))
}

// noun says what a value of a type looks like.
func noun(t *ir.Type) string {
	switch {
	case t.Kind == ir.Unit:
		return "null"
	case t.Kind == ir.Bool:
		return "a boolean"
	case t.IsInteger():
		return "an integer"
	case t.Kind == ir.Float32, t.Kind == ir.Float64:
		return "a number"
	case t.Kind == ir.String:
		return "a string"
	case t.Kind == ir.List, t.Kind == ir.Tuple:
		return "an array"
	case t.Kind == ir.Record:
		return "an object"
	case t.Kind == ir.Enum:
		return "one of " + armNames(t)
	case t.Kind == ir.Variant:
		return "a constructor name or an object with one constructor"
	case t.Kind == ir.Optional:
		if _, inner := optionals(t); inner != nil {
			return noun(inner) + " or null"
		}
		return "null"
	}
	return "a type that is served"
}

// optionals takes an optional type apart: itself and the optionals in it, and what a
// present value is. There is no such inner type for the odd recursive one that has none.
func optionals(t *ir.Type) (outer []*ir.Type, inner *ir.Type) {
	for ; t.Kind == ir.Optional; t = t.Elem {
		if slices.Contains(outer, t) {
			return nil, nil
		}
		outer = append(outer, t)
	}
	return outer, t
}

func integerConstant(t *ir.Type, p *place) (ir.Value, *Error) {
	if p.node.Kind != manifest.NumberNode {
		return nil, p.mistaken(noun(t))
	}
	d := jsonx.Decoder{Lexer: jsonx.Lexer{Src: []byte(p.node.Num)}}
	v := d.Int()
	if d.Err() != nil {
		return nil, p.errorf("found %s: want an integer", p.node.Num)
	}
	if err := inRange(t, v); err != nil {
		return nil, p.errorf("%v", err)
	}
	return &ir.Lit{Type: t, Text: v.String()}, nil
}

func floatConstant(t *ir.Type, p *place) (ir.Value, *Error) {
	switch {
	case p.node.Kind == manifest.NumberNode:
		v, _ := strconv.ParseFloat(p.node.Num, 64) // an infinity beyond the range
		if t.Kind == ir.Float64 && math.IsInf(v, 0) {
			return nil, p.errorf("%s is out of range: want F64", p.node.Num)
		}
		if t.Kind == ir.Float32 {
			v = float64(float32(v))
		}
		return &ir.Lit{Type: t, Text: floatText(t, v)}, nil
	case p.node.Kind == manifest.StringNode:
		switch p.node.Str {
		case "inf", "-inf", "nan":
			return &ir.Lit{Type: t, Text: p.node.Str}, nil
		}
		return nil, p.errorf(`found %q: want a number, "inf", "-inf" or "nan"`, p.node.Str)
	}
	return nil, p.mistaken(noun(t))
}

func optionalConstant(t *ir.Type, p *place) (ir.Value, *Error) {
	if p.node.IsNull() {
		return &ir.None{Type: t}, nil
	}
	outer, inner := optionals(t)
	if inner == nil {
		return nil, p.mistaken(noun(t))
	}
	v, err := constant(inner, p)
	if err != nil {
		if *err == *p.mistaken(noun(inner)) {
			err = p.mistaken(noun(t))
		}
		return nil, err
	}
	for _, t := range slices.Backward(outer) {
		v = &ir.Some{Type: t, Of: v}
	}
	return v, nil
}

// sequenceConstant reads a list or a tuple.
func sequenceConstant(t *ir.Type, p *place) (ir.Value, *Error) {
	if p.node.Kind != manifest.ArrayNode {
		return nil, p.mistaken(noun(t))
	}
	n := len(p.node.Elements)
	want := n
	if t.Kind == ir.Tuple {
		want = len(t.Fields)
	} else if t.Len > 0 {
		want = t.Len
	}
	if n != want {
		return nil, p.errorf("found %s: want exactly %d", count(n, "element"), want)
	}
	m := &ir.Make{Type: t, Parts: make([]ir.Value, n)}
	for i := range m.Parts {
		elem := t.Elem
		if t.Kind == ir.Tuple {
			elem = t.Fields[i].Type
		}
		var err *Error
		if m.Parts[i], err = constant(elem, p.at(i)); err != nil {
			return nil, err
		}
	}
	return m, nil
}

// recordConstant reads an object: members as they come, then those that are missing, then
// the values in the order of the fields.
func recordConstant(t *ir.Type, p *place) (ir.Value, *Error) {
	if p.node.Kind != manifest.ObjectNode {
		return nil, p.mistaken(noun(t))
	}
	names := make(map[string]bool, len(t.Fields))
	for _, f := range t.Fields {
		names[f.Name] = true
	}
	given := make(map[string]bool, len(t.Fields))
	for _, m := range p.node.Members {
		at := place{node: m.Value, up: p, key: m.Key}
		switch {
		case !names[m.Key]:
			return nil, &Error{Offset: m.Offset, Path: at.path(), Text: "unknown field: want one of type " + t.Text}
		case given[m.Key]:
			return nil, &Error{Offset: m.Offset, Path: at.path(), Text: "field given twice: want it once"}
		}
		given[m.Key] = true
	}
	for _, f := range t.Fields {
		if !given[f.Name] && f.Type.Kind != ir.Optional {
			return nil, p.get(f.Name).mistaken(noun(f.Type))
		}
	}
	v := &ir.Make{Type: t, Parts: make([]ir.Value, len(t.Fields))}
	for i, f := range t.Fields {
		if !given[f.Name] {
			v.Parts[i] = &ir.None{Type: f.Type}
			continue
		}
		var err *Error
		if v.Parts[i], err = constant(f.Type, p.get(f.Name)); err != nil {
			return nil, err
		}
	}
	return v, nil
}
