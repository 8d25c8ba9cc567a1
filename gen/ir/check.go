package ir

// A Check is a JSON Schema of an author as far as a server checks it (cli-schema.md 5.4):
// every part of it that is set must hold, and the zero Check admits any value. Checks refer
// to one another by Ref, also in circles; each circle takes at least one step into a value.
// No part is set that would hold of every value.
type Check struct {
	Path string // JSON pointer of the schema in its document; "" is the whole of it

	Never bool     // nothing conforms: the schema false
	Types []string // of [SchemaTypes], in the author's order; nil is any
	Const []byte   // JSON that the value must equal; nil is none
	Enum  []byte   // JSON array of which the value must equal an element; nil is none

	// Numbers are in the author's digits; "" is no limit.
	Minimum, Maximum, ExclusiveMinimum, ExclusiveMaximum string

	MinLength int    // of a string, in code points
	MaxLength *int   // nil is no limit
	Pattern   string // for Go's regexp, which must match somewhere in a string; "" is none

	Prefix   []*Check // of the first elements of an array, one each
	Items    *Check   // of the others; nil is any
	MinItems int
	MaxItems *int // nil is no limit

	Properties []PropertyCheck // in the author's order
	Additional *Check          // of members that Properties does not name; nil is any
	Required   []string        // in the author's order, each once

	AllOf, AnyOf, OneOf []*Check
	Not                 *Check // must not hold; nil is none
	Ref                 *Check // must hold too; nil is none
}

// A PropertyCheck is the check of the member of an object that has a name.
type PropertyCheck struct {
	Name  string
	Check *Check
}

// IsAny reports whether every value conforms.
func (c *Check) IsAny() bool {
	return !c.Never && c.Types == nil && c.Const == nil && c.Enum == nil &&
		c.Minimum == "" && c.Maximum == "" && c.ExclusiveMinimum == "" && c.ExclusiveMaximum == "" &&
		c.MinLength == 0 && c.MaxLength == nil && c.Pattern == "" &&
		c.Prefix == nil && c.Items == nil && c.MinItems == 0 && c.MaxItems == nil &&
		c.Properties == nil && c.Additional == nil && c.Required == nil &&
		c.AllOf == nil && c.AnyOf == nil && c.OneOf == nil && c.Not == nil && c.Ref == nil
}

// SchemaTypes are the names of JSON Schema's types. An integer is a number whose fraction is
// zero, however it is written.
var SchemaTypes = []string{"null", "boolean", "integer", "number", "string", "array", "object"}
