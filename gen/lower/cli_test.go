package lower_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/mcpgen/mcpgen/gen/ir"
	"github.com/mcpgen/mcpgen/gen/lower"
	"github.com/mcpgen/mcpgen/gen/manifest"
)

// lowerCLIText lowers a manifest, or an export.
func lowerCLIText(t *testing.T, text string) (*ir.Program, error) {
	t.Helper()
	m, err := manifest.Parse("m.json", []byte(text), manifest.Options{})
	if err != nil {
		t.Fatalf("Parse(%s): %v", text, err)
	}
	return lower.Lower(m)
}

// mustLower lowers what has no problems.
func mustLower(t *testing.T, text string) *ir.Program {
	t.Helper()
	p, err := lowerCLIText(t, text)
	if err != nil {
		t.Fatalf("Lower(%s): %v", text, err)
	}
	return p
}

// wrapped returns a manifest of an export, with other members.
func wrapped(members, export string) string {
	return `{"mcpgen":1,"format":"argsbarg",` + members + `"schema":` + export + `}`
}

// argvOf shows what a command line begins with: properties in angle brackets.
func argvOf(l *ir.Leaf) string {
	var words []string
	for _, s := range l.Argv {
		if s.Property < 0 {
			words = append(words, s.Word)
			continue
		}
		words = append(words, "<"+l.Properties[s.Property].Name+">")
	}
	return strings.Join(words, " ")
}

func propertiesOf(l *ir.Leaf) string {
	var names []string
	for _, p := range l.Properties {
		names = append(names, p.Name)
	}
	return strings.Join(names, " ")
}

// An option goes right behind the command that declares it; flags may be hidden, and given
// always.
func TestCLIArgv(t *testing.T) {
	t.Parallel()
	const export = `{"key":"p","description":"P.",
		"options":[{"name":"profile","description":"O.","kind":"string"},{"name":"json","description":"O.","kind":"presence"}],
		"commands":[{"key":"node","description":"N.","options":[{"name":"region","description":"O.","kind":"string"},{"name":"yes","description":"O.","kind":"string"}],
			"commands":[
				{"key":"list","description":"L."},
				{"key":":id","description":"I.","options":[{"name":"verbose","description":"O.","kind":"presence"}],"commands":[
					{"key":"show","description":"S.","options":[{"name":"region","description":"O.","kind":"number"},{"name":"all","description":"O.","kind":"presence"}],
					 "positionals":[{"name":"what","description":"W."}]}]}]}]}`
	tests := []struct{ name, members, properties, argv string }{
		{"dialect 1", ``, "id profile json yes verbose region all what",
			"<profile> <json> node <yes> <id> <verbose> show <region> <all>"},
		{"dialect 7", `"dialect":7,`, "id profile yes region all what", "<profile> --json node <yes> <id> show <region> <all>"},
		{"no automatic flags", `"dialect":7,"exec":{"autoFlags":[]},`, "id profile yes region all what", "<profile> node <yes> <id> show <region> <all>"},
		{"nothing hidden", `"dialect":7,"exec":{"hideFlags":[]},`, "id profile json yes verbose region all what",
			"<profile> --json node <yes> <id> <verbose> show <region> <all>"},
		{"another flag", `"exec":{"autoFlags":["all","profile"],"hideFlags":["json"]},`, "id profile yes verbose region all what",
			"<profile> node <yes> <id> <verbose> show <region> --all"},
		{"hidden, but asked for", `"dialect":7,"tools":{"node :id show":{"inputSchema":{"type":"object","properties":{"verbose":{"type":"boolean"},"id":{},"what":{}}}}},`,
			"id profile yes verbose region all what", "<profile> --json node <yes> <id> <verbose> show <region> <all>"},
	}
	for _, test := range tests {
		p := mustLower(t, wrapped(test.members, export))
		leaf := p.Tools[1].Leaf
		if got := propertiesOf(leaf); got != test.properties {
			t.Errorf("%s: properties %q, want %q", test.name, got, test.properties)
		}
		if got := argvOf(leaf); got != test.argv {
			t.Errorf("%s: argv %q, want %q", test.name, got, test.argv)
		}
		if got := leaf.Properties[0]; got.Place != ir.PathParam || !slices.Equal(got.Siblings, []string{"list"}) {
			t.Errorf("%s: path parameter %+v", test.name, got)
		}
		want := `command "node :id show", option "region": the command "node" has it too; this one counts`
		if got := p.Warnings; len(got) == 0 || got[len(got)-1] != want { // what comes before is of the flags
			t.Errorf("%s: warnings %q", test.name, p.Warnings)
		}
	}
}

// TestPathParamSiblings keeps path parameters from naming other commands: those beside them, and
// at the root those of the library, as far as the export shows them.
func TestPathParamSiblings(t *testing.T) {
	t.Parallel()
	const (
		leaf   = `{"key":"show","description":"S.","commands":[{"key":"docs"},{"key":"http"}]}`
		params = `{"key":":a","description":"A.","commands":[{"key":"list","description":"L.","commands":[{"key":"docs"}]},
			{"key":":b","description":"B.","commands":[` + leaf + `]}]}`
	)
	p := mustLower(t, `{"key":"p","description":"P.","commands":[{"key":"x","description":"X.","positionals":[{"name":"n","description":"N."}],"commands":[{"key":"y"}]},`+params+`]}`)
	got := p.Tools[len(p.Tools)-1].Leaf.Properties
	if want := []string{"x", "docs", "http"}; !slices.Equal(got[0].Siblings, want) {
		t.Errorf("at the root: %q, want %q", got[0].Siblings, want)
	}
	if want := []string{"list"}; !slices.Equal(got[1].Siblings, want) {
		t.Errorf("below: %q, want %q", got[1].Siblings, want)
	}
}

func TestCLIDescription(t *testing.T) {
	t.Parallel()
	const dash = " — "
	tests := []struct{ name, members, node, want string }{
		{"plain", ``, ``, "g c" + dash + "C."},
		{"notes of dialect 1", ``, `,"notes":"N."`, "g c" + dash + "C."},
		{"notes of dialect 7", `"dialect":7,`, `,"notes":" \uFEFFUse {app} or {argsbarg:program}.\n"`, "g c" + dash + "C.\n\nUse p.q or p.q."},
		{"notes appended", `"server":{"notes":"append"},`, `,"notes":"N."`, "g c" + dash + "C.\n\nN."},
		{"notes left out", `"dialect":7,"server":{"notes":"omit"},`, `,"notes":"N."`, "g c" + dash + "C."},
		{"blank notes", `"dialect":7,`, `,"notes":" "`, "g c" + dash + "C."},
		{"environment", `"tools":{"g c":{"requiresEnv":["A","B"]}},`, ``, "g c" + dash + "C. [requires env: A, B]"},
		{"override", `"dialect":7,"tools":{"g c":{"requiresEnv":["A"],"description":"D"}},`, `,"notes":"N."`, "D\n\nN."},
		{"override inside", ``, `,"mcpTool":{"description":"D","requiresEnv":["A"]}`, "D"},
		{"empty override", `"tools":{"g c":{"description":""}},`, ``, "g c" + dash + "C."},
	}
	for _, test := range tests {
		p := mustLower(t, wrapped(test.members, `{"key":"p.q","description":"P.","commands":[{"key":"g","description":"G.","commands":[{"key":"c","description":"C."`+test.node+`}]}]}`))
		if got := strings.Join(p.Tools[0].Doc, "\n"); got != test.want {
			t.Errorf("%s: %q, want %q", test.name, got, test.want)
		}
	}
}

func TestCLIExcluded(t *testing.T) {
	t.Parallel()
	const export = `{"key":"p","description":"P.","commands":[{"key":"g","description":"G.","commands":[
		{"key":"completion","description":"C."},{"key":"version","description":"C."},{"key":"a","description":"C."},
		{"key":"b","description":"C.","mcpTool":{"hidden":true}},{"key":"c","description":"C.","mcpEnabled":false}]}]}`
	tests := []struct{ name, members, tools, excluded string }{
		{"dialect 1", ``, "g_version g_a",
			"[{g completion its name is reserved for the library} {g b hidden by its author} {g c disabled by its author}]"},
		{"dialect 7", `"dialect":7,"tools":{"g b":{"enabled":true},"g c":{"enabled":true},"g a":{"enabled":false}},`, "g_b g_c",
			"[{g completion its name is reserved for the library} {g version its name is reserved for the library} {g a disabled by its author}]"},
		{"asked for", `"tools":{"g completion":{"enabled":true},"g version":{"enabled":false},"g a":{"enabled":false}},`, "g_completion",
			"[{g version disabled by its author} {g a disabled by its author} {g b hidden by its author} {g c disabled by its author}]"},
	}
	for _, test := range tests {
		p := mustLower(t, wrapped(test.members, export))
		if got := toolNames(p); got != test.tools {
			t.Errorf("%s: tools %q, want %q", test.name, got, test.tools)
		}
		if got := fmt.Sprint(p.Excluded); got != test.excluded {
			t.Errorf("%s: excluded\n%s, want\n%s", test.name, got, test.excluded)
		}
	}
	if p := mustLower(t, wrapped(`"tools":{"":{"enabled":false}},`, `{"key":"p","description":"P."}`)); len(p.Tools) > 0 || p.Excluded[0].Command != "p" {
		t.Errorf("root: tools %v, excluded %v", p.Tools, p.Excluded)
	}
}

func toolNames(p *ir.Program) string {
	var list []string
	for _, t := range p.Tools {
		list = append(list, t.Name)
	}
	return strings.Join(list, " ")
}

func TestCLINames(t *testing.T) {
	t.Parallel()
	const leaf = `","description":"C."}`
	export := func(keys ...string) string {
		return `{"key":"p","description":"P.","commands":[{"key":"` + strings.Join(keys, leaf+`,{"key":"`) + leaf + `]}`
	}
	tests := []struct{ name, members, export, want string }{
		{"suffixes", `"server":{"onCollision":"suffix"},`, export("a-b", "a_b", "a.b"), "a_b a_b_2 a_b_3"},
		{"suffix that is taken", `"server":{"onCollision":"suffix"},`, export("a-b", "a_b", "a_b_2", "a.b"), "a_b a_b_3 a_b_2 a_b_4"},
		{"a chosen name stays", `"server":{"onCollision":"suffix"},"tools":{"c":{"name":"a_b"}},`, export("a-b", "c"), "a_b_2 a_b"},
		{"chosen names", `"tools":{"a-b":{"name":"x.y-z"}},`, export("a-b", "a_b"), "x.y-z a_b"},
		{"a root", ``, `{"key":"hello.sh","description":"P."}`, "hello_sh"},
	}
	for _, test := range tests {
		if got := toolNames(mustLower(t, wrapped(test.members, test.export))); got != test.want {
			t.Errorf("%s: %q, want %q", test.name, got, test.want)
		}
	}
}

// A leaf that reads its arguments from standard input has its path as its command line, and
// nothing else: also no flag that is always given.
func TestCLIStdin(t *testing.T) {
	t.Parallel()
	p := mustLower(t, wrapped(`"dialect":7,"exec":{"autoFlags":["yes"]},"tools":{"g c":{"kind":"json","inputSchema":{"type":"object"}}},`,
		`{"key":"p","description":"P.","options":[{"name":"yes","description":"O.","kind":"presence"}],"commands":[{"key":"g","description":"G.",
			"options":[{"name":"o","description":"O.","kind":"string"}],"commands":[{"key":"c","description":"C."},{"key":"d","description":"D."}]}]}`))
	for i, want := range []string{"[{g -1} {c -1}]", "[{--yes -1} {g -1} { 0} {d -1}]"} {
		if got := fmt.Sprint(p.Tools[i].Leaf.Argv); got != want {
			t.Errorf("%s: argv %s, want %s", p.Tools[i].Name, got, want)
		}
	}
}

// What gen/manifest leaves to be found here.
func TestCLIProblems(t *testing.T) {
	t.Parallel()
	const leaf = `{"key":"c","description":"C."}`
	of := func(rest string) string {
		return `{"key":"p","description":"P.","commands":[{"key":"c","description":"C."` + rest + `}]}`
	}
	tests := []struct{ name, text, want string }{
		{"property given twice", of(`,"options":[{"name":"path","description":"O.","kind":"string"}],"positionals":[{"name":"path","description":"A."}]`),
			`1:151: commands[0].positionals[0]: duplicate property "path" in "c"`},
		{"property of a root", `{"key":"p","description":"P.","positionals":[{"name":"a","description":"A."},{"name":"a","description":"A."}]}`,
			`1:78: positionals[1]: duplicate property "a" in "p"`},
		{"path parameter given twice", `{"key":"p","description":"P.","commands":[{"key":":id","description":"I.","commands":[{"key":":id","description":"I.","commands":[` + leaf + `]}]}]}`,
			`1:87: commands[0].commands[0]: duplicate property "id" in ":id :id c"`},
		{"names collide", `{"key":"p","description":"P.","commands":[{"key":"a-b","description":"C."},{"key":"a_b","description":"C."},{"key":"a","description":"A.","commands":[{"key":"b","description":"B."}]}]}`,
			`1:76: commands[1]: tool name collision: "a_b": "a-b", "a_b", "a b"`},
		{"chosen names collide", wrapped(`"server":{"onCollision":"suffix"},"tools":{"a":{"name":"x"},"b":{"name":"x"}},`,
			`{"key":"p","description":"P.","commands":[{"key":"a","description":"A."},{"key":"b","description":"B."}]}`),
			`1:193: schema.commands[1]: tool name collision: "x": "a", "b"`},
		{"name too long", `{"key":"p","description":"P.","commands":[{"key":"` + strings.Repeat("a", 126) + `","description":"C."}]}`,
			`1:43: commands[0]: command "` + strings.Repeat("a", 126) + `": the tool name "p__` + strings.Repeat("a", 126) + `" has 129 characters, want at most 128; give it another in tools`},
		{"json without a schema", of(`,"kind":"json"`), `1:43: commands[0]: command "c": of kind "json" without an inputSchema`},
		{"json with more", of(`,"kind":"json","inputSchema":{"type":"object"},"options":[{"name":"o","description":"O.","kind":"string"}],"positionals":[{"name":"a","description":"A."}]`),
			`1:130: commands[0].options[0]: command "c", option "o": of kind "json", which has no options
m.json:1:194: commands[0].positionals[0]: command "c", positional "a": of kind "json", which has no positionals`},
		{"json below a path parameter", `{"key":"p","description":"P.","commands":[{"key":":id","description":"I.","commands":[{"key":"c","description":"C.","kind":"json","inputSchema":{"type":"object"}}]}]}`,
			`1:87: commands[0].commands[0]: command ":id c": of kind "json" below the path parameter ":id", which its arguments cannot give`},
		{"schema of no object", of(`,"inputSchema":{"type":["object"]}`), `1:95: commands[0].inputSchema: command "c", inputSchema: want the type "object" at its root`},
		{"schema without a type", of(`,"inputSchema":{}`), `1:87: commands[0].inputSchema: command "c", inputSchema: want the type "object" at its root`},
		{"schema with a property of nothing", of(`,"options":[{"name":"repo","description":"O.","kind":"string"}],"inputSchema":{"type":"object","properties":{"rep":{},"other":{}}}`),
			`1:181: commands[0].inputSchema.properties: command "c", inputSchema: property "rep" is no option, positional or path parameter of the command; did you mean "repo"?
m.json:1:190: commands[0].inputSchema.properties: command "c", inputSchema: property "other" is no option, positional or path parameter of the command`},
		{"default out of range", of(`,"options":[{"name":"o","description":"O.","kind":"number","default":"1e999"}]`),
			`1:141: commands[0].options[0].default: command "c", option "o": default "1e999" is out of range`},
		{"resource given twice", wrapped(`"server":{"resources":[{"uri":"a:b","name":"n","text":""},{"uri":"a:b","name":"m","text":""}]},`, of(``)),
			`1:98: server.resources[1].uri: resource "a:b": the URI is that of server.resources[0] too`},
		{"resource of the schema's name", wrapped(`"server":{"resources":[{"uri":"argsbarg://schema","name":"n","text":""}]},`, of(``)),
			`1:63: server.resources[0].uri: resource "argsbarg://schema": the URI is that of the schema too`},
	}
	for _, test := range tests {
		_, err := lowerCLIText(t, test.text)
		if err == nil || err.Error() != "m.json:"+test.want {
			t.Errorf("%s: got\n%v\nwant\nm.json:%s", test.name, err, test.want)
		}
	}
}

func TestCLIWarnings(t *testing.T) {
	t.Parallel()
	option := func(rest string) string {
		return `{"key":"p","description":"P.","options":[{"name":"o","description":"O.",` + rest + `}]}`
	}
	of := func(key string) string {
		return `{"key":"p","description":"P.","commands":[{"key":"` + key + `","description":"C."}]}`
	}
	tests := []struct{ name, text, want string }{
		{"pattern", option(`"kind":"string","pattern":"(?=a)"`),
			`root command, option "o": pattern "(?=a)" is published, but not checked: Go's regexp cannot look around: (?=`},
		{"default of an enum", option(`"kind":"enum","choices":["a"],"default":"b"`), `root command, option "o": default "b" is no choice`},
		{"property name", `{"key":"p","description":"P.","options":[{"name":"o o","description":"O.","kind":"string"}]}`,
			`root command: property name "o o": some clients want 1 to 64 of [A-Za-z0-9_.-]`},
		{"once for all leaves", `{"key":"p","description":"P.","options":[{"name":"o o","description":"O.","kind":"string","pattern":"(?=a)"}],` +
			`"commands":[{"key":"a","description":"A."},{"key":"b","description":"B."}]}`,
			`root command, option "o o": pattern "(?=a)" is published, but not checked: Go's regexp cannot look around: (?=
root command: property name "o o": some clients want 1 to 64 of [A-Za-z0-9_.-]`},
		{"required, but not in the schema", `{"key":"p","description":"P.","inputSchema":{"type":"object","properties":{"o":{}}},` +
			`"options":[{"name":"o","description":"O.","kind":"string","required":true}],"positionals":[{"name":"a","description":"A."},{"name":"b","description":"B.","argMin":0}]}`,
			`root command, inputSchema: "a" is required, but no property: no call can give it, and all fail`},
		{"required around kind json", `{"key":"p","description":"P.","options":[{"name":"o","description":"O.","kind":"string","required":true}],` +
			`"commands":[{"key":"c","description":"C.","kind":"json","inputSchema":{"type":"object"}}]}`,
			`command "c", option "o": required by the root command, but a command of kind "json" is given none: all calls fail`},
		{"tool name", of(strings.Repeat("a", 65)),
			`command "` + strings.Repeat("a", 65) + `": tool name "` + strings.Repeat("a", 65) + `": some clients want 1 to 64 of [A-Za-z0-9_-]`},
	}
	for _, test := range tests {
		p := mustLower(t, test.text)
		if got := strings.Join(p.Warnings, "\n"); got != test.want {
			t.Errorf("%s: got  %s\nwant %s", test.name, got, test.want)
		}
	}
}

func TestCLIDefaultNumbers(t *testing.T) {
	t.Parallel()
	tests := []struct{ text, want string }{
		{"5", "5"}, {"-0", "0"}, {"+7", "7"}, {"007", "7"}, {"0x1F", "31"}, {"0b101", "5"}, {"0O17", "15"}, {"0e5", "0"},
		{".5", "0.5"}, {"5.", "5"}, {"1.50", "1.5"}, {"1e3", "1000"}, {"1e21", "1e+21"}, {"0.0000001", "1e-7"}, {"-0.0", "0"},
		{"12345678901234567890123", "12345678901234567890123"}, {` 4\u00a0`, "4"},
	}
	for _, test := range tests {
		p := mustLower(t, `{"key":"p","description":"P.","options":[{"name":"o","description":"O.","kind":"number","default":"`+test.text+`"}]}`)
		if got := string(p.Tools[0].Leaf.Properties[0].Default); got != test.want {
			t.Errorf("default %q is %s, want %s", test.text, got, test.want)
		}
	}
}

func TestCLIResources(t *testing.T) {
	t.Parallel()
	tests := []struct{ key, members, uri, joined string }{
		{"tracker", ``, "argsbarg://schema", "tracker://schema"},
		{"fleet.ctl", `"dialect":7,`, "fleet.ctl://schema", ""},
		{"My_Tool", `"dialect":7,`, "my-tool://schema", ""},
		{"7z", `"dialect":7,`, "cli-7z://schema", ""},
		{"naïve", ``, "argsbarg://schema", "na-ve://schema"},
		{"p", `"server":{"schemaResourceUri":"x://y"},`, "x://y", ""},
	}
	for _, test := range tests {
		p := mustLower(t, wrapped(test.members, `{"key":"`+test.key+`", "description":"P.","x":[],"commands":[]}`))
		r := p.Resources[0]
		if r.URI != test.uri || r.JoinedURI != test.joined || r.Name != "cli-schema" || r.MIME != "application/json" {
			t.Errorf("%s: %+v", test.key, r)
		}
		want := "{\n  \"key\": \"" + test.key + "\",\n  \"description\": \"P.\",\n  \"x\": [],\n  \"commands\": []\n}\n"
		if *r.Text != want {
			t.Errorf("%s: text %q, want %q", test.key, *r.Text, want)
		}
	}
}

// What a server says of itself, and what is made of the words of an author.
func TestCLIProgram(t *testing.T) {
	t.Parallel()
	p := mustLower(t, wrapped(`"server":{"name":"N","version":"V","instructions":"I"},"exec":{"timeoutMs":5},`+
		`"tools":{"a":{"timeoutMs":0,"outputSchema":{ "type" : "array" },"annotations":{ "x" : 1 }},"b":{"outputSchema":{"type":"object"}}},`,
		`{"key":"fleet.ctl","description":"P.","commands":[{"key":"a","description":"A."},{"key":"b","description":"B."}]}`))
	if p.Module != "fleet_ctl" || p.ServerName != "N" || p.Version != "V" || p.Instructions != "I" || p.InlineSize != -1 || p.Source != "m.json" {
		t.Errorf("%+v", p)
	}
	a, b := p.Tools[0].Leaf, p.Tools[1].Leaf
	if a.TimeoutMS != 0 || b.TimeoutMS != 5 || string(a.Annotations) != `{"x":1}` || string(a.Output.Text) != `{"type":"array"}` {
		t.Errorf("%+v %+v", a, b)
	}
	if a.Output.IsObject || !b.Output.IsObject || a.Output.Check == nil {
		t.Errorf("%+v %+v", a.Output, b.Output)
	}
}
