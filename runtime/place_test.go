package runtime

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

func joinedPrograms() *Program {
	return &Program{Name: "morloc", joined: []*Program{{Name: "calc"}, {Name: "draw"}}}
}

// TestPlaces holds how a server is told of the folders of its programs, by the flag and by
// the environment.
func TestPlaces(t *testing.T) {
	list := func(a, b string) string { return a + string(os.PathListSeparator) + b }
	const wantNames = "want NAME=DIR, with one of the names calc, draw"
	for _, tt := range []struct {
		name         string
		p            *Program
		env          string
		args         []string
		named, given []string
		err          string
	}{
		{"one", &Program{Name: "calc"}, "/e", []string{"--program-dir", "/a=b:c"}, []string{"/e"}, []string{"/a=b:c"}, ""},
		{"one, nothing", &Program{Name: "calc"}, "", nil, []string{""}, []string{""}, ""},
		{"several", joinedPrograms(), list("draw=/d", "calc=/c"), []string{"--program-dir", "draw=/x=y"},
			[]string{"/c", "/d"}, []string{"", "/x=y"}, ""},
		{"several, repeated", joinedPrograms(), "draw=/d", []string{"--program-dir", "calc=/1", "--program-dir=draw=/2", "--program-dir=calc=/3"},
			[]string{"", "/d"}, []string{"/3", "/2"}, ""},
		{"several, nothing", joinedPrograms(), "", nil, []string{"", ""}, []string{"", ""}, ""},
		{"no name", joinedPrograms(), "", []string{"--program-dir", "/x"}, nil, nil,
			`invalid value "/x" for --program-dir: ` + wantNames + "; see --help"},
		{"unknown name", joinedPrograms(), "", []string{"--program-dir", "cal=/x"}, nil, nil,
			`invalid value "cal=/x" for --program-dir: ` + wantNames + "; see --help"},
		{"value in words of ours", joinedPrograms(), "", []string{"--program-dir", "a for -b"}, nil, nil,
			`invalid value "a for -b" for --program-dir: ` + wantNames + "; see --help"},
		{"environment without a name", joinedPrograms(), list("calc=/c", "/x"), nil, nil, nil,
			"MCPGEN_PROGRAM_DIR: " + wantNames},
		{"no pools", &Program{Name: "several", joined: []*Program{tracker, fleet}}, "/x", nil, []string{"", ""}, []string{"", ""}, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Setenv(dirVariable, tt.env)
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
			if !slices.Equal(o.named, tt.named) || !slices.Equal(o.given, tt.given) {
				t.Errorf("named %q, given %q, want %q and %q", o.named, o.given, tt.named, tt.given)
			}
		})
	}
}

// TestFolders holds the order in which the folders of a program of several are tried.
func TestFolders(t *testing.T) {
	t.Parallel()
	exe, err := executable()
	if err != nil {
		t.Fatal(err)
	}
	here := filepath.Dir(exe)
	p := joinedPrograms()
	p.joined[1].Folder = "draw-build"
	abs := func(path string) string {
		a, err := filepath.Abs(path)
		if err != nil {
			t.Fatal(err)
		}
		return a
	}
	o := &flags{places: places{
		given: []string{"a0", "a1"}, named: []string{"b0", "b1"}, linked: []string{"", "c1"},
	}}
	want := []string{abs("a1"), abs("b1"), abs("c1"), filepath.Join(here, "draw-build"), here}
	if got := p.joined[1].folders(o, 1); !slices.Equal(got, want) {
		t.Errorf("folders %q, want %q", got, want)
	}
	want = []string{abs("a0"), abs("b0"), here}
	if got := p.joined[0].folders(o, 0); !slices.Equal(got, want) {
		t.Errorf("folders %q, want %q", got, want)
	}
}
