package lower

import (
	"errors"
	"fmt"

	"github.com/mcpgen/mcpgen/gen/expr"
	"github.com/mcpgen/mcpgen/gen/ir"
	"github.com/mcpgen/mcpgen/gen/manifest"
)

// toolBuilder turns the arguments of a command into properties and slots.
type toolBuilder struct {
	l    *lowering
	c    *manifest.Command
	tool *ir.Tool
	keys []string // of the properties; those of tool.Params are used up
}

// add publishes a property under the next name and returns its index.
func (b *toolBuilder) add(p *ir.Param) int {
	i := len(b.tool.Params)
	p.Key = b.keys[i]
	b.tool.Params = append(b.tool.Params, p)
	return i
}

// arg lowers an argument: one slot, and its properties.
func (b *toolBuilder) arg(i int, a *manifest.Arg) {
	slot := ir.Slot{Type: a.Type}
	path := fmt.Sprintf("args[%d]", i)
	switch {
	case a.Kind != manifest.Grp:
		p := b.param(a, path, a.Label(i))
		p.Required = a.Required || a.Kind == manifest.Pos && a.Type.Kind != ir.Optional
		if a.Kind != manifest.Flag {
			p.Notes = notes(a, b.c.Data)
		}
		if a.Kind == manifest.Flag && p.Default == nil {
			p.Default = flagDefault(a, "false")
		}
		if !p.Required && a.Kind != manifest.Flag && a.Default == nil && a.Type.Kind != ir.Optional {
			b.l.problem(b.c, a.Node.Offset, path, a.Label(i), "no default, which an option of this type needs")
		}
		slot.Param = b.add(p)
	case a.Whole:
		slot.Param = b.add(b.whole(a, path, i))
	default:
		slot.Param = -1
		slot.Group = typeText(a.TypeText)
		slot.Fields = make([]int, len(a.Type.Fields))
		for f := range slot.Fields {
			slot.Fields[f] = -1
		}
		for j, e := range a.Entries {
			slot.Fields[e.Field] = b.add(b.entry(e, j, path, a.Label(i)))
		}
	}
	b.tool.Slots = append(b.tool.Slots, slot)
}

// whole lowers a record that is published as one property. Fields without entry come last:
// what nothing is known about must be given, unless it is optional.
func (b *toolBuilder) whole(a *manifest.Arg, path string, i int) *ir.Param {
	p := &ir.Param{Type: a.Type, TypeText: typeText(a.TypeText), Doc: a.Desc}
	hasEntry := make([]bool, len(a.Type.Fields))
	for j, e := range a.Entries {
		f := b.entry(e, j, path, a.Label(i))
		f.Key = e.Key
		p.Fields = append(p.Fields, f)
		hasEntry[e.Field] = true
	}
	for j, f := range a.Type.Fields {
		if !hasEntry[j] {
			p.Fields = append(p.Fields, &ir.Param{Key: f.Name, Type: f.Type, Required: f.Type.Kind != ir.Optional})
		}
	}
	return p
}

// entry lowers the argument of a record's field, but for its key.
func (b *toolBuilder) entry(e *manifest.Entry, j int, path, group string) *ir.Param {
	p := b.param(e.Arg, fmt.Sprintf("%s.entries[%d].arg", path, j), fmt.Sprintf("%s, entry %q", group, e.Key))
	p.Required = e.Arg.Default == nil && e.Arg.Type.Kind != ir.Optional
	p.Many = false // the record's type describes the field
	return p
}

// param lowers what arguments of all kinds have, but for key and whether it is required.
func (b *toolBuilder) param(a *manifest.Arg, path, name string) *ir.Param {
	p := &ir.Param{
		Type:     a.Type,
		TypeText: typeText(a.TypeText),
		Doc:      a.Desc,
		Flag:     a.Kind == manifest.Flag,
		Many:     a.Many,
	}
	if p.Flag {
		p.TypeText = "Bool"
	}
	if a.Default == nil {
		return p
	}
	p.HasDefault, p.DefaultText = true, *a.Default
	if p.Flag {
		p.Default = flagDefault(a, *a.Default)
		return p
	}
	var fault string
	if p.Default, fault = parseDefault(a.Type, *a.Default); fault != "" {
		b.l.problem(b.c, a.Node.Get("default").Offset, path+".default", name,
			fmt.Sprintf("default %.60q is no value of the schema %.60q: %s", *a.Default, a.Type.Text, fault))
	}
	return p
}

func flagDefault(a *manifest.Arg, text string) ir.Value {
	return &ir.Lit{Type: a.Type, Text: text}
}

// parseDefault reads the text of a default: JSON, exact (tools.md 7.1). It returns what is
// wrong with it, or "".
func parseDefault(t *ir.Type, text string) (ir.Value, string) {
	node, err := manifest.ParseJSON([]byte(text))
	if err != nil {
		return nil, err.Error()
	}
	v, err := expr.ParseConstant(t, node)
	var fault *expr.Error
	switch {
	case err == nil:
		return v, ""
	case errors.As(err, &fault) && fault.Path != "":
		return nil, fault.Error()
	case fault != nil:
		return nil, fault.Text
	}
	return nil, err.Error()
}
