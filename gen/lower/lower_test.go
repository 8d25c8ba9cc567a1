package lower_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mcpgen/mcpgen/gen/ir"
	"github.com/mcpgen/mcpgen/gen/lower"
	"github.com/mcpgen/mcpgen/gen/manifest"
)

// wrap makes a manifest of commands.
func wrap(commands string) string {
	return `{"name":"demo","build":{"path":".","time":1,"morloc_version":"0.98.2"},
"pools":[{"lang":"py","exec":["python3","p.py"],"socket":"pipe-py","pool_hash":"ab","allow_string_null":false}],
"unsafe_skip_null_check":true,"inline_size":7,"tmpdir":"/t","commands":[
` + commands + "\n]}"
}

// remote is a command that a pool runs.
func remote(name, args, more string) string {
	return fmt.Sprintf(`{"name":%q,"type":"remote","mid":3,"args":[%s],"return":{"schema":"j"}%s}`, name, args, more)
}

func lowerText(t *testing.T, text string) (*ir.Program, error) {
	t.Helper()
	m, err := manifest.Parse("dir/m.json", []byte(text), manifest.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return lower.Lower(m)
}

// lowered lowers commands that are all right.
func lowered(t *testing.T, commands ...string) *ir.Program {
	t.Helper()
	p, err := lowerText(t, wrap(strings.Join(commands, ",\n")))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestProgram(t *testing.T) {
	t.Parallel()
	p := lowered(t, remote("f", "", ""))
	if p.Module != "demo" || p.Version != "0.98.2" || p.Source != "m.json" || !p.UnsafeSkipNullCheck || p.InlineSize != 7 || p.TmpDir != "/t" {
		t.Errorf("program %+v", p)
	}
	want := []ir.Pool{{Lang: "py", Exec: []string{"python3", "p.py"}, Socket: "pipe-py", Hash: "ab"}}
	if diff := cmp.Diff(want, p.Pools); diff != "" {
		t.Error(diff)
	}
	if len(p.Hash) != 16 || p.Hash == lowered(t, remote("g", "", "")).Hash {
		t.Errorf("hash %q", p.Hash)
	}
	if r := p.Tools[0].Raw; r.Remote == nil || r.Remote.MID != 3 || r.Func != nil || r.Return.Text != "j" {
		t.Errorf("target %+v", r)
	}
}

func TestExclusions(t *testing.T) {
	t.Parallel()
	const (
		stdin  = `{"kind":"pos","schema":"s","stdin":true}`
		table  = `{"kind":"pos","schema":"T:11aj"}`
		handle = `{"kind":"opt","long":"h","schema":"m11x?aF","default":"{\"x\":null}"}`
		x      = `{"kind":"pos","schema":"j","name":"x"}`
		optX   = `{"kind":"opt","long":"x","schema":"j","default":"1"}`
		group  = `{"kind":"grp","schema":"m11xj","type":"X","entries":[{"key":"x","arg":{"kind":"opt","long":"a","default":"1"}}]}`
		whole  = `{"kind":"grp","schema":"m11yj","type":"X","group_opt":{},"entries":[]}`
		render = `{"kind":"grp","schema":"m17_renderj","entries":[{"key":"_render","arg":{"kind":"opt","long":"r","default":"1"}}]}`
		out    = `"tag":"write","schema":"z","level":{"tag":"lit","schema":"j","lit_type":"j","value":"0"},"value":{"tag":"lit","schema":"j","lit_type":"j","value":"0"},"handle":{"tag":"stdout","schema":"O"}`
		flen   = `"tag":"flen","schema":"j","handle":{"tag":"open","schema":"F","kind":0,"path":{"tag":"str","schema":"s","value":"x"}}`
	)
	pure := func(schema, expr string) string {
		return fmt.Sprintf(`{"name":"f","type":"pure","return":{"schema":%q},"expr":{%s}}`, schema, expr)
	}
	tests := []struct{ name, command, want string }{
		{"stdin", remote("f", stdin, ""), "reads from @stdin"},
		{"arguments in order", remote("f", table+","+stdin, ""), "argument has an Arrow Table or stream-handle type"},
		{"stdin of one argument first", remote("f", `{"kind":"pos","schema":"F","stdin":true}`, ""), "reads from @stdin"},
		{"handle deep in an argument", remote("f", handle, ""), "argument has an Arrow Table or stream-handle type"},
		{"handle in a group", remote("f", `{"kind":"grp","schema":"m11xI","entries":[{"key":"x","arg":{"kind":"opt","long":"a"}}]}`, ""),
			"argument has an Arrow Table or stream-handle type"},
		{"return", `{"name":"f","type":"remote","mid":1,"args":[` + x + "," + optX + `],"return":{"schema":"aO"}}`,
			"return has an Arrow Table or stream-handle type"},
		{"option takes a positional's name", remote("f", x+","+optX, ""), "property name collision on 'x'"},
		{"field takes a positional's name", remote("f", x+","+group, ""), "property name collision on 'x'"},
		{"whole group takes an option's name", remote("f", optX+","+whole, ""), "property name collision on 'x'"},
		{"flag takes the number of a positional", remote("f", `{"kind":"flag","long":"_1"},{"kind":"pos","schema":"j"}`, ""), "property name collision on '_1'"},
		{"field twice", remote("f", strings.Replace(group, `"entries":[`, `"entries":[{"key":"x","arg":{"kind":"opt","long":"b","default":"1"}},`, 1), ""),
			"property name collision on 'x'"},
		{"field _render", remote("f", render, ""), "property name collision on '_render'"},
		{"other collisions before _render", remote("f", render+","+x+","+optX, ""), "property name collision on 'x'"},
		{"stream", remote("f", "", `,"stream":{"type":"Int","schema":"j"}`), "streams to @stdout"},
		{"stream after collisions", remote("f", x+","+optX, `,"stream":{}`), "property name collision on 'x'"},
		{"null stream", remote("f", "", `,"stream":null`), ""},
		{"stdout in a tree", pure("z", out), "streams to @stdout"},
		{"stream node in a tree", pure("j", flen), "uses stream node 'open'"},
		{"internal", remote("mlcp_x", stdin, `,"internal":true`), ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			p := lowered(t, test.command)
			var want []ir.Excluded
			if test.want != "" {
				want = []ir.Excluded{{Command: "f", Reason: test.want}}
			}
			if diff := cmp.Diff(want, p.Excluded); diff != "" {
				t.Error(diff)
			}
			if test.want != "" && len(p.Tools) > 0 {
				t.Error("the command is a tool all the same")
			}
		})
	}
}

func TestRenders(t *testing.T) {
	t.Parallel()
	entry := func(name, schema, more string) string {
		return fmt.Sprintf(`{"name":%q,"type":"remote","mid":9,"internal":true,"return":{"schema":%q%s}}`, name, schema, more)
	}
	p := lowered(t,
		remote("f", "", `,"terminals":[{"long":"png","entry":"mlcp_f_png","default":true},{"long":"rows","entry":"mlcp_f_rows"},{"long":"raw","entry":"mlcp_f_png"}]`),
		remote("g", "", `,"terminals":[{"long":"rows","entry":"mlcp_f_rows"}]`),
		entry("mlcp_f_png", "au1", `,"mime":"image/png"`), entry("mlcp_f_rows", "T", ""))
	f, g := p.Tools[0], p.Tools[1]
	if len(f.Renders) != 1 || f.Renders[0].Name != "png" || f.Renders[0].Target.Mime != "image/png" || f.Renders[0].Target.Index != 2 || f.Raw.Index != 0 {
		t.Errorf("renders %+v", f.Renders)
	}
	if g.HasRender() {
		t.Error("a tool has _render without anything to choose")
	}
	want := []string{
		`tool "f": output action "rows" is left out (return has an Arrow Table or stream-handle type)`,
		`tool "f": output action "raw" is left out (its name stands for the plain result)`,
		`tool "g": output action "rows" is left out (return has an Arrow Table or stream-handle type)`,
	}
	if diff := cmp.Diff(want, p.Warnings); diff != "" {
		t.Error(diff)
	}
}

// Pure commands are functions, as tools and as output actions; internal ones are found even
// if only a part of the commands is lowered.
func TestFunctions(t *testing.T) {
	t.Parallel()
	pure := func(name, value, more string) string {
		return fmt.Sprintf(`{"name":%q,"type":"pure","return":{"schema":"j"},"expr":{"tag":"lit","schema":"j","lit_type":"j","value":%q}%s}`, name, value, more)
	}
	text := wrap(pure("f", "1", `,"terminals":[{"long":"two","entry":"mlcp_f_two"},{"long":"out","entry":"mlcp_f_out"}]`) + "," +
		pure("mlcp_f_two", "2", `,"internal":true`) + "," + pure("mlcp_f_out", "3", `,"internal":true,"stream":{}`))
	m, err := manifest.Parse("m.json", []byte(text), manifest.Options{})
	if err != nil {
		t.Fatal(err)
	}
	m.Commands = m.Commands[:1]
	p, err := lower.Lower(m)
	if err != nil {
		t.Fatal(err)
	}
	tool := p.Tools[0]
	if len(tool.Renders) != 1 || tool.Raw.Func.Const != "1" || tool.Renders[0].Target.Func.Const != "2" || tool.Raw.Remote != nil {
		t.Errorf("tool %+v", tool)
	}
	if want := []string{`tool "f": output action "out" is left out (streams to @stdout)`}; cmp.Diff(want, p.Warnings) != "" {
		t.Errorf("warnings %q", p.Warnings)
	}
}

func TestWarnings(t *testing.T) {
	t.Parallel()
	load := `{"name":"read","type":"pure","args":[{"kind":"pos","schema":"s"}],"return":{"schema":"j"},
 "expr":{"tag":"lambda","vars":["p"],"body":{"tag":"load","schema":"j","child":{"tag":"bound","schema":"s","var":"p"}}}}`
	p := lowered(t,
		remote("two words", `{"kind":"flag","long":"global","long_rev":"local","default":"true"}`, ""),
		remote("g", `{"kind":"grp","schema":"m11bb","type":"Config Int","group_opt":{},"entries":[{"key":"b","arg":{"kind":"flag","long":"no-b","default":"true"}}]}`, ""),
		load)
	want := []string{
		`tool name "two words": some clients want 1 to 64 of [A-Za-z0-9_-]`,
		`tool "two words": flag "global" is true by default, so its name may be that of the switch that turns it off; false turns it off`,
		`tool "g": property name "config int": some clients want 1 to 64 of [A-Za-z0-9_.-]`,
		`tool "g": flag "b" is true by default, so its name may be that of the switch that turns it off; false turns it off`,
		`tool "read" reads or writes files that its caller may name; over HTTP it is served with --allow-file-io only`,
	}
	if diff := cmp.Diff(want, p.Warnings); diff != "" {
		t.Error(diff)
	}
}

func TestProblems(t *testing.T) {
	t.Parallel()
	opt := func(schema, text string) string {
		return fmt.Sprintf(`{"kind":"opt","long":"o","schema":%q,"default":%q}`, schema, text)
	}
	tests := []struct{ name, command, want string }{
		{"not JSON", remote("f", opt("j", "1x"), ""),
			`4:93: commands[0].args[0].default: command "f", argument "o": default "1x" is no value of the schema "j": unexpected data after the document`},
		{"empty", remote("f", opt("?j", ""), ""),
			`4:94: commands[0].args[0].default: command "f", argument "o": default "" is no value of the schema "?j": the document ends here, expected a value`},
		{"in a field", remote("f", `{"kind":"grp","schema":"m11xj","entries":[{"key":"x","arg":{"kind":"opt","long":"a","default":"null"}}]}`, ""),
			`4:139: commands[0].args[0].entries[0].arg.default: command "f", argument 1, entry "x": default "null" is no value of the schema "j": `},
		{"option without default", remote("f", `{"kind":"opt","short":"o","schema":"j"}`, ""),
			`4:45: commands[0].args[0]: command "f", argument "o": no default, which an option of this type needs`},
		{"tree", `{"name":"f","type":"pure","return":{"schema":"j"},"expr":{"tag":"zip"}}`, `4:65: commands[0].expr.tag: command "f": `},
		{"tree of an excluded command", `{"name":"f","type":"pure","args":[{"kind":"pos","schema":"s","stdin":true}],"return":{"schema":"j"},"expr":{"tag":"zip"}}`,
			`4:115: commands[0].expr.tag: command "f": `},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			_, err := lowerText(t, wrap(test.command))
			if err == nil || !strings.HasPrefix(err.Error(), "dir/m.json:"+test.want) {
				t.Fatalf("got  %v\nwant dir/m.json:%s", err, test.want)
			}
			if !strings.HasSuffix(test.want, " ") && err.Error() != "dir/m.json:"+test.want {
				t.Errorf("got  %v\nwant dir/m.json:%s", err, test.want)
			}
		})
	}
}
