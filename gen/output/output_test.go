package output

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const marked = "// " + Marker + "\n"

// files makes Files of path, contents pairs.
func files(pairs ...string) []File {
	var fs []File
	for i := 0; i < len(pairs); i += 2 {
		fs = append(fs, File{Path: pairs[i], Data: []byte(pairs[i+1])})
	}
	return fs
}

// tree returns the regular files under dir, by path.
func tree(t *testing.T, dir string) map[string]string {
	t.Helper()
	got := map[string]string{}
	err := filepath.WalkDir(dir, func(name string, e fs.DirEntry, err error) error {
		if err != nil || !e.Type().IsRegular() {
			return err
		}
		data, err := os.ReadFile(name)
		rel, _ := filepath.Rel(dir, name)
		got[filepath.ToSlash(rel)] = string(data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return got
}

// put writes files without mcpgen.
func put(t *testing.T, dir string, pairs ...string) {
	t.Helper()
	for _, f := range files(pairs...) {
		name := filepath.Join(dir, filepath.FromSlash(f.Path))
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, f.Data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

func mustWrite(t *testing.T, dir string, fs []File) *Summary {
	t.Helper()
	s, err := Write(t.Context(), dir, fs)
	if err != nil {
		t.Fatalf("Write: %v", err)
	}
	return s
}

// withRecord adds to wanted contents the record that goes with fs.
func withRecord(t *testing.T, want map[string]string, fs []File) map[string]string {
	t.Helper()
	all, err := sorted(fs)
	if err != nil {
		t.Fatal(err)
	}
	want[recordName] = string(all[len(all)-1].Data)
	return want
}

func contents(fs []File) map[string]string {
	m := map[string]string{}
	for _, f := range fs {
		m[f.Path] = string(f.Data)
	}
	return m
}

func TestWrite(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "a", "demo-mcp")
	first := files("main.go", marked+"1", "internal/rt/x/x.go", marked+"x", "testdata/empty", "")
	second := files("main.go", marked+"2", "pools_gen.go", marked, "testdata/empty", "")

	s := mustWrite(t, dir, first)
	if want := []string{"internal/rt/x/x.go", "main.go", "testdata/empty"}; !cmp.Equal(s.Written, want) {
		t.Errorf("first run: Written = %q, want %q", s.Written, want)
	}
	if diff := cmp.Diff(withRecord(t, contents(first), first), tree(t, dir)); diff != "" {
		t.Errorf("first run (-want +got):\n%s", diff)
	}
	if s := mustWrite(t, dir, first); len(s.Written)+len(s.Removed) != 0 {
		t.Errorf("same again: %+v, want nothing done", s)
	}

	put(t, dir, "Dockerfile", "FROM scratch\n", "internal/mine/mine.go", "package mine\n", "main.go", "garbage")
	want := contents(second)
	want["Dockerfile"], want["internal/mine/mine.go"] = "FROM scratch\n", "package mine\n"
	s = mustWrite(t, dir, second)
	if diff := cmp.Diff(withRecord(t, want, second), tree(t, dir)); diff != "" {
		t.Errorf("second run (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(&Summary{
		Written: []string{"main.go", "pools_gen.go"},
		Removed: []string{"internal/rt/x/x.go"},
		Edited:  []string{"main.go"},
	}, s); diff != "" {
		t.Errorf("second run: Summary (-want +got):\n%s", diff)
	}
	if _, err := os.Stat(filepath.Join(dir, "internal/rt")); !os.IsNotExist(err) {
		t.Errorf("internal/rt: %v, want it gone with its last file", err)
	}
}

func TestWriteWithoutRecord(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	put(t, dir,
		"main.go", marked+"old", "stale_gen.go", marked, "mine.go", "package main\n",
		"internal/rt/a/a.go", marked, "testdata/a.transcript", "# "+Marker+"\n",
		"other-mcp/main.go", marked, // another package, with or without a record
		"go.mod", "module x\n", // what is wanted there too
	)
	want := files("main.go", marked+"new", "go.mod", "module x\n")
	mustWrite(t, dir, want)
	all := contents(want)
	all["mine.go"], all["other-mcp/main.go"] = "package main\n", marked
	if diff := cmp.Diff(withRecord(t, all, want), tree(t, dir)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestErrors checks that each obstacle is one plain message and changes nothing.
func TestErrors(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name  string
		setup func(t *testing.T, dir string)
		want  string
	}{
		{"file", func(t *testing.T, dir string) {
			put(t, filepath.Dir(dir), "out", "a file")
		}, `output folder "DIR" is a file; choose another name with -o`},
		{"below a file", func(t *testing.T, dir string) {
			put(t, filepath.Dir(dir), "out", "a file")
		}, `output folder "DIR/sub": lstat DIR/sub: not a directory`},
		{"link", func(t *testing.T, dir string) {
			put(t, filepath.Dir(dir), "real/x", "x")
			if err := os.Symlink("real", dir); err != nil {
				t.Skip(err)
			}
		}, `output folder "DIR" is a symbolic link; name the folder itself: -o PARENT/real`},
		{"broken link", func(t *testing.T, dir string) {
			if err := os.Symlink("nothing", dir); err != nil {
				t.Skip(err)
			}
		}, `output folder "DIR" is a symbolic link that leads nowhere`},
		{"foreign", func(t *testing.T, dir string) {
			put(t, dir, "main.go", "package main\n", "README.md", "mine\n")
		}, `output folder "DIR": it holds files that mcpgen did not write and would replace: README.md, main.go; ` +
			`move them away or choose another folder with -o`},
		{"folder in the way", func(t *testing.T, dir string) {
			put(t, dir, "main.go/x", "x")
		}, `output folder "DIR": main.go stands where mcpgen writes a file, and is none; move it away`},
		{"link in the way", func(t *testing.T, dir string) {
			put(t, dir, "x", "x")
			if err := os.Symlink("x", filepath.Join(dir, "main.go")); err != nil {
				t.Skip(err)
			}
		}, `output folder "DIR": main.go stands where mcpgen writes a file, and is none; move it away`},
		{"broken record", func(t *testing.T, dir string) {
			put(t, dir, recordName, "# x\n<<<<<<< HEAD\n")
		}, `output folder "DIR": mcpgen.lock:2: "<<<<<<< HEAD": want a hash and a path; remove the file and run mcpgen again`},
		{"record that leads out", func(t *testing.T, dir string) {
			put(t, dir, recordName, strings.Repeat("0", 64)+"  ../victim\n")
		}, `output folder "DIR": mcpgen.lock:1: "` + strings.Repeat("0", 64) +
			`  ../victim": want a hash and a path; remove the file and run mcpgen again`},
		{"broken journal", func(t *testing.T, dir string) {
			put(t, dir, journalName, "rubbish")
		}, `output folder "DIR": an interrupted run cannot be completed: ` +
			`.mcpgen-stage/commit: "rubbish": want two names; remove the folder .mcpgen-stage`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			parent := t.TempDir()
			dir := filepath.Join(parent, "out")
			tt.setup(t, dir)
			if tt.name == "below a file" {
				dir += "/sub"
			}
			before := tree(t, parent)
			_, err := Write(t.Context(), dir, files("main.go", marked, "README.md", "ours\n"))
			if err == nil {
				t.Fatal("Write: no error")
			}
			got := strings.ReplaceAll(err.Error(), strings.TrimSuffix(dir, "/sub"), "DIR")
			if got = strings.ReplaceAll(got, parent, "PARENT"); got != tt.want {
				t.Errorf("Write: %s\nwant   %s", got, tt.want)
			}
			if diff := cmp.Diff(before, tree(t, parent)); diff != "" {
				t.Errorf("changed (-before +after):\n%s", diff)
			}
		})
	}
}

func TestReadOnly(t *testing.T) {
	t.Parallel()
	if os.Getuid() == 0 {
		t.Skip("the superuser may write everywhere")
	}
	dir := t.TempDir()
	if err := os.Chmod(dir, 0o555); err != nil {
		t.Fatal(err)
	}
	_, err := Write(t.Context(), dir, files("main.go", marked))
	if want := `output folder "` + dir + `": no permission to write there`; err == nil || err.Error() != want {
		t.Errorf("Write = %v, want %s", err, want)
	}
}

func TestCancelled(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	mustWrite(t, dir, files("main.go", marked+"old"))
	before := tree(t, dir)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Write(ctx, dir, files("main.go", marked+"new")); err == nil {
		t.Error("Write: no error")
	}
	if diff := cmp.Diff(before, tree(t, dir)); diff != "" {
		t.Errorf("changed (-before +after):\n%s", diff)
	}
	missing := filepath.Join(t.TempDir(), "missing")
	if _, err := Write(ctx, missing, files("main.go", marked)); err == nil {
		t.Error("Write: no error")
	}
	if _, err := os.Stat(missing); !os.IsNotExist(err) {
		t.Errorf("new folder after a cancelled run: %v, want none", err)
	}
}

func TestTwoAtOnce(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	first, err := openTarget(dir)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := openTarget(dir); err == nil || !strings.Contains(err.Error(), "another mcpgen is writing to it") {
		t.Errorf("second run: %v", err)
	}
	first.close()
	mustWrite(t, dir, files("main.go", marked))
}

func TestInternalPaths(t *testing.T) {
	t.Parallel()
	for _, path := range []string{"../x", "/x", "", ".", recordName, "a//b"} {
		if _, err := Write(t.Context(), t.TempDir(), files("x", "", path, "")); err == nil {
			t.Errorf("Write of %q: no error", path)
		}
	}
	if _, err := Write(t.Context(), t.TempDir(), files("x", "1", "x", "2")); err == nil {
		t.Error("Write of one path twice: no error")
	}
}

func TestDiff(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	mustWrite(t, dir, files("a.go", marked+"one\ntwo\n", "gone.go", marked))
	want := files("a.go", marked+"one\n2\n", "new.go", "x\n")
	changes, err := Compare(dir, want)
	if err != nil {
		t.Fatal(err)
	}
	got, _, _ := strings.Cut(string(Diff(changes)), "diff a/mcpgen.lock")
	if diff := cmp.Diff(`diff a/a.go b/a.go
--- a/a.go
+++ b/a.go
@@ -1,3 +1,3 @@
 // Code generated by mcpgen DO NOT EDIT.
 one
-two
+2
diff /dev/null b/new.go
--- /dev/null
+++ b/new.go
@@ -0,0 +1,1 @@
+x
diff a/gone.go /dev/null
--- a/gone.go
+++ /dev/null
@@ -1,1 +0,0 @@
-// Code generated by mcpgen DO NOT EDIT.
`, got); diff != "" {
		t.Errorf("Diff (-want +got):\n%s", diff)
	}
	mustWrite(t, dir, want)
	if changes, err := Compare(dir, want); err != nil || len(changes) != 0 {
		t.Errorf("Compare after Write = %v, %v, want nothing", changes, err)
	}
	if changes, err := Compare(filepath.Join(dir, "missing"), want); err != nil || len(changes) != 3 {
		t.Errorf("Compare with a missing folder = %d changes, %v, want 3", len(changes), err)
	}
}
