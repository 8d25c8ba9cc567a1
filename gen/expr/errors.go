package expr

import "strings"

// An Error is something wrong with a tree.
type Error struct {
	Offset int    // of the node or member, in bytes from the start of the manifest
	Path   string // the same, relative to the command: expr.body.args[1].pattern
	Text   string // what is wrong, without position
}

// Error implements error.
func (e *Error) Error() string { return e.Path + ": " + e.Text }

// Errors are the errors of one tree, in the order of evaluation: the first ten.
type Errors []*Error

// maxErrors is how many errors of a tree are reported.
const maxErrors = 10

// Error implements error: a line for each.
func (es Errors) Error() string {
	lines := make([]string, len(es))
	for i, e := range es {
		lines[i] = e.Error()
	}
	return strings.Join(lines, "\n")
}

// Unwrap gives the errors one by one.
func (es Errors) Unwrap() []error {
	errs := make([]error, len(es))
	for i, e := range es {
		errs[i] = e
	}
	return errs
}

// Excluded says that a tree is well formed but not served (sections 6.10 and 10, rule 8).
type Excluded struct {
	Reason string // "streams to @stdout", "uses stream node 'flen'"
}

// Error implements error.
func (e *Excluded) Error() string { return e.Reason }
