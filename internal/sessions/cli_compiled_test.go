package sessions

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mcpgen/mcpgen/gen"
	"github.com/mcpgen/mcpgen/gen/output"
	"github.com/mcpgen/mcpgen/internal/testenv"
)

// buildJoined generates and builds the server of several programs.
func buildJoined(t *testing.T, manifests ...string) server {
	t.Helper()
	s := server{dir: filepath.Join(t.TempDir(), "several-mcp")}
	s.binary = filepath.Join(s.dir, "server")
	r, err := gen.Generate(t.Context(), gen.Options{Manifests: manifests, Out: s.dir, Module: "example.com/server", NoVersion: true})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := output.Write(t.Context(), s.dir, r.Files); err != nil {
		t.Fatal(err)
	}
	args := append([]string{"build", "-ldflags=-s -w", "-o", s.binary}, testenv.RaceFlags...)
	if err := testenv.Go(s.dir, args...); err != nil {
		t.Fatal(err)
	}
	return s
}

// TestRandomPrograms compiles random programs into one server, calls every tool of it, and
// holds what is told and how the programs are started against the rules.
func TestRandomPrograms(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(1, 2))
	leaf := &randomProgram{doubleDash: "auto", root: &commandLine{
		Key: "gamma", Options: []option{{Name: "flag", Kind: "presence"}},
		Positionals: []positional{{Name: "words", Kind: "string", ArgMin: new(int), ArgMax: new(int)}},
	}}
	programs := []*randomProgram{
		newLargeProgram(random.IntN, "alpha", 12, false, false),
		newLargeProgram(random.IntN, "be-ta", 12, true, true),
		leaf,
	}
	var manifests, apps []string
	for _, p := range programs {
		file := filepath.Join(t.TempDir(), p.root.Key+".json")
		if err := os.WriteFile(file, p.manifest(), 0o600); err != nil {
			t.Fatal(err)
		}
		manifests, apps = append(manifests, file), append(apps, p.root.Key)
	}
	s := buildJoined(t, manifests...)
	loaded, err := gen.Load(gen.Options{Manifests: manifests})
	if err != nil {
		t.Fatal(err)
	}
	b := newBin(t, apps...)
	client := startWith(t, b.env(t), s.binary, t.TempDir())
	client.handshake("2025-11-25")
	tools := loaded.Tools()
	ran, refused := 0, 0
	for _, p := range programs {
		for _, leaf := range p.leaves() {
			name := tools[0].Name
			tools = tools[1:]
			for range 3 {
				if leaf.callCompiled(client, b, p, name, leaf.arguments(random.IntN)) {
					ran++
				} else {
					refused++
				}
			}
		}
	}
	client.end()
	if ran < 30 || refused < 30 || len(tools) > 0 {
		t.Errorf("%d calls ran, %d were refused, %d tools were not called", ran, refused, len(tools))
	}
}

// callCompiled makes a call and reports whether the program ran.
func (r *commandRules) callCompiled(s *session, b bin, p *randomProgram, tool, arguments string) bool {
	s.t.Helper()
	lines, values := r.check(arguments)
	var (
		want = "" // nothing is printed
		runs []run
	)
	if len(lines) > 0 {
		want = strings.Join(lines, "\n")
	} else {
		words, _ := r.argv(values)
		runs = []run{{p.root.Key, append([]string{}, words...), ""}}
	}
	s.send(call(1, tool, arguments))
	var reply struct {
		Result struct {
			Content []struct{ Text string }
			IsError bool
		}
	}
	decode(s.t, s.receive(), &reply)
	content := reply.Result.Content
	if len(content) != 1 || content[0].Text != want || reply.Result.IsError != (lines != nil) {
		s.t.Errorf("%s %s\nwas answered %+v\nwant %q", tool, arguments, reply.Result, want)
	}
	if diff := cmp.Diff(runs, b.runs(s.t)); diff != "" {
		s.t.Errorf("%s %s: runs of the program:\n%s", tool, arguments, diff)
	}
	return runs != nil
}

// TestMixed joins a program of functions and two command lines: names, resources and the
// instructions tell whose they are, and each answers.
func TestMixed(t *testing.T) {
	t.Parallel()
	other := filepath.Join(t.TempDir(), "other.json")
	const manifest = `{"mcpgen":1,"format":"argsbarg","server":{"instructions":"Be brief.","resources":[
		{"uri":"a://b","name":"words","args":["say","x"]}]},"tools":{
		"say":{"annotations":{"readOnlyHint":true}},
		"take":{"inputSchema":{"type":"object","properties":{"a":{"type":"string","minLength":2},"c":{"type":"string"}},"required":["c"]}}},
		"schema":{"key":"other","description":"d","commands":[
		{"key":"say","description":"s","positionals":[{"name":"w","description":"","kind":"string"}]},
		{"key":"take","description":"t","options":[{"name":"a","description":"","kind":"string"},
			{"name":"b","description":"","kind":"string"},{"name":"c","description":"","kind":"string"}]}]}}`
	if err := os.WriteFile(other, []byte(manifest), 0o600); err != nil {
		t.Fatal(err)
	}
	s := buildJoined(t, filepath.Join(manifests, "pure.json"), filepath.Join(commandLines, "hello.manifest.json"), other)
	b := newBin(t, "other")
	client := startWith(t, b.env(t), s.binary, t.TempDir())
	client.ask(initialize, result(0, `{"protocolVersion":"2025-06-18","capabilities":{"tools":{"listChanged":false},"resources":{}},`+
		`"serverInfo":{"name":"morloc","version":"0.98.2, 0.0.0"},"instructions":"Be brief."}`))
	client.send(initialized)
	client.ask(`{"jsonrpc":"2.0","id":1,"method":"resources/list"}`, result(1, `{"resources":[`+
		`{"uri":"hello.sh://schema","name":"hello_sh__cli-schema","mimeType":"application/json"},`+
		`{"uri":"other://schema","name":"other__cli-schema","mimeType":"application/json"},`+
		`{"uri":"a://b","name":"other__words","mimeType":"text/plain"}]}`))
	client.ask(call(2, "hello_sh__hello_sh", `{"name":"Ann"}`), result(2, `{"content":[{"type":"text","text":"hello Ann\n"}],"isError":false}`))
	client.ask(call(3, "hello_sh", `{"nobody":1}`), `{"jsonrpc":"2.0","id":3,"error":{"code":-32602,"message":"Unknown argument: nobody"}}`)
	client.ask(call(4, "say", `{"w":"x"}`), result(4, `{"content":[{"type":"text","text":""}],"isError":false}`))
	client.ask(`{"jsonrpc":"2.0","id":5,"method":"resources/read","params":{"uri":"a://b"}}`,
		result(5, `{"contents":[{"uri":"a://b","mimeType":"text/plain","text":""}]}`))
	// What the author's schema says comes first, and what it leaves out cannot be given.
	client.ask(call(7, "take", `{"x":1,"b":"B","a":"x","c":null}`),
		`{"jsonrpc":"2.0","id":7,"error":{"code":-32602,"message":"Unknown argument: x\nUnknown argument: b\n`+
			`Argument a: violates minLength\nArgument c: is required"}}`)
	client.ask(call(8, "take", `{"a":null,"c":"C"}`), result(8, `{"content":[{"type":"text","text":""}],"isError":false}`))
	client.ask(call(6, "pure__answer", `{}`), result(6, `{"content":[{"type":"text","text":"42"}],"isError":false}`))
	client.end()
	want := []run{{"hello.sh", []string{"Ann"}, ""}, {"other", []string{"say", "x"}, ""}, {"other", []string{"say", "x"}, ""}, {"other", []string{"take", "--c", "C"}, ""}}
	if diff := cmp.Diff(want, b.runs(t)); diff != "" {
		t.Error(diff)
	}
	if err := testenv.Go(s.dir, "test", "-vet=all", "-ldflags=-s -w", "./..."); err != nil {
		t.Error(err)
	}
}
