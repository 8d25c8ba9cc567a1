package shm

import (
	"bytes"
	"encoding/binary"
	"errors"
	"os"
	"path/filepath"
	"testing"
)

// A volume is a file of shared memory as package binary reads it.
type volume struct {
	Magic uint32
	_     [132]byte
	Size  uint64 // of the data region
}

// A blockHead is what stands in front of each block of a data region.
type blockHead struct {
	Magic, Shares uint32
	Size          uint64
}

// regionOf reads where the data region of a file begins and ends; ok is false if it is no
// volume. That of a numbered one follows a header of fixed size, that of a tagged one is at
// the end.
func regionOf(file []byte, tagged bool) (from, to int, ok bool) {
	var v volume
	if _, err := binary.Decode(file, binary.LittleEndian, &v); err != nil || v.Magic != 0xfeca0df0 {
		return 0, 0, false
	}
	if from = 168; tagged {
		from = len(file) - int(min(v.Size, 1<<40))
	}
	if from < 152 || from > len(file) || from%8 != 0 {
		return 0, 0, false
	}
	return from, len(file), true
}

// FuzzVolume maps a file that pools may have made and lets go of a block in it. Its region and
// its block are what package binary finds, and no byte outside of the block changes.
func FuzzVolume(f *testing.F) {
	shared := bytes.Clone(taggedVolume("/mlc-000001-00000000-0000-0001")[:taggedHeader+blockHeader+40])
	binary.LittleEndian.PutUint64(shared[atDataSize:], blockHeader+40)
	binary.LittleEndian.PutUint64(shared[taggedHeader+8:], 40)
	for _, shares := range []byte{0, 1, 2, 255} {
		shared[taggedHeader+4] = shares
		f.Add(bytes.Clone(shared), 16)
	}
	f.Add(firstVolume("x")[:headerSize+64], 16)
	f.Add([]byte("short"), -1)
	folder := f.TempDir()
	f.Fuzz(func(t *testing.T, file []byte, offset int) {
		if offset < 0 || offset >= 1<<offsetBits || len(file) > 4<<10 {
			return
		}
		for tagged, scheme := range map[bool]*Scheme{false: &Numbered, true: &Tagged} {
			a := &Area{scheme: scheme, basename: "volume", dirs: []string{folder}, mapped: map[int][]byte{}}
			path := filepath.Join(folder, a.volumeName(1))
			if err := os.WriteFile(path, file, 0o600); err != nil {
				t.Fatal(err)
			}
			checkVolume(t, a, path, file, tagged, offset)
			a.Sweep()
		}
	})
}

// checkVolume looks at volume 1, which is a file of the given content, and lets go of the
// block at an offset.
func checkVolume(t *testing.T, a *Area, path string, file []byte, tagged bool, offset int) {
	t.Helper()
	from, to, ok := regionOf(file, tagged)
	region := a.Volume(1)
	if len(file) < headerSize { // too short to be mapped
		from, to, ok = 0, 0, false
	}
	if ok != (region != nil) || !bytes.Equal(region, file[from:to]) {
		t.Fatalf("%x: a region of %d bytes, want %d to %d", file, len(region), from, to)
	}
	if !ok {
		return
	}
	var b blockHead
	at := from + offset - 16
	hasBlock := offset >= 16 && offset <= len(region)
	if hasBlock {
		_, _ = binary.Decode(file[at:], binary.LittleEndian, &b)
		hasBlock = b.Magic == 0x0cb10df0
	}
	size := BlockSize(region, offset)
	if want := min(b.Size, uint64(len(region))); hasBlock && uint64(size) != want || !hasBlock && size != 0 {
		t.Fatalf("%x: the block at %d has %d bytes", file, offset, size)
	}
	if !tagged {
		return // blocks of these are not let go of
	}
	want := bytes.Clone(file)
	var wantErr error
	switch whole := hasBlock && b.Size > 0 && offset%16 == 0 && b.Size <= uint64(len(region)-offset); {
	case !whole:
		wantErr = errNoBlock
	case b.Shares == 0 || b.Shares == 1<<32-1:
		wantErr = errReleased
	case b.Shares == 1:
		clear(want[at+16 : at+16+int(b.Size)])
		fallthrough
	default:
		binary.LittleEndian.PutUint32(want[at+4:], b.Shares-1)
	}
	err := a.Release(1<<offsetBits | offset)
	got, readErr := os.ReadFile(path)
	if readErr != nil || !errors.Is(err, wantErr) || !bytes.Equal(got, want) {
		t.Fatalf("%x: Release of %d: %v, want %v; the file is %x, want %x", file, offset, err, wantErr, got, want)
	}
}
