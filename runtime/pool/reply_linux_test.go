package pool

import (
	"encoding/binary"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/mcpgen/mcpgen/internal/testpool"
	"github.com/mcpgen/mcpgen/runtime/packet"
	"github.com/mcpgen/mcpgen/runtime/voidstar"
	"github.com/mcpgen/mcpgen/runtime/zstd"
)

func TestReplies(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("long ", 40_000)
	pipe := fifo(t)
	tests := []struct {
		name string
		mid  uint32
		arg  string
		want string
		err  string
	}{
		{"plain", testpool.Echo, "hello", "hello", ""},
		{"slack", testpool.Slack, "hello", "hello", ""},
		{"bytes behind the packet", testpool.Trailing, "hello", "hello", ""},
		{"byte by byte", testpool.Drip, "hello", "hello", ""},
		{"msgpack", testpool.Msgpack, "hello", "hello", ""},
		{"file", testpool.File, long, long, ""},
		{"file in msgpack", testpool.FileMsgpack, long, long, ""},
		{"shared, short", testpool.Shared, "hello", "hello", ""},
		{"shared, empty", testpool.Shared, "", "", ""},
		{"shared, long", testpool.Shared, long, long, ""},

		{"failure", testpool.Failure, "boom", "", "boom"},
		{"failure, empty", testpool.Failure, "", "", ""},
		{"failure of some lines", testpool.Failure, "bad\n  at f [py] (mid=3)", "", "bad\n  at f [py] (mid=3)"},
		{"failure, not UTF-8", testpool.Failure, "a\xffb", "", "a\uFFFDb"},
		{"failure with NUL", testpool.Failure, "a\x00b", "", "a"},
		{"failure of 64 KiB", testpool.Failure, long[:64<<10], "", long[:64<<10]},
		{"unknown manifold", 77, "", "", "Invalid local manifold id: 77"},

		{"nothing", testpool.Nothing, "", "", "IPC error: Connection closed by peer"},
		{"half", testpool.Half, long, "", "IPC error: Connection closed early"},
		{"part of the header", testpool.Raw, "\x6d\xf8\x07\x07", "", "IPC error: Connection closed early"},
		{"wrong magic", testpool.Magic, "x", "", "packet error: Malformed morloc packet"},
		{"junk", testpool.Raw, strings.Repeat("?", 64), "", "packet error: Malformed morloc packet"},
		{"too long", testpool.Huge, "x", "", "packet error: reply of more than 1073741824 bytes"},
		{"call", testpool.WrongType, "x", "", "packet error: Malformed morloc packet"},
		{"compressed", testpool.Compressed, "x", "", "packet error: compressed packet"},
		{"text", testpool.Raw, string(testpool.Data(0, 2, []byte("x"))), "",
			"packet error: Unsupported packet source/format: 0x00/0x02"},
		{"table", testpool.Raw, string(testpool.Data(2, 5, make([]byte, 8))), "",
			"packet error: Unsupported packet source/format: 0x02/0x05"},
		{"msgpack of another type", testpool.Raw, string(testpool.Data(0, 1, []byte{0xc3})), "",
			"serialization error"},
		{"fails before it has read", testpool.Early, strings.Repeat("x", 4<<20), "", "early"},
		{"refuses to read", testpool.Refuse, strings.Repeat("x", 4<<20), "", "IPC error: Failed to send data to '/tmp/morloc."},

		{"shared, no volume", testpool.Raw, relptr(9, 16), "", "shared memory error: no block at the address of the result"},
		{"shared, no block", testpool.Raw, relptr(0, 64), "", "shared memory error: no block at the address of the result"},
		{"shared, released", testpool.Raw, relptr(0, 16), "", "shared memory error: the result was released before it was read"},
		{"shared, negative", testpool.Raw, relptr(1<<15, 16), "", "packet error: Malformed morloc packet"},
		{"shared, short address", testpool.Raw, string(testpool.Data(2, 4, make([]byte, 7))), "",
			"packet error: Malformed morloc packet"},
		{"file without a path", testpool.Raw, string(testpool.Data(1, 3, nil)), "", "packet error: Malformed morloc packet"},
		{"file is a folder", testpool.Raw, string(testpool.Data(1, 3, []byte("/tmp"))), "",
			"IO error: not a regular file (/tmp)"},
		{"file is a pipe that nobody writes to", testpool.Raw, string(testpool.Data(1, 3, []byte(pipe))), "",
			"IO error: not a regular file (" + pipe + ")"},
	}
	s := testSet(t, program(t, 2, testpool.Options{}))
	for _, test := range tests {
		got, err := do(t, s, 1, test.mid, test.arg)
		switch {
		case err == nil && (test.err != "" || test.name == "failure, empty"):
			t.Errorf("%s: no error, want %q", test.name, test.err)
		case err != nil && (test.err == "" && test.name != "failure, empty" || !strings.HasPrefix(err.Error(), test.err)):
			t.Errorf("%s: %v, want %q", test.name, err, test.err)
		case got != test.want:
			t.Errorf("%s: %d bytes, want %d", test.name, len(got), len(test.want))
		}
		mustEcho(t, s, 0)
		mustEcho(t, s, 1)
	}
	if text := s.cfg.Stderr.(*log).String(); strings.Contains(text, "recovery") {
		t.Errorf("restarted:\n%s", text)
	}
}

// relptr is a reply that refers to shared memory.
func relptr(volume, offset uint64) string {
	return string(testpool.Data(2, 4, binary.LittleEndian.AppendUint64(nil, volume<<48|offset)))
}

// A failure comes as the pool's, so that callers can tell; other errors have a brief form.
func TestErrorKinds(t *testing.T) {
	t.Parallel()
	s := testSet(t, program(t, 1, testpool.Options{}))
	_, err := do(t, s, 0, testpool.Failure, "boom")
	if _, ok := err.(packet.Failure); !ok {
		t.Errorf("%T, want a packet.Failure", err)
	}
	if got := Brief(err); got != "boom" {
		t.Errorf("Brief = %q", got)
	}
	_, err = do(t, s, 0, testpool.FileMissing, "")
	if got, want := Brief(err), "IO error: no such file or directory"; got != want {
		t.Errorf("Brief = %q, want %q", got, want)
	}
	want(t, err, "IO error: no such file or directory ("+s.dir.path+"/missing.dat)")
}

// A vandal destroys the volume in which its result lies.
type vandal struct {
	call
	path  string
	fault any
}

// Finish implements [Finisher].
func (v *vandal) Finish(r *voidstar.Reader, err error) {
	defer close(v.done)
	defer func() { v.fault = recover() }()
	if v.err = err; err == nil {
		v.err = os.Truncate(v.path, 0)
		v.result = strings.Clone(r.String(r.Root()))
	}
}

// Memory that vanishes while it is read is a panic, not the end of the process.
func TestVanishingMemory(t *testing.T) {
	t.Parallel()
	s := testSet(t, program(t, 1, testpool.Options{}))
	mustDo(t, s, 0, testpool.Shared, "x")
	volumes, _ := filepath.Glob("/dev/shm/" + s.basename + "_4*")
	if len(volumes) != 1 {
		t.Fatalf("volumes are %q", volumes)
	}
	v := &vandal{call: call{done: make(chan struct{})}, path: volumes[0]}
	v.Exchange = Exchange{Call: testpool.Call(testpool.Shared, "x"), Finisher: v}
	s.Do(&v.Exchange)
	<-v.done
	if _, ok := v.fault.(runtime.Error); !ok || v.err != nil {
		t.Errorf("fault is %v, error %v", v.fault, v.err)
	}
	mustEcho(t, s, 0) // the pool frees the result and so makes the file longer again
	if err := os.Truncate(v.path, 0); err != nil {
		t.Fatal(err)
	}
	_, index, _ := strings.Cut(volumes[0], "_")
	_, err := do(t, s, 0, testpool.Raw, relptr(uint64(number(index)), 16))
	want(t, err, "shared memory error: a volume was cut short")
	mustEcho(t, s, 0)
}

func TestTemporaryFiles(t *testing.T) {
	t.Parallel()
	s := testSet(t, program(t, 1, testpool.Options{}))
	for range 3 {
		mustDo(t, s, 0, testpool.FileMsgpack, "x")
		mustDo(t, s, 0, testpool.File, "x")
	}
	if left, _ := filepath.Glob(s.dir.path + "/*.mpk"); len(left) > 0 {
		t.Errorf("not removed: %q", left)
	}
	if _, err := os.Stat(s.dir.path + "/cached.dat"); err != nil {
		t.Errorf("the cache's file was removed: %v", err)
	}
}

func TestCompressedFiles(t *testing.T) {
	t.Parallel()
	value := testpool.Text(strings.Repeat("compress me ", 10_000))
	var frames []packet.Frame
	var payload []byte
	for rest := value; len(rest) > 0; {
		part := rest[:min(50_000, len(rest))]
		rest = rest[len(part):]
		before := len(payload)
		payload = zstd.Encode(payload, part, 3)
		frames = append(frames, packet.Frame{Plain: uint64(len(part)), Packed: uint64(len(payload) - before)})
	}
	bad := append([]packet.Frame{{Plain: 1, Packed: frames[0].Packed}}, frames[1:]...)
	huge := append([]packet.Frame{{Plain: 1 << 60, Packed: frames[0].Packed}}, frames[1:]...)
	s := testSet(t, program(t, 1, testpool.Options{}))
	for _, test := range []struct {
		name    string
		content []byte
		err     string
	}{
		{"good", packet.AppendCompressed(nil, "s", packet.FormatVoidstar, frames, payload), ""},
		{"wrong size", packet.AppendCompressed(nil, "s", packet.FormatVoidstar, bad, payload), "packet error: zstd: content exceeds the limit ("},
		{"absurd size", packet.AppendCompressed(nil, "s", packet.FormatVoidstar, huge, payload), "packet error: file of more than 1 GiB ("},
		{"no frames", flagged(packet.AppendData(nil, "s", packet.FormatVoidstar, value)), "packet error: compressed packet missing METADATA_TYPE_FRAME_INDEX entry ("},
		{"nested", testpool.Data(1, 3, []byte("/tmp/x")), "packet error: Unsupported packet source/format: 0x01/0x03 ("},
		{"not a packet", []byte("hello"), "packet error: Malformed morloc packet ("},
		{"empty", nil, "packet error: Malformed morloc packet ("},
	} {
		path := filepath.Join(t.TempDir(), "cached.dat")
		if err := os.WriteFile(path, test.content, 0o600); err != nil {
			t.Fatal(err)
		}
		got, err := do(t, s, 0, testpool.Raw, string(testpool.Data(1, 3, []byte(path))))
		if test.err == "" {
			if err != nil || len(got) != len(value)-16 {
				t.Errorf("%s: %d bytes, %v", test.name, len(got), err)
			}
		} else if err == nil || !strings.HasPrefix(err.Error(), test.err) {
			t.Errorf("%s: %v, want %q", test.name, err, test.err)
		}
	}
}

func flagged(p []byte) []byte {
	p[15] = 1
	return p
}
