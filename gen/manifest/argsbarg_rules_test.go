package manifest_test

import (
	"strings"
	"testing"

	"github.com/mcpgen/mcpgen/gen/manifest"
)

// A tiny input for each rule (cli-schema.md 2.6 and 3.2), with what is said of it.
var cliRules = []struct{ name, text, want string }{
	{"no key", `{"mcpgen":1,"format":"argsbarg","schema":{"description":"P."}}`,
		`1:42: schema: root command: key "key" is missing`},
	{"empty key", `{"key":"p","description":"P.","commands":[{"key":"","description":"C."}]}`,
		`1:50: commands[0].key: command "": the key is empty`},
	{"key of another kind", `{"key":"p","description":"P.","commands":[{"key":7,"description":"C."}]}`,
		`1:50: commands[0].key: command "": got 7, want a string`},
	{"NUL in a key", `{"key":"p","description":"P.","commands":[{"key":"a\u0000","description":"C."}]}`,
		`1:50: commands[0].key: command "a\x00": "a\x00" contains NUL`},
	{"no description", `{"key":"p","description":"P.","commands":[{"key":"c"}]}`,
		`1:43: commands[0]: command "c": key "description" is missing`},
	{"no description of the program", `{"key":"p","commands":[]}`,
		`1:1: root command: key "description" is missing`},
	{"null is not absent", `{"key":"p","description":"P.","notes":null}`,
		`1:39: notes: root command: got null, want a string`},
	{"reserved key", `{"key":"p","description":"P.","commands":[{"key":"mcp","description":"C."},{"key":"c","description":"C."}]}`,
		`1:50: commands[0].key: command "mcp": the key "mcp" is reserved for the library`},
	{"reserved in dialect 1, where version is not", `{"key":"p","description":"P.","commands":[{"key":"version","description":"C."},{"key":"completion","description":"C."},{"key":"c","description":"C."}]}`,
		`1:87: commands[1].key: command "completion": the key "completion" is reserved for the library`},
	{"reserved in dialect 7", `{"mcpgen":1,"format":"argsbarg","dialect":7,"schema":{"key":"p","description":"P.","commands":[{"key":"version","description":"C."},{"key":"c","description":"C."}]}}`,
		`1:103: schema.commands[0].key: command "version": the key "version" is reserved for the library`},
	{"sibling keys", `{"key":"p","description":"P.","commands":[{"key":"c","description":"C."},{"key":"c","description":"C."}]}`,
		`1:81: commands[1].key: command "c": commands[0] beside it has the key "c" too`},
	{"fallbackMode alone", `{"key":"p","description":"P.","fallbackMode":"unknownOnly","commands":[{"key":"c","description":"C."}]}`,
		`1:46: fallbackMode: root command: fallbackMode without fallbackCommand`},
	{"unknown fallbackMode", `{"key":"p","description":"P.","fallbackCommand":"c","fallbackMode":"always","commands":[{"key":"c","description":"C."}]}`,
		`1:68: fallbackMode: root command: got "always", want "missingOnly", "missingOrUnknown" or "unknownOnly"`},
	{"required presence", `{"key":"p","description":"P.","commands":[{"key":"c","description":"C.","options":[{"name":"o","description":"O.","kind":"presence","required":true}]}]}`,
		`1:144: commands[0].options[0].required: command "c", option "o": an option of kind "presence" cannot be required`},
	{"short h", `{"key":"p","description":"P.","options":[{"name":"o","description":"O.","kind":"string","shortName":"h"}]}`,
		`1:101: options[0].shortName: root command, option "o": the short name "h" is reserved for help`},
	{"short of two characters", `{"key":"p","description":"P.","options":[{"name":"o","description":"O.","kind":"string","shortName":"oo"}]}`,
		`1:101: options[0].shortName: root command, option "o": got "oo", want one character`},
	{"short given twice", `{"key":"p","description":"P.","options":[{"name":"o","description":"O.","kind":"string","shortName":"x"},{"name":"u","description":"O.","kind":"string","shortName":"x"}]}`,
		`1:165: options[1].shortName: root command, option "u": the short name "x" is that of option "o" too`},
	{"enum without choices", `{"key":"p","description":"P.","options":[{"name":"o","description":"O.","kind":"enum"}]}`,
		`1:42: options[0]: root command, option "o": no choices, which an option of kind "enum" has`},
	{"enum with no choice", `{"key":"p","description":"P.","options":[{"name":"o","description":"O.","kind":"enum","choices":[]}]}`,
		`1:97: options[0].choices: root command, option "o": no choices, which an option of kind "enum" has`},
	{"choices given twice", `{"key":"p","description":"P.","options":[{"name":"o","description":"O.","kind":"enum","choices":["a","b","a"]}]}`,
		`1:106: options[0].choices[2]: root command, option "o": choice "a" given twice`},
	{"empty choice", `{"key":"p","description":"P.","options":[{"name":"o","description":"O.","kind":"enum","choices":["a",""]}]}`,
		`1:102: options[0].choices[1]: root command, option "o": the choice is empty`},
	{"choices of a string", `{"key":"p","description":"P.","options":[{"name":"o","description":"O.","kind":"string","choices":["a"]}]}`,
		`1:99: options[0].choices: root command, option "o": choices of an option of kind "string", want kind "enum"`},
	{"negative argMin", `{"key":"p","description":"P.","positionals":[{"name":"a","description":"A.","kind":"string","argMin":-1}]}`,
		`1:102: positionals[0].argMin: root command, positional "a": got -1, want an integer from 0 to 2147483647`},
	{"negative argMax", `{"key":"p","description":"P.","positionals":[{"name":"a","description":"A.","kind":"string","argMax":-1}]}`,
		`1:102: positionals[0].argMax: root command, positional "a": got -1, want an integer from 0 to 2147483647`},
	{"argMin over argMax", `{"key":"p","description":"P.","positionals":[{"name":"a","description":"A.","kind":"string","argMin":3,"argMax":2}]}`,
		`1:102: positionals[0].argMin: root command, positional "a": argMin 3 is more than argMax 2`},
	{"argMin over the default argMax", `{"key":"p","description":"P.","positionals":[{"name":"a","description":"A.","kind":"string","argMin":2}]}`,
		`1:102: positionals[0].argMin: root command, positional "a": argMin 2 is more than argMax 1`},
	{"required behind optional", `{"key":"p","description":"P.","positionals":[{"name":"a","description":"A.","kind":"string","argMin":0},{"name":"b","description":"B.","kind":"string"}]}`,
		`1:105: positionals[1]: root command, positional "b": required, behind "a", which is optional`},
	{"unbounded in the middle", `{"key":"p","description":"P.","positionals":[{"name":"a","description":"A.","kind":"string","argMax":0},{"name":"b","description":"B.","kind":"string"}]}`,
		`1:46: positionals[0]: root command, positional "a": takes any number of words, want it to be the last`},
	{"malformed path parameter", `{"key":"p","description":"P.","commands":[{"key":":1","description":"C.","commands":[{"key":"c","description":"C."}]}]}`,
		`1:50: commands[0].key: command ":1": got the key ":1", want a colon and a name of [A-Za-z0-9_] that begins with a letter`},
	{"path parameter as a leaf", `{"key":"p","description":"P.","commands":[{"key":":id","description":"C."}]}`,
		`1:50: commands[0].key: command ":id": a path parameter that is a leaf, want commands below it`},
	{"two path parameters", `{"key":"p","description":"P.","commands":[{"key":":a","description":"C.","commands":[{"key":"c","description":"C."}]},{"key":":b","description":"C.","commands":[{"key":"c","description":"C."}]}]}`,
		`1:126: commands[1].key: command ":b": a path parameter beside ":a", want one at most`},
	{"mcpTool on the root", `{"key":"p","description":"P.","mcpTool":{"enabled":false}}`,
		`1:41: mcpTool: root command: mcpTool on the root; only leaves below the root can have it`},
	{"mcpEnabled on a routing node", `{"key":"p","description":"P.","commands":[{"key":"r","description":"R.","mcpEnabled":true,"commands":[{"key":"c","description":"C."}]}]}`,
		`1:86: commands[0].mcpEnabled: command "r": mcpEnabled on a routing node; only leaves below the root can have it`},
	{"unknown kind", `{"key":"p","description":"P.","options":[{"name":"o","description":"O.","kind":"int"}]}`,
		`1:80: options[0].kind: root command, option "o": got "int", want "presence", "string", "number", "enum" or "json"`},
	{"unknown kind of a positional", `{"key":"p","description":"P.","positionals":[{"name":"a","description":"A.","kind":"int"}]}`,
		`1:84: positionals[0].kind: root command, positional "a": got "int", want "presence", "string", "number", "enum" or "json"`},
	{"unknown format", `{"key":"p","description":"P.","options":[{"name":"o","description":"O.","kind":"string","format":"uuid"}]}`,
		`1:98: options[0].format: root command, option "o": got "uuid", want "duration", "comma-list", "date" or "date-time"`},
	{"format of a number", `{"key":"p","description":"P.","options":[{"name":"o","description":"O.","kind":"number","format":"date"}]}`,
		`1:98: options[0].format: root command, option "o": format of an option of kind "number", want kind "string"`},
	{"format and pattern", `{"key":"p","description":"P.","options":[{"name":"o","description":"O.","kind":"string","format":"date","pattern":"a"}]}`,
		`1:115: options[0].pattern: root command, option "o": format and pattern, want one of them`},
	{"pattern of a number", `{"key":"p","description":"P.","options":[{"name":"o","description":"O.","kind":"number","pattern":"a"}]}`,
		`1:99: options[0].pattern: root command, option "o": pattern of an option of kind "number", want kind "string"`},
	{"default of a number that is none", `{"key":"p","description":"P.","options":[{"name":"o","description":"O.","kind":"number","default":"12abc"}]}`,
		`1:99: options[0].default: root command, option "o": default "12abc" of an option of kind "number", want a number`},
	{"default that is no string", `{"key":"p","description":"P.","options":[{"name":"o","description":"O.","kind":"number","default":5}]}`,
		`1:99: options[0].default: root command, option "o": got 5, want a string`},
	{"default of presence", `{"key":"p","description":"P.","options":[{"name":"o","description":"O.","kind":"presence","default":"1"}]}`,
		`1:101: options[0].default: root command, option "o": default of an option of kind "presence", which cannot have one`},
	{"default of a required option", `{"key":"p","description":"P.","options":[{"name":"o","description":"O.","kind":"string","required":true,"default":"1"}]}`,
		`1:115: options[0].default: root command, option "o": default of a required option, which is always given`},
	{"pipable string", `{"key":"p","description":"P.","options":[{"name":"o","description":"O.","kind":"string","pipable":true}]}`,
		`1:99: options[0].pipable: root command, option "o": pipable of an option of kind "string", want kind "json"`},
	{"two pipable options", `{"key":"p","description":"P.","options":[{"name":"o","description":"O.","kind":"json","pipable":true},{"name":"u","description":"O.","kind":"json","pipable":true}]}`,
		`1:158: options[1].pipable: root command, option "u": option "o" is pipable too, want one at most`},
	{"option declared twice", `{"key":"p","description":"P.","options":[{"name":"o","description":"O.","kind":"string"},{"name":"o","description":"O.","kind":"string"}]}`,
		`1:98: options[1].name: root command, option "o": declared twice`},
	{"option without a name", `{"key":"p","description":"P.","options":[{"name":"","description":"O.","kind":"string"}]}`,
		`1:50: options[0].name: root command, option "": the name is empty`},
	{"key given twice", `{"key":"p","description":"P.","commands":[{"key":"c","description":"C.","description":"D."}]}`,
		`1:73: commands[0].description: command "c": key "description" given twice`},
	{"duplicate member of an author schema", `{"key":"p","description":"P.","outputSchema":{"type":"object","properties":{"a":{},"a":{}}}}`,
		`1:84: outputSchema.properties.a: root command: key "a" given twice`},
	{"no schema", `{"mcpgen":1,"format":"argsbarg"}`,
		`1:1: neither schema nor schemaFile, want the schema that a command-line program exports`},
	{"two schemas", `{"mcpgen":1,"format":"argsbarg","schemaFile":"s.json","schema":{"key":"p","description":"P."}}`,
		`1:46: schemaFile: schema and schemaFile, want one of them`},
	{"schema that is no object", `{"mcpgen":1,"format":"argsbarg","schema":[]}`,
		`1:42: schema: got an array, want the schema that a command-line program exports`},
	{"schemaFile without a file", `{"mcpgen":1,"format":"argsbarg","schemaFile":"s.json"}`,
		`1:46: schemaFile: only a manifest that is a file can name another`},
	{"version of the format", `{"mcpgen":2,"format":"argsbarg","schema":{"key":"p","description":"P."}}`,
		`1:11: mcpgen: got 2, want 1, the only version of this format`},
	{"another format", `{"mcpgen":1,"format":"argbarg","schema":{"key":"p","description":"P."}}`,
		`1:22: format: got "argbarg", want "argsbarg"`},
	{"no format", `{"mcpgen":1,"schema":{"key":"p","description":"P."}}`,
		`1:1: key "format" is missing`},
	{"unknown keys", `{"mcpgen":1,"format":"argsbarg","exce":{},"exec":{"comand":["p"],"zzz":1},"server":{"nam":"p"},"tools":{"":{"enable":true}},"schema":{"key":"p","description":"P.","whatever":1}}`,
		`1:33: exce: unknown key "exce"; did you mean "exec"?
m.json:1:51: exec.comand: unknown key "comand"; did you mean "command"?
m.json:1:66: exec.zzz: unknown key "zzz"
m.json:1:85: server.nam: unknown key "nam"; did you mean "name"?
m.json:1:109: tools[""].enable: root command: unknown key "enable"; did you mean "enabled"?`},
	{"unknown key of a resource", `{"mcpgen":1,"format":"argsbarg","server":{"resources":[{"uri":"a:b","name":"n","text":"t","mime":"x"}]},"schema":{"key":"p","description":"P."}}`,
		`1:91: server.resources[0].mime: resource "a:b": unknown key "mime"; did you mean "name"?`},
	{"dialect", `{"mcpgen":1,"format":"argsbarg","dialect":2,"schema":{"key":"p","description":"P."}}`,
		`1:43: dialect: got 2, want "auto", 1 or 7`},
	{"empty command", `{"mcpgen":1,"format":"argsbarg","exec":{"command":[]},"schema":{"key":"p","description":"P."}}`,
		`1:51: exec.command: it is empty, want the words of a command`},
	{"empty program", `{"mcpgen":1,"format":"argsbarg","exec":{"command":["","a"]},"schema":{"key":"p","description":"P."}}`,
		`1:52: exec.command[0]: it is empty, want a program`},
	{"NUL in a word", `{"mcpgen":1,"format":"argsbarg","exec":{"command":["p","a\u0000"]},"schema":{"key":"p","description":"P."}}`,
		`1:56: exec.command[1]: "a\x00" contains NUL`},
	{"exec of wrong kinds", `{"mcpgen":1,"format":"argsbarg","exec":{"cwd":"","env":{"A=B":"x","C":1},"envFile":7,"shellEnv":1,"timeoutMs":-1,"maxOutputBytes":0,"maxParallel":0,"capture":"memory","doubleDash":"auto"},"schema":{"key":"p","description":"P."}}`,
		`1:47: exec.cwd: it is empty, want a path
m.json:1:63: exec.env["A=B"]: got "A=B", want the name of a variable
m.json:1:71: exec.env.C: got 1, want a string
m.json:1:84: exec.envFile: got 7, want a string
m.json:1:97: exec.shellEnv: got 1, want a boolean or the path of a shell
m.json:1:111: exec.timeoutMs: got -1, want an integer from 0 to 9223372036854
m.json:1:131: exec.maxOutputBytes: got 0, want an integer from 1 to 4611686018427387903
m.json:1:147: exec.maxParallel: got 0, want an integer from 1 to 2147483647
m.json:1:159: exec.capture: got "memory", want "file" or "pipe"`},
	{"optionStyle", `{"mcpgen":1,"format":"argsbarg","exec":{"optionStyle":"both","autoFlags":"json"},"schema":{"key":"p","description":"P."}}`,
		`1:55: exec.optionStyle: got "both", want "separate" or "equals"
m.json:1:74: exec.autoFlags: got "json", want an array`},
	{"server of wrong kinds", `{"mcpgen":1,"format":"argsbarg","server":{"name":"","version":1,"onCollision":"skip","notes":"all"},"schema":{"key":"p","description":"P."}}`,
		`1:50: server.name: it is empty, want a name
m.json:1:63: server.version: got 1, want a string
m.json:1:79: server.onCollision: got "skip", want "error" or "suffix"
m.json:1:94: server.notes: got "all", want "auto", "append" or "omit"`},
	{"resource without a body", `{"mcpgen":1,"format":"argsbarg","server":{"resources":[{"uri":"a:b","name":"n"}]},"schema":{"key":"p","description":"P."}}`,
		`1:56: server.resources[0]: resource "a:b": 0 of text, file and args, want one`},
	{"resource with two bodies", `{"mcpgen":1,"format":"argsbarg","server":{"resources":[{"uri":"a:b","name":"n","text":"t","args":["x"]}]},"schema":{"key":"p","description":"P."}}`,
		`1:56: server.resources[0]: resource "a:b": 2 of text, file and args, want one`},
	{"tool that does not exist", `{"mcpgen":1,"format":"argsbarg","tools":{"isue get":{"enabled":false}},"schema":{"key":"p","description":"P.","commands":[{"key":"issue","description":"I.","commands":[{"key":"get","description":"G."}]}]}}`,
		`1:42: tools["isue get"]: command "isue get": there is no such command; did you mean "issue get"?`},
	{"tool of a routing node", `{"mcpgen":1,"format":"argsbarg","tools":{"issue":{"enabled":false}},"schema":{"key":"p","description":"P.","commands":[{"key":"issue","description":"I.","commands":[{"key":"get","description":"G."}]}]}}`,
		`1:42: tools.issue: command "issue": it is a routing node, want a leaf`},
	{"tool of two commands", `{"mcpgen":1,"format":"argsbarg","tools":{"a b":{"enabled":false}},"schema":{"key":"p","description":"P.","commands":[{"key":"a b","description":"B."},{"key":"a","description":"A.","commands":[{"key":"b","description":"B."}]}]}}`,
		`1:42: tools["a b"]: command "a b": there are several commands with this path`},
	{"tool given twice", `{"mcpgen":1,"format":"argsbarg","tools":{"":{},"":{}},"schema":{"key":"p","description":"P."}}`,
		`1:48: tools[""]: key "" given twice`},
	{"tool of wrong kinds", `{"mcpgen":1,"format":"argsbarg","tools":{"":{"enabled":1,"name":"a b","requiresEnv":["A=B"],"kind":"text","inputSchema":true,"timeoutMs":0.5}},"schema":{"key":"p","description":"P."}}`,
		`1:56: tools[""].enabled: root command: got 1, want a boolean
m.json:1:65: tools[""].name: root command: tool name "a b": want 1 to 128 of [A-Za-z0-9_.-]
m.json:1:86: tools[""].requiresEnv[0]: root command: got "A=B", want the name of a variable
m.json:1:100: tools[""].kind: root command: got "text", want "json"
m.json:1:121: tools[""].inputSchema: root command: got a boolean, want an object
m.json:1:138: tools[""].timeoutMs: root command: got 0.5, want an integer from 0 to 9223372036854`},
	{"leaf that is no boolean", `{"mcpgen":1,"format":"argsbarg","tools":{"":{"leaf":"yes"}},"schema":{"key":"p","description":"P."}}`,
		`1:53: tools[""].leaf: root command: got "yes", want a boolean`},
}

func TestCLIRules(t *testing.T) {
	t.Parallel()
	for _, test := range cliRules {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			_, err := manifest.Parse("m.json", []byte(test.text), manifest.Options{})
			if err == nil || err.Error() != "m.json:"+test.want {
				t.Errorf("got  %v\nwant m.json:%s", err, test.want)
			}
		})
	}
}

// What is odd, but understood.
func TestCLIWarnings(t *testing.T) {
	t.Parallel()
	const leaf = `{"key":"c","description":"C."}`
	tests := []struct{ name, text, want string }{
		{"fallback that is hidden", `{"key":"p","description":"P.","fallbackCommand":"mcp","commands":[` + leaf + `]}`,
			`root command: fallbackCommand "mcp" is no command below it; it may be hidden`},
		{"option called schema", `{"key":"p","description":"P.","commands":[{"key":"c","description":"C.","options":[{"name":"schema","description":"S.","kind":"presence"}]}]}`,
			`commands[0].options[0]: command "c", option "schema": programs of library 1.3 to 3.1 take --schema for themselves`},
		{"option called help", `{"key":"p","description":"P.","options":[{"name":"help","description":"H.","kind":"presence"}]}`,
			`options[0]: root command, option "help": programs take --help for themselves`},
		{"option that cannot be given", `{"key":"p","description":"P.","options":[{"name":"a=b","description":"O.","kind":"string"}]}`,
			`options[0]: root command, option "a=b": programs take what is behind the = for its value: all calls that give it fail`},
		{"command that looks like an option", `{"key":"-p","description":"P.","commands":[{"key":"-c","description":"C."}]}`,
			`commands[0]: command "-c": programs take -c for an option: all calls fail`},
		{"flags that are none", `{"mcpgen":1,"format":"argsbarg","exec":{"autoFlags":["f","s"],"hideFlags":["json"]},"schema":{"key":"p","description":"P.","commands":[` +
			`{"key":"c","description":"C.","options":[{"name":"f","description":"F.","kind":"presence"},{"name":"s","description":"S.","kind":"string"}]}]}}`,
			`exec.autoFlags[1]: there is no option "s" of kind "presence"` + "\n" + `exec.hideFlags[0]: there is no option "json" of kind "presence"`},
		{"leaf that is said to be none", `{"mcpgen":1,"format":"argsbarg","tools":{"gone":{"leaf":false}},"schema":{"key":"p","description":"P.","commands":[` + leaf + `]}}`,
			`tools.gone: command "gone": there is no such command`},
	}
	for _, test := range tests {
		m, err := manifest.Parse("m.json", []byte(test.text), manifest.Options{})
		if err != nil {
			t.Errorf("%s: %v", test.name, err)
		} else if got := strings.Join(m.Warnings, "\n"); got != test.want {
			t.Errorf("%s: got  %s\nwant %s", test.name, got, test.want)
		}
	}
}

// All problems are listed at once, ten of them.
func TestManyCLIProblems(t *testing.T) {
	t.Parallel()
	text := `{"key":"p","description":"P.","commands":[` + strings.Repeat(`{"key":"c"},`, 12) + `{"key":"d","description":"D."}]}`
	_, err := manifest.Parse("m.json", []byte(text), manifest.Options{})
	if err == nil || !strings.HasSuffix(err.Error(), `commands[9]: command "c": key "description" is missing`+"\n... and 13 more") {
		t.Errorf("got\n%v", err)
	}
}
