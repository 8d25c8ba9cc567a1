package verify

import "github.com/mcpgen/mcpgen/verify/report"

// A failure is a check that could not be made for a reason that is not the server's.
type failure struct {
	kind   report.Kind
	reason string
}

func (f *failure) Error() string { return f.reason }
