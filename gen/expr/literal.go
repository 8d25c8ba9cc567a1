package expr

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/mcpgen/mcpgen/gen/ir"
	"github.com/mcpgen/mcpgen/runtime/jsonx"
)

// lit checks a scalar literal. Upstream takes 0 for what it cannot read; that is an error.
func (c *checker) lit(p *place, want *ir.Type) term {
	t := c.declared(p, want)
	code, ok := c.text(p.get("lit_type"))
	text, hasText := c.text(p.get("value"))
	if !ok || !hasText || t == nil {
		return broken
	}
	if code != t.Text && code != p.get("schema").node.Str && (t.Kind != ir.Enum || code != "u1") {
		c.fail(p.get("lit_type").errorf("literal of type %q: want %q, its schema", code, t.Text))
		return broken
	}
	canonical, err := literal(t, text)
	if err != nil {
		c.fail(p.get("value").errorf("%v", err))
		return broken
	}
	return &litTerm{&ir.Lit{Type: t, Text: canonical}}
}

// literal returns the text of a literal as [ir.Lit] has it.
func literal(t *ir.Type, text string) (string, error) {
	switch {
	case t.Kind == ir.Unit:
		return unitText, nil
	case t.Kind == ir.Bool:
		if text == "0" || text == "1" {
			return strconv.FormatBool(text == "1"), nil
		}
		return "", fmt.Errorf("found %q: want 0 or 1 for a boolean", text)
	case t.IsInteger():
		v, ok := jsonx.ParseInt(text)
		if !ok {
			return "", fmt.Errorf("found %q: want an integer", text)
		}
		return v.String(), inRange(t, v)
	case t.Kind == ir.Float32, t.Kind == ir.Float64:
		return floatLiteral(t, text)
	case t.Kind == ir.Enum:
		tag, err := strconv.ParseUint(text, 10, 8)
		if err != nil || int(tag) >= len(t.Arms) {
			return "", fmt.Errorf("tag %q: want one of %s, from 0 on", text, armNames(t))
		}
		return strconv.Itoa(int(tag)), nil
	}
	return "", fmt.Errorf("literal of type %s: want a scalar", t.Text)
}

const unitText = "null"

// limits are the names and the ranges of integers of a given size.
var limits = map[ir.Kind]struct {
	name string
	low  int64
	high uint64
}{
	ir.Int8:   {"I8", math.MinInt8, math.MaxInt8},
	ir.Int16:  {"I16", math.MinInt16, math.MaxInt16},
	ir.Int32:  {"I32", math.MinInt32, math.MaxInt32},
	ir.Int64:  {"I64", math.MinInt64, math.MaxInt64},
	ir.Uint8:  {"U8", 0, math.MaxUint8},
	ir.Uint16: {"U16", 0, math.MaxUint16},
	ir.Uint32: {"U32", 0, math.MaxUint32},
	ir.Uint64: {"U64", 0, math.MaxUint64},
}

// inRange returns an error unless v is a value of the integer type t.
func inRange(t *ir.Type, v jsonx.Int) error {
	limit, ok := limits[t.Kind]
	if !ok { // any size
		return nil
	}
	small, large := v.Parts()
	switch {
	case large == nil && small < 0:
		ok = small >= limit.low
	case large == nil:
		ok = uint64(small) <= limit.high
	default:
		ok = large.IsUint64() && large.Uint64() <= limit.high
	}
	if ok {
		return nil
	}
	return fmt.Errorf("%v is out of range: want %s (%d to %d)", v, limit.name, limit.low, limit.high)
}

// floatLiteral reads a float as compilers write it: 3.14, 1.0e-2, inf, -inf, nan.
func floatLiteral(t *ir.Type, text string) (string, error) {
	switch text {
	case "inf", "-inf", "nan":
		return text, nil
	}
	// ParseFloat takes more than that, but nothing else of these characters alone.
	v, err := strconv.ParseFloat(text, 64)
	if strings.Trim(text, "0123456789.eE+-") != "" || err != nil && !math.IsInf(v, 0) {
		return "", fmt.Errorf("found %q: want a number, inf, -inf or nan", text)
	}
	if t.Kind == ir.Float32 {
		v = float64(float32(v))
	}
	if math.IsInf(v, 0) {
		return "", fmt.Errorf("%s is out of range: want F%d", text, 8*t.Width)
	}
	return floatText(t, v), nil
}

// floatText returns v as [ir.Lit] has it.
func floatText(t *ir.Type, v float64) string {
	switch {
	case math.IsNaN(v):
		return "nan"
	case math.IsInf(v, 1):
		return "inf"
	case math.IsInf(v, -1):
		return "-inf"
	case t.Kind == ir.Float32:
		return string(jsonx.AppendFloat32(nil, float32(v)))
	}
	return string(jsonx.AppendFloat64(nil, v))
}
