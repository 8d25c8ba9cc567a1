package runtime

import (
	"reflect"
	"strings"
	"testing"
)

// fakeCommand is a command-line program that does not run.
type fakeCommand struct{}

func (fakeCommand) Start(Options)   {}
func (fakeCommand) Warm()           {}
func (fakeCommand) Ready() bool     { return true }
func (fakeCommand) Stop()           {}
func (fakeCommand) Words() []string { return []string{"bun", "run", "tracker.ts"} }

// fakePools are language pools that do not run.
type fakePools struct{}

func (fakePools) Start(Options) {}
func (fakePools) Warm()         {}
func (fakePools) Ready() bool   { return true }
func (fakePools) Stop()         {}

var (
	tracker = &Program{Name: "tracker", Backend: fakeCommand{}}
	fleet   = &Program{Name: "fleet", Backend: fakeCommand{}}
	calc    = &Program{Name: "calc", Backend: fakePools{}}
	pure    = &Program{Name: "pure"}
	several = &Program{Name: "several", joined: []*Program{tracker, calc, fleet}}
)

// TestCommands holds how a server is told of the commands of its programs, by the flag and by
// the environment.
func TestCommands(t *testing.T) {
	const (
		want       = "want a path, or a JSON array of strings"
		wantName   = "want NAME=COMMAND, with one of the names tracker, fleet"
		wantObject = "MCPGEN_CLI: want a JSON object of paths, or arrays of strings, with the names tracker, fleet"
	)
	flagError := func(value, text string) string {
		return `invalid value "` + value + `" for --cli: ` + text + "; see --help"
	}
	for _, tt := range []struct {
		name string
		p    *Program
		env  string
		args []string
		want commands
		err  string
	}{
		{"nothing", tracker, "", nil, commands{nil}, ""},
		{"path", tracker, "", []string{"--cli", "./a b=c"}, commands{{"./a b=c"}}, ""},
		{"array", tracker, "", []string{"--cli= [\"a\\u0062\" , \"\"] "}, commands{{"ab", ""}}, ""},
		{"environment", tracker, "/e", nil, commands{{"/e"}}, ""},
		{"array in the environment", tracker, `["/e","x"]`, nil, commands{{"/e", "x"}}, ""},
		{"both", tracker, "/e", []string{"--cli", "/f"}, commands{{"/f"}}, ""},
		{"twice", tracker, "", []string{"--cli", "/f", "--cli", "/g"}, commands{{"/g"}}, ""},
		{"no path", tracker, "", []string{"--cli", ""}, nil, flagError("", want)},
		{"no words", tracker, "", []string{"--cli", "[]"}, nil, flagError("[]", want)},
		{"no program", tracker, "", []string{"--cli", `["","a"]`}, nil, flagError(`[\"\",\"a\"]`, want)},
		{"no strings", tracker, "", []string{"--cli", "[1]"}, nil, flagError("[1]", want)},
		{"more than an array", tracker, "", []string{"--cli", `["a"]x`}, nil, flagError(`[\"a\"]x`, want)},
		{"NUL byte", tracker, `["a","\u0000"]`, nil, nil, "MCPGEN_CLI: " + want},
		{"no array", tracker, `["a"`, nil, nil, "MCPGEN_CLI: " + want},

		{"several", several, "", []string{"--cli", "fleet=/a=b", `--cli=tracker=["c"]`}, commands{{"c"}, nil, {"/a=b"}}, ""},
		{"several, environment", several, ` {"fleet" : "/a", "tracker":["b", "c"]} `, []string{"--cli", "tracker=d"},
			commands{{"d"}, nil, {"/a"}}, ""},
		{"several, empty object", several, "{}", nil, commands{nil, nil, nil}, ""},
		{"no name", several, "", []string{"--cli", "/a"}, nil, flagError("/a", wantName)},
		{"unknown name", several, "", []string{"--cli", "nobody=/a"}, nil, flagError("nobody=/a", wantName)},
		{"not of a command line", several, "", []string{"--cli", "calc=/a"}, nil, flagError("calc=/a", wantName)},
		{"name, no path", several, "", []string{"--cli", "fleet="}, nil, flagError("fleet=", want)},
		{"path for several", several, "/a", nil, nil, wantObject},
		{"unknown member", several, `{"calc":"/a"}`, nil, nil, wantObject},
		{"member that is no command", several, `{"fleet":1}`, nil, nil, wantObject},
		{"member that is no path", several, `{"fleet":""}`, nil, nil, wantObject},
		{"member with a NUL byte", several, `{"fleet":"a\u0000"}`, nil, nil, wantObject},
		{"member without words", several, `{"fleet":[]}`, nil, nil, wantObject},
		{"no object", several, `{"fleet":"/a"`, nil, nil, wantObject},
		{"no member", several, `{1:"/a"}`, nil, nil, wantObject},

		{"no such program", calc, "[", []string{"--cli", "x"}, nil, "unknown flag --cli; see --help"},
		{"variable without such a program", calc, "[", nil, commands{nil}, ""},
		{"no pools", tracker, "", []string{"--lazy-pools"}, nil, "unknown flag --lazy-pools; see --help"},
		{"no folder of pools", tracker, "", []string{"--program-dir", "/a"}, nil, "unknown flag --program-dir; see --help"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Setenv(cliVariable, tt.env)
			o, err := tt.p.parseFlags(tt.args, nil)
			if tt.err != "" {
				if err == nil || err.Error() != tt.err {
					t.Errorf("error %v, want %s", err, tt.err)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if !reflect.DeepEqual(o.commands, tt.want) {
				t.Errorf("commands %q, want %q", o.commands, tt.want)
			}
		})
	}
}

// TestUsage asserts that --help tells of the flags that there are, and no others.
func TestUsage(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		p    *Program
		has  []string
		lack []string
	}{
		{tracker, []string{`--cli COMMAND           run COMMAND in place of "bun run tracker.ts": a path`}, []string{"--program-dir", "--lazy-pools"}},
		{calc, []string{"--program-dir DIR", "--lazy-pools"}, []string{"--cli"}},
		{pure, []string{"--program-dir DIR", "--lazy-pools"}, []string{"--cli"}},
		{several, []string{"--cli NAME=COMMAND", "--program-dir NAME=DIR", "--lazy-pools"}, nil},
	} {
		usage := tt.p.usage(nil)
		for _, text := range tt.has {
			if !strings.Contains(usage, text) {
				t.Errorf("%s: --help lacks %q:\n%s", tt.p.Name, text, usage)
			}
		}
		for _, text := range tt.lack {
			if strings.Contains(usage, text) {
				t.Errorf("%s: --help has %q:\n%s", tt.p.Name, text, usage)
			}
		}
	}
}

// TestClientNeeds holds what an entry for a client passes on.
func TestClientNeeds(t *testing.T) {
	for _, name := range passedOn {
		t.Setenv(name, "")
	}
	t.Setenv("PATH", "/bin")
	t.Setenv("PYTHONPATH", "/py")
	const path, python = `"PATH":"/bin"`, `"PYTHONPATH":"/py"`
	for _, tt := range []struct {
		name string
		p    *Program
		env  string
		flag []string
		args []string
		vars []string
	}{
		{"command line", tracker, "", nil, nil, []string{path}},
		{"path", tracker, "", []string{"--cli", "./a"}, []string{`"--cli"`, `"./a"`}, []string{path}},
		{"array of one", tracker, `["a"]`, nil, []string{`"--cli"`, `"a"`}, []string{path}},
		{"array", tracker, `["a", "b c"]`, nil, []string{`"--cli"`, `"[\"a\",\"b c\"]"`}, []string{path}},
		{"several", several, "", []string{"--cli", "fleet=/a", "--program-dir", "calc=/c"},
			[]string{`"--program-dir"`, `"calc=/c"`, `"--cli"`, `"fleet=/a"`}, []string{path, python}},
		{"pools", calc, "", nil, nil, []string{path, python}},
		{"nothing to run", pure, "", nil, nil, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Setenv(cliVariable, tt.env)
			o, err := tt.p.parseFlags(tt.flag, nil)
			if err != nil {
				t.Fatal(err)
			}
			args, vars, err := tt.p.clientNeeds(o)
			if err != nil || !reflect.DeepEqual(args, tt.args) || !reflect.DeepEqual(vars, tt.vars) {
				t.Errorf("args %v, env %v, %v, want %v and %v", args, vars, err, tt.args, tt.vars)
			}
		})
	}
}
