package emit

import (
	"strings"

	"github.com/dave/jennifer/jen"

	"github.com/mcpgen/mcpgen/gen/ir"
)

// conforms returns the expression that tells whether the value v conforms: the plain
// predicate if a check is no more than that.
func (k *checker) conforms(c *ir.Check, v string) *jen.Statement {
	switch rest := *c; {
	case c.IsAny():
		return jen.True()
	case c.Types != nil:
		if rest.Types = nil; rest.IsAny() {
			return k.isOf(c.Types, v)
		}
	case c.Const != nil:
		if rest.Const = nil; rest.IsAny() {
			return k.isConst(c, v)
		}
	case c.Enum != nil:
		if rest.Enum = nil; rest.IsAny() {
			return k.oneOf(c, v).Dot("OK").Call()
		}
	case c.Required != nil:
		if rest.Required = nil; rest.IsAny() {
			return require(c, v).Dot("OK").Call()
		}
	case c.Ref != nil:
		if rest.Ref = nil; rest.IsAny() {
			return id(k.function(c.Ref)).Call(id(v)).Dot("OK").Call()
		}
	}
	return id(k.function(c)).Call(id(v)).Dot("OK").Call()
}

// isOf returns the expression that tells whether v is of one of some types.
func (k *checker) isOf(types []string, v string) *jen.Statement {
	set := jen.Null()
	for i, t := range types {
		if i > 0 {
			set.Op("|")
		}
		set.Add(k.rt(strings.ToUpper(t[:1]) + t[1:]))
	}
	return id(v).Dot("Is").Call(set)
}

// isConst returns the expression that tells whether v is the value of const.
func (k *checker) isConst(c *ir.Check, v string) *jen.Statement {
	value := k.rt("MustParse").Call(literal(string(c.Const)))
	return id(v).Dot("Equal").Call(k.variable(c, "Const", "is what must be at "+k.where(c), value))
}

// oneOf returns the expression of the fault that v is none of the values of enum.
func (k *checker) oneOf(c *ir.Check, v string) *jen.Statement {
	values := k.rt("MustParse").Call(literal(string(c.Enum)))
	return id(v).Dot("OneOf").Call(k.variable(c, "Enum", "is what may be at "+k.where(c), values))
}

// pattern returns the variable of the expression that must match.
func (k *checker) pattern(c *ir.Check) *jen.Statement {
	re := jen.Qual("regexp", "MustCompile").Call(literal(c.Pattern))
	return k.variable(c, "Pattern", "must match in what is at "+k.where(c), re)
}

func (k *checker) where(c *ir.Check) string {
	if c.Path == "" {
		return "the root of the schema of " + k.base
	}
	return c.Path + " of the schema of " + k.base
}

func require(c *ir.Check, v string) *jen.Statement {
	return id(v).Dot("Require").Call(stringArgs(c.Required)...)
}
