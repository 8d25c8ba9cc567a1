package manifest_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mcpgen/mcpgen/gen/ir"
	"github.com/mcpgen/mcpgen/gen/manifest"
)

// Which release writes what, and how its pools are driven.
func TestReleases(t *testing.T) {
	t.Parallel()
	for version, want := range map[string]struct {
		stage                ir.Stage
		keys, blocks, served bool
	}{
		"0.98.0":               {ir.StageA, false, false, true},
		"0.98.3":               {ir.StageA, false, false, true},
		"0.99.0":               {ir.StageA, false, false, true},
		"0.99.1":               {ir.StageA1, false, false, true},
		"0.100.0":              {ir.StageB, false, false, true},
		"0.102.1":              {ir.StageB, false, false, true},
		"0.103.0":              {ir.StageC, true, true, true},
		"0.108.1":              {ir.StageC, true, true, true},
		"0.109.0":              {ir.StageD, true, true, true},
		"0.110.0":              {ir.StageD, true, true, false},
		"1.0.0":                {ir.StageD, true, true, false},
		"of today":             {ir.StageD, true, true, false},
		"0.97.9":               {ir.StageA, false, false, false},
		"0.12.0":               {ir.StageA, false, false, false},
		"0.9999999999999999.1": {ir.StageD, true, true, false},
	} {
		text := []byte(strings.Replace(sound, "0.98.2", version, 1))
		m, err := manifest.Parse("m.json", text, manifest.Options{AnyVersion: true})
		if err != nil {
			t.Errorf("%s: %v", version, err)
			continue
		}
		r := m.Release
		if r.Stage() != want.stage || r.HasKeys() != want.keys || r.HasBlockRecords() != want.blocks || r.IsKnown() != want.served {
			t.Errorf("%s: stage %d, keys %t, blocks %t, known %t", version, r.Stage(), r.HasKeys(), r.HasBlockRecords(), r.IsKnown())
		}
	}
}

// The two launchers of manifest-next.md 2.7. The installed one is read like the others, from
// wherever a copy or a link of it lies; a local one is read from the folder it was built in.
func TestReadMarkedLauncher(t *testing.T) {
	t.Parallel()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	file := write(t, filepath.Join(dir, "it's here", "prog-build", "manifest.json"), sound)
	local := write(t, filepath.Join(dir, "it's here", "prog"), "#!/bin/sh\n# morloc-manifest: prog-build/manifest.json\n"+
		"export MORLOC_PROG_NAME=\"$0\"\nd=$(dirname \"$0\")\nexec morloc-nexus run \"$d/prog-build/manifest.json\" \"$@\"\n")
	installed := write(t, filepath.Join(dir, "bin", "prog"), "#!/bin/sh\n# morloc-manifest: "+file+"\n"+
		"export MORLOC_PROG_NAME=\"$0\"\nexec morloc-nexus run '/somewhere/else.json' \"$@\"\n")
	link := filepath.Join(dir, "link")
	if err := os.Symlink(local, link); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{local, installed, link} {
		m, err := manifest.Read(path, manifest.Options{})
		if err != nil {
			t.Errorf("Read(%s): %v", path, err)
		} else if m.Path != file {
			t.Errorf("Read(%s) has path %s, want %s", path, m.Path, file)
		}
	}
}

// Whatever the newer compilers write is read, and what nobody knows is passed over.
func TestReadNewKeys(t *testing.T) {
	t.Parallel()
	const text = `{"name":"p","build":{"path":".","time":1,"morloc_version":"0.109.0","build_params":"","abi":8},
"pools":[{"lang":"py","exec":["python3","p.py"],"socket":"pipe-py"}],"run_log":{"benchmark_summary":null,"later":1},
"commands":[
{"name":"draw","type":"remote","mid":1,"pool":0,"needed_pools":[0],"epilogues":[["a","b"]],"later":{"x":[1]},
 "args":[
  {"kind":"alt","key":"shape","schema":"?v21A01B1j","general_schema":"?v21A01B1j","type":"?Shape","metavar":"SHAPE","desc":["d"],"required":false,"default":null,
   "arms":[{"ctor":"A","long":"a","desc":[],"fields":[]},{"ctor":"B","long":"b","desc":[],"fields":[{"type":"Int","schema":"j"},{"type":"F","schema":null}]}],"metadata":{}},
  {"kind":"pos","key":"_1","schema":"s","general_schema":null,"type":"Str","name":null,"format":"a filename","parse":{"formats":[{"name":"fq","exts":[".fq"]}],"stage":true}},
  {"kind":"flag","key":"fast","short":"f","long":"fast","long_rev":"slow","short_rev":"s","default":"false"},
  {"kind":"grp","key":"style","schema":"m11xj","general_schema":"m11xj","type":"Style","entries":[{"key":"x","arg":{"kind":"opt","key":"x","type":"Int","long":"x","default":"1"}}]}],
 "return":{"schema":"s","general_schema":"s","type":"Str"},
 "terminals":[
  {"long":"png","entry":null,"replay":"mlcp_draw_png_replay","no_replay":null,"args":[1,2],"kind":"value"},
  {"long":"svg","entry":"mlcp_draw_svg","replay":null,"no_replay":"because","args":[],"kind":"fold"},
  {"long":"gif"}],
 "named_types":[
  {"name":"Shape","kind":"data","parameters":[],"desc":["A shape"],"constructors":[{"name":"A","fields":[],"desc":["none"]},{"name":"B","fields":["Int"],"desc":[]}]},
  {"name":"Style","kind":"record","parameters":[],"fields":[{"key":"x","type":"Int"}]},
  {"name":"Map","kind":"packable","equals":"[(a, b)]"}, {}],
 "stream":{"type":"[Int]","schema":"aj"},"parse_entry":"mlcp_draw_parse"},
{"name":"mlcp_draw_svg","type":"remote","mid":2,"pool":0,"internal":true,"return":{"schema":"s"},
 "args":[{"kind":"pos","schema":"?v21A01B1j"},{"kind":"pos","schema":"s"},{"kind":"flag","long":"f"},{"kind":"pos","schema":"m11xj"}]}]}`
	m, err := manifest.Parse("m.json", []byte(text), manifest.Options{})
	if err != nil {
		t.Fatal(err)
	}
	c := m.Commands[0]
	var keys []string
	for _, a := range c.Args {
		keys = append(keys, a.Key)
	}
	if diff := cmp.Diff([]string{"shape", "_1", "fast", "style"}, keys); diff != "" {
		t.Error(diff)
	}
	if a := c.Args[0]; a.Kind != manifest.Alt || a.Type.Text != "?v21A01B1j" || a.Required || a.Default != nil {
		t.Errorf("alt %+v", a)
	}
	if !c.Streams || c.Actions[0].Entry != nil || c.Actions[1].Entry != m.Commands[1] || c.Actions[2].Entry != nil {
		t.Errorf("streams %t, actions %+v", c.Streams, c.Actions)
	}
	want := []*manifest.DataType{{Name: "Shape", Constructors: []manifest.Constructor{{Name: "A", Desc: []string{"none"}}, {Name: "B", Desc: []string{}}}}}
	if diff := cmp.Diff(want, c.Data, cmp.Transformer("len", func(s []string) string { return strings.Join(s, "\n") })); diff != "" {
		t.Error(diff)
	}
	if len(m.Warnings) > 0 {
		t.Errorf("warnings %q", m.Warnings)
	}
}

func TestNewProblems(t *testing.T) {
	t.Parallel()
	command := func(arg string) string {
		return `{"name":"p","build":{"path":".","time":1,"morloc_version":"0.103.0"},"pools":[{"lang":"py","exec":["p.py"],"socket":"s"}],` +
			`"commands":[{"name":"f","type":"remote","mid":1,"args":[` + arg + `],"return":{"schema":"s"}}]}`
	}
	for arg, want := range map[string]string{
		`{"kind":"alt","key":"x","schema":"j"}`:                `schema "j" of an alt, want that of a data type`,
		`{"kind":"alt","key":"x"}`:                             `argument "x": no schema, want a type schema`,
		`{"kind":"pos","key":"","schema":"j"}`:                 `key is empty`,
		`{"kind":"pos","key":null,"schema":"j"}`:               `got null, want a string`,
		`{"kind":"pos","key":"x","schema":"v11A"}`:             `"v11A": schema error: expected a count at position 4`,
		`{"kind":"pos","key":"x","schema":"w"}`:                `"w": schema error: unknown schema character 'w' at position 0`,
		`{"kind":"alt","key":"x","schema":"e0"}`:               `"e0": schema error: enum has no constructors at position 0`,
		`{"kind":"alt","key":"x","schema":"e11A","arms":[{}]}`: `key "ctor" is missing`,
	} {
		_, err := manifest.Parse("m.json", []byte(command(arg)), manifest.Options{})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", arg, err, want)
		}
	}
	m, err := manifest.Parse("m.json", []byte(command(`{"kind":"pos","key":"x","schema":"e13Rés"}`)), manifest.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if len(m.Warnings) != 1 || !strings.HasSuffix(m.Warnings[0], `"e13Rés" counts the characters of names, not their bytes; read as it is meant`) {
		t.Errorf("warnings %q", m.Warnings)
	}
}
