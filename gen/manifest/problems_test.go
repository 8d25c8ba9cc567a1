package manifest_test

import (
	"strings"
	"testing"

	"github.com/mcpgen/mcpgen/gen/manifest"
)

// sound is a manifest that each case of TestProblems spoils in one place.
const sound = `{"name":"demo","build":{"path":".","time":1,"morloc_version":"0.98.2"},
"pools":[{"lang":"py","exec":["python3","pool.py"],"socket":"pipe-py","pool_hash":""},
 {"lang":"r","exec":["Rscript","pool.R"],"socket":"pipe-r"}],
"commands":[
{"name":"add","type":"remote","mid":1,"pool":0,"needed_pools":[0,1],"args":[
 {"kind":"pos","schema":"j","name":"x"},
 {"kind":"opt","schema":"f8","short":"r","long":"rate","default":"1.5"},
 {"kind":"flag","short":"v","default":"false"},
 {"kind":"grp","schema":"m21aj1bb","type":"Conf","entries":[
  {"key":"a","arg":{"kind":"opt","long":"aa","default":"1"}},
  {"key":"b","arg":{"kind":"flag","long":"bb","default":"false"}}]}],
 "return":{"schema":"s","mime":"image/png"},
 "terminals":[{"long":"png","entry":"mlcp_add_png"}]},
{"name":"mlcp_add_png","type":"remote","mid":2,"internal":true,"args":[
 {"kind":"pos","schema":"j","name":"x"},
 {"kind":"opt","schema":"f8","long":"rate","default":"1.5"},
 {"kind":"flag","short":"v"},
 {"kind":"grp","schema":"m21aj1bb","group_opt":{"long":"conf"},"entries":[]}],
 "return":{"schema":"s"}},
{"name":"pi","type":"pure","expr":{"tag":"lit"},"return":{"schema":"f8"},
 "args":[{"kind":"pos","schema":"s","checks":[{"kind":"path","value":"r"}],"source":"file"}]}
]}`

func TestSound(t *testing.T) {
	t.Parallel()
	m, err := manifest.Parse("m.json", []byte(sound), manifest.Options{})
	if err != nil {
		t.Fatal(err)
	}
	add := m.Commands[0]
	if m.InlineSize != -1 || !m.Pools[0].AllowStringNull || add.Args[3].Whole || !m.Commands[1].Args[3].Whole {
		t.Error("defaults are wrong")
	}
	if add.Actions[0].Entry != m.Commands[1] || add.Args[3].Entries[1].Field != 1 {
		t.Error("references are wrong")
	}
}

func TestProblems(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, old, new, want string }{
		// Shape: manifest.md 3.
		{"missing key", `"name":"demo",`, ``, `1:1: key "name" is missing`},
		{"missing build", `"build":{"path":".","time":1,"morloc_version":"0.98.2"},`, ``, `1:1: key "build" is missing`},
		{"missing version", `,"morloc_version":"0.98.2"`, ``, `1:24: build: key "morloc_version" is missing`},
		{"float time", `"time":1,`, `"time":1.5,`, `1:43: build.time: got 1.5, want an integer from -9223372036854775808 to 9223372036854775807`},
		{"null that may not be", `"pools":[`, `"desc":null,"pools":[`, `2:8: desc: got null, want an array`},
		{"wrong kind", `"pool_hash":""`, `"pool_hash":{}`, `2:83: pools[0].pool_hash: got an object, want a string`},
		{"long text", `"internal":true`, `"internal":"` + strings.Repeat("x", 40) + `"`,
			`14:59: commands[1].internal: command "mlcp_add_png": got a string, want a boolean`},
		{"object in a list", `{"key":"a","arg":{"kind":"opt","long":"aa","default":"1"}}`, `7`,
			`10:3: commands[0].args[3].entries[0]: command "add", argument 4: got 7, want an object`},
		{"duplicate key", `"type":"remote","mid":1,`, `"type":"remote","mid":1,"type":"pure",`,
			`5:39: commands[0].type: command "add": key "type" given twice`},
		{"command type", `"type":"pure"`, `"type":"lazy"`, `20:21: commands[2].type: command "pi": got "lazy", want "remote" or "pure"`},
		{"argument kind", `"kind":"pos","schema":"s"`, `"kind":"zip","schema":"s"`,
			`21:18: commands[2].args[0].kind: command "pi", argument 1: got "zip", want "pos", "opt", "flag", "grp" or "alt"`},
		{"argument without kind", `"kind":"pos","schema":"s"`, `"schema":"s"`,
			`21:10: commands[2].args[0]: command "pi", argument 1: key "kind" is missing`},
		{"mid range", `"mid":1,`, `"mid":4294967296,`, `5:37: commands[0].mid: command "add": got 4294967296, want an integer from 0 to 4294967295`},
		{"mid negative", `"mid":1,`, `"mid":-1,`, `5:37: commands[0].mid: command "add": got -1, want an integer from 0 to 4294967295`},
		{"check kind", `"kind":"path"`, `"kind":"size"`,
			`21:55: commands[2].args[0].checks[0].kind: command "pi", argument 1: got "size", want "path"`},
		{"check value", `"value":"r"`, `"value":"a"`,
			`21:70: commands[2].args[0].checks[0].value: command "pi", argument 1: got "a", want "r", "w", "x" or "rw"`},
		{"source", `"source":"file"`, `"source":"net"`,
			`21:85: commands[2].args[0].source: command "pi", argument 1: got "net", want "auto", "inline" or "file"`},
		{"terminal short", `"long":"png",`, `"short":"pp","long":"png",`,
			`13:24: commands[0].terminals[0].short: command "add", output action "png": got "pp", want one character`},
		{"inline size", `"pools":[`, `"inline_size":-1,"pools":[`, `2:15: inline_size: got -1, want an integer from 0 to 9223372036854775807`},
		{"run log", `"pools":[`, `"run_log":{"prologue":1},"pools":[`, `2:23: run_log.prologue: got 1, want a string`},
		{"service", `"pools":[`, `"service":{"port":2147483648},"pools":[`, `2:19: service.port: got 2147483648, want an integer from -2147483648 to 2147483647`},
		{"group", `"pools":[`, `"groups":[{}],"pools":[`, `2:11: groups[0]: key "name" is missing`},
		{"constraint", `"mime":"image/png"`, `"constraints":[{"value":1}]`, `12:40: commands[0].return.constraints[0]: command "add", return: key "type" is missing`},

		// Checks: manifest.md 8, in its order.
		{"duplicate command", `"name":"pi"`, `"name":"add"`, `20:9: commands[2].name: command "add": commands[0] has this name too; rename one of them`},
		{"empty command name", `"name":"pi"`, `"name":""`, `20:9: commands[2].name: command "": name is empty`},
		{"pool out of range", `"pool":0`, `"pool":2`, `5:46: commands[0].pool: command "add": pool 2 of a program with 2 pools`},
		{"pool that is no index", `"pool":0`, `"pool":1099511627776`,
			`5:46: commands[0].pool: command "add": got 1099511627776, want an integer from 0 to 2147483647`},
		{"needed pool out of range", `[0,1]`, `[0,3]`, `5:66: commands[0].needed_pools[1]: command "add": pool 3 of a program with 2 pools`},
		{"empty exec", `"exec":["Rscript","pool.R"]`, `"exec":[]`, `3:21: pools[1].exec: pool "r": no pool file, want the words of a command with a path at their end`},
		{"empty pool file", `"pool.R"`, `""`, `3:21: pools[1].exec: pool "r": no pool file, want the words of a command with a path at their end`},
		{"socket is a path", `"pipe-r"`, `"../r"`, `3:51: pools[1].socket: pool "r": got "../r", want the name of a file`},
		{"socket taken", `"pipe-r"`, `"pipe-py"`, `3:51: pools[1].socket: pool "r": "pipe-py" is the socket of pools[0] too`},
		{"argument schema missing", `"schema":"f8","short":"r",`, ``, `7:2: commands[0].args[1]: command "add", argument "rate": no schema, want a type schema`},
		{"argument schema null", `"schema":"f8","short":"r",`, `"schema":null,`, `7:2: commands[0].args[1]: command "add", argument "rate": no schema, want a type schema`},
		{"argument schema", `"schema":"f8","short":"r"`, `"schema":"f3"`,
			`7:25: commands[0].args[1].schema: command "add", argument "rate": "f3": schema error: invalid float size 3 at position 1`},
		{"return missing", `,"return":{"schema":"f8"}`, ``, `20:1: commands[2]: command "pi": no return schema, want a type schema`},
		{"return schema missing", `"return":{"schema":"f8"}`, `"return":{}`, `20:58: commands[2].return: command "pi": no return schema, want a type schema`},
		{"return schema empty", `"return":{"schema":"f8"}`, `"return":{"schema":""}`,
			`20:68: commands[2].return.schema: command "pi", return: "": schema error: unexpected end of schema at position 0`},
		{"group schema missing", `"schema":"m21aj1bb","type":"Conf",`, ``, `9:2: commands[0].args[3]: command "add", argument 4: no schema, want that of a record`},
		{"group schema", `"schema":"m21aj1bb","type"`, `"schema":"t2jb","type"`, `9:25: commands[0].args[3].schema: command "add", argument 4: schema "t2jb" of a group, want that of a record`},
		{"group of an optional", `"schema":"m21aj1bb","type"`, `"schema":"?m21aj1bb","type"`, `9:25: commands[0].args[3].schema: command "add", argument 4: schema "?m21aj1bb" of a group, want that of a record`},
		{"entry key", `"key":"a"`, `"key":"z"`, `9:60: commands[0].args[3].entries: command "add", argument 4: field "a" has no entry and is not optional
m.json:10:20: commands[0].args[3].entries[0]: command "add", argument 4, entry "z": the record has no field "z"`},
		{"entry kind", `{"kind":"opt","long":"aa","default":"1"}`, `{"kind":"pos"}`,
			`10:28: commands[0].args[3].entries[0].arg.kind: command "add", argument 4, entry "a": got "pos", want "opt" or "flag"`},
		{"flag entry of a number", `{"kind":"opt","long":"aa","default":"1"}`, `{"kind":"flag","long":"aa"}`,
			`10:28: commands[0].args[3].entries[0].arg.kind: command "add", argument 4, entry "a": flag for a field with the schema "j", want "b"`},
		{"entry twice", `"entries":[]`, `"entries":[{"key":"a","arg":{"kind":"opt","long":"p"}},{"key":"a","arg":{"kind":"opt","long":"q"}}]`,
			`18:136: commands[1].args[3].entries[1]: command "mlcp_add_png", argument 4, entry "a": key "a" given twice`},
		{"field without entry", `{"key":"a","arg":{"kind":"opt","long":"aa","default":"1"}},`, ``,
			`9:60: commands[0].args[3].entries: command "add", argument 4: field "a" has no entry and is not optional`},
		{"entry without a name", `"long":"aa",`, ``, `10:20: commands[0].args[3].entries[0].arg: command "add", argument 4, entry "a": opt has neither a long nor a short name`},
		{"empty positional name", `"schema":"s","checks"`, `"schema":"s","name":"","checks"`, `21:44: commands[2].args[0].name: command "pi", argument 1: positional name is empty`},
		{"positional name twice", `"schema":"f8","short":"r","long":"rate","default":"1.5"}`, `"schema":"f8","long":"rate"},{"kind":"pos","schema":"j","name":"x"}`,
			`7:79: commands[0].args[2].name: command "add": positional name "x" is given to args[0] too
m.json:13:37: commands[0].terminals[0].entry: command "add", output action "png": the argument count of command "mlcp_add_png" is 4, want 5 as in "add"`},
		{"option without a name", `"short":"r","long":"rate",`, ``, `7:2: commands[0].args[1]: command "add", argument 2: opt has neither a long nor a short name`},
		{"flag without a name", `"short":"v","default":"false"`, `"long_rev":"w","default":"false"`, `8:2: commands[0].args[2]: command "add", argument 3: flag has neither a long nor a short name`},
		{"flag default", `"short":"v","default":"false"`, `"short":"v","default":"0"`, `8:39: commands[0].args[2].default: command "add", argument "v": default "0" of a flag, want "true" or "false"`},
		{"output action without entry", `"entry":"mlcp_add_png"`, `"entry":"gone"`, `13:37: commands[0].terminals[0].entry: command "add", output action "png": there is no command "gone"`},
		{"output action of other arity", `"entry":"mlcp_add_png"`, `"entry":"pi"`,
			`13:37: commands[0].terminals[0].entry: command "add", output action "png": the argument count of command "pi" is 1, want 4 as in "add"`},
		{"output action of other types", `"schema":"f8","long":"rate"`, `"schema":"f4","long":"rate"`,
			`13:37: commands[0].terminals[0].entry: command "add", output action "png": argument 2 of command "mlcp_add_png" has the schema "f4", want "f8" as in "add"`},
		{"output action twice", `"terminals":[`, `"terminals":[{"long":"png","entry":"mlcp_add_png"},`,
			`13:61: commands[0].terminals[1].long: command "add": output action "png" given twice`},
		{"pure without expr", `"expr":{"tag":"lit"},`, ``, `20:1: commands[2]: command "pi": no expr, which a pure command evaluates`},
		{"pure with null expr", `"expr":{"tag":"lit"},`, `"expr":null,`, `20:1: commands[2]: command "pi": no expr, which a pure command evaluates`},
		{"remote without mid", `"mid":2,`, ``, `14:1: commands[1]: command "mlcp_add_png": no mid, which a remote command calls`},
		{"NUL in a name", `"name":"pi"`, `"name":"p\u0000i"`, `20:9: commands[2].name: command "p\x00i": "p\x00i" contains NUL`},
		{"NUL in an argument", `"long":"rate","default":"1.5"},
 {"kind":"flag","short":"v"}`, `"long":"r\u0000","default":"1.5"},
 {"kind":"flag","short":"v"}`, `16:37: commands[1].args[1].long: command "mlcp_add_png", argument "r\x00": "r\x00" contains NUL`},
		{"media type", `image/png`, `image`, `12:32: commands[0].return.mime: command "add", return: got "image", want a media type such as image/png`},
		{"empty media type", `"image/png"`, `""`, `12:32: commands[0].return.mime: command "add", return: got "", want a media type such as image/png`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			if strings.Count(sound, test.old) != 1 {
				t.Fatalf("%d places match", strings.Count(sound, test.old))
			}
			text := strings.Replace(sound, test.old, test.new, 1)
			_, err := manifest.Parse("m.json", []byte(text), manifest.Options{})
			if err == nil || err.Error() != "m.json:"+test.want {
				t.Errorf("got  %v\nwant m.json:%s", err, test.want)
			}
		})
	}
}

// Several problems come in the order of their places, and ten at most.
func TestManyProblems(t *testing.T) {
	t.Parallel()
	text := strings.Replace(sound, `"schema":"f8"}`, `"schema":"q"}`, 1)
	text = strings.Replace(text, `"lang":"r"`, `"lang":3`, 1)
	_, err := manifest.Parse("m.json", []byte(text), manifest.Options{})
	want := `m.json:3:10: pools[1].lang: got 3, want a string
m.json:20:68: commands[2].return.schema: command "pi", return: "q": schema error: unknown schema character 'q' at position 0`
	if err == nil || err.Error() != want {
		t.Errorf("got\n%v\nwant\n%s", err, want)
	}

	text = strings.Replace(sound, `"pools":[`, `"desc":[`+strings.Repeat("1,", 13)+`1],"pools":[`, 1)
	_, err = manifest.Parse("m.json", []byte(text), manifest.Options{})
	if err == nil || !strings.HasSuffix(err.Error(), "desc[9]: got 1, want a string\n... and 4 more") {
		t.Errorf("got\n%v", err)
	}
}

func TestListing(t *testing.T) {
	t.Parallel()
	tests := []struct{ text, want string }{
		{`{"name":7,"build":{"path":".","time":1,"morloc_version":"0.98.2"}}`,
			"    1 | {\"name\":7,\"build\":{\"path\":\".\",\"time\":1,\"morl...\n" +
				"      |         ^\n"},
		{"{\n\t\"desc\":\"é\", \"unknown\":\"a long and uninteresting text that fills the line\", \"name\":7,\n" +
			`"build":{"path":".","time":1,"morloc_version":"0.98.2"}}`,
			"", // both of its problems, below
		},
	}
	_, err := manifest.Parse("m.json", []byte(tests[0].text), manifest.Options{})
	if got := listing(t, err, 0); got != tests[0].want {
		t.Errorf("got\n%swant\n%s", got, tests[0].want)
	}
	_, err = manifest.Parse("m.json", []byte(tests[1].text), manifest.Options{})
	want := "    2 |  \"desc\":\"é\", \"unknown\":\"a long and unintere...\n" +
		"      |         ^\n"
	if got := listing(t, err, 0); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
	want = "    2 | ...sting text that fills the line\", \"name\":7,\n" +
		"      |                                            ^\n"
	if got := listing(t, err, 1); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}

func listing(t *testing.T, err error, i int) string {
	t.Helper()
	errs, ok := err.(*manifest.Errors)
	if !ok || len(errs.Problems) <= i {
		t.Fatalf("got %v, want at least %d problems", err, i+1)
	}
	return errs.Problems[i].Listing()
}

// TestFewPools reads commands of programs that have no pool, or one.
func TestFewPools(t *testing.T) {
	t.Parallel()
	const one = `{"lang":"py","exec":["python3","pool.py"],"socket":"pipe-py"}`
	for _, tt := range []struct{ name, pools, command, want string }{
		{"kind unknown", ``, `"type":"pu"`, `m.json:1:113: commands[0].type: command "f": got "pu", want "remote" or "pure"`},
		{"no pool", ``, `"type":"remote","mid":1`, `m.json:1:94: commands[0]: command "f": a remote command of a program without pools`},
		{"one pool", one, `"type":"remote","mid":1,"pool":1`,
			`m.json:1:198: commands[0].pool: command "f": pool 1 of a program with one pool`},
	} {
		text := `{"name":"few","build":{"path":".","time":1,"morloc_version":"0.98.2"},"pools":[` + tt.pools +
			`],"commands":[{"name":"f",` + tt.command + `,"return":{"schema":"s"}}]}`
		if _, err := manifest.Parse("m.json", []byte(text), manifest.Options{}); err == nil || err.Error() != tt.want {
			t.Errorf("%s: got  %v\nwant %s", tt.name, err, tt.want)
		}
	}
}
