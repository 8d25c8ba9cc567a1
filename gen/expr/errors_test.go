package expr

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mcpgen/mcpgen/gen/ir"
	"github.com/mcpgen/mcpgen/gen/manifest"
)

// malformed are trees of commands without arguments, with what is said about them.
var malformed = []struct {
	name, tree, result, want string
}{
	{"no tree", `null`, "j", `expr: found null: want an expression node`},
	{"no tag", `{}`, "j", `expr.tag: missing: want a string`},
	{"tag is no string", `{"tag":1}`, "j", `expr.tag: found a number: want a string`},
	{"unknown tag", `{"tag":"loop"}`, "j", `expr.tag: unknown expression tag "loop"`},
	{"array for a node", box("aj", `[]`), "aj", `expr.elements[0]: found an array: want an expression node`},

	{"no schema", `{"tag":"lit","lit_type":"j","value":"1"}`, "j", `expr.schema: missing: want a string`},
	{"bad schema", lit("i3", "1"), "j", `expr.schema: "i3": schema error: invalid integer size 3 at position 1`},
	{"other result", num("1"), "s", `expr.schema: type is j: want s`},
	{"lit_type", `{"tag":"lit","schema":"j","lit_type":"i8","value":"1"}`, "j",
		`expr.lit_type: literal of type "i8": want "j", its schema`},
	{"no value", `{"tag":"lit","schema":"j","lit_type":"j"}`, "j", `expr.value: missing: want a string`},
	{"no integer", num("1.5"), "j", `expr.value: found "1.5": want an integer`},
	{"plus sign", num("+1"), "j", `expr.value: found "+1": want an integer`},
	{"i1 too large", lit("i1", "128"), "i1", `expr.value: 128 is out of range: want I8 (-128 to 127)`},
	{"i1 too small", lit("i1", "-129"), "i1", `expr.value: -129 is out of range: want I8 (-128 to 127)`},
	{"u1 negative", lit("u1", "-1"), "u1", `expr.value: -1 is out of range: want U8 (0 to 255)`},
	{"i8 too large", lit("i8", "9223372036854775808"), "i8",
		`expr.value: 9223372036854775808 is out of range: want I64 (-9223372036854775808 to 9223372036854775807)`},
	{"u8 too large", lit("u8", "18446744073709551616"), "u8",
		`expr.value: 18446744073709551616 is out of range: want U64 (0 to 18446744073709551615)`},
	{"no float", lit("f8", "0x1p4"), "f8", `expr.value: found "0x1p4": want a number, inf, -inf or nan`},
	{"infinity", lit("f8", "+Inf"), "f8", `expr.value: found "+Inf": want a number, inf, -inf or nan`},
	{"underscore", lit("f8", "1_0"), "f8", `expr.value: found "1_0": want a number, inf, -inf or nan`},
	{"f8 too large", lit("f8", "1e400"), "f8", `expr.value: 1e400 is out of range: want F64`},
	{"f4 too large", lit("f4", "1e39"), "f4", `expr.value: 1e39 is out of range: want F32`},
	{"no boolean", boolean("true"), "b", `expr.value: found "true": want 0 or 1 for a boolean`},
	{"literal string", lit("s", "x"), "s", `expr.value: literal of type s: want a scalar`},
	{"str of a number", `{"tag":"str","schema":"j","value":"1"}`, "j", `expr.schema: type is j: want s`},

	{"tuple too short", box(pair, num("1")), pair, `expr.elements: found 1 element: want 2 for type t2js`},
	{"tuple too long", box(pair, num("1"), str(""), str("")), pair, `expr.elements: found 3 elements: want 2 for type t2js`},
	{"record too short", box(rec, num("1")), rec, `expr.elements: found 1 element: want 2 for type m21aj1bs`},
	{"optional too long", box("?j", num("1"), num("2")), "?j", `expr.elements: found 2 elements: want 0 or 1 for type ?j`},
	{"list of given length", box("a:3j", num("1")), "aj", `expr.elements: found 1 element: want 3 for type a:3j`},
	{"no container", box("j", num("1")), "j", `expr.schema: type of a container is j: want a list, tuple, record or optional`},
	{"elements", `{"tag":"container","schema":"aj"}`, "aj", `expr.elements: missing: want an array`},
	{"field of another type", box(pair, num("1"), num("2")), pair, `expr.elements[1].schema: type is j: want s`},
	{"element of another type", box("aj", num("1"), str("2")), "aj", `expr.elements[1].schema: type is s: want j`},
	{"null in a list", box("a?j", num("1")), "a?j", `expr.elements[0].schema: type is j: want ?j`},

	{"not bound", use("j", "x"), "j", `expr.var: variable "x" is not bound here`},
	{"bound as another type", let("s", "x", num("1"), use("s", "x")), "s",
		`expr.func.body.schema: type is s: want j, the type of variable "x"`},
	{"not bound any more", box("t2jj", let("j", "x", num("1"), use("j", "x")), use("j", "x")), "t2jj",
		`expr.elements[1].var: variable "x" is not bound here`},
	{"argument sees its binder", let("j", "x", use("j", "x"), use("j", "x")), "j", `expr.args[0].var: variable "x" is not bound here`},
	{"too many arguments", `{"tag":"app","schema":"j","func":` + lambda(num("1"), "x") + `,"args":[` + num("1") + `,` + num("2") + `]}`, "j",
		`expr.args: found 2 arguments: want 1, one for each variable of the lambda`},
	{"too few arguments", `{"tag":"app","schema":"j","func":` + lambda(num("1"), "x") + `,"args":[]}`, "j",
		`expr.args: found 0 arguments: want 1, one for each variable of the lambda`},
	{"let of another type", let("s", "x", num("1"), num("2")), "s", `expr.func.body.schema: type is j: want s`},
	{"lambda as a value", box("aj", lambda(num("1"), "x")), "aj",
		`expr.elements[0].tag: lambda in place of a value: want it only as a function`},
	{"interpolation as the root", `{"tag":"interpolation","schema":"s","strings":["x"]}`, "s",
		`expr.tag: interpolation in place of a value: want it only as a function`},
	{"bound as a function", `{"tag":"app","schema":"j","func":` + use("j", "f") + `,"args":[]}`, "j",
		`expr.func.tag: function is "bound": want lambda, pattern or interpolation`},
	{"no function", `{"tag":"app","schema":"j","args":[]}`, "j", `expr.func: missing: want an expression node`},
	{"variables of the root", lambda(num("1"), "x"), "j", `expr.vars: found 1 variable: want 0, one for each argument of the command`},

	{"pieces", join(`"a"`, str("b")), "s", `expr.func.strings: found 1 piece: want 2 around 1 argument`},
	{"piece is no string", join(`"a",1`, str("b")), "s", `expr.func.strings[1]: found a number: want a string`},
	{"joined number", join(`"a","b"`, num("1")), "s", `expr.args[0]: type is j: want s`},

	{"condition", `{"tag":"if","schema":"j","cond":` + num("1") + `,"then":` + num("1") + `,"else":` + num("2") + `}`, "j",
		`expr.cond.schema: type is j: want b`},
	{"branch", `{"tag":"if","schema":"j","cond":` + boolean("1") + `,"then":` + num("1") + `,"else":` + str("2") + `}`, "j",
		`expr.else.schema: type is s: want j`},
	{"no branch", `{"tag":"if","schema":"j","cond":` + boolean("1") + `,"then":` + num("1") + `}`, "j",
		`expr.else: missing: want an expression node`},
	{"map of no list", `{"tag":"map","schema":"aj","func":` + lambda(num("1"), "x") + `,"list":` + num("1") + `}`, "aj",
		`expr.list: type is j: want a list`},
	{"map to no list", `{"tag":"map","schema":"j","func":` + lambda(num("1"), "x") + `,"list":` + box("aj") + `}`, "j",
		`expr.schema: type of a map is j: want a list`},
	{"map body", `{"tag":"map","schema":"as","func":` + lambda(use("j", "x"), "x") + `,"list":` + box("aj") + `}`, "as",
		`expr.func.body.schema: type is j: want s`},
	{"map of two variables", `{"tag":"map","schema":"aj","func":` + lambda(num("1"), "x", "y") + `,"list":` + box("aj") + `}`, "aj",
		`expr.func.vars: found 2 variables: want 1 for a map`},
	{"map by a pattern", `{"tag":"map","schema":"aj","func":{"tag":"pattern"},"list":` + box("aj") + `}`, "aj",
		`expr.func.tag: function of a map is "pattern": want a lambda`},

	{"show as a number", `{"tag":"show","schema":"j","child":` + num("1") + `}`, "j", `expr.schema: type is j: want s`},
	{"read of a number", `{"tag":"read","schema":"j","child":` + num("1") + `}`, "j", `expr.child.schema: type is j: want s`},
	{"load of a number", `{"tag":"load","schema":"j","child":` + num("1") + `}`, "j", `expr.child.schema: type is j: want s`},
	{"thrown number", `{"tag":"throw","msg":` + num("1") + `}`, "j", `expr.msg.schema: type is j: want s`},
	{"fallback", `{"tag":"catch","fallible":` + num("1") + `,"fallback":` + str("") + `}`, "j", `expr.fallback.schema: type is s: want j`},
	{"fallback in a let", let("j", "x", `{"tag":"catch","fallible":`+num("1")+`,"fallback":`+str("")+`}`, use("j", "x")), "j",
		`expr.args[0].fallback.schema: type is s: want j`},
	{"format", `{"tag":"save","format":"xml","schema":"z","level":` + num("0") + `,"value":` + num("1") + `,"path":` + str("p") + `}`, "z",
		`expr.format: format "xml": want voidstar, msgpack or json`},
	{"level", `{"tag":"save","format":"json","schema":"z","level":` + str("0") + `,"value":` + num("1") + `,"path":` + str("p") + `}`, "z",
		`expr.level: type is s: want an integer`},
	{"path", `{"tag":"save","format":"json","schema":"z","level":` + num("0") + `,"value":` + num("1") + `,"path":` + num("1") + `}`, "z",
		`expr.path.schema: type is j: want s`},
	{"save as a number", `{"tag":"save","format":"json","schema":"z","level":` + num("0") + `,"value":` + num("1") + `,"path":` + str("p") + `}`, "j",
		`expr: type is z: want j`},

	{"unknown field", apply("j", fields("key", key("c", end)), recordOf("1", "")), "j",
		`expr.func.pattern.selectors[0].key: field "c": want one of type m21aj1bs`},
	{"field number", apply("j", fields("idx", idx(2, end)), recordOf("1", "")), "j",
		`expr.func.pattern.selectors[0].index: field 2 of type m21aj1bs: want less than 2`},
	{"field of a number", apply("j", fields("idx", idx(0, end)), num("1")), "j",
		`expr.func.pattern: fields of type j: want a tuple or a record`},
	{"name of a tuple", apply("j", fields("key", key("a", end)), box(pair, num("1"), str(""))), "j",
		`expr.func.pattern: fields of type t2js: want a record`},
	{"negative field", apply("j", fields("idx", idx(-1, end)), recordOf("1", "")), "j",
		`expr.func.pattern.selectors[0].index: found -1: want the number of a field`},
	{"no selectors", apply("j", fields("idx"), recordOf("1", "")), "j",
		`expr.func.pattern.selectors: no selectors: want at least 1`},
	{"unknown pattern", apply("j", `{"type":"star"}`, recordOf("1", "")), "j", `expr.func.pattern.type: unknown pattern type "star"`},
	{"no pattern", `{"tag":"app","schema":"j","func":{"tag":"pattern","schema":"j"},"args":[]}`, "j",
		`expr.func.pattern: missing: want a selector`},
	{"no sub", apply("j", fields("idx", `{"index":0}`), recordOf("1", "")), "j",
		`expr.func.pattern.selectors[0].sub: missing: want a selector`},
	{"leaf inside of a chain", apply("j", fields("idx", idx(0, `{"type":"bracket_index"}`)), num("0"), box("t1aj", box("aj"))), "j",
		`expr.func.pattern.selectors[0].sub.sub: missing: want a selector`},
	{"schema of the pattern", `{"tag":"app","schema":"j","func":{"tag":"pattern","schema":"s","pattern":` + fields("idx", idx(0, end)) +
		`},"args":[` + recordOf("1", "") + `]}`, "j", `expr.func.schema: type is s: want j`},
	{"selection of another type", apply("s", fields("idx", idx(0, end)), recordOf("1", "")), "s", `expr.schema: type is s: want j`},
	{"selection of two", apply("j", fields("idx", idx(0, end), idx(1, end)), recordOf("1", "")), "j",
		`expr.schema: type is j: want a tuple of 2, what the pattern selects`},
	{"selection of two others", apply("t2jj", fields("idx", idx(0, end), idx(1, end)), recordOf("1", "")), "t2jj",
		`expr.schema: type of field 1 is j: want s`},
	{"index without list", apply("j", `{"type":"bracket_index"}`, num("0")), "j",
		`expr.args: found 1 argument: want 2, 1 bound of brackets and the receiver`},
	{"slice of three", apply("aj", `{"type":"bracket_slice"}`, num("0"), num("0"), box("aj")), "aj",
		`expr.args: found 3 arguments: want 4, 3 bounds of brackets and the receiver`},
	{"index by a string", apply("j", `{"type":"bracket_index"}`, str("0"), box("aj")), "j",
		`expr.args[0]: type of a bound is s: want an integer or an optional one`},
	{"index of a string", apply("s", `{"type":"bracket_index"}`, num("0"), str("abc")), "s",
		`expr.func.pattern: brackets on type s: want a list`},
	{"slice of a string", apply("s", `{"type":"bracket_slice"}`, num("0"), num("0"), num("1"), str("abc")), "s",
		`expr.func.pattern: brackets on type s: want a list`},
	{"values of a setter", apply(rec, fields("key", key("a", end)), recordOf("1", ""), num("1"), num("2")), rec,
		`expr.args: found 3 arguments: want 1 to read, or 2 to replace what the pattern selects`},
	{"value of another type", apply(rec, fields("key", key("a", end)), recordOf("1", ""), str("1")), rec,
		`expr.args[1]: type is s: want j, the type of the field in the result`},
	{"setter changes another field", apply("m21aj1bj", fields("key", key("a", end)), recordOf("1", ""), num("1")), "m21aj1bj",
		`expr.schema: type is m21aj1bj: want one that differs from m21aj1bs only in what is replaced`},
	{"setter changes a name", apply("m21aj1cs", fields("key", key("a", end)), recordOf("1", ""), num("1")), "m21aj1cs",
		`expr.schema: type is m21aj1cs: want one that differs from m21aj1bs only in what is replaced`},
	{"no receiver", apply("j", fields("idx", idx(0, end))), "j",
		`expr.args: found 0 arguments: want 1 to read, or 2 to replace what the pattern selects`},
	{"pattern as the root", `{"tag":"pattern","schema":"j","pattern":` + fields("idx", idx(0, end)) + `}`, "j",
		`expr.pattern: found 0 arguments: want 1 to read, or 2 to replace what the pattern selects`},

	{"two errors", box(pair, str("1"), num("2")), pair,
		"expr.elements[0].schema: type is s: want j\nexpr.elements[1].schema: type is j: want s"},
	{"ten errors of twelve", box("aj", strings.Split(strings.Repeat(str("")+" ", 12), " ")[:12]...), "aj",
		"expr.elements[0].schema: type is s: want j\nexpr.elements[1].schema: type is s: want j\n" +
			"expr.elements[2].schema: type is s: want j\nexpr.elements[3].schema: type is s: want j\n" +
			"expr.elements[4].schema: type is s: want j\nexpr.elements[5].schema: type is s: want j\n" +
			"expr.elements[6].schema: type is s: want j\nexpr.elements[7].schema: type is s: want j\n" +
			"expr.elements[8].schema: type is s: want j\nexpr.elements[9].schema: type is s: want j"},
}

func TestMalformed(t *testing.T) {
	t.Parallel()
	for _, c := range malformed {
		f, err := Compile(parseText(t, c.tree), nil, parseType(t, c.result))
		var errs Errors
		if !errors.As(err, &errs) {
			t.Errorf("%s: got %v, %v, want Errors", c.name, f, err)
			continue
		}
		if diff := cmp.Diff(c.want, errs.Error()); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
	}
}

func TestErrorOffset(t *testing.T) {
	t.Parallel()
	tree := box("aj", num("1"), `{"tag":"lit","schema":"s"}`)
	_, err := Compile(parseText(t, tree), nil, parseType(t, "aj"))
	var first *Error
	if !errors.As(err, &first) {
		t.Fatalf("got %v", err)
	}
	if want := strings.Index(tree, `"s"`); first.Offset != want || first.Path != "expr.elements[1].schema" {
		t.Errorf("first error at %d, %s: want %d", first.Offset, first.Path, want)
	}
	last := err.(Errors)[2] // the value, which is missing
	if want := strings.Index(tree, `{"tag":"lit","schema":"s"`); last.Offset != want || last.Path != "expr.elements[1].value" {
		t.Errorf("last error at %d, %s: want %d", last.Offset, last.Path, want)
	}
}

func TestNoTree(t *testing.T) {
	t.Parallel()
	_, err := Compile(nil, nil, parseType(t, "j"))
	if err == nil || err.Error() != "expr: missing: want an expression node" {
		t.Errorf("got %v", err)
	}
}

func TestExcluded(t *testing.T) {
	t.Parallel()
	open := `{"tag":"open","schema":"F","kind":0,"path":` + str("p") + `}`
	flen := `{"tag":"flen","schema":"j","handle":` + open + `}`
	stdout := `{"tag":"write","schema":"aj","handle":{"tag":"stdout","schema":"aj"},"level":` + num("0") + `,"value":` + box("aj") + `}`
	tests := []struct{ name, tree, want string }{
		{"handle first", flen, "uses stream node 'open'"},
		{"arguments before the body", let("j", "h", open, `{"tag":"flen","schema":"j","handle":`+use("F", "h")+`}`), "uses stream node 'open'"},
		{"close of a path", `{"tag":"close","handle":` + str("p") + `}`, "uses stream node 'close'"},
		{"walk before its arguments", `{"tag":"ifile_walk","schema":"j","handle":` + use("F", "h") + `,"path":".[]","args":[` + flen + `]}`,
			"uses stream node 'open'"},
		{"stdout", stdout, "streams to @stdout"},
		{"stdin behind a handle node", box("t2jas", flen, `{"tag":"next","schema":"as","handle":{"tag":"stdin","schema":"as"}}`), "streams to @stdout"},
		{"malformed besides", box("t2jj", flen, use("j", "nowhere")), "uses stream node 'open'"},
		{"table", let("j", "t", box("T"), num("1")), "uses an Arrow Table or stream-handle type"},
	}
	for _, c := range tests {
		f, err := Compile(parseText(t, c.tree), nil, parseType(t, "j"))
		var x *Excluded
		if !errors.As(err, &x) || x.Reason != c.want || err.Error() != c.want {
			t.Errorf("%s: got %v, %v, want %s", c.name, f, err, c.want)
		}
	}
}

func TestDepth(t *testing.T) {
	t.Parallel()
	unit := parseType(t, "s")
	show := func(child *manifest.Node) *manifest.Node {
		return object("tag", word("show"), "schema", word("s"), "child", child)
	}
	tree := parseText(t, `{"tag":"hash","schema":"s","child":`+use("j", "x")+`}`)
	for range maxDepth - 2 {
		tree = show(tree)
	}
	param := []*ir.Type{parseType(t, "j")}
	root := func() *manifest.Node { return object("tag", word("lambda"), "vars", array(word("x")), "body", tree) }
	f, err := Compile(root(), param, unit)
	if err != nil {
		t.Fatal(err)
	}
	if err := verify(f); err != nil {
		t.Error(err)
	}
	tree = show(tree)
	_, err = Compile(root(), param, unit)
	if err == nil || !strings.HasSuffix(err.Error(), ": nested too deep: want at most 10000 nodes inside each other") {
		t.Errorf("got %v", err)
	}
}

func TestSelectorDepth(t *testing.T) {
	t.Parallel()
	sel := object("type", word("end"))
	for range maxDepth {
		sel = object("type", word("bracket_index"), "sub", sel)
	}
	root := object("tag", word("pattern"), "schema", word("j"), "pattern", sel)
	_, err := Compile(root, nil, parseType(t, "j"))
	if err == nil || !strings.HasSuffix(err.Error(), ".sub: nested too deep: want at most 10000 nodes inside each other") {
		t.Errorf("got %v", err)
	}
}

func object(members ...any) *manifest.Node {
	n := &manifest.Node{Kind: manifest.ObjectNode}
	for i := 0; i < len(members); i += 2 {
		n.Members = append(n.Members, manifest.Member{Key: members[i].(string), Value: members[i+1].(*manifest.Node)})
	}
	return n
}

func array(elems ...*manifest.Node) *manifest.Node {
	return &manifest.Node{Kind: manifest.ArrayNode, Elements: elems}
}

func word(s string) *manifest.Node { return &manifest.Node{Kind: manifest.StringNode, Str: s} }

// TestManyLets compiles ten thousand lets inside each other, of each a kind that stays a
// statement, one that is inlined and one that is dropped.
func TestManyLets(t *testing.T) {
	t.Parallel()
	const lets = 10_000
	index := func(list *manifest.Node) *manifest.Node {
		return object("tag", word("app"), "schema", word("&1La^1L"),
			"func", object("tag", word("pattern"), "schema", word("&1La^1L"), "pattern", object("type", word("bracket_index"))),
			"args", array(parseText(t, num("0")), list))
	}
	wrap := func(list *manifest.Node) *manifest.Node {
		return object("tag", word("container"), "schema", word("&1La^1L"), "elements", array(list))
	}
	bound := func(name string) *manifest.Node {
		return object("tag", word("bound"), "schema", word("&1La^1L"), "var", word(name))
	}
	tree := bound("x0")
	for i := range lets {
		from := fmt.Sprintf("x%d", i+1)
		value := wrap(bound(from))
		if i%3 == 0 {
			value = index(bound(from))
		}
		tree = object("tag", word("app"), "schema", word("&1La^1L"), "args", array(value),
			"func", object("tag", word("lambda"), "vars", array(word(fmt.Sprintf("x%d", i))), "body", tree))
	}
	root := object("tag", word("lambda"), "vars", array(word(fmt.Sprintf("x%d", lets))), "body", tree)
	list := parseType(t, "&1La^1L")
	f, err := Compile(root, []*ir.Type{list}, list)
	if err != nil {
		t.Fatal(err)
	}
	if err := verify(f); err != nil {
		t.Error(err)
	}
	if len(f.Body) > lets {
		t.Errorf("%d statements of %d lets", len(f.Body), lets)
	}
	arg, err := ParseConstant(list, parseText(t, strings.Repeat("[", 100)+strings.Repeat("]", 100)))
	if err != nil {
		t.Fatal(err)
	}
	if got, _, failed := outcome(f, []ir.Value{arg}); failed || !strings.HasPrefix(got, "[[[[") {
		t.Errorf("got %s", got)
	}
}
