package expr

import (
	"strconv"
	"strings"

	"github.com/mcpgen/mcpgen/gen/ir"
	"github.com/mcpgen/mcpgen/gen/manifest"
)

// This file checks and builds the nodes of sum types (manifest-next.md 9).

// ordinal reads a number from 0 on.
func (c *checker) ordinal(p *place) (int, bool) {
	if p.node == nil || p.node.Kind != manifest.NumberNode {
		c.fail(p.mistaken("a number"))
		return 0, false
	}
	n, err := strconv.Atoi(p.node.Num)
	if err != nil || n < 0 {
		c.fail(p.errorf("found %s: want a number from 0 on", p.node.Num))
		return 0, false
	}
	return n, true
}

func (c *checker) tagTest(p *place, want *ir.Type) term {
	c.fits(p.get("schema"), c.declared(p, want), typeBool)
	subject := c.term(p.get("subject"), nil)
	tag, ok := c.ordinal(p.get("tag_ordinal"))
	t := subject.typ()
	switch {
	case !ok || t == nil:
		return &tagTerm{subject: subject}
	case !t.IsSum():
		c.fail(p.get("subject").errorf("type is %s: want that of a data type", t.Text))
	case tag >= len(t.Arms):
		c.fail(p.get("tag_ordinal").errorf("constructor test: tag %d is out of range for this type", tag))
	}
	return &tagTerm{subject, tag}
}

func (c *checker) makeArm(p *place, want *ir.Type) term {
	t := c.declared(p, want)
	fields, ok := c.list(p.get("fields"))
	tag, hasTag := c.ordinal(p.get("tag_ordinal"))
	switch {
	case !ok || !hasTag || t == nil:
		return broken
	case !t.IsSum():
		c.fail(p.get("schema").errorf("type is %s: want that of a data type", t.Text))
		return broken
	case tag >= len(t.Arms):
		c.fail(p.get("tag_ordinal").errorf("constructor make: tag %d is out of range for this type", tag))
		return broken
	}
	arm := &armTerm{t: t, tag: tag, fields: make([]term, len(fields))}
	var types []ir.Field
	if payload := t.Arms[tag].Payload; payload != nil {
		types = payload.Fields
	}
	if len(fields) != len(types) {
		c.fail(p.get("fields").errorf("found %s: want %d for constructor %q", count(len(fields), "field"), len(types), t.Arms[tag].Name))
		return broken
	}
	for i, f := range fields {
		arm.fields[i] = c.term(f, types[i].Type)
	}
	if t.Kind == ir.Enum {
		return &litTerm{enumValue(t, tag)}
	}
	return arm
}

func (c *checker) armField(p *place, want *ir.Type) term {
	t := c.declared(p, want)
	subject := c.term(p.get("subject"), nil)
	tag, hasTag := c.ordinal(p.get("tag_ordinal"))
	index, hasIndex := c.ordinal(p.get("field_index"))
	st := subject.typ()
	switch {
	case t == nil || st == nil || !hasTag || !hasIndex:
		return broken
	case st.Kind != ir.Variant:
		c.fail(p.get("subject").errorf("type is %s: want that of a data type with fields", st.Text))
		return broken
	case tag >= len(st.Arms):
		c.fail(p.get("tag_ordinal").errorf("constructor field: tag %d is out of range for this type", tag))
		return broken
	case st.Arms[tag].Payload == nil:
		c.fail(p.get("tag_ordinal").errorf("constructor field read from an arm carrying no payload"))
		return broken
	case index >= len(st.Arms[tag].Payload.Fields):
		c.fail(p.get("field_index").errorf("constructor field: index %d is out of range for this arm", index))
		return broken
	}
	if !c.fits(p.get("schema"), t, st.Arms[tag].Payload.Fields[index].Type) {
		return broken
	}
	return &fieldTerm{t, subject, tag, index}
}

// try checks a node whose value is Ok with that of its body, or Err with a text.
func (c *checker) try(p *place, want *ir.Type) term {
	t := c.declared(p, want)
	if t == nil {
		return broken
	}
	x := &tryTerm{t: t, ok: armOf(t, "Ok"), failure: armOf(t, "Err")}
	at := p.get("schema")
	switch {
	case t.Kind != ir.Variant || len(t.Arms) != 2:
		c.fail(at.errorf("@try's result schema is not a two-armed Try"))
		return broken
	case x.ok < 0 || x.failure < 0:
		c.fail(at.errorf("@try's result schema has no Ok/Err arms"))
		return broken
	}
	good, bad := t.Arms[x.ok].Payload, t.Arms[x.failure].Payload
	switch {
	case good == nil || bad == nil:
		c.fail(at.errorf("@try's result schema has an Ok or Err arm with no field"))
		return broken
	case len(good.Fields) != 1 || len(bad.Fields) != 1 || bad.Fields[0].Type.Kind != ir.String:
		c.fail(at.errorf("type of a try is %s: want one with a value in Ok and a string in Err", t.Text))
		return broken
	}
	x.body = c.term(p.get("body"), good.Fields[0].Type)
	return x
}

// test evaluates a tagTerm.
func (b *builder) test(blk *block, t *tagTerm) operand {
	subject := b.eval(blk, t.subject, "")
	if blk.ended {
		return operand{}
	}
	if known, ok := hasTag(subject.constant, t.tag).(*ir.Lit); ok {
		return operandOf(known)
	}
	return operandOf(hasTag(subject.v, t.tag))
}

// field evaluates a fieldTerm.
func (b *builder) field(blk *block, t *fieldTerm) operand {
	subject := b.eval(blk, t.subject, "")
	if blk.ended {
		return operand{}
	}
	o := operandOf(armField(t.t, subject.v, t.tag, t.index))
	if arm, ok := subject.constant.(*ir.ArmOf); ok && arm.Tag == t.tag && o.constant == nil {
		o.constant, o.size = arm.Parts[t.index], subject.size
		if isScalar(o.constant) {
			o = operandOf(o.constant)
		}
	}
	return o
}

// hasTag tests the constructor of a value, at once if it is built right there.
func hasTag(of ir.Value, tag int) ir.Value {
	switch of := of.(type) {
	case *ir.ArmOf:
		return &ir.Lit{Type: typeBool, Text: strconv.FormatBool(of.Tag == tag)}
	case *ir.Lit:
		return &ir.Lit{Type: typeBool, Text: strconv.FormatBool(tagOf(of) == tag)}
	}
	return &ir.HasTag{Type: typeBool, Of: of, Tag: tag}
}

// armField reads a field of a variant, at once if it is built right there.
func armField(t *ir.Type, of ir.Value, tag, index int) ir.Value {
	if arm, ok := of.(*ir.ArmOf); ok && arm.Tag == tag {
		return arm.Parts[index]
	}
	return &ir.ArmField{Type: t, Of: of, Tag: tag, Index: index}
}

// try evaluates a tryTerm.
func (b *builder) try(blk *block, t *tryTerm, hint string) operand {
	var body block
	o := b.eval(&body, t.body, "")
	if !raises(body.stmts) { // nothing can go wrong
		blk.add(body.stmts...)
		if blk.ended = body.ended; blk.ended {
			return operand{}
		}
		return b.arm(t.t, t.ok, o)
	}
	if n := len(body.stmts) - 1; throws(body.stmts) && onlyLets(body.stmts[:n]) {
		if text, ok := body.stmts[n].(*ir.Throw).Message.(*ir.Str); ok && !strings.Contains(text.Text, "\x00") {
			return b.arm(t.t, t.failure, operandOf(text))
		}
	}
	v := newVar(orElse(hint, "result"), t.t)
	if !body.ended {
		body.add(&ir.Assign{Var: v, Of: b.arm(t.t, t.ok, o).v})
	}
	message := newVar("message", typeString)
	failed := &ir.Assign{Var: v, Of: &ir.ArmOf{Type: t.t, Tag: t.failure, Parts: []ir.Value{&ir.Ref{Var: message}}}}
	blk.add(&ir.Catch{Var: v, Body: body.stmts, Message: message, Fallback: []ir.Stmt{failed}})
	return operand{v: &ir.Ref{Var: v}}
}

// arm is the operand of a variant with one field.
func (b *builder) arm(t *ir.Type, tag int, field operand) operand {
	return compose([]operand{field}, func(vs []ir.Value) ir.Value { return &ir.ArmOf{Type: t, Tag: tag, Parts: vs} })
}
