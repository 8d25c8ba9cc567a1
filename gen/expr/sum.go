package expr

import (
	"slices"
	"strconv"
	"strings"

	"github.com/mcpgen/mcpgen/gen/ir"
	"github.com/mcpgen/mcpgen/gen/manifest"
)

// armNames lists the constructors of a type.
func armNames(t *ir.Type) string {
	names := make([]string, len(t.Arms))
	for i, a := range t.Arms {
		names[i] = a.Name
	}
	return strings.Join(names, ", ")
}

// armOf returns the tag of a constructor, -1 for none.
func armOf(t *ir.Type, name string) int {
	return slices.IndexFunc(t.Arms, func(a ir.Arm) bool { return a.Name == name })
}

// enumValue is the constant of a tag.
func enumValue(t *ir.Type, tag int) *ir.Lit {
	return &ir.Lit{Type: t, Text: strconv.Itoa(tag)}
}

// enumConstant reads the name of a constructor.
func enumConstant(t *ir.Type, p *place) (ir.Value, *Error) {
	if p.node.Kind != manifest.StringNode {
		return nil, p.mistaken(noun(t))
	}
	tag := armOf(t, p.node.Str)
	if tag < 0 {
		return nil, p.notOne(t, p.node.Str)
	}
	return enumValue(t, tag), nil
}

func (p *place) notOne(t *ir.Type, name string) *Error {
	return p.errorf("found %q: want one of %s", name, armNames(t))
}

// variantConstant reads the name of a constructor without fields, or an object that has
// the name of a constructor as its only member and the fields as its value (5.2 of
// manifest-next.md).
func variantConstant(t *ir.Type, p *place) (ir.Value, *Error) {
	switch {
	case p.node.Kind == manifest.StringNode:
		tag := armOf(t, p.node.Str)
		switch {
		case tag < 0:
			return nil, p.notOne(t, p.node.Str)
		case t.Arms[tag].Payload != nil:
			return nil, p.errorf("found %q: want an object with its %s", p.node.Str, count(len(t.Arms[tag].Payload.Fields), "field"))
		}
		return &ir.ArmOf{Type: t, Tag: tag}, nil
	case p.node.Kind != manifest.ObjectNode || len(p.node.Members) != 1:
		return nil, p.mistaken(noun(t))
	}
	m := p.node.Members[0]
	tag := armOf(t, m.Key)
	if tag < 0 {
		return nil, p.notOne(t, m.Key)
	}
	fields := &place{node: m.Value, up: p, key: m.Key}
	payload := t.Arms[tag].Payload
	if payload == nil {
		if !m.Value.IsNull() && (m.Value.Kind != manifest.ArrayNode || len(m.Value.Elements) > 0) {
			return nil, fields.mistaken("null or an empty array")
		}
		return &ir.ArmOf{Type: t, Tag: tag}, nil
	}
	parts, err := sequenceConstant(payload, fields)
	if err != nil {
		return nil, err
	}
	return &ir.ArmOf{Type: t, Tag: tag, Parts: parts.(*ir.Make).Parts}, nil
}
