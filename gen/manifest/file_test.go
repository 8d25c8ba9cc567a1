package manifest_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/mcpgen/mcpgen/gen/manifest"
)

func write(t *testing.T, path, text string) string {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

func launcher(target string) string {
	return "#!/bin/sh\nexport MORLOC_PROG_NAME=\"$0\"\nexec morloc-nexus run '" + target + "' \"$@\"\n"
}

func TestReadLauncher(t *testing.T) {
	t.Parallel()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	file := write(t, filepath.Join(dir, "it's-build", "manifest.json"), sound)
	prog := write(t, filepath.Join(dir, "prog"), launcher(strings.ReplaceAll(file, "'", `'\''`)))
	link := filepath.Join(dir, "link")
	if err := os.Symlink(prog, link); err != nil {
		t.Fatal(err)
	}
	moved := filepath.Join(dir, "moved.json")
	if err := os.Symlink(file, moved); err != nil {
		t.Fatal(err)
	}
	daemon := write(t, filepath.Join(dir, "daemon"), "#!/bin/sh\n  morloc-nexus daemon '"+moved+"' \"$@\"\n")
	for _, path := range []string{file, prog, link, moved, daemon} {
		m, err := manifest.Read(path, manifest.Options{})
		if err != nil {
			t.Errorf("Read(%s): %v", path, err)
		} else if m.Path != file {
			t.Errorf("Read(%s) has path %s, want %s", path, m.Path, file)
		}
	}
}

func TestReadErrors(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	path := func(name string) string { return filepath.Join(dir, name) }
	write(t, path("empty"), "")
	write(t, path("lost"), launcher("/no/such/manifest.json"))
	write(t, path("odd"), "#!/bin/sh\nexec morloc-nexus run \"$d/manifest.json\"\n")
	write(t, path("script"), "#!/bin/sh\necho\n")
	write(t, path("build/p-build/manifest.json"), sound)
	write(t, path("huge"), "")
	if err := os.Truncate(path("huge"), 200<<20); err != nil {
		t.Fatal(err)
	}
	for from, to := range map[string]string{"loop1": "loop2", "loop2": "loop1"} {
		if err := os.Symlink(path(to), path(from)); err != nil {
			t.Fatal(err)
		}
	}
	tests := []struct {
		name, want string // want: DIR is the folder
		is         error
	}{
		{"gone", "open DIR/gone: no such file or directory", fs.ErrNotExist},
		{"loop1", "open DIR/loop1: too many levels of symbolic links", syscall.ELOOP},
		{"empty", "DIR/empty:1:1: the file is empty, want the manifest.json of a Morloc program, its launcher, or the schema of a command-line program", nil},
		{"lost", "open /no/such/manifest.json: no such file or directory; launcher DIR/lost names this file", fs.ErrNotExist},
		{"odd", "'DIR/odd' looks like a morloc wrapper but no manifest path was found on its exec line", nil},
		{"script", "DIR/script:1:1: unexpected '#', expected a value; want the manifest.json of a Morloc program, its launcher, or the schema of a command-line program", nil},
		{"huge", "DIR/huge: 209715200 bytes, want a manifest of at most 33554432", nil},
		{"build/p-build", "DIR/build/p-build: is a directory; did you mean DIR/build/p-build/manifest.json", nil},
		{"build", "DIR/build: is a directory; did you mean DIR/build/p-build/manifest.json", nil},
		{".", "DIR: is a directory, want the manifest.json of a Morloc program, its launcher, or the schema of a command-line program", nil},
	}
	for _, test := range tests {
		_, err := manifest.Read(path(test.name), manifest.Options{})
		want := strings.ReplaceAll(test.want, "DIR", dir)
		if err == nil || err.Error() != want {
			t.Errorf("%s: got  %v\nwant %s", test.name, err, want)
		}
		if test.is != nil && !errors.Is(err, test.is) {
			t.Errorf("%s: the cause of %v is not %v", test.name, err, test.is)
		}
	}
}

func TestReadUnreadable(t *testing.T) {
	t.Parallel()
	path := write(t, filepath.Join(t.TempDir(), "m.json"), sound)
	if err := os.Chmod(path, 0); err != nil {
		t.Fatal(err)
	}
	if f, err := os.Open(path); err == nil {
		f.Close()
		t.Skip("this user may read everything")
	}
	if _, err := manifest.Read(path, manifest.Options{}); !errors.Is(err, fs.ErrPermission) {
		t.Errorf("got %v, want %v", err, fs.ErrPermission)
	}
}

// A manifest may come out of a pipe, and an endless file is not read for ever.
func TestReadPipe(t *testing.T) {
	t.Parallel()
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	go func() {
		_, _ = w.WriteString(sound)
		_ = w.Close()
	}()
	name := "/dev/fd/" + strconv.FormatUint(uint64(r.Fd()), 10)
	if _, err := os.Stat(name); err != nil {
		t.Skip("files have no such names here")
	}
	if _, err := manifest.Read(name, manifest.Options{}); err != nil {
		t.Error(err)
	}
	_, err = manifest.Read("/dev/zero", manifest.Options{})
	if want := "/dev/zero: more than 33554432 bytes, want a manifest of at most that"; err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}
