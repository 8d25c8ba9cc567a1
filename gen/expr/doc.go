// Package expr turns the expression tree of a pure command (pure-eval.md) into an
// [ir.Func]: it checks the tree, evaluates what is constant and writes the rest as
// statements in the order of evaluation. It knows nothing of tools, property names or Go.
//
//	manifest.Node --check--> term --build--> statements --tidy--> statements
//
//	check   types, scopes and counts (section 10); collects errors
//	build   A-normal form; what is constant is evaluated on the way
//	tidy    counts how often variables are read, drops what is never read and puts
//	        what is read once where it is read
//
// The invariant to know: a value ([ir.Value]) cannot fail and has no effect, so it may be
// moved, repeated or dropped; a statement may not, and statements keep the order of
// section 6. Nested lets become a sequence without nesting calls; all other nesting is
// limited to 10,000 nodes.
package expr
