package emit

import (
	"slices"
	"strings"

	"github.com/dave/jennifer/jen"

	"github.com/mcpgen/mcpgen/gen/ir"
)

// statements writes the statements of checks, in a function that either returns the first
// fault or gathers those of the arguments of a call.
type statements struct {
	k        *checker
	gather   bool
	gathered map[*ir.Check]bool // of the arguments: once is enough
	names    []string           // of the arguments that were gathered
}

// fault writes what is done with a fault that is there; over reports whether nothing can
// follow it.
func (s *statements) fault(g *jen.Group, fault jen.Code) (over bool) {
	if s.gather {
		g.Id("faults").Dot("Add").Call(fault)
		return false
	}
	g.Return(fault)
	return true
}

// faultOf writes what is done with a fault that may be none.
func (s *statements) faultOf(g *jen.Group, fault jen.Code) {
	if s.gather {
		g.Id("faults").Dot("Add").Call(fault)
		return
	}
	g.If(id("f").Op(":=").Add(fault), jen.Op("!").Id("f").Dot("OK").Call()).Block(jen.Return(id("f")))
}

// when writes the check of a condition under which a value does not conform.
func (s *statements) when(g *jen.Group, condition *jen.Statement, v, reason string) {
	g.If(condition).BlockFunc(func(g *jen.Group) { s.fault(g, faultOf(v, reason)) })
}

func faultOf(v, reason string) *jen.Statement { return id(v).Dot("Fault").Call(literal(reason)) }

// violated is when for a keyword.
func (s *statements) violated(g *jen.Group, condition *jen.Statement, v, keyword string) {
	s.when(g, condition, v, "violates "+keyword)
}

// check writes the check of the value v; over reports whether nothing can follow it.
func (s *statements) check(c *ir.Check, v string, g *jen.Group) (over bool) {
	if c.Never {
		return s.fault(g, faultOf(v, "is not allowed"))
	}
	if c.Types != nil {
		s.when(g, jen.Op("!").Add(s.k.isOf(c.Types, v)), v, "must be "+strings.Join(c.Types, " or "))
	}
	if c.Const != nil {
		s.violated(g, jen.Op("!").Add(s.k.isConst(c, v)), v, "const")
	}
	if c.Enum != nil {
		s.faultOf(g, s.k.oneOf(c, v))
	}
	s.limits(c, v, g)
	s.array(c, v, g)
	s.object(c, v, g)
	return s.inPlace(c, v, g)
}

// limits writes the checks of numbers and strings.
func (s *statements) limits(c *ir.Check, v string, g *jen.Group) {
	for _, limit := range []struct{ number, method, keyword string }{
		{c.Minimum, "Below", "minimum"},
		{c.Maximum, "Above", "maximum"},
		{c.ExclusiveMinimum, "AtMost", "exclusiveMinimum"},
		{c.ExclusiveMaximum, "AtLeast", "exclusiveMaximum"},
	} {
		if limit.number != "" {
			s.violated(g, id(v).Dot(limit.method).Call(literal(limit.number)), v, limit.keyword)
		}
	}
	if c.MinLength > 0 {
		s.violated(g, id(v).Dot("Shorter").Call(jen.Lit(c.MinLength)), v, "minLength")
	}
	if c.MaxLength != nil {
		s.violated(g, id(v).Dot("Longer").Call(jen.Lit(*c.MaxLength)), v, "maxLength")
	}
	if c.Pattern != "" {
		s.violated(g, id(v).Dot("Differs").Call(s.k.pattern(c)), v, "pattern")
	}
}

func (s *statements) array(c *ir.Check, v string, g *jen.Group) {
	if c.MinItems > 0 {
		s.violated(g, id(v).Dot("Fewer").Call(jen.Lit(c.MinItems)), v, "minItems")
	}
	if c.MaxItems != nil {
		s.violated(g, id(v).Dot("More").Call(jen.Lit(*c.MaxItems)), v, "maxItems")
	}
	items := c.Items != nil
	const x = "x"
	switch elements := id(v).Dot("Elements").Call(); {
	case c.Prefix != nil:
		g.For(jen.List(id("i"), id(x)).Op(":=").Range().Add(elements)).Block(
			jen.Switch(id("i")).BlockFunc(func(g *jen.Group) {
				for i, part := range c.Prefix {
					if items || !part.IsAny() {
						g.Case(jen.Lit(i)).BlockFunc(func(g *jen.Group) { s.part(part, x, g) })
					}
				}
				if items {
					g.Default().BlockFunc(func(g *jen.Group) { s.part(c.Items, x, g) })
				}
			}))
	case items && c.Items.Never:
		s.faultOf(g, id(v).Dot("NoElements").Call(jen.Lit(0)))
	case items:
		g.For(jen.List(id("_"), id(x)).Op(":=").Range().Add(elements)).
			BlockFunc(func(g *jen.Group) { s.part(c.Items, x, g) })
	}
}

func (s *statements) object(c *ir.Check, v string, g *jen.Group) {
	if len(c.Required) > 0 {
		if s.gather {
			g.Id("faults").Dot("Require").Call(append([]jen.Code{id(v)}, stringArgs(c.Required)...)...)
		} else {
			s.faultOf(g, require(c, v))
		}
	}
	if s.gathered != nil {
		s.name(c)
	}
	additional := c.Additional != nil
	const m = "m"
	switch members := id(v).Dot("Members").Call(); {
	case len(c.Properties) == 0 && !additional:
	case len(c.Properties) == 0 && c.Additional.Never && !s.gather:
		s.faultOf(g, id(v).Dot("NoMembers").Call())
	case len(c.Properties) == 0:
		g.For(id(m).Op(":=").Range().Add(members)).BlockFunc(func(g *jen.Group) { s.part(c.Additional, m, g) })
	case len(c.Properties) == 1 && !additional:
		g.If(jen.List(id(m), id("ok")).Op(":=").Id(v).Dot("Member").Call(literal(c.Properties[0].Name)), id("ok")).
			BlockFunc(func(g *jen.Group) { s.part(c.Properties[0].Check, m, g) })
	default:
		g.For(id(m).Op(":=").Range().Add(members)).Block(
			jen.Switch(id(m).Dot("Name").Call()).BlockFunc(func(g *jen.Group) {
				s.cases(c.Properties, m, g)
				if additional {
					g.Default().BlockFunc(func(g *jen.Group) { s.part(c.Additional, m, g) })
				}
			}))
	}
}

// name notes the names of arguments.
func (s *statements) name(c *ir.Check) {
	add := func(name string) {
		if !slices.Contains(s.names, name) {
			s.names = append(s.names, name)
		}
	}
	for _, p := range c.Properties {
		add(p.Name)
	}
	for _, name := range c.Required {
		add(name)
	}
}

// cases writes the cases of members. Those that may be anything have one in common.
func (s *statements) cases(properties []ir.PropertyCheck, m string, g *jen.Group) {
	var free []string
	for _, p := range properties {
		if p.Check.IsAny() {
			free = append(free, p.Name)
			continue
		}
		g.Case(literal(p.Name)).BlockFunc(func(g *jen.Group) { s.part(p.Check, m, g) })
	}
	if len(free) > 0 {
		g.Case(stringArgs(free)...)
	}
}

// part writes the check of something inside of a value: in its place, unless it loops.
func (s *statements) part(c *ir.Check, v string, g *jen.Group) {
	if loops(c) {
		s.faultOf(g, id(s.k.function(c)).Call(id(v)))
		return
	}
	inner := &statements{k: s.k, gather: s.gather}
	inner.check(c, v, g)
}

// loops reports whether a check looks at what is inside of a value.
func loops(c *ir.Check) bool {
	return c.Prefix != nil || c.Items != nil || c.Properties != nil || c.Additional != nil
}

// inPlace writes what is said of the same value by other schemas; over reports whether
// nothing can follow it.
func (s *statements) inPlace(c *ir.Check, v string, g *jen.Group) (over bool) {
	all := c.AllOf
	if c.Ref != nil {
		all = append([]*ir.Check{c.Ref}, all...)
	}
	for _, other := range all {
		switch {
		case s.gathered != nil: // each argument has its own fault
			if !s.gathered[other] {
				s.gathered[other] = true
				s.check(other, v, g)
			}
		case other == c.Ref || loops(other):
			s.faultOf(g, id(s.k.function(other)).Call(id(v)))
		case s.check(other, v, g):
			return true
		}
	}
	if c.AnyOf != nil && s.anyOf(c, v, g) || c.OneOf != nil && s.oneOf(c, v, g) {
		return true
	}
	if c.Not == nil {
		return false
	}
	if c.Not.IsAny() {
		return s.fault(g, faultOf(v, "violates not"))
	}
	s.violated(g, s.k.conforms(c.Not, v), v, "not")
	return false
}

func (s *statements) anyOf(c *ir.Check, v string, g *jen.Group) (over bool) {
	condition := jen.Null()
	n := 0
	for _, branch := range c.AnyOf {
		if branch.Never {
			continue
		}
		if n++; n > 1 {
			condition.Op("&&").Line()
		}
		condition.Op("!").Add(s.k.conforms(branch, v))
	}
	if n == 0 {
		return s.fault(g, faultOf(v, "violates anyOf"))
	}
	s.violated(g, condition, v, "anyOf")
	return false
}

func (s *statements) oneOf(c *ir.Check, v string, g *jen.Group) (over bool) {
	var branches []jen.Code
	for _, branch := range c.OneOf {
		if !branch.Never {
			branches = append(branches, jen.Line().Add(s.k.conforms(branch, v)))
		}
	}
	if len(branches) == 0 {
		return s.fault(g, faultOf(v, "violates oneOf"))
	}
	count := s.k.rt("Count").Call(append(branches, jen.Line())...)
	s.violated(g, count.Op("!=").Lit(1), v, "oneOf")
	return false
}
