package expr

import (
	"errors"
	"strings"
	"testing"
)

func TestParseConstant(t *testing.T) {
	t.Parallel()
	tests := []struct{ schema, value, want string }{
		{"z", `null`, `null`},
		{"b", `true`, `true`},
		{"i1", `-128`, `-128`},
		{"i4", `5.0`, `5`},
		{"i4", `5e0`, `5`},
		{"i4", `-0`, `0`},
		{"u8", `18446744073709551615`, `18446744073709551615`},
		{"j", `123456789012345678901234567890`, `123456789012345678901234567890`},
		{"j", `1e30`, `1000000000000000000000000000000`},
		{"f8", `2`, `2`},
		{"f8", `1e-3`, `0.001`},
		{"f8", `"inf"`, `"inf"`},
		{"f8", `"-inf"`, `"-inf"`},
		{"f8", `"nan"`, `"nan"`},
		{"f4", `0.1`, `0.1`},
		{"f4", `1e39`, `"inf"`},
		{"f4", `-1e400`, `"-inf"`},
		{"s", `"a\nb\u0000/"`, `"a\nb\u0000/"`},
		{"?j", `null`, `null`},
		{"?j", `7`, `7`},
		{"??j", `null`, `null`},
		{"aj", `[]`, `[]`},
		{"a:2a?s", `[["a",null],[]]`, `[["a",null],[]]`},
		{"t2js", `[1,"a"]`, `[1,"a"]`},
		{"m21xj1y?s", `{"x":1}`, `{"x":1,"y":null}`},
		{"m21xj1y?s", `{"y":"q","x":1}`, `{"x":1,"y":"q"}`},
		{"&4Linkm24headj4tail?^4Link", `{"head":1,"tail":{"head":2}}`, `{"head":1,"tail":{"head":2,"tail":null}}`},
	}
	for _, c := range tests {
		v, err := ParseConstant(parseType(t, c.schema), parseText(t, c.value))
		if err != nil {
			t.Errorf("%s as %s: %v", c.value, c.schema, err)
			continue
		}
		if got := string(appendResult(nil, v)); got != c.want {
			t.Errorf("%s as %s is %s, want %s", c.value, c.schema, got, c.want)
		}
		check := verifier{}
		if check.typed(v, parseType(t, c.schema)); check.err != nil {
			t.Errorf("%s as %s: %v", c.value, c.schema, check.err)
		}
	}
}

func TestParseConstantErrors(t *testing.T) {
	t.Parallel()
	tests := []struct {
		schema, value, want string
		at                  string // what the offset points to
	}{
		{"z", `1`, `: found a number: want null`, "1"},
		{"b", `"true"`, `: found a string: want a boolean`, `"true"`},
		{"j", `"5"`, `: found a string: want an integer`, `"5"`},
		{"j", `1.5`, `: found 1.5: want an integer`, "1.5"},
		{"j", `1e20000`, `: found 1e20000: want an integer`, "1e20000"},
		{"i1", `128`, `: 128 is out of range: want I8 (-128 to 127)`, "128"},
		{"u4", `-1`, `: -1 is out of range: want U32 (0 to 4294967295)`, "-1"},
		{"f8", `1e400`, `: 1e400 is out of range: want F64`, "1e400"},
		{"f8", `"1.5"`, `: found "1.5": want a number, "inf", "-inf" or "nan"`, `"1.5"`},
		{"f8", `null`, `: found null: want a number`, "null"},
		{"s", `5`, `: found a number: want a string`, "5"},
		{"?j", `"x"`, `: found a string: want an integer or null`, `"x"`},
		{"?aj", `["x"]`, `[0]: found a string: want an integer`, `"x"`},
		{"??j", `true`, `: found a boolean: want an integer or null`, "true"},
		{"?&1L?^1L", `true`, `: found a boolean: want null`, "true"},
		{"aj", `{}`, `: found an object: want an array`, "{}"},
		{"a:2j", `[1]`, `: found 1 element: want exactly 2`, "[1]"},
		{"t2js", `[1,"a",2]`, `: found 3 elements: want exactly 2`, "[1"},
		{"at2js", `[[1,"a"],[1,2]]`, `[1][1]: found a number: want a string`, "2]"},
		{"m11xj", `[1]`, `: found an array: want an object`, "[1]"},
		{"m11xj", `{}`, `x: missing: want an integer`, "{}"},
		{"m11xj", `{"x":1,"y":2}`, `y: unknown field: want one of type m11xj`, `"y"`},
		{"m11xj", `{"x":1,"x":2}`, `x: field given twice: want it once`, `"x":2`},
		{"m11xm11yaj", `{"x":{"y":[null]}}`, `x.y[0]: found null: want an integer`, "null"},
	}
	for _, c := range tests {
		v, err := ParseConstant(parseType(t, c.schema), parseText(t, c.value))
		var fault *Error
		if !errors.As(err, &fault) {
			t.Errorf("%s as %s: got %v, %v", c.value, c.schema, v, err)
			continue
		}
		if fault.Error() != c.want || fault.Offset != strings.Index(c.value, c.at) {
			t.Errorf("%s as %s: got %q at %d, want %q at %q", c.value, c.schema, fault, fault.Offset, c.want, c.at)
		}
	}
}
