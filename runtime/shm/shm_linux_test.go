package shm

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/mcpgen/mcpgen/internal/testenv"
)

func TestNewBasename(t *testing.T) {
	t.Parallel()
	form := regexp.MustCompile(`^morloc-4242-[0-9a-f]{16}$`)
	seen := map[string]bool{}
	for range 1000 {
		name := NewBasename(4242)
		if !form.MatchString(name) || seen[name] {
			t.Fatalf("basename %q", name)
		}
		seen[name] = true
	}
	if got := Generation("b", 0) + " " + Generation("b", 12); got != "b b-gen12" {
		t.Error(got)
	}
}

func TestParse(t *testing.T) {
	t.Parallel()
	const base = "morloc-42-0123456789abcdef"
	for _, test := range []struct {
		file, basename string
	}{
		{base + "_0", base},
		{base + "_32767", base},
		{base + ".registry", base},
		{base + "-gen3_17", base + "-gen3"},
		{base + "-gen12.registry", base + "-gen12"},
		{base, ""},
		{base + "_", ""},
		{base + "_x", ""},
		{base + "_1.bak", ""},
		{base + "-gen_1", ""},
		{base + "-gen1x_1", ""},
		{"morloc-42-0123456789abcde_0", ""},
		{"morloc-42-0123456789abcdeX_0", ""},
		{"morloc--42-0123456789abcdef_0", ""},
		{"morloc-x-0123456789abcdef_0", ""},
		{"other-42-0123456789abcdef_0", ""},
		{"", ""},
	} {
		basename, pid, ok := parse(test.file)
		if ok != (test.basename != "") || ok && (basename != test.basename || pid != 42) {
			t.Errorf("parse(%q) = %q, %d, %v", test.file, basename, pid, ok)
		}
		if ok && !belongs(test.file, basename) {
			t.Errorf("%q does not belong to %q", test.file, basename)
		}
	}
	if belongs(base+"-gen1_0", base) {
		t.Error("the next generation's file belongs to the first")
	}
}

// The bytes of pool-protocol 5.3.
func TestFirstVolume(t *testing.T) {
	t.Parallel()
	got := firstVolume("morloc-4242-0123456789abcdef_0")
	const dump = "f00dcafe6d6f726c6f632d343234322d" + "30313233343536373839616263646566" + "5f300000000000000000000000000000"
	want, err := hex.DecodeString(dump)
	if err != nil {
		t.Fatal(err)
	}
	want = append(want, make([]byte, firstSize-len(want))...)
	copy(want[0x80:], "\x00\x00\x00\x00\x00\x00\x00\x00\xff\xff\x00\x00\x00\x00\x00\x00")
	copy(want[0xa0:], "\x00\x00\x00\x00\x00\x00\x00\x00\xf0\x0d\xb1\x0c\x00\x00\x00\x00\xef\xff\x00\x00\x00\x00\x00\x00")
	if len(got) != 65_703 || !bytes.Equal(got, want) {
		t.Errorf("volume 0 of %d bytes begins\n%s", len(got), hex.Dump(got[:184]))
	}
}

func TestBlockSize(t *testing.T) {
	t.Parallel()
	region := dataRegion(firstVolume("x"))
	for offset, want := range map[int]int64{16: 65519, 0: 0, 8: 0, 24: 0, -1 << 62: 0, 1 << 47: 0} {
		if got := BlockSize(region, offset); got != want {
			t.Errorf("BlockSize at %d = %d, want %d", offset, got, want)
		}
	}
	for i := range 8 {
		region[8+i] = 0xff
	}
	if got := BlockSize(region, 16); got != int64(len(region)) {
		t.Errorf("BlockSize of a spoiled block = %d", got)
	}
	if got := BlockSize(nil, 16); got != 0 {
		t.Errorf("BlockSize without a volume = %d", got)
	}
}

func newArea(t *testing.T, dir string) *Area {
	t.Helper()
	a, err := create(dir, NewBasename(os.Getpid()), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(a.Sweep)
	return a
}

func TestArea(t *testing.T) {
	t.Parallel()
	a := newArea(t, t.TempDir())
	shared, fallback := a.dirs[0], a.dirs[1]
	first := filepath.Join(shared, a.basename+"_0")
	if info, err := os.Stat(first); err != nil || info.Mode().Perm() != 0o600 || info.Size() != firstSize {
		t.Fatalf("volume 0: %v, %v", info, err)
	}
	for dir, index := range map[string]int{shared: 7, fallback: 8} { // as pools do
		file := append(firstVolume("x"), byte(index))
		if err := os.WriteFile(filepath.Join(dir, a.volumeName(index)), file, 0o600); err != nil {
			t.Fatal(err)
		}
		region := a.Volume(index)
		if len(region) != firstSize+1-headerSize || int(region[len(region)-1]) != index {
			t.Errorf("volume %d has %d bytes", index, len(region))
		}
		if again := a.Volume(index); &again[0] != &region[0] {
			t.Errorf("volume %d is mapped twice", index)
		}
	}
	for name, content := range map[string][]byte{
		"_9":         []byte("short"),
		"_10":        make([]byte, 1000), // no magic
		"_1x":        make([]byte, 1000),
		"-gen1_0":    make([]byte, 1000),
		".registry":  make([]byte, 5000),
		"0_0":        make([]byte, 1000),
		".registry2": make([]byte, 1000),
	} {
		if err := os.WriteFile(filepath.Join(shared, a.basename+name), content, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink(first, filepath.Join(shared, a.volumeName(11))); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mkfifo(filepath.Join(shared, a.volumeName(12)), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, index := range []int{9, 10, 11, 12, 13, -1} {
		if a.Volume(index) != nil {
			t.Errorf("there is a volume %d", index)
		}
	}
	if got, want := a.Size(), int64(firstSize+2*(firstSize+1)+5+1000+5000+len(first)); got != want {
		t.Errorf("size is %d, want %d", got, want)
	}
	a.Sweep()
	a.Sweep()
	left := append(names(shared), names(fallback)...)
	slices.Sort(left)
	want := []string{a.basename + "-gen1_0", a.basename + ".registry2", a.basename + "0_0", a.basename + "_1x"}
	if !slices.Equal(left, want) {
		t.Errorf("left are %q, want %q", left, want)
	}
}

// Changes that pools make after the mapping are seen.
func TestAreaIsShared(t *testing.T) {
	t.Parallel()
	a := newArea(t, t.TempDir())
	region := a.Volume(0)
	f, err := os.OpenFile(filepath.Join(a.dirs[0], a.volumeName(0)), os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := f.WriteAt([]byte("hello"), headerSize+100); err != nil {
		t.Fatal(err)
	}
	if got := string(region[100:105]); got != "hello" {
		t.Errorf("region has %q", got)
	}
}

func TestCreateFails(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	name := NewBasename(1)
	if err := os.WriteFile(filepath.Join(dir, name+"_0"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := create(dir, name, dir); err == nil || !strings.HasPrefix(err.Error(), "shared memory: open ") {
		t.Errorf("a volume 0 that exists: %v", err)
	}
	if _, err := create(dir, strings.Repeat("x", 130), dir); err == nil ||
		!strings.HasPrefix(err.Error(), "shared memory: name of more than 127 bytes: ") {
		t.Errorf("a long name: %v", err)
	}
}

// Without /dev/shm, volumes are files elsewhere and named by their path.
func TestCreateFallback(t *testing.T) {
	t.Parallel()
	fallback := testenv.ShortDir(t) // the path is part of the name, which is not long
	a, err := create("/no/such/folder", NewBasename(1), fallback)
	if err != nil {
		t.Fatal(err)
	}
	defer a.Sweep()
	path := filepath.Join(fallback, a.volumeName(0))
	file, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if got, _, _ := bytes.Cut(file[atName:], []byte{0}); string(got) != path {
		t.Errorf("name is %q, want %q", got, path)
	}
	if a.Volume(0) == nil {
		t.Error("no volume 0")
	}
}

func TestCreateFull(t *testing.T) {
	dir := t.TempDir()
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, "size=16k"); err != nil {
		t.Skipf("cannot mount: %v", err)
	}
	defer func() { _ = syscall.Unmount(dir, 0) }()
	_, err := create(dir, NewBasename(1), t.TempDir())
	if want := "shared memory: " + dir + " is full: 65703 bytes do not fit"; err == nil || err.Error() != want {
		t.Errorf("error is %v, want %q", err, want)
	}
	if left := names(dir); len(left) > 0 {
		t.Errorf("left: %q", left)
	}
}

func TestSweepStale(t *testing.T) {
	t.Parallel()
	dead := exec.Command("true")
	if err := dead.Run(); err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	gone := NewBasename(dead.Process.Pid)
	unseen, err := create(dir, NewBasename(dead.Process.Pid), dir) // in another container
	if err != nil {
		t.Fatal(err)
	}
	defer unseen.Sweep()
	spared := []string{
		NewBasename(os.Getpid()) + "_0",
		unseen.basename + "_0",
		unseen.basename + "_7",
		fmt.Sprintf("morloc-%d-notours_0", dead.Process.Pid),
		"morloc-data",
	}
	swept := []string{gone + "_0", gone + "_31000", gone + ".registry", gone + "-gen4_1"}
	for _, name := range append(swept, spared...) {
		f, err := os.OpenFile(filepath.Join(dir, name), os.O_CREATE|os.O_WRONLY, 0o600)
		if err != nil {
			t.Fatal(err)
		}
		_ = f.Close()
	}
	folder := filepath.Join(dir, gone+"_5")
	if err := os.Mkdir(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	spared = append(spared, gone+"_5")
	sweepStale(dir, func(pid int) bool { return pid == os.Getpid() })
	left := names(dir)
	slices.Sort(left)
	slices.Sort(spared)
	if !slices.Equal(left, spared) {
		t.Errorf("left are %q, want %q", left, spared)
	}
}

func FuzzParse(f *testing.F) {
	f.Add("morloc-42-0123456789abcdef-gen3_17")
	f.Add("morloc-42-0123456789abcdef.registry")
	form := regexp.MustCompile(`^(morloc-([0-9]+)-[0-9a-f]{16}(-gen[0-9]+)?)(_[0-9]+|\.registry)$`)
	f.Fuzz(func(t *testing.T, name string) {
		basename, pid, ok := parse(name)
		m := form.FindStringSubmatch(name)
		if ok != (m != nil) {
			if m != nil && len(m[2]) > 18 { // a number that no process has
				return
			}
			t.Fatalf("parse(%q) says %v", name, ok)
		}
		if ok && (basename != m[1] || strings.TrimLeft(m[2], "0") != strings.TrimLeft(fmt.Sprint(pid), "0")) {
			t.Fatalf("parse(%q) = %q, %d", name, basename, pid)
		}
	})
}
