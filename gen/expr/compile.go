package expr

import (
	"github.com/mcpgen/mcpgen/gen/ir"
	"github.com/mcpgen/mcpgen/gen/manifest"
)

// Compile compiles the tree of a pure command, its node "expr". The types of the command's
// arguments are params, in order (a flag is a Bool), and result is the type of what it
// returns.
//
// A malformed tree gives [Errors], at most ten. A tree that uses nodes that are not served
// gives *[Excluded]: the command is left out, which is no error of the manifest.
func Compile(root *manifest.Node, params []*ir.Type, result *ir.Type) (*ir.Func, error) {
	return CompileWith(root, params, result, Options{})
}

// Options say by which rules of the language a tree is compiled.
type Options struct {
	// BlockRecords: records of fixed width are hashed as one block (manifest-next.md 9).
	BlockRecords bool
}

// CompileWith is [Compile] by the rules of options.
func CompileWith(root *manifest.Node, params []*ir.Type, result *ir.Type, options Options) (*ir.Func, error) {
	if err := excluded(root); err != nil {
		return nil, err
	}
	c := &checker{schemas: map[string]*ir.Type{}, scope: map[string][]*binder{}}
	start, functions := c.named(&place{node: root, key: "expr"})
	binders, body := c.command(start, params, result)
	switch {
	case c.tables: // before errors, which may come from that
		return nil, &Excluded{Reason: "uses an Arrow Table or stream-handle type"}
	case len(c.errs) > 0:
		return nil, c.errs
	}

	b := &builder{fuel: maxFuel, hasher: hasher{options.BlockRecords}}
	for _, fn := range functions {
		b.function(fn.is, fn.params, fn.body)
	}
	f := &ir.Func{Result: result}
	o := b.function(f, binders, body)
	f.Funcs = settleCalls(f)
	if o.constant != nil && len(params) == 0 && onlyLets(f.Body[:len(f.Body)-1]) {
		f.Const = string(appendResult(nil, o.constant))
	}
	return f, nil
}

// function builds a function out of its checked parts.
func (b *builder) function(f *ir.Func, params []*binder, body term) operand {
	for _, p := range params {
		v := newVar(hintOf(p.name), p.typ)
		p.is = operand{v: &ir.Ref{Var: v}}
		f.Params = append(f.Params, v)
	}
	var blk block
	o := b.finish(&blk, body, sink{})
	f.Body = tidy(blk.stmts)
	settle(f)
	return o
}

// command checks the root, whose form says how arguments are taken (section 2, step 3).
func (c *checker) command(root *place, params []*ir.Type, result *ir.Type) ([]*binder, term) {
	binders := make([]*binder, len(params))
	for i, t := range params {
		binders[i] = &binder{typ: t}
	}
	tag := ""
	if t := root.node.Get("tag"); t != nil {
		tag = t.Str
	}
	switch tag {
	case "lambda":
		vars, ok := c.texts(root.get("vars"))
		if ok && len(vars) != len(params) {
			c.fail(root.get("vars").errorf("found %s: want %d, one for each argument of the command", count(len(vars), "variable"), len(params)))
		}
		for i, name := range vars {
			b := &binder{}
			if i < len(params) {
				b = binders[i]
			}
			b.name = name
			c.enter(b)
		}
		return binders, c.term(root.get("body"), result)
	case "pattern":
		return binders, c.rootPattern(root, binders, result)
	}
	return binders, c.term(root, result)
}

// rootPattern checks a pattern that is the whole tree: it applies to the arguments.
func (c *checker) rootPattern(root *place, binders []*binder, result *ir.Type) term {
	t := c.declared(root, result)
	sel := c.pattern(root.get("pattern"))
	if sel == nil {
		return broken
	}
	args := make([]argument, len(binders))
	for i, b := range binders {
		b.name = "value"
		args[i] = argument{&varTerm{b, b.typ}, root}
	}
	if n := len(args) - 1; sel.bounds > 0 && n >= 0 {
		for _, b := range binders[:n] {
			b.name = "bound"
		}
		binders[n].name = "receiver"
	} else if n >= 0 {
		binders[0].name = "receiver"
	}
	return c.apply(root, root.get("pattern"), t, sel, args)
}

// settle numbers the variables of f in order and notes what its statements do.
func settle(f *ir.Func) {
	next := 0
	number := func(v *ir.Var) {
		v.ID, v.Uses = next, 0
		next++
	}
	for _, v := range f.Params {
		number(v)
	}
	read := func(v *ir.Var) { v.Uses++ }
	var settleAll func(stmts []ir.Stmt)
	settleAll = func(stmts []ir.Stmt) {
		for _, s := range stmts {
			if _, call := s.(*ir.Call); !call { // settleCalls sees to those
				f.Fails = f.Fails || fails(s)
			}
			f.Files = f.Files || usesFiles(s)
			if v := variableOf(s); v != nil {
				number(v)
			}
			for _, v := range valuesOf(s) {
				eachRef(*v, read)
			}
			m, isMap := s.(*ir.Map)
			if isMap {
				number(m.Elem)
			}
			if c, ok := s.(*ir.Catch); ok && c.Message != nil {
				number(c.Message)
			}
			for _, blk := range blocksOf(s) {
				settleAll(*blk)
			}
			if isMap {
				eachRef(m.Result, read)
			}
		}
	}
	settleAll(f.Body)
}
