package assert

import (
	"slices"

	"github.com/mcpgen/mcpgen/gen/ir"
)

// simplify takes out of c, and of all it has, what holds of every value, so that what is left
// is worth a statement. Circles of references stay as they are.
func simplify(c *ir.Check, seen map[*ir.Check]bool) {
	if c == nil || seen[c] {
		return
	}
	seen[c] = true
	for _, inner := range parts(c) {
		simplify(inner, seen)
	}
	for _, one := range []**ir.Check{&c.Items, &c.Additional, &c.Ref} {
		if isAny(*one) {
			*one = nil
		}
	}
	if c.Not != nil && c.Not.Never {
		c.Not = nil
	}
	if c.Additional == nil {
		c.Properties = without(c.Properties, func(p ir.PropertyCheck) bool { return isAny(p.Check) })
	}
	if c.Items == nil {
		for n := len(c.Prefix); n > 0 && isAny(c.Prefix[n-1]); n-- {
			c.Prefix = c.Prefix[:n-1]
		}
		if len(c.Prefix) == 0 {
			c.Prefix = nil
		}
	}
	c.AllOf = without(c.AllOf, isAny)
	if slices.ContainsFunc(c.AnyOf, isAny) {
		c.AnyOf = nil
	}
	if len(c.OneOf) == 1 && isAny(c.OneOf[0]) {
		c.OneOf = nil
	}
}

func isAny(c *ir.Check) bool { return c != nil && c.IsAny() }

// without returns the elements that are not as drop says; nil if there are none.
func without[T any](all []T, drop func(T) bool) []T {
	if all = slices.DeleteFunc(all, drop); len(all) == 0 {
		return nil
	}
	return all
}

// parts returns the checks that c is made of.
func parts(c *ir.Check) []*ir.Check {
	all := slices.Concat([]*ir.Check{c.Items, c.Additional, c.Ref, c.Not}, c.Prefix, c.AllOf, c.AnyOf, c.OneOf)
	for _, p := range c.Properties {
		all = append(all, p.Check)
	}
	return all
}
