package shm

import (
	"bytes"
	"encoding/hex"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

func TestTagNames(t *testing.T) {
	t.Parallel()
	form := regexp.MustCompile(`^/mlc-001092-[0-9a-f]{8}-0000$`)
	seen := map[string]bool{}
	for range 1000 {
		name := Tagged.NewBasename(0x1092)
		if !form.MatchString(name) || seen[name] {
			t.Fatalf("basename %q", name)
		}
		seen[name] = true
	}
	const base = "/mlc-001092-89abcdef-0000"
	if got := Tagged.Generation(base, 0) + " " + Tagged.Generation(base, 300); got != base+" /mlc-001092-89abcdef-012c" {
		t.Error(got)
	}
	if len(base+".reg") > 31 {
		t.Error("longer than some systems allow")
	}
	for suffix, want := range map[string]bool{
		"-0001": true, "-7fff": true, ".reg": true, ".stats": true, "": false, "-1": false, "-00001": false,
		"_0": false, "-000g": false, ".registry": false, "-0001.bak": false,
	} {
		if isTagSuffix(suffix) != want {
			t.Errorf("isTagSuffix(%q) = %t", suffix, !want)
		}
	}
}

// The bytes of pool-protocol-next.md 5.3.
func TestTaggedVolume(t *testing.T) {
	t.Parallel()
	got := taggedVolume("/mlc-001092-89abcdef-0000-0001")
	want := make([]byte, 65_743)
	for offset, digits := range map[int]string{
		0x00: "f00dcafe2f6d6c632d3030313039322d",
		0x10: "38396162636465662d303030302d3030",
		0x20: "30310000000000000000000000000000",
		0x80: "0000000001000000ffff000000000000",
		0x90: "00000000000000000000000000000000",
		0xa0: "00000000000000009200000000000000",
		0xc0: "00000000000000000000000000000000",
		0xd0: "f00db10c00000000efff000000000000",
	} {
		b, err := hex.DecodeString(digits)
		if err != nil {
			t.Fatal(err)
		}
		copy(want[offset:], b)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("volume 1 of %d bytes begins\n%s", len(got), hex.Dump(got[:224]))
	}
	if region := tailRegion(got); len(region) != 65_535 || &region[0] != &got[208] {
		t.Errorf("region of %d bytes", len(region))
	}
}

func TestTailRegion(t *testing.T) {
	t.Parallel()
	volume := taggedVolume("x")
	for name, change := range map[string]func(v []byte) []byte{
		"no magic":   func(v []byte) []byte { v[0] = 0; return v },
		"short":      func(v []byte) []byte { return v[:100] },
		"too large":  func(v []byte) []byte { v[atDataSize+7] = 0x80; return v },
		"over lock":  func(v []byte) []byte { le.PutUint64(v[atDataSize:], uint64(len(v)-leastHeader+1)); return v },
		"unaligned":  func(v []byte) []byte { le.PutUint64(v[atDataSize:], uint64(len(v)-taggedHeader-1)); return v },
		"empty stub": func([]byte) []byte { return nil },
	} {
		if tailRegion(change(bytes.Clone(volume))) != nil {
			t.Errorf("%s: there is a region", name)
		}
	}
}

func newTagged(t *testing.T, s *Scheme) *Area {
	t.Helper()
	a, err := s.create(t.TempDir(), s.NewBasename(os.Getpid()), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(a.Sweep)
	return a
}

// addVolume makes a volume with a header of its own size, as other machines have.
func addVolume(t *testing.T, path string, header int, region []byte) {
	t.Helper()
	v := make([]byte, header+len(region))
	le.PutUint32(v, volumeMagic)
	le.PutUint64(v[atDataSize:], uint64(len(region)))
	copy(v[header:], region)
	if err := os.WriteFile(path, v, 0o600); err != nil {
		t.Fatal(err)
	}
}

func block(count uint32, size int) []byte {
	b := make([]byte, blockHeader+size)
	le.PutUint32(b, blockMagic)
	le.PutUint32(b[4:], count)
	le.PutUint64(b[8:], uint64(size))
	for i := range size {
		b[blockHeader+i] = 0xab
	}
	return b
}

func TestTaggedArea(t *testing.T) {
	t.Parallel()
	if !Tagged.Precreates() {
		t.Skip("the first volume is not known on this machine")
	}
	a := newTagged(t, &Tagged)
	shared, run := a.dirs[0], a.dirs[1]
	first := a.basename + "-0001"
	if got := names(shared); !slices.Equal(got, []string{first}) {
		t.Errorf("files %q", got)
	}
	if got := names(run); !slices.Equal(got, []string{first + ".shm"}) {
		t.Errorf("marks %q", got)
	}
	file, err := os.ReadFile(filepath.Join(shared, first))
	if name, _, _ := bytes.Cut(file[atName:], []byte{0}); err != nil || string(name) != "/"+first {
		t.Errorf("name %q, %v", name, err)
	}
	if a.Volume(0) != nil || len(a.Volume(1)) != 65_535 || a.Volume(2) != nil {
		t.Error("volume 0 and 2 do not exist, 1 does")
	}
	addVolume(t, filepath.Join(shared, a.basename+"-0002"), 224, block(1, 64))
	if err := os.WriteFile(filepath.Join(shared, a.basename+"-00ff"), nil, 0o600); err != nil { // full: look elsewhere
		t.Fatal(err)
	}
	addVolume(t, filepath.Join(run, a.basename+"-00ff"), 208, block(1, 32))
	if len(a.Volume(2)) != 80 || len(a.Volume(255)) != 48 {
		t.Errorf("volumes of %d and %d bytes", len(a.Volume(2)), len(a.Volume(255)))
	}
	for _, name := range []string{".reg", ".stats", "-gen1_0", "_1"} {
		if err := os.WriteFile(filepath.Join(shared, a.basename+name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	a.Sweep()
	left := names(shared)
	slices.Sort(left)
	if want := []string{a.basename + "-gen1_0", a.basename + "_1"}; !slices.Equal(left, want) {
		t.Errorf("left are %q", left)
	}
}

func TestRelease(t *testing.T) {
	t.Parallel()
	a := newTagged(t, &Unsettled)
	path := filepath.Join(a.dirs[0], a.basename+"-0002")
	const header = 224
	addVolume(t, path, header, append(block(1, 64), block(3, 48)...))
	address := func(offset int) int { return 2<<offsetBits | offset }
	at := func(offset int) []byte {
		file, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		return file[header+offset:]
	}
	if err := a.Release(address(16)); err != nil {
		t.Fatal(err)
	}
	if b := at(0); le.Uint32(b[4:]) != 0 || le.Uint64(b[8:]) != 64 || !bytes.Equal(b[16:80], make([]byte, 64)) {
		t.Errorf("the block of a last holder is % x", b[:80])
	}
	if err := a.Release(address(96)); err != nil {
		t.Fatal(err)
	}
	if b := at(80); le.Uint32(b[4:]) != 2 || b[16] != 0xab {
		t.Errorf("the block of several holders is % x", b[:32])
	}
	for offset, want := range map[int]error{16: errReleased, 0: errNoBlock, 17: errNoBlock, 1 << 40: errNoBlock} {
		if err := a.Release(address(offset)); !errors.Is(err, want) {
			t.Errorf("release at %d: %v, want %v", offset, err, want)
		}
	}
	if err := a.Release(16); !errors.Is(err, errNoBlock) {
		t.Errorf("release in no volume: %v", err)
	}
}

func TestSweepMarked(t *testing.T) {
	t.Parallel()
	dir, folder := t.TempDir(), t.TempDir()
	for _, path := range []string{
		folder + "/mlc-00aaaa-11111111-0000-0001.shm", folder + "/mlc-00aaaa-11111111-0000.reg.shm",
		folder + "/mlc-00bbbb-22222222-0000.shm", folder + "/other.shm", folder + "/.owner",
		dir + "/mlc-00aaaa-11111111-0000-0001", dir + "/mlc-00aaaa-11111111-0000.reg", dir + "/mlc-00aaaa-11111111-0000-0002",
		dir + "/mlc-00bbbb-22222222-0000_0", dir + "/mlc-00bbbb-22222222-0000-0007", dir + "/mlc-00bbbb-22222222-0001-0001", dir + "/other",
	} {
		if err := os.WriteFile(path, nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	sweepMarked(dir, folder)
	left := names(dir)
	slices.Sort(left)
	if got := strings.Join(left, " "); got != "mlc-00aaaa-11111111-0000-0002 mlc-00bbbb-22222222-0001-0001 other" {
		t.Errorf("left are %s", got)
	}
}

// Between the stages, files may have names of both kinds.
func TestUnsettledArea(t *testing.T) {
	t.Parallel()
	if Unsettled.Precreates() {
		t.Error("pools make the first volume")
	}
	a := newTagged(t, &Unsettled)
	addVolume(t, filepath.Join(a.dirs[0], a.basename+"_0"), 168, make([]byte, 100))
	addVolume(t, filepath.Join(a.dirs[0], a.basename+"-0001"), 208, make([]byte, 200))
	if len(a.Volume(0)) != 100 || len(a.Volume(1)) != 200 {
		t.Errorf("volumes of %d and %d bytes", len(a.Volume(0)), len(a.Volume(1)))
	}
	a.Sweep()
	if left := names(a.dirs[0]); len(left) > 0 {
		t.Errorf("left are %q", left)
	}
}
