package expr

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"strconv"
	"strings"

	"github.com/mcpgen/mcpgen/gen/ir"
	"github.com/mcpgen/mcpgen/runtime/pure"
)

// readOracle reads JSON text by the rules of pure-eval.md 3, as the node read does. Where
// the wording of a message is free, only its prefix is right.
func readOracle(t *ir.Type, text string) (ir.Value, error) {
	if text == "" {
		return nil, pure.Throw("@read: empty input string")
	}
	if !json.Valid([]byte(text)) {
		return nil, pure.Throw("serialization error: JSON parse error: free")
	}
	v, err := readJSON(t, bytes.TrimSpace([]byte(text)))
	return v, pure.User(err)
}

func readJSON(t *ir.Type, raw json.RawMessage) (ir.Value, error) {
	text := string(raw)
	switch {
	case t.Kind == ir.Bool:
		if text != "true" && text != "false" {
			return nil, fmt.Errorf("serialization error: expected bool, got %s", text)
		}
		return &ir.Lit{Type: t, Text: text}, nil
	case t.Kind == ir.Int:
		return readInteger(t, text)
	case t.Kind == ir.Float32, t.Kind == ir.Float64:
		unquoted := strings.Trim(text, `"`)
		v, err := strconv.ParseFloat(unquoted, 64)
		if err != nil && !errors.Is(err, strconv.ErrRange) {
			return nil, fmt.Errorf("serialization error: expected F%d, got %s", 8*t.Width, text)
		}
		return &ir.Lit{Type: t, Text: floatText(t, v)}, nil
	case t.Kind == ir.String:
		var s string
		if err := json.Unmarshal(raw, &s); err != nil || text == "null" {
			return nil, errors.New("serialization error: expected string: free")
		}
		return &ir.Str{Type: t, Text: s}, nil
	case t.Kind == ir.Optional:
		if text == "null" {
			return &ir.None{Type: t}, nil
		}
		v, err := readJSON(t.Elem, raw)
		return &ir.Some{Type: t, Of: v}, err
	case t.Kind == ir.List, t.Kind == ir.Tuple:
		return readArray(t, raw)
	case t.Kind == ir.Record:
		return readRecord(t, raw)
	}
	panic("no test reads type " + t.Text)
}

func readInteger(t *ir.Type, text string) (ir.Value, error) {
	if !strings.HasPrefix(text, `"`) && strings.ContainsAny(text, ".eE") {
		return nil, fmt.Errorf("serialization error: expected integer for Int, got %s", text)
	}
	digits := strings.TrimSpace(strings.Trim(text, `"`))
	v, ok := new(big.Int).SetString(digits, 10)
	if !ok {
		return nil, fmt.Errorf("serialization error: invalid integer literal: %q (expected decimal digits)", digits)
	}
	return &ir.Lit{Type: t, Text: v.String()}, nil
}

func readArray(t *ir.Type, raw json.RawMessage) (ir.Value, error) {
	var elems []json.RawMessage
	if err := json.Unmarshal(raw, &elems); err != nil || elems == nil {
		return nil, errors.New("serialization error: expected JSON array: free")
	}
	if t.Kind == ir.Tuple && len(elems) != len(t.Fields) {
		return nil, fmt.Errorf("serialization error: expected %d fields, got %d", len(t.Fields), len(elems))
	}
	m := &ir.Make{Type: t}
	for i, e := range elems {
		et := t.Elem
		if t.Kind == ir.Tuple {
			et = t.Fields[i].Type
		}
		v, err := readJSON(et, e)
		if err != nil {
			return nil, err
		}
		m.Parts = append(m.Parts, v)
	}
	return m, nil
}

func readRecord(t *ir.Type, raw json.RawMessage) (ir.Value, error) {
	values := make([]json.RawMessage, len(t.Fields))
	switch raw[0] {
	case '[':
		var elems []json.RawMessage
		_ = json.Unmarshal(raw, &elems)
		if len(elems) != len(t.Fields) {
			return nil, fmt.Errorf("serialization error: record array form must have exactly %d fields "+
				"(one per schema field, in declaration order), got %d", len(t.Fields), len(elems))
		}
		values = elems
	case '{':
		var members map[string]json.RawMessage
		_ = json.Unmarshal(raw, &members)
		for i, f := range t.Fields {
			v, ok := members[f.Name]
			if !ok {
				return nil, fmt.Errorf("serialization error: missing required field '%s' in record", f.Name)
			}
			values[i] = v
		}
	default:
		return nil, fmt.Errorf("serialization error: record source must be a JSON object {...} or array [...], got %s", raw)
	}
	m := &ir.Make{Type: t, Parts: make([]ir.Value, len(values))}
	for i, v := range values {
		var err error
		if m.Parts[i], err = readJSON(t.Fields[i].Type, v); err != nil {
			return nil, err
		}
	}
	return m, nil
}
