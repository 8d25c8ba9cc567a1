package zstd_test

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/mcpgen/mcpgen/runtime/zstd"
)

// files returns the frames of testdata and what each holds.
func files(t testing.TB) (frames, contents map[string][]byte) {
	t.Helper()
	names, err := filepath.Glob("testdata/*.zst")
	if err != nil || len(names) == 0 {
		t.Fatalf("no testdata: %v", err)
	}
	frames, contents = map[string][]byte{}, map[string][]byte{}
	for _, path := range names {
		name := strings.TrimSuffix(filepath.Base(path), ".zst")
		sample, _, _ := strings.Cut(name, "-")
		if frames[name], err = os.ReadFile(path); err != nil {
			t.Fatal(err)
		}
		contents[name] = samples[sample]()
	}
	return frames, contents
}

func TestDecodeFiles(t *testing.T) {
	t.Parallel()
	frames, contents := files(t)
	for name, frame := range frames {
		t.Run(name, func(t *testing.T) {
			want := contents[name]
			got, err := zstd.Decode([]byte("before"), frame, len(want))
			if err != nil {
				t.Fatal(err)
			}
			if got, ok := bytes.CutPrefix(got, []byte("before")); !ok || !bytes.Equal(got, want) {
				t.Errorf("Decode differs from the content (%d bytes, want %d)", len(got), len(want))
			}
			if len(want) == 0 {
				return
			}
			if _, err := zstd.Decode(nil, frame, len(want)-1); !errors.Is(err, zstd.ErrLimit) {
				t.Errorf("Decode within %d bytes: %v, want %v", len(want)-1, err, zstd.ErrLimit)
			}
			for _, n := range []int{1, 4, 5, len(frame) / 2, len(frame) - 1} {
				if _, err := zstd.Decode(nil, frame[:n], math.MaxInt); err == nil {
					t.Errorf("Decode of the first %d bytes succeeds", n)
				}
			}
		})
	}
}

// All frames at once, a skippable one before each.
func TestDecodeManyFrames(t *testing.T) {
	t.Parallel()
	frames, contents := files(t)
	var src, want []byte
	for name, frame := range frames {
		src = binary.LittleEndian.AppendUint32(src, 0x184D2A53)
		src = binary.LittleEndian.AppendUint32(src, 3)
		src = append(append(src, "abc"...), frame...)
		want = append(want, contents[name]...)
	}
	got, err := zstd.Decode(nil, src, len(want))
	if err != nil || !bytes.Equal(got, want) {
		t.Errorf("Decode = %d bytes, %v; want %d bytes", len(got), err, len(want))
	}
}

func TestDecodeBadFrames(t *testing.T) {
	t.Parallel()
	const magic = "28b52ffd"
	tests := []struct{ name, frame, want string }{
		{"nothing", "", "unexpected end"},
		{"short magic", "28b5", "unexpected end"},
		{"other magic", "28b52ffe00", "not a frame"},
		{"text after a frame", magic + "2000010000" + "61626364", "not a frame"},
		{"reserved bit", magic + "2800010000", "corrupt"},
		{"dictionary", magic + "210700010000", "dictionary"},
		{"dictionary 0 is none", magic + "210000010000", ""},
		{"no block", magic + "2000", "unexpected end"},
		{"reserved block type", magic + "2000070000", "corrupt"},
		{"block larger than the window", magic + "200111000061" + "62", "corrupt"},
		{"less than announced", magic + "200209000061", "corrupt frame"},
		{"checksum missing", magic + "2400010000", "unexpected end"},
		{"checksum", magic + "240001000099e9d851", ""},
		{"checksum wrong", magic + "240001000099e9d852", "checksum"},
		{"skippable frame", "502a4d1802000000ffff", ""},
		{"skippable frame cut", "502a4d1803000000ffff", "unexpected end"},
		{"match before the start", magic + "2010" + "450000" + "100000" + "01" + "00" + "ffff02", "corrupt"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			frame, err := hex.DecodeString(tt.frame)
			if err != nil {
				t.Fatal(err)
			}
			_, err = zstd.Decode(nil, frame, 1<<20)
			if got := fmt.Sprint(err); tt.want == "" && err != nil || !strings.Contains(got, tt.want) {
				t.Errorf("Decode(%s) = %v, want %q", tt.frame, err, tt.want)
			}
		})
	}
}

// Frames of a few bytes: one that upstream wrote (golden files.json, e.dat), and forms
// that encoders use too rarely for testdata.
func TestDecodeSmallFrames(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, frame string
		want        []byte
	}{
		{"upstream", "28b52ffd2010450000" + "1000000100" + "32c002", make([]byte, 16)},
		{"repeated literal", "28b52ffd20051d0000" + "2961" + "00", []byte("aaaaa")},
		{"tables of one code", "28b52ffd200f450000" + "0861" + "015401000b01", bytes.Repeat([]byte("a"), 15)},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			frame, err := hex.DecodeString(tt.frame)
			if err != nil {
				t.Fatal(err)
			}
			got, err := zstd.Decode(nil, frame, len(tt.want))
			if err != nil || !bytes.Equal(got, tt.want) {
				t.Errorf("Decode(%s) = %q, %v, want %q", tt.frame, got, err, tt.want)
			}
		})
	}
}

// More sequences than two bytes can count: each word of four bytes is a match of its own,
// as no two words follow each other twice.
func TestManySequences(t *testing.T) {
	t.Parallel()
	words := random(4*200, 256)
	var want []byte
	for a := 0; a < len(words); a += 4 {
		words[a] = byte(a / 4)           // so that a match is not longer by chance
		for b := a - 4; b >= 0; b -= 4 { // a walk over all pairs
			want = append(append(want, words[a:a+4]...), words[b:b+4]...)
		}
	}
	got, err := zstd.Decode(nil, zstd.Encode(nil, want, 1), len(want))
	if err != nil || !bytes.Equal(got, want) {
		t.Errorf("Decode(Encode(%d bytes)) = %d bytes, %v", len(want), len(got), err)
	}
}

// Whatever byte of a checked frame goes wrong, it is noticed.
func TestDecodeDamaged(t *testing.T) {
	t.Parallel()
	frames, contents := files(t)
	for _, name := range []string{"short-1", "word-1", "text-9"} {
		frame := slices.Clone(frames[name])
		for i := 4; i < len(frame); i += 1 + len(frame)/200 {
			frame[i] ^= 0x10
			got, err := zstd.Decode(nil, frame, 1<<20)
			if err == nil && !bytes.Equal(got, contents[name]) {
				t.Errorf("%s with byte %d changed decodes to something else", name, i)
			}
			frame[i] ^= 0x10
		}
	}
}

func TestEncode(t *testing.T) {
	t.Parallel()
	for name, sample := range samples {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			want := sample()
			for _, level := range []int{0, 1, 4, 9} {
				frame := zstd.Encode([]byte("before"), want, level)
				frame, ok := bytes.CutPrefix(frame, []byte("before"))
				if !ok {
					t.Fatal("Encode changes what is before")
				}
				got, err := zstd.Decode(nil, frame, len(want))
				if err != nil || !bytes.Equal(got, want) {
					t.Fatalf("level %d: Decode(Encode(content)) = %d bytes, %v; want %d bytes", level, len(got), err, len(want))
				}
				if len(frame) > len(want)+16+3*(len(want)>>17) {
					t.Errorf("level %d: %d bytes become %d", level, len(want), len(frame))
				}
			}
		})
	}
}

// A block whose matches do not pay is stored. The decoder does not see their offsets, so
// the next block must not count on them.
func TestEncodeForgetsStoredBlocks(t *testing.T) {
	t.Parallel()
	const block, offset = 128 << 10, 500
	want := random(block+offset, 256)
	copy(want[block-100:], want[block-100-offset:][:4]) // the last match of the first block
	for i := range 400 {
		want = append(want, want[block+i])
	}
	got, err := zstd.Decode(nil, zstd.Encode(nil, want, 1), len(want))
	if err != nil || !bytes.Equal(got, want) {
		t.Errorf("Decode(Encode(%d bytes)) = %d bytes, %v", len(want), len(got), err)
	}
}

// Repetition is found, so files of values shrink although literals are stored.
func TestEncodeShrinks(t *testing.T) {
	t.Parallel()
	for name, most := range map[string]float64{"zeros": 0.001, "text": 0.6, "numbers": 0.75} {
		content := samples[name]()
		size := len(zstd.Encode(nil, content, 3))
		if got := float64(size) / float64(len(content)); got > most {
			t.Errorf("%s shrinks to %.3f of its size, want at most %.3f", name, got, most)
		}
	}
}

// FuzzDecode decodes arbitrary bytes. What comes out neither depends on what was there before
// nor on how much more is allowed, is refused if a byte less is, comes twice if the frames do,
// and encodes to frames that mean the same.
func FuzzDecode(f *testing.F) {
	frames, _ := files(f)
	for _, frame := range frames {
		if len(frame) < 6000 {
			f.Add(frame)
		}
	}
	f.Add([]byte("\x50\x2a\x4d\x18\x01\x00\x00\x00x"))
	const limit = 1 << 20
	f.Fuzz(func(t *testing.T, src []byte) {
		got, err := zstd.Decode(nil, src, limit)
		if err != nil {
			return
		}
		if len(got) > limit {
			t.Fatalf("Decode returns %d bytes, want at most %d", len(got), limit)
		}
		again, err := zstd.Decode([]byte("before"), src, len(got))
		if err != nil || string(again) != "before"+string(got) {
			t.Fatalf("Decode within %d bytes behind others: %d bytes, %v", len(got), len(again), err)
		}
		if _, err := zstd.Decode(nil, src, len(got)-1); len(got) > 0 && !errors.Is(err, zstd.ErrLimit) {
			t.Fatalf("Decode within %d bytes: %v, want %v", len(got)-1, err, zstd.ErrLimit)
		}
		twice, err := zstd.Decode(nil, append(bytes.Clone(src), src...), 2*len(got))
		if err != nil || !bytes.Equal(twice, append(bytes.Clone(got), got...)) {
			t.Fatalf("Decode of the frames twice: %d bytes, %v, want twice %d", len(twice), err, len(got))
		}
		back, err := zstd.Decode(nil, zstd.Encode(nil, got, 1), len(got))
		if err != nil || !bytes.Equal(back, got) {
			t.Fatalf("Decode(Encode(%d bytes)) = %d bytes, %v", len(got), len(back), err)
		}
	})
}

func FuzzEncode(f *testing.F) {
	f.Add([]byte(nil), 1)
	f.Add([]byte("abcabcabcabcabcabc"), 1)
	f.Add(bytes.Repeat([]byte("0123456789"), 20_000), 3)
	f.Fuzz(func(t *testing.T, want []byte, level int) {
		got, err := zstd.Decode(nil, zstd.Encode(nil, want, level), len(want))
		if err != nil || !bytes.Equal(got, want) {
			t.Errorf("Decode(Encode(%d bytes, %d)) = %d bytes, %v", len(want), level, len(got), err)
		}
	})
}

func BenchmarkDecode(b *testing.B) {
	frames, contents := files(b)
	for _, name := range []string{"long-19", "mixed-stream", "numbers-1"} {
		b.Run("file="+name, func(b *testing.B) {
			dst := make([]byte, 0, len(contents[name]))
			b.SetBytes(int64(len(contents[name])))
			for b.Loop() {
				if _, err := zstd.Decode(dst, frames[name], cap(dst)); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
