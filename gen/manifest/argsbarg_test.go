package manifest_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/mcpgen/mcpgen/gen/ir"
	"github.com/mcpgen/mcpgen/gen/manifest"
)

// leaves returns the paths of the leaves below a command.
func leaves(n *manifest.CLINode) []string {
	if n.Leaf {
		return []string{n.Name()}
	}
	var all []string
	for _, child := range n.Children {
		all = append(all, leaves(child)...)
	}
	return all
}

func parseCLI(t *testing.T, text string) *manifest.CLI {
	t.Helper()
	m, err := manifest.Parse("m.json", []byte(text), manifest.Options{})
	if err != nil {
		t.Fatalf("Parse(%s): %v", text, err)
	}
	if m.CLI == nil {
		t.Fatalf("Parse(%s): no command line", text)
	}
	return m.CLI
}

// Each release of the library adds other commands below leaves.
func TestCLIVersions(t *testing.T) {
	t.Parallel()
	data, err := os.ReadFile("../../testdata/golden/argsbarg/versions.json")
	if err != nil {
		t.Fatal(err)
	}
	var versions []struct {
		Version      string
		LeafBuiltins []string
	}
	if err := json.Unmarshal(data, &versions); err != nil || len(versions) != 21 {
		t.Fatalf("%d versions, %v", len(versions), err)
	}
	for _, v := range versions {
		t.Run(v.Version, func(t *testing.T) {
			t.Parallel()
			builtins := ""
			for i, key := range v.LeafBuiltins {
				if i > 0 {
					builtins += ","
				}
				// The second breaks rules that are not for it.
				builtins += fmt.Sprintf(`{"key":%q,"description":"B.","options":[{"name":"x","kind":"presence","required":true}]}`, key)
			}
			cli := parseCLI(t, `{"key":"p","description":"P.","commands":[
				{"key":"a","description":"A.","commands":[`+builtins+`]},
				{"key":"g","description":"G.","commands":[{"key":"b","description":"B.","commands":[`+builtins+`]}]}]}`)
			if got := leaves(cli.Root); !slices.Equal(got, []string{"a", "g b"}) {
				t.Errorf("leaves %q", got)
			}
			want, flags := manifest.Dialect1, []string(nil)
			if v.Version[0] >= '5' {
				want, flags = manifest.Dialect7, []string{"json", "yes"}
			}
			if cli.Dialect != want || !slices.Equal(cli.AutoFlags, flags) || cli.AppendNotes != (want == manifest.Dialect7) {
				t.Errorf("dialect %d, flags %q, notes %v", cli.Dialect, cli.AutoFlags, cli.AppendNotes)
			}
		})
	}
}

func TestCLILeaves(t *testing.T) {
	t.Parallel()
	const (
		builtin = `{"key":"completion","description":"B."}`
		word    = `{"key":"w","description":"W."}`
	)
	tests := []struct{ name, tools, node, want string }{
		{"no commands", `{}`, ``, `"g"`},
		{"empty commands", `{}`, `,"commands":[]`, `"g"`},
		{"built-in commands", `{}`, `,"commands":[` + builtin + `]`, `"g"`},
		{"commands", `{}`, `,"commands":[` + word + `]`, `"g w"`},
		{"commands of both kinds", `{}`, `,"commands":[` + builtin + `,` + word + `]`, `"g completion" "g w"`},
		{"positionals", `{}`, `,"positionals":[{"name":"a","description":"A."}],"commands":[` + word + `]`, `"g"`},
		{"empty positionals", `{}`, `,"positionals":[],"commands":[` + word + `]`, `"g w"`},
		{"said to be a leaf", `{"g":{"leaf":true}}`, `,"commands":[` + word + `]`, `"g"`},
		{"said to be none", `{"g":{"leaf":false}}`, `,"commands":[` + builtin + `]`, `"g completion"`},
		{"said to be none and without commands", `{"g":{"leaf":false}}`, `,"commands":[]`, ``},
	}
	for _, test := range tests {
		cli := parseCLI(t, `{"mcpgen":1,"format":"argsbarg","tools":`+test.tools+`,"schema":{"key":"p","description":"P.","commands":[{"key":"g","description":"G."`+test.node+`}]}}`)
		if got := strings.Trim(fmt.Sprintf("%q", leaves(cli.Root)), "[]"); got != test.want {
			t.Errorf("%s: leaves %s, want %s", test.name, got, test.want)
		}
	}
}

func TestCLIDefaults(t *testing.T) {
	t.Parallel()
	cli := parseCLI(t, `{"key":"hello.sh","description":"P."}`)
	x := cli.Exec
	if !slices.Equal(x.Command, []string{"hello.sh"}) || x.MaxOutput != 8388608 || x.MaxParallel != 8 || x.Pipe || x.Equals || x.Dash != ir.DashAuto || x.ShellEnv != "" {
		t.Errorf("exec %+v", x)
	}
	if x.TimeoutMS != 300000 || cli.Name != "hello.sh" || cli.Version != "0.0.0" || cli.Suffix || cli.AutoFlags != nil || cli.HideFlags != nil {
		t.Errorf("%+v", cli)
	}
}

func TestCLIFields(t *testing.T) {
	t.Parallel()
	cli := parseCLI(t, `{"mcpgen":1,"format":"argsbarg","dialect":7,
		"exec":{"command":["bun","run","t.ts"],"cwd":"d","env":{"B":"2","A":"1"},"envFile":"~/e","shellEnv":true,"timeoutMs":0,
			"maxOutputBytes":5,"maxParallel":2,"capture":"pipe","doubleDash":"never","optionStyle":"equals","autoFlags":[],"hideFlags":["q"]},
		"server":{"name":"n","version":"v","instructions":"i","schemaResourceUri":"s:s","onCollision":"suffix","notes":"omit",
			"resources":[{"uri":"a:b","name":"r","args":[]}]},
		"tools":{"c":{"name":"x","description":"d","requiresEnv":["E"],"timeoutMs":7,"annotations":{"a":1}}},
		"schema":{"key":"p","description":"P.","version":"9","mcpServer":{"name":"inner","shellEnv":false,"envFile":"f"},"commands":[
			{"key":"c","description":"C.","mcpTool":{"enabled":false,"description":"inner","requiresEnv":["X","Y"],"outputSchema":{"type":"object"}}}]}}`)
	x := cli.Exec
	if fmt.Sprint(x) != `{[bun run t.ts] d [{B 2} {A 1}] ~/e $SHELL 0 5 2 true true 2}` {
		t.Errorf("exec %v", x)
	}
	if cli.AutoFlags == nil || len(cli.AutoFlags) > 0 || !slices.Equal(cli.HideFlags, []string{"q"}) {
		t.Errorf("flags %q %q", cli.AutoFlags, cli.HideFlags)
	}
	if cli.Name != "n" || cli.Version != "v" || cli.Instructions != "i" || cli.SchemaURI != "s:s" || !cli.Suffix || cli.AppendNotes {
		t.Errorf("server %+v", cli)
	}
	if r := cli.Resources[0]; r.MIME != "text/plain" || r.Args == nil || r.Text != nil {
		t.Errorf("resource %+v", r)
	}
	tool := cli.Root.Children[0].Tool
	if tool.Name != "x" || tool.Description != "d" || !slices.Equal(tool.RequiresEnv, []string{"E"}) || tool.TimeoutMS != 7 || !tool.Disabled ||
		string(tool.Annotations.Text()) != `{"a":1}` || string(tool.Output.Text()) != `{"type":"object"}` {
		t.Errorf("tool %+v", tool)
	}
}

// What was dumped from a program says more than an export; the manifest says it last.
func TestCLIInline(t *testing.T) {
	t.Parallel()
	cli := parseCLI(t, `{"key":"p","description":"P.","version":"9","mcpServer":{"name":"inner","version":"8","schemaResourceUri":"s:s","shellEnv":"/bin/zsh","envFile":"f"},
		"commands":[
			{"key":"a","description":"A.","mcpEnabled":false},
			{"key":"b","description":"B.","mcpTool":{"hidden":true}},
			{"key":"c","description":"C.","kind":"json","inputSchema":{"type":"object"}}]}`)
	if cli.Name != "inner" || cli.Version != "8" || cli.SchemaURI != "s:s" || cli.Exec.ShellEnv != "/bin/zsh" || cli.Exec.EnvFile != "f" {
		t.Errorf("%+v", cli)
	}
	a, b, c := cli.Root.Children[0].Tool, cli.Root.Children[1].Tool, cli.Root.Children[2].Tool
	if !a.Disabled || !b.Hidden || b.Disabled || !c.JSON || c.Input == nil || c.TimeoutMS != manifest.ProgramTimeout {
		t.Errorf("tools %+v %+v %+v", a, b, c)
	}
	cli = parseCLI(t, `{"mcpgen":1,"format":"argsbarg","tools":{"a":{"enabled":true}},
		"schema":{"key":"p","description":"P.","version":"9","commands":[{"key":"a","description":"A.","mcpTool":{"enabled":false,"hidden":true}}]}}`)
	if a := cli.Root.Children[0].Tool; a.Disabled || a.Hidden || !a.Wanted || cli.Version != "9" {
		t.Errorf("tool %+v, version %q", a, cli.Version)
	}
}

// Problems of an export are told in the file where it lies, before or after those of the
// manifest.
func TestSchemaFile(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write(t, filepath.Join(dir, "good.json"), `{"key":"p","description":"P."}`)
	write(t, filepath.Join(dir, "bad.json"), `{"key":"p","description":7}`)
	write(t, filepath.Join(dir, "empty.json"), ``)
	write(t, filepath.Join(dir, "manifest.json"), `{"mcpgen":1,"format":"argsbarg","schemaFile":"good.json"}`)
	write(t, filepath.Join(dir, "cut.json"), `{"key":"p","description":"P.","commands":[{"key":"c","descr`)
	if err := os.Symlink(filepath.Join(dir, "manifest.json"), filepath.Join(dir, "link.json")); err != nil {
		t.Fatal(err)
	}
	tests := []struct{ name, file, want string }{ // want: DIR is the folder
		{"sound", "good.json", ""},
		{"wrong", "bad.json", `DIR/m.json:1:57: exce: unknown key "exce"; did you mean "exec"?
DIR/bad.json:1:26: description: root command: got 7, want a string`},
		{"missing", "gone.json", `DIR/m.json:1:46: schemaFile: open DIR/gone.json: no such file or directory
DIR/m.json:1:58: exce: unknown key "exce"; did you mean "exec"?`},
		{"empty", "empty.json", `DIR/m.json:1:59: exce: unknown key "exce"; did you mean "exec"?
DIR/empty.json:1:1: the file is empty, want the schema that a command-line program exports`},
		{"another manifest", "manifest.json", `DIR/m.json:1:62: exce: unknown key "exce"; did you mean "exec"?
DIR/manifest.json:1:1: this is a manifest, want the schema that a command-line program exports`},
		{"cut off", "cut.json", `DIR/m.json:1:57: exce: unknown key "exce"; did you mean "exec"?
DIR/cut.json:1:60: the export ends in the middle, after 59 bytes: ` + lost},
	}
	for _, test := range tests {
		extra := `,"exce":{}`
		if test.want == "" {
			extra = ""
		}
		path := write(t, filepath.Join(dir, "m.json"), `{"mcpgen":1,"format":"argsbarg","schemaFile":"`+test.file+`"`+extra+`}`)
		got := ""
		if _, err := manifest.Read(path, manifest.Options{}); err != nil {
			got = strings.ReplaceAll(err.Error(), dir, "DIR")
		}
		if got != test.want {
			t.Errorf("%s: got\n%s\nwant\n%s", test.name, got, test.want)
		}
	}
	for _, path := range []string{"manifest.json", "link.json"} {
		m, err := manifest.Read(filepath.Join(dir, path), manifest.Options{})
		if err != nil || m.CLI.Root.Key != "p" {
			t.Errorf("%s: %v", path, err)
		}
	}
}

// lost is the end of the message about an export that was cut off.
const lost = "programs lose all but the first 64 KiB or so when they write into a pipe, without a word; have it written into a file"

// Wherever an export is cut off, the message names the cause.
func TestTruncatedExport(t *testing.T) {
	t.Parallel()
	whole := "{\n  \"key\": \"p\",\n  \"description\": \"P\\u00e9\\ud83d\\ude00é\\n\",\n  \"options\": [{\"name\":\"o\",\"required\":false,\"n\":-1.5e+3}]\n}\n"
	first := strings.Index(whole, ":") + 1
	for n := first; n < len(whole)-2; n++ {
		_, err := manifest.Parse("m.json", []byte(whole[:n]), manifest.Options{})
		want := fmt.Sprintf(": the export ends in the middle, after %d bytes: %s", n, lost)
		if err == nil || !strings.HasSuffix(err.Error(), want) {
			t.Errorf("cut before %.20q: got %v", whole[n:], err)
		}
	}
	_, err := manifest.Parse("m.json", []byte(`{"key":"p","description":"P.",}`), manifest.Options{})
	if want := "m.json:1:31: unexpected '}', expected a key in quotes"; err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}

// An export that nests too deep is refused: what is made of it is read by others.
func TestDeepExport(t *testing.T) {
	t.Parallel()
	text := `{"key":"p","description":"P.","x":` + strings.Repeat("[", 1000) + strings.Repeat("]", 1000) + `}`
	_, err := manifest.Parse("m.json", []byte(text), manifest.Options{})
	if want := "m.json:1:1: nested 1001 levels deep, want at most 1000"; err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}
