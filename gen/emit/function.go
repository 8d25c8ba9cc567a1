package emit

import (
	"github.com/dave/jennifer/jen"

	"github.com/mcpgen/mcpgen/gen/ir"
)

// callOwn writes a call of one of the command's own functions.
func (b *body) callOwn(s *ir.Call, g *jen.Group) {
	switch call := b.ownCall(s); {
	case s.Func.Fails:
		b.orFail(s.Var, call, g)
	case s.Var.Uses > 0:
		g.Id(b.declare(s.Var)).Op(":=").Add(call)
	}
}

// ownCall returns the call. Recursive functions are told how deep they are, counted over all
// of them: that bounds the stack.
func (b *body) ownCall(s *ir.Call) *jen.Statement {
	args := make([]jen.Code, 0, len(s.Args)+1)
	for _, a := range s.Args {
		args = append(args, b.value(a, true))
	}
	if s.Func.Recursive {
		frames := jen.Lit(0)
		if b.frames != "" {
			frames = id(b.frames).Op("+").Lit(1)
		}
		args = append(args, frames)
	}
	return id(b.funcs[s.Func]).Call(args...)
}
