package expr

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/mcpgen/mcpgen/gen/ir"
	"github.com/mcpgen/mcpgen/gen/manifest"
	"github.com/mcpgen/mcpgen/gen/schema"
	"github.com/mcpgen/mcpgen/runtime/pure"
)

func parseFile(t testing.TB, path string) *manifest.Node {
	t.Helper()
	src, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return parseText(t, string(src))
}

func parseText(t testing.TB, text string) *manifest.Node {
	t.Helper()
	n, err := manifest.ParseJSON([]byte(text))
	if err != nil {
		t.Fatalf("%v in %s", err, text)
	}
	return n
}

func parseType(t testing.TB, text string) *ir.Type {
	t.Helper()
	typ, err := schema.Parse(text)
	if err != nil {
		t.Fatalf("schema %q: %v", text, err)
	}
	return typ
}

// A purposely plain compilation: nothing is evaluated ahead, nothing is tidied but what
// is never read.
func compilePlainly(root *manifest.Node, params []*ir.Type, result *ir.Type) *ir.Func {
	c := &checker{schemas: map[string]*ir.Type{}, scope: map[string][]*binder{}}
	binders, body := c.command(&place{node: root, key: "expr"}, params, result)
	f := &ir.Func{Result: result}
	for _, b := range binders {
		v := newVar(b.name, b.typ)
		b.is = operand{v: &ir.Ref{Var: v}}
		f.Params = append(f.Params, v)
	}
	var blk block
	(&builder{fuel: 0}).finish(&blk, body, sink{})
	f.Body = (&tidier{}).dropUnread(blk.stmts)
	settle(f)
	return f
}

// outcome runs a function and puts what comes back into words.
func outcome(f *ir.Func, args []ir.Value) (text string, user, failed bool) {
	v, err := (&interp{}).run(f, args)
	if err != nil {
		return err.Error(), pure.IsUser(err), true
	}
	return string(appendResult(nil, v)), false, false
}

func TestExamples(t *testing.T) {
	t.Parallel()
	examples := parseFile(t, filepath.Join("testdata", "examples.json")).Elements
	if len(examples) != 34 {
		t.Fatalf("%d examples, want all 34 of section 14", len(examples))
	}
	cases := 0
	for _, ex := range examples {
		name := ex.Get("name").Str
		var params []*ir.Type
		for _, a := range ex.Get("args").Elements {
			params = append(params, parseType(t, a.Str))
		}
		result := parseType(t, ex.Get("ret").Str)
		f, err := Compile(ex.Get("expr"), params, result)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if err := verify(f); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		for i, c := range ex.Get("cases").Elements {
			cases++
			t.Run(name+"/"+strconv.Itoa(i), func(t *testing.T) { runExample(t, f, params, result, c) })
		}
	}
	if cases != 67 {
		t.Errorf("%d cases ran, want 67", cases)
	}
}

func runExample(t *testing.T, f *ir.Func, params []*ir.Type, result *ir.Type, c *manifest.Node) {
	args := make([]ir.Value, len(params))
	for i, n := range c.Get("in").Elements {
		v, err := ParseConstant(params[i], n)
		if (err != nil) != (c.Get("kind") != nil && c.Get("kind").Str == "argument") {
			t.Fatalf("argument %d: %v", i, err)
		}
		if err != nil {
			return // the text is that of the server's decoder
		}
		args[i] = v
	}
	got, user, failed := outcome(f, args)
	if want := c.Get("err"); want != nil {
		if !failed || got != want.Str || user != (c.Get("kind").Str == "user") {
			t.Errorf("got %s (failed %v, user %v), want the %s error %s", got, failed, user, c.Get("kind").Str, want.Str)
		}
		return
	}
	v, err := ParseConstant(result, c.Get("out"))
	if err != nil {
		t.Fatal(err)
	}
	if want := string(appendResult(nil, v)); failed || got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if f.Const != "" && f.Const != got {
		t.Errorf("Const is %s, the body gives %s", f.Const, got)
	}
}

// A command is a pure command of the corpus.
type command struct {
	node   *manifest.Node
	params []*ir.Type
	result *ir.Type
}

const corpus = "../../testdata/corpus/manifests"

// corpusCommands reads the pure commands of all programs, by program/command.
func corpusCommands(t testing.TB) map[string]command {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(corpus, "*.json"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no corpus in %s: %v", corpus, err)
	}
	commands := map[string]command{}
	for _, file := range files {
		program := strings.TrimSuffix(filepath.Base(file), ".json")
		for _, n := range parseFile(t, file).Get("commands").Elements {
			if n.Get("type").Str != "pure" {
				continue
			}
			c := command{node: n, result: parseType(t, n.Get("return").Get("schema").Str)}
			for _, a := range n.Get("args").Elements {
				text := "b" // a flag
				if s := a.Get("schema"); s != nil {
					text = s.Str
				}
				c.params = append(c.params, parseType(t, text))
			}
			commands[program+"/"+n.Get("name").Str] = c
		}
	}
	return commands
}

func (c command) compile(t testing.TB) *ir.Func {
	t.Helper()
	f, err := Compile(c.node.Get("expr"), c.params, c.result)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func TestCorpusCompiles(t *testing.T) {
	t.Parallel()
	commands := corpusCommands(t)
	if len(commands) < 200 {
		t.Errorf("%d pure commands in the corpus, want more than 200", len(commands))
	}
	for name, c := range commands {
		f := c.compile(t)
		if err := verify(f); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		plain := compilePlainly(c.node.Get("expr"), c.params, c.result)
		if err := verify(plain); err != nil {
			t.Errorf("%s, plainly: %v", name, err)
		}
		if f.Const == "" && len(c.params) == 0 && !f.Fails && !f.Files {
			t.Errorf("%s: no constant result", name)
		}
	}
}

func TestGolden(t *testing.T) {
	t.Parallel()
	commands := corpusCommands(t)
	ran := 0
	for _, entry := range parseFile(t, "../../testdata/golden/morloc/pure.json").Elements {
		name := entry.Get("program").Str + "/" + entry.Get("command").Str
		c := commands[name]
		args, ok := c.arguments(t, entry.Get("args"))
		want := entry
		if ours := entry.Get("mcpgen"); ours != nil {
			want = ours
		}
		if !ok || want.Get("code") != nil || want.Get("content") != nil {
			continue
		}
		ran++
		for _, f := range []*ir.Func{c.compile(t), compilePlainly(c.node.Get("expr"), c.params, c.result)} {
			checkGolden(t, name, f, args, want, entry.Get("loose") != nil)
		}
	}
	if ran < 330 {
		t.Errorf("%d entries ran, want at least 330", ran)
	}
}

func checkGolden(t *testing.T, name string, f *ir.Func, args []ir.Value, want *manifest.Node, loose bool) {
	t.Helper()
	got, _, failed := outcome(f, args)
	if r := want.Get("result"); r != nil {
		if mime := f.Result.Kind == ir.String && !strings.HasPrefix(r.Str, `"`); failed || got != r.Str && !mime {
			t.Errorf("%s(%s) = %s, want %s", name, text(args), got, r.Str)
		}
		return
	}
	message := want.Get("error").Str
	if loose {
		message, _, _ = strings.Cut(message, ": ")
		got, _, _ = strings.Cut(got, ": ")
	}
	if !failed || got != message {
		t.Errorf("%s(%s) = %s, want the error %s", name, text(args), got, message)
	}
}

func text(args []ir.Value) string {
	var texts []string
	for _, a := range args {
		texts = append(texts, string(appendResult(nil, a)))
	}
	return strings.Join(texts, ", ")
}

// arguments puts the arguments of a call in order; ok is false for calls that are not
// about evaluation: the entry is about the checks before it, or about groups.
func (c command) arguments(t *testing.T, given *manifest.Node) (args []ir.Value, ok bool) {
	t.Helper()
	used, positionals := 0, 0
	for i, a := range c.node.Get("args").Elements {
		key := a.Get("long")
		switch a.Get("kind").Str {
		case "grp":
			return nil, false
		case "pos":
			positionals++
			if key = a.Get("name"); key.IsNull() {
				key = &manifest.Node{Str: "_" + strconv.Itoa(positionals)}
			}
		}
		n := given.Get(key.Str)
		switch {
		case n != nil:
			used++
		case !a.Get("default").IsNull():
			n = parseText(t, a.Get("default").Str)
		case c.params[i].Kind == ir.Optional:
			n = &manifest.Node{}
		default:
			return nil, false
		}
		v, err := ParseConstant(c.params[i], n)
		if err != nil {
			return nil, false
		}
		args = append(args, v)
	}
	return args, used == len(given.Members)
}
