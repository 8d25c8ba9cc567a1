// Package check looks at the tools that a server lists, and at results of calls, with real
// JSON Schema: draft-07 and 2020-12 (spec/qa.md 4.6). It fetches nothing and calls nothing.
//
// Schemas come from strangers. Their size and depth are bounded, regular expressions that
// this language does not know are left unchecked, and schemas that would send a validator
// round in circles are found before one sees them.
package check

// A Finding is a rule that a tool breaks. A note is worth knowing and no fault.
type Finding struct {
	Rule    string
	Tool    string
	Message string
	Note    bool
}
