package expr

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/mcpgen/mcpgen/gen/ir"
	"github.com/mcpgen/mcpgen/gen/manifest"
)

const (
	colorType = "e33Red5Green4Blue"
	shapeType = "v36Circle1f84Rect2f8f83Dot0"
	tryType   = "v23Err1s2Ok1j"
	listType  = "&4Listv23Nil04Cons2j^4List"
)

// Short ways to write the nodes of sum types.
func tagTest(tag int, subject string) string {
	return fmt.Sprintf(`{"tag":"tagtest","schema":"b","tag_ordinal":%d,"subject":%s}`, tag, subject)
}

func makeArmNode(schema string, tag int, fields ...string) string {
	return fmt.Sprintf(`{"tag":"ctormake","schema":%q,"tag_ordinal":%d,"fields":[%s]}`, schema, tag, strings.Join(fields, ","))
}

func armFieldNode(schema string, tag, index int, subject string) string {
	return fmt.Sprintf(`{"tag":"ctorfield","schema":%q,"tag_ordinal":%d,"field_index":%d,"subject":%s}`, schema, tag, index, subject)
}

func tryNode(schema, body string) string {
	return fmt.Sprintf(`{"tag":"try","schema":%q,"body":%s}`, schema, body)
}

func callNode(schema, name string, args ...string) string {
	return fmt.Sprintf(`{"tag":"call","schema":%q,"name":%q,"args":[%s]}`, schema, name, strings.Join(args, ","))
}

func namedNode(body string, functions ...string) string {
	return fmt.Sprintf(`{"tag":"named","functions":[%s],"body":%s}`, strings.Join(functions, ","), body)
}

func functionNode(name, expr string) string { return fmt.Sprintf(`{"name":%q,"expr":%s}`, name, expr) }

func choose(schema, cond, then, els string) string {
	return fmt.Sprintf(`{"tag":"if","schema":%q,"cond":%s,"then":%s,"else":%s}`, schema, cond, then, els)
}

func showNode(child string) string { return `{"tag":"show","schema":"s","child":` + child + `}` }

func compileNode(t *testing.T, text string, params []string, result string) (*ir.Func, error) {
	t.Helper()
	node, err := manifest.ParseJSON([]byte(text))
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	var types []*ir.Type
	for _, p := range params {
		types = append(types, mustParse(p))
	}
	return Compile(node, types, mustParse(result))
}

// Results that are known when the program is generated.
func TestSumConstants(t *testing.T) {
	t.Parallel()
	circle := makeArmNode(shapeType, 0, lit("f8", "2.0"))
	for _, test := range []struct{ tree, result, want string }{
		{lit("u1", "1"), colorType, `"Green"`},
		{`{"tag":"lit","schema":"` + colorType + `","lit_type":"u1","value":"2"}`, colorType, `"Blue"`},
		{box("a"+colorType, lit("u1", "2"), lit("u1", "0")), "a" + colorType, `["Blue","Red"]`},
		{box("?"+colorType, lit("u1", "2")), "?" + colorType, `"Blue"`},
		{makeArmNode(shapeType, 2), shapeType, `"Dot"`},
		{circle, shapeType, `{"Circle":[2]}`},
		{makeArmNode(colorType, 2), colorType, `"Blue"`},
		{tagTest(0, circle), "b", "true"},
		{tagTest(1, circle), "b", "false"},
		{armFieldNode("f8", 0, 0, circle), "f8", "2"},
		{choose(colorType, boolean("1"), lit("u1", "0"), lit("u1", "1")), colorType, `"Red"`},
		{choose("u1", boolean("0"), lit("u1", "0"), lit("u1", "1")), colorType, `"Green"`},
		{tryNode(tryType, num("42")), tryType, `{"Ok":[42]}`},
		{tryNode(tryType, `{"tag":"throw","msg":`+str("no")+`}`), tryType, `{"Err":["no"]}`},
		{showNode(circle), "s", `"{\"Circle\":[2]}"`},
		{let("s", "k", lit("u1", "2"), showNode(use(colorType, "k"))), "s", `"\"Blue\""`},
		{let(shapeType, "x", circle, choose(shapeType, tagTest(0, use(shapeType, "x")),
			makeArmNode(shapeType, 1, armFieldNode("f8", 0, 0, use(shapeType, "x")), lit("f8", "1.0")), use(shapeType, "x"))), shapeType, `{"Rect":[2,1]}`},
		{makeArmNode("v11A1"+colorType, 0, lit("u1", "1")), "v11A1" + colorType, `{"A":["Green"]}`},
	} {
		f, err := compileNode(t, test.tree, nil, test.result)
		if err != nil {
			t.Errorf("%s: %v", test.tree, err)
		} else if f.Const != test.want {
			t.Errorf("%s: constant %s, want %s", test.tree, f.Const, test.want)
		}
	}
}

func TestSumErrors(t *testing.T) {
	t.Parallel()
	x := use(shapeType, "x")
	lambdaOf := func(body string) string { return lambda(body, "x") }
	for _, test := range []struct{ tree, result, want string }{
		{lambdaOf(makeArmNode(shapeType, 3)), shapeType, "expr.body.tag_ordinal: constructor make: tag 3 is out of range for this type"},
		{lambdaOf(makeArmNode(shapeType, 1, lit("f8", "1.0"))), shapeType, `expr.body.fields: found 1 field: want 2 for constructor "Rect"`},
		{lambdaOf(makeArmNode(shapeType, 0, num("1"))), shapeType, "expr.body.fields[0].schema: type is j: want f8"},
		{lambdaOf(makeArmNode("j", 0)), "j", "expr.body.schema: type is j: want that of a data type"},
		{lambdaOf(armFieldNode("f8", 3, 0, x)), "f8", "expr.body.tag_ordinal: constructor field: tag 3 is out of range for this type"},
		{lambdaOf(armFieldNode("f8", 0, 1, x)), "f8", "expr.body.field_index: constructor field: index 1 is out of range for this arm"},
		{lambdaOf(armFieldNode("f8", 2, 0, x)), "f8", "expr.body.tag_ordinal: constructor field read from an arm carrying no payload"},
		{lambdaOf(armFieldNode("j", 0, 0, x)), "j", "expr.body.schema: type is j: want f8"},
		{lambdaOf(armFieldNode("j", 0, 0, num("1"))), "j", "expr.body.subject: type is j: want that of a data type with fields"},
		{lambdaOf(tagTest(3, x)), "b", "expr.body.tag_ordinal: constructor test: tag 3 is out of range for this type"},
		{lambdaOf(tagTest(0, num("1"))), "b", "expr.body.subject: type is j: want that of a data type"},
		{lambdaOf(strings.Replace(tagTest(0, x), `"tag_ordinal":0`, `"tag_ordinal":-1`, 1)), "b", "expr.body.tag_ordinal: found -1: want a number from 0 on"},
		{lambdaOf(strings.Replace(tagTest(0, x), `"tag_ordinal":0,`, ``, 1)), "b", "expr.body.tag_ordinal: missing: want a number"},
		{lambdaOf(tryNode(shapeType, num("1"))), shapeType, "expr.body.schema: @try's result schema is not a two-armed Try"},
		{lambdaOf(tryNode("v21A1s1B1j", num("1"))), "v21A1s1B1j", "expr.body.schema: @try's result schema has no Ok/Err arms"},
		{lambdaOf(tryNode("v23Err02Ok1j", num("1"))), "v23Err02Ok1j", "expr.body.schema: @try's result schema has an Ok or Err arm with no field"},
		{lambdaOf(tryNode(tryType, str("1"))), tryType, "expr.body.body.schema: type is s: want j"},
		{lambdaOf(lit("u1", "3")), colorType, `expr.body.value: tag "3": want one of Red, Green, Blue, from 0 on`},
		{lambdaOf(lit("u2", "1")), colorType, "expr.body.schema: type is u2: want e33Red5Green4Blue"},
		{lambdaOf(callNode("j", "f", num("1"))), "j", "expr.body.name: Call of unknown named function f"},
		{namedNode(callNode("j", "f", num("1")), functionNode("f", num("1"))), "j", "expr.functions[0].expr: Named function f is not a lambda"},
		{namedNode(lambdaOf(callNode("j", "f", num("1"), num("2"))), functionNode("f", lambda(use("j", "n"), "n"))), "j",
			"expr.body.body.args: Named function f takes 1 arguments, called with 2"},
		{namedNode(lambdaOf(num("1")), functionNode("f", lambda(num("1"))), functionNode("f", lambda(num("1")))), "j",
			"expr.functions[1].name: named function f is defined twice"},
		{lambdaOf(box("t1j", namedNode(num("1")))), "t1j", "expr.body.elements[0].tag: named functions in place of a value: want them only around the whole command"},
		{lambdaOf(`{"tag":"untry","schema":"j"}`), "j", `expr.body.tag: unknown expression tag "untry"`},
		{namedNode(lambdaOf(callNode("j", "f", use(shapeType, "x"))), functionNode("f", lambda(use("j", "n"), "n"))), "j",
			"expr.body.body.args[0].schema: type is v36Circle1f84Rect2f8f83Dot0: want j"},
		{namedNode(lambdaOf(callNode("j", "f")), functionNode("f", lambda(use("j", "x")))), "j",
			`expr.functions[0].expr.body.var: variable "x" is not bound here`},
	} {
		_, err := compileNode(t, test.tree, []string{shapeType}, test.result)
		var errs Errors
		if !errors.As(err, &errs) || errs[0].Error() != test.want {
			t.Errorf("%s:\ngot  %v\nwant %s", test.tree, err, test.want)
		}
	}
}

// Functions that nobody calls are left out; those that call themselves can fail, and so can
// what calls them; the others only if they do something that can.
func TestFunctionNotes(t *testing.T) {
	t.Parallel()
	n := use("j", "n")
	tree := namedNode(lambda(box("t2jj", callNode("j", "twice", n), callNode("j", "down", n)), "n"),
		functionNode("unused", lambda(use("j", "q"), "q")),
		functionNode("id", lambda(use("j", "m"), "m")),
		functionNode("twice", lambda(callNode("j", "id", use("j", "k")), "k")),
		functionNode("down", lambda(callNode("j", "up", use("j", "k")), "k")),
		functionNode("up", lambda(callNode("j", "down", use("j", "k")), "k")))
	f, err := compileNode(t, tree, []string{"j"}, "t2jj")
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, fn := range f.Funcs {
		got = append(got, fmt.Sprintf("%s recursive=%t fails=%t", fn.Name, fn.Recursive, fn.Fails))
	}
	want := "twice recursive=false fails=false, down recursive=true fails=true, id recursive=false fails=false, up recursive=true fails=true"
	if strings.Join(got, ", ") != want || !f.Fails || f.Recursive {
		t.Errorf("functions %s, command fails=%t", strings.Join(got, ", "), f.Fails)
	}
}

// Constants are enums where the variable, the parameter or the field that they go to is one.
func TestEnumContext(t *testing.T) {
	t.Parallel()
	record := "m25color" + colorType + "1nj"
	setter := fmt.Sprintf(`{"tag":"app","schema":%q,"func":{"tag":"pattern","schema":%q,"pattern":{"type":"key","selectors":[{"key":"color","sub":{"type":"end"}}]}},"args":[%s,%s]}`,
		record, record, use(record, "x"), lit("u1", "2"))
	for _, test := range []struct{ tree, param, result string }{
		{lambda(setter, "x"), record, record},
		{namedNode(lambda(callNode("b", "f", lit("u1", "1")), "x"), functionNode("f", lambda(tagTest(1, use(colorType, "c")), "c"))), "j", "b"},
		{lambda(let("b", "c", choose("u1", tagTest(0, use(colorType, "x")), lit("u1", "1"), lit("u1", "2")), tagTest(1, use(colorType, "c"))), "x"), colorType, "b"},
		{lambda(let("u1", "c", lit("u1", "1"), use("u1", "c")), "x"), "j", "u1"},
		{lambda(let("b", "c", lit("u1", "1"), let("b", "c", use("j", "x"), boolean("1"))), "x"), "j", "b"},
	} {
		if _, err := compileNode(t, test.tree, []string{test.param}, test.result); err != nil {
			t.Errorf("%s: %v", test.tree, err)
		}
	}
	bad := strings.Replace(lambda(setter, "x"), `"value":"2"`, `"value":"3"`, 1)
	if _, err := compileNode(t, bad, []string{record}, record); err == nil || !strings.Contains(err.Error(), `tag "3": want one of Red, Green, Blue`) {
		t.Errorf("a field beyond the constructors: %v", err)
	}
}

// Nodes that are not served are found inside of the new ones too.
func TestExcludedInside(t *testing.T) {
	t.Parallel()
	stdin := `{"tag":"next","schema":"j","handle":{"tag":"stdin","schema":"I"}}`
	open := `{"tag":"flen","schema":"j","handle":{"tag":"open","schema":"F","kind":0,"path":` + str("x") + `}}`
	for tree, want := range map[string]string{
		lambda(tryNode(tryType, stdin)):                                   "streams to @stdout",
		lambda(makeArmNode("v11A1j", 0, open)):                            "uses stream node 'open'",
		namedNode(lambda(num("1")), functionNode("f", lambda(open))):      "uses stream node 'open'",
		namedNode(callNode("j", "f", stdin), functionNode("f", num("1"))): "streams to @stdout",
	} {
		_, err := compileNode(t, tree, nil, tryType)
		var x *Excluded
		if !errors.As(err, &x) || x.Reason != want {
			t.Errorf("%s: %v, want %s", tree, err, want)
		}
	}
}
