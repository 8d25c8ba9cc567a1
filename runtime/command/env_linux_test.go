package command

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	rt "github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/mcp"
)

// TestEnvFile reads what files may hold.
func TestEnvFile(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "env")
	const text = "\ufeffA=1\n  B = two words \r\n# C=3\n\nD='q'\nE=\"a'\nF=''\nG='\n=H\nI\nexport J=1\nK=$A\\n=x\nA=2"
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	want := []string{"A=1", "B=two words", "D=q", `E="a'`, "F=", "G='", "export J=1", `K=$A\n=x`, "A=2"}
	got, err := readEnvFile(file)
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("got %q, %v, want %q", got, err, want)
	}
	if err := os.WriteFile(file, []byte("A=1\nB=2\x003\n#\x00\nC=4"), 0o600); err != nil {
		t.Fatal(err)
	}
	if got, err := readEnvFile(file); err != errNUL || !slices.Equal(got, []string{"A=1", "C=4"}) {
		t.Errorf("with a NUL: %q, %v", got, err)
	}
	if got, err := readEnvFile(file + ".none"); err == nil || got != nil {
		t.Errorf("without a file: %q, %v", got, err)
	}
}

// FuzzEnvFile reads anything.
func FuzzEnvFile(f *testing.F) {
	f.Add("A=1\n B = '2' \n#C\n=\nD")
	f.Add("='=\n\"=\"\n\x00=\xff")
	f.Fuzz(func(t *testing.T, text string) {
		file := filepath.Join(t.TempDir(), "env")
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		vars, err := readEnvFile(file)
		if err != nil && err != errNUL {
			t.Fatal(err)
		}
		e := newEnvironment(vars)
		for _, v := range vars {
			name, ok := nameOf(v)
			if _, set := e.get(name); !ok || !set || strings.Contains(v, "\n") {
				t.Errorf("variable %q of %q", v, text)
			}
		}
	})
}

// TestEnvironment puts an environment together.
func TestEnvironment(t *testing.T) {
	t.Parallel()
	e := newEnvironment([]string{"PATH=/a:/b", "X=1", "EMPTY=", "X=2", "bad"})
	e.addLogin([]string{"PATH=/c:/b::/d:/c", "X=3", "EMPTY=3", "NEW=a=b", "", "=x", "bad", "N\x00=1", "N=\x00"})
	e.addAll([]string{"Y=1", "NEW=2"})
	want := []string{"PATH=/c:/d:/a:/b", "X=2", "EMPTY=", "NEW=2", "Y=1"}
	if !slices.Equal(e.vars, want) {
		t.Errorf("got %q, want %q", e.vars, want)
	}
	for name, want := range map[string]string{"X": "2", "EMPTY": "", "NEW": "2", "NONE": ""} {
		if got, _ := e.get(name); got != want {
			t.Errorf("get(%q) = %q, want %q", name, got, want)
		}
	}
	for _, tt := range [][3]string{{"", "/a", "/a"}, {"/a", "", "/a"}, {"/a:/b", "/b:/a", "/b:/a"}, {"", "", ""}} {
		if got := joinPath(tt[0], tt[1]); got != tt[2] {
			t.Errorf("joinPath(%q, %q) = %q, want %q", tt[0], tt[1], got, tt[2])
		}
	}
}

// TestChildEnvironment has later parts of the environment win.
func TestChildEnvironment(t *testing.T) {
	home := t.TempDir()
	t.Setenv("HOME", home)
	t.Setenv("FROM_SERVER", "server")
	t.Setenv("FROM_FILE", "server")
	t.Setenv("FROM_AUTHOR", "server")
	t.Setenv(tokenVariable, "secret")
	if err := os.WriteFile(filepath.Join(home, ".env"), []byte("FROM_FILE=file\nFROM_AUTHOR=file\nONLY_FILE=1\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{"~/.env", ".env", filepath.Join(home, ".env")} {
		cli := newCLI()
		cli.EnvFile = path
		cli.Env = append(cli.Env, "FROM_AUTHOR=author")
		f := connectWith(t, cli, latest, rt.Options{Program: "test", Home: home}, mcp.Options{})
		expect(t, f.call(&Leaf{Name: "x", Env: []string{"ONLY_FILE"}}, "env=FROM_SERVER", "env=FROM_FILE", "env=FROM_AUTHOR", "env="+tokenVariable),
			succeeded("server\nfile\nauthor\n\n"))
	}
	cli := newCLI()
	cli.EnvFile = filepath.Join(home, "none")
	f := connect(t, cli, latest)
	expect(t, f.call(plain, "env=FROM_FILE"), succeeded("server\n"))
}

// TestPath looks the program up in the environment of the child, at each call.
func TestPath(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	cli := newCLI()
	cli.Command = []string{"here"}
	cli.Env = append(cli.Env, "PATH="+dir)
	f := connect(t, cli, latest)
	expect(t, f.call(plain), failed("Cannot run here: executable file not found in PATH"))
	if err := os.Symlink(os.Args[0], filepath.Join(dir, "here")); err != nil {
		t.Fatal(err)
	}
	expect(t, f.call(plain, "out=found"), succeeded("found"))
}
