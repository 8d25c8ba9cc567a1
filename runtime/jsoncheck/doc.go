// Package jsoncheck holds JSON values against what authors' JSON Schemas demand of them
// (cli-schema.md 5.4 and 8.2). It has the values, as a light tree, and the predicates; which
// of them apply is generated code, straight through:
//
//	func checkStatusOutput(v jsoncheck.Value) jsoncheck.Fault {
//		if !v.Is(jsoncheck.Object) {
//			return v.Fault("must be object")
//		}
//		if f := v.Require("state"); !f.OK() {
//			return f
//		}
//		for m := range v.Members() {
//			switch m.Name() {
//			case "state":
//				if f := m.OneOf(statusStates); !f.OK() {
//					return f
//				}
//			}
//		}
//		return jsoncheck.Fault{}
//	}
//
// It is no library of JSON Schema: it does not know what a schema is.
//
// The invariant to know: nothing goes through a double. Numbers are compared by their digits,
// 1.0 is an integer, and a value that is written out again has the author's digits. Of members
// of an object with the same name the last one counts; the others are as if not there.
package jsoncheck
