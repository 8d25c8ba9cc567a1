package jsonx_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"math/big"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/mcpgen/mcpgen/runtime/voidstar"
)

// A node is JSON as encoding/json reads it, with members in order and numbers as written.
type node struct {
	scalar   any // nil, bool, string or json.Number
	isArray  bool
	isObject bool
	names    []string // of members
	parts    []*node  // values of members, or elements
}

func readNode(d *json.Decoder) (*node, error) {
	token, err := d.Token()
	if err != nil {
		return nil, err
	}
	delim, ok := token.(json.Delim)
	if !ok {
		return &node{scalar: token}, nil
	}
	n := &node{isArray: delim == '[', isObject: delim == '{'}
	for d.More() {
		if n.isObject {
			name, err := d.Token()
			if err != nil {
				return nil, err
			}
			n.names = append(n.names, name.(string))
		}
		part, err := readNode(d)
		if err != nil {
			return nil, err
		}
		n.parts = append(n.parts, part)
	}
	_, err = d.Token()
	return n, err
}

// A refusal is what tools.md 7 says of arguments that are refused; kind is the path of a
// value of the wrong kind, to which "or null" may be added.
type refusal struct{ text, path, noun string }

func (r *refusal) String() string {
	if r.noun != "" {
		return "argument '" + r.path + "' must be " + r.noun
	}
	return r.text
}

func wrongKind(path, noun string) *refusal { return &refusal{path: path, noun: noun} }

func refuse(format string, args ...any) *refusal { return &refusal{text: fmt.Sprintf(format, args...)} }

// describe reads a tree as a type, the second implementation of what decoders do. It returns
// the value in the form of [decode], or what is wrong with it.
func describe(n *node, s *voidstar.Schema, path string) (string, *refusal) {
	switch s.Kind {
	case voidstar.KindUnit:
		if n.isNull() {
			return "null", nil
		}
		return "", wrongKind(path, "null")
	case voidstar.KindBool:
		if v, ok := n.scalar.(bool); ok {
			return strconv.FormatBool(v), nil
		}
		return "", wrongKind(path, "a boolean")
	case voidstar.KindString:
		if v, ok := n.scalar.(string); ok {
			return strconv.Quote(v), nil
		}
		return "", wrongKind(path, "a string")
	case voidstar.KindFloat32, voidstar.KindFloat64:
		return describeFloat(n, s.Kind, path)
	case voidstar.KindOptional:
		if n.isNull() {
			return "null", nil
		}
		text, wrong := describe(n, s.Elem, path)
		if wrong != nil && wrong.path == path && wrong.noun != "" && !strings.HasSuffix(wrong.noun, " or null") {
			wrong.noun += " or null"
		}
		return text, wrong
	case voidstar.KindList:
		return describeArray(n, path, s.Len, s.Len != 0, func(int) *voidstar.Schema { return s.Elem })
	case voidstar.KindTuple:
		return describeArray(n, path, len(s.Fields), true, func(i int) *voidstar.Schema { return s.Fields[i].Schema })
	case voidstar.KindRecord:
		return describeRecord(n, s, path)
	case voidstar.KindEnum, voidstar.KindVariant:
		return describeSum(n, s, path)
	}
	return describeInteger(n, s.Kind, path)
}

func (n *node) isNull() bool { return n.scalar == nil && !n.isArray && !n.isObject }

func describeFloat(n *node, kind voidstar.Kind, path string) (string, *refusal) {
	var v float64
	switch x := n.scalar.(type) {
	case json.Number:
		var err error
		if v, err = strconv.ParseFloat(string(x), 64); err != nil && kind == voidstar.KindFloat64 {
			return "", refuse("argument '%s' is out of range for F64", path)
		}
	case string:
		i := slices.Index([]string{"inf", "-inf", "nan"}, x)
		if i < 0 {
			return "", wrongKind(path, "a number")
		}
		v = []float64{math.Inf(1), math.Inf(-1), math.NaN()}[i]
	default:
		return "", wrongKind(path, "a number")
	}
	if kind == voidstar.KindFloat32 {
		return floatText(float64(float32(v))), nil
	}
	return floatText(v), nil
}

func floatText(v float64) string { return strconv.FormatFloat(v, 'x', -1, 64) }

// maxDigits is how many digits an integer with an exponent may have.
const maxDigits = 10_000

func describeInteger(n *node, kind voidstar.Kind, path string) (string, *refusal) {
	number, ok := n.scalar.(json.Number)
	if !ok {
		return "", wrongKind(path, "an integer")
	}
	mantissa, exponent, hasExponent := strings.Cut(strings.ToLower(string(number)), "e")
	if e, err := strconv.Atoi(exponent); hasExponent && (err != nil || e > 2*maxDigits || e < -2*maxDigits) {
		if strings.Trim(mantissa, "-0.") != "" {
			return "", wrongKind(path, "an integer") // texts are too short to make up for it
		}
		number = "0"
	}
	v, ok := new(big.Rat).SetString(string(number))
	if !ok || !v.IsInt() || hasExponent && len(new(big.Int).Abs(v.Num()).String()) > maxDigits {
		return "", wrongKind(path, "an integer")
	}
	if kind == voidstar.KindInt {
		return v.Num().String(), nil
	}
	i := int(kind - voidstar.KindInt8)
	size := uint(8 << (i % 4))
	low, high, letter := big.NewInt(0), new(big.Int).Lsh(big.NewInt(1), size), "U"
	if i < 4 {
		high.Rsh(high, 1)
		low.Neg(high)
		letter = "I"
	}
	high.Sub(high, big.NewInt(1))
	if v.Num().Cmp(low) < 0 || v.Num().Cmp(high) > 0 {
		return "", refuse("argument '%s' is out of range for %s%d (%d to %d)", path, letter, size, low, high)
	}
	return v.Num().String(), nil
}

func describeArray(n *node, path string, want int, exact bool, typ func(i int) *voidstar.Schema) (string, *refusal) {
	if !n.isArray {
		return "", wrongKind(path, "an array")
	}
	if exact && len(n.parts) != want {
		return "", refuse("argument '%s' must have exactly %d elements", path, want)
	}
	texts := make([]string, len(n.parts))
	for i, part := range n.parts {
		var wrong *refusal
		if texts[i], wrong = describe(part, typ(i), path+"["+strconv.Itoa(i)+"]"); wrong != nil {
			return "", wrong
		}
	}
	return "[" + strings.Join(texts, ",") + "]", nil
}

func describeRecord(n *node, s *voidstar.Schema, path string) (string, *refusal) {
	if !n.isObject {
		return "", wrongKind(path, "an object")
	}
	inner := func(name string) string {
		if path == "" {
			return name
		}
		return path + "." + name
	}
	values := map[string]*node{}
	for i, name := range n.names {
		known := slices.ContainsFunc(s.Fields, func(f voidstar.Field) bool { return f.Name == name })
		switch {
		case !known:
			return "", refuse("unknown argument '%s'", inner(name))
		case values[name] != nil:
			return "", refuse("duplicate argument '%s'", inner(name))
		}
		values[name] = n.parts[i]
	}
	for _, f := range s.Fields {
		if values[f.Name] == nil && f.Schema.Kind != voidstar.KindOptional {
			return "", refuse("missing required argument '%s'", inner(f.Name))
		}
	}
	texts := make([]string, len(s.Fields))
	for i, f := range s.Fields {
		texts[i] = "null"
		if value := values[f.Name]; value != nil {
			var wrong *refusal
			if texts[i], wrong = describe(value, f.Schema, inner(f.Name)); wrong != nil {
				return "", wrong
			}
		}
	}
	return "{" + strings.Join(texts, ",") + "}", nil
}

func describeSum(n *node, s *voidstar.Schema, path string) (string, *refusal) {
	names := make([]string, len(s.Arms))
	for i, a := range s.Arms {
		names[i] = a.Name
	}
	name, isText := n.scalar.(string)
	shape := "one of " + strings.Join(names, ", ")
	if s.Kind == voidstar.KindVariant {
		shape = "a constructor name or an object with one constructor"
		if n.isObject && len(n.parts) == 1 {
			name, isText = n.names[0], true
		}
	}
	tag := slices.Index(names, name)
	switch {
	case !isText:
		return "", wrongKind(path, shape)
	case tag < 0:
		if len(name) > 80 {
			end := 80
			for !utf8.RuneStart(name[end]) {
				end--
			}
			name = name[:end] + "..."
		}
		return "", refuse("argument '%s': '%s' is not one of %s", path, name, strings.Join(names, ", "))
	}
	payload := s.Arms[tag].Payload
	switch {
	case payload == nil && (!n.isObject || n.parts[0].isNull()):
		return name, nil
	case !n.isObject && len(payload.Fields) == 1:
		return "", refuse("argument '%s': constructor '%s' takes 1 field", path, name)
	case !n.isObject:
		return "", refuse("argument '%s': constructor '%s' takes %d fields", path, name, len(payload.Fields))
	case payload == nil:
		_, wrong := describeArray(n.parts[0], path+"."+name, 0, true, nil)
		return name, wrong
	}
	text, wrong := describe(n.parts[0], payload, path+"."+name)
	return name + text, wrong
}

// treeOf reads JSON text with encoding/json.
func treeOf(text []byte) (*node, error) {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	return readNode(d)
}
