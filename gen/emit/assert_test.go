package emit

import (
	"bufio"
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/dave/jennifer/jen"
	"github.com/google/go-cmp/cmp"
	"github.com/google/jsonschema-go/jsonschema"

	"github.com/mcpgen/mcpgen/gen/assert"
	"github.com/mcpgen/mcpgen/gen/ir"
	"github.com/mcpgen/mcpgen/internal/testenv"
)

var update = flag.Bool("update", false, "rewrite testdata/*.golden")

const runtimeRoot = "github.com/mcpgen/mcpgen/runtime"

// TestChecksRun compiles the checks of many schemas into one program and asks it what it
// thinks of many values: those of a table, whose faults are known word for word, and random
// ones of random schemas, for which another implementation says whether they conform.
func TestChecksRun(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles a program")
	}
	t.Parallel()
	var schemas []string
	var asked []question
	for _, c := range faultCases {
		asked = append(asked, question{schema: len(schemas), value: c.value})
		schemas = append(schemas, c.schema)
	}
	table := len(asked)
	r := &random{rand.New(rand.NewPCG(5, 4))}
	for len(schemas) < len(faultCases)+150 {
		text := r.document()
		if _, _, err := assert.Parse([]byte(text)); err != nil {
			if !strings.Contains(err.Error(), "circle") {
				t.Fatalf("%s: %v", text, err)
			}
			continue
		}
		var parsed map[string]any
		if err := json.Unmarshal([]byte(text), &parsed); err != nil {
			t.Fatal(err)
		}
		for range 60 {
			asked = append(asked, question{schema: len(schemas), value: r.instance(parsed, parsed, 4)})
		}
		schemas = append(schemas, text)
	}

	answers := ask(t, build(t, schemas), asked)
	for i, c := range faultCases {
		if answers[i] != c.want {
			t.Errorf("%s of %s:\n got %q\nwant %q", c.value, c.schema, answers[i], c.want)
		}
	}
	conforming := 0
	oracles := make([]*jsonschema.Resolved, len(schemas))
	for i, q := range asked[table:] {
		if oracles[q.schema] == nil {
			oracles[q.schema] = resolve(t, schemas[q.schema])
		}
		var value any
		if err := json.Unmarshal([]byte(q.value), &value); err != nil {
			t.Fatal(err)
		}
		want := oracles[q.schema].Validate(value)
		got, _, _ := strings.Cut(answers[table+i], "\t")
		if (got == "") != (want == nil) {
			t.Errorf("%s of %s:\n got %q\nwant %v", q.value, schemas[q.schema], got, want)
		}
		if want == nil {
			conforming++
		}
	}
	if n := len(asked) - table; conforming < n/5 || conforming > n*4/5 {
		t.Errorf("%d of %d values conform: too few or too many to tell", conforming, n)
	}
}

// A question is a value and the schema that it is held against.
type question struct {
	schema int
	value  string
}

func resolve(t *testing.T, text string) *jsonschema.Resolved {
	t.Helper()
	s := new(jsonschema.Schema)
	if err := json.Unmarshal([]byte(text), s); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	resolved, err := s.Resolve(nil)
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return resolved
}

// program is the main file of the program: it answers each line, the number of a schema and
// a value, with the first fault, a tab, and the first fault of each argument.
const program = `package main

import (
	"bufio"
	"os"
	"strconv"
	"strings"

	"` + runtimeRoot + `/jsoncheck"
)

func main() {
	in := bufio.NewScanner(os.Stdin)
	in.Buffer(nil, 1<<24)
	out := bufio.NewWriter(os.Stdout)
	defer out.Flush()
	for in.Scan() {
		number, text, _ := strings.Cut(in.Text(), "\t")
		i, _ := strconv.Atoi(number)
		v, ok := jsoncheck.Parse([]byte(text))
		if !ok {
			panic(text)
		}
		f := outputs[i](v)
		if over := v.Overrun(); !over.OK() {
			f = over
		}
		if !f.OK() {
			out.WriteString(f.Text())
		}
		out.WriteByte('\t')
		for i, f := range arguments[i](v) {
			if i > 0 {
				out.WriteString("; ")
			}
			name, all, text := f.Argument()
			if !all && name == "" {
				name = "\"\""
			}
			out.WriteString(name + ": " + text)
		}
		out.WriteByte('\n')
	}
}
`

// build compiles the program for some schemas and returns its path. It is a module of its own
// that has a copy of the packages it needs.
func build(t *testing.T, schemas []string) string {
	t.Helper()
	dir := t.TempDir()
	write := func(name string, text []byte) {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, text, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("go.mod", []byte("module "+strings.TrimSuffix(runtimeRoot, "/runtime")+"\n\ngo 1.26\n"))
	write("main.go", []byte(program))
	write("checks.go", emitChecks(t, schemas))
	for _, name := range []string{"jsonx", "jsoncheck"} {
		files, err := filepath.Glob("../../runtime/" + name + "/*.go")
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			if strings.HasSuffix(file, "_test.go") {
				continue
			}
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			write(filepath.Join("runtime", name, filepath.Base(file)), text)
		}
	}
	for _, args := range [][]string{{"vet", "."}, {"build", "-o", "checksrun", "."}} {
		if err := testenv.Go(dir, args...); err != nil {
			t.Fatal(err)
		}
	}
	return filepath.Join(dir, "checksrun")
}

// emitChecks returns the file of checks, and the tables of their functions.
func emitChecks(t *testing.T, schemas []string) []byte {
	t.Helper()
	e := newEmitter(&ir.Program{}, Options{Runtime: runtimeRoot})
	var outputs, arguments []jen.Code
	for i, text := range schemas {
		c, _, err := assert.Parse([]byte(text))
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		name := fmt.Sprintf("checkX%d", i)
		outputs = append(outputs, jen.Line().Id(e.checkOutput(name+"Output", "output", c)))
		arguments = append(arguments, jen.Line().Id(e.checkArguments(name+"Input", "arguments", c)))
	}
	table := func(name string, result jen.Code, functions []jen.Code) {
		typ := jen.Index().Func().Params(e.rt("jsoncheck", "Value")).Add(result)
		e.checks.add(jen.Var().Id(name).Op("=").Add(typ).Values(append(functions, jen.Line())...))
	}
	table("outputs", e.rt("jsoncheck", "Fault"), outputs)
	table("arguments", jen.Index().Add(e.rt("jsoncheck", "Fault")), arguments)
	data, err := e.o.renderFile(mainPath, "a test", e.checks)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// ask returns the program's answer to each question.
func ask(t *testing.T, binary string, questions []question) []string {
	t.Helper()
	var in bytes.Buffer
	for _, q := range questions {
		fmt.Fprintf(&in, "%d\t%s\n", q.schema, q.value)
	}
	cmd := exec.Command(binary)
	cmd.Stdin = &in
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v", err)
	}
	var answers []string
	lines := bufio.NewScanner(bytes.NewReader(out))
	for lines.Scan() {
		answers = append(answers, lines.Text())
	}
	if len(answers) != len(questions) {
		t.Fatalf("%d answers to %d questions", len(answers), len(questions))
	}
	return answers
}

// TestChecksRead holds the emitted code of one schema with a bit of everything, which people
// are to read.
func TestChecksRead(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("testdata/checks.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	c, _, err := assert.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	e := newEmitter(&ir.Program{}, Options{Runtime: runtimeRoot})
	e.checkOutput("checkTreeOutput", "what the command \"tree\" prints against its outputSchema", c)
	e.checkArguments("checkTreeInput", "the arguments of tool \"tree\" against its inputSchema", c)
	got, err := e.o.renderFile(mainPath, "a test", e.checks)
	if err != nil {
		t.Fatal(err)
	}
	const golden = "testdata/checks_gen.go.golden"
	if *update {
		if err := os.WriteFile(golden, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Error(diff)
	}
}
