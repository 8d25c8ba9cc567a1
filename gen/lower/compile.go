package lower

import (
	"errors"

	"github.com/mcpgen/mcpgen/gen/expr"
	"github.com/mcpgen/mcpgen/gen/ir"
	"github.com/mcpgen/mcpgen/gen/manifest"
)

// compiled is a pure command: a function, or why there is none.
type compiled struct {
	fn     *ir.Func
	reason string // of leaving the command out
}

// compile compiles all pure commands, internal ones too. Malformed trees are problems even
// where the command would be left out for another reason.
func (l *lowering) compile() {
	for _, c := range l.m.Commands {
		l.function(c)
	}
}

// function returns what a command was compiled to; nothing if it is a remote one.
func (l *lowering) function(c *manifest.Command) compiled {
	done, ok := l.pure[c]
	if !ok && c.Pure {
		done = l.compileOne(c)
		l.pure[c] = done
	}
	return done
}

func (l *lowering) compileOne(c *manifest.Command) compiled {
	params := make([]*ir.Type, len(c.Args))
	for i, a := range c.Args {
		params[i] = a.Type
	}
	fn, err := expr.CompileWith(c.Expr, params, c.Return.Type, expr.Options{BlockRecords: l.m.Release.HasBlockRecords()})
	var excluded *expr.Excluded
	var problems expr.Errors
	switch {
	case err == nil:
		return compiled{fn: fn}
	case errors.As(err, &excluded):
		return compiled{reason: excluded.Reason}
	case errors.As(err, &problems):
		for _, p := range problems {
			l.problem(c, p.Offset, p.Path, "", p.Text)
		}
	default:
		l.problem(c, c.Expr.Offset, "expr", "", err.Error())
	}
	return compiled{}
}
