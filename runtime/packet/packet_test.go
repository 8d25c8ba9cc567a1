package packet

import (
	"bytes"
	"encoding/hex"
	"math"
	"slices"
	"strings"
	"testing"
)

func TestOpenRefuses(t *testing.T) {
	t.Parallel()
	good := AppendData(nil, "s", FormatVoidstar, make([]byte, 16))
	change := func(at int, vs ...byte) []byte {
		b := bytes.Clone(good)
		copy(b[at:], vs)
		return b
	}
	const unsupportedText = "packet error: Unsupported packet source/format: "
	for _, tt := range []struct {
		name   string
		packet []byte
		want   string
	}{
		{"nothing", nil, ErrMalformed.Error()},
		{"part of a header", good[:31], ErrMalformed.Error()},
		{"magic", change(0, 0), ErrMalformed.Error()},
		{"ping", []byte(Ping), ErrMalformed.Error()},
		{"call", change(12, 1), ErrMalformed.Error()},
		{"cut", good[:len(good)-1], ErrMalformed.Error()},
		{"slack", append(bytes.Clone(good), 0), ErrMalformed.Error()},
		{"offset beyond", change(20, 0xff, 0xff, 0xff, 0xff), ErrMalformed.Error()},
		{"length wraps", change(24, 0xf0, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff), ErrMalformed.Error()},
		{"sum wraps", change(20, 0x20, 0, 0, 0, 0xd0, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff), ErrMalformed.Error()},
		{"encrypted", change(16, 1), errEncrypted.Error()},
		{"compressed", change(15, 1), errCompressed.Error()},
		{"json", change(14, 0), unsupportedText + "0x00/0x00"},
		{"text", change(14, 2), unsupportedText + "0x00/0x02"},
		{"unknown source", change(13, 0xab), unsupportedText + "0xab/0x04"},
		{"table", change(13, 2, 5), unsupportedText + "0x02/0x05"},
		{"failure wins", change(13, 9, 9, 9, 9, 1), ""},
		{"any status fails", change(17, 0x80), ""},
	} {
		if _, err := Open(tt.packet); err == nil || err.Error() != tt.want {
			t.Errorf("%s: Open = %v, want %q", tt.name, err, tt.want)
		}
	}
	if _, err := Open(good); err != nil {
		t.Errorf("Open = %v", err)
	}
	if _, err := OpenFile(change(13, 1, 3)); err == nil || err.Error() != unsupportedText+"0x01/0x03" {
		t.Errorf("OpenFile of a reference = %v", err)
	}
}

func TestFailureText(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"":              "",
		"two\nlines\n":  "two\nlines\n",
		"cut\x00here":   "cut",
		"\x00":          "",
		"caf\xe9!":      "caf\uFFFD!",
		"héllo":         "héllo",
		"h\xc3\x00\xa9": "h\uFFFD",
	} {
		if _, err := Open(AppendFailure(nil, text)); err != Failure(want) {
			t.Errorf("failure %q reads as %q, want %q", text, err, want)
		}
	}
}

func TestTotal(t *testing.T) {
	t.Parallel()
	header := func(offset uint32, length uint64) []byte {
		h := appendHeader(nil, TypeData, 0, 0)
		le.PutUint32(h[20:], offset)
		le.PutUint64(h[24:], length)
		return h
	}
	for _, tt := range []struct {
		offset uint32
		length uint64
		want   uint64 // 0 for too long
	}{
		{0, 0, 32},
		{32, 8, 72},
		{32, 1000 - 64, 1000},
		{32, 1001 - 64, 0},
		{math.MaxUint32, 0, 0},
		{0, math.MaxUint64, 0},
		{32, math.MaxUint64 - 31, 0},
	} {
		n, err := Total(header(tt.offset, tt.length), 1000)
		if n != tt.want || (err == nil) != (tt.want > 0) {
			t.Errorf("Total of %d and %d = %d, %v, want %d", tt.offset, tt.length, n, err, tt.want)
		}
		if tt.want == 0 && err != (TooLong{1000}) {
			t.Errorf("Total of %d and %d = %v, want TooLong", tt.offset, tt.length, err)
		}
	}
	if _, err := Total([]byte(Ping)[:31], 1000); err != ErrMalformed {
		t.Errorf("Total of 31 bytes = %v, want %v", err, ErrMalformed)
	}
	if want := "packet error: reply of more than 1000 bytes"; (TooLong{1000}).Error() != want {
		t.Errorf("got %v, want %s", TooLong{1000}, want)
	}
}

// The file that saving [] at level 9 leaves behind.
const savedCompressed = "6df8070700000000000000000000040100000000400000001100000000000000" +
	"6d6d680103000000616a006d6d68041400000001000000100000000000000011" +
	"0000000000000000000000000000000000000000000000000000000000000000" +
	"28b52ffd2010450000100000010032c002"

func TestSavedCompressed(t *testing.T) {
	t.Parallel()
	want, err := hex.DecodeString(savedCompressed)
	if err != nil {
		t.Fatal(err)
	}
	reply, err := OpenFile(want)
	if err != nil {
		t.Fatal(err)
	}
	frames, err := reply.Frames()
	if one := []Frame{{Plain: 16, Packed: 17}}; err != nil || !slices.Equal(frames, one) {
		t.Errorf("Frames() = %v, %v, want %v", frames, err, one)
	}
	if got := AppendCompressed(nil, reply.Schema(), reply.Format, frames, reply.Payload); !bytes.Equal(got, want) {
		t.Errorf("AppendCompressed = %x, want %x", got, want)
	}
}

func TestCompressed(t *testing.T) {
	t.Parallel()
	frames := []Frame{{Plain: 16, Packed: 3}, {Plain: 1 << 24, Packed: 2}}
	b := AppendCompressed([]byte("before"), "aj", FormatVoidstar, frames, []byte("12345"))[len("before"):]
	reply, err := OpenFile(b)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := reply.Frames(); err != nil || !slices.Equal(got, frames) {
		t.Errorf("Frames() = %v, %v, want %v", got, err, frames)
	}
	if reply.Schema() != "aj" || !reply.Compressed || string(reply.Payload) != "12345" {
		t.Errorf("OpenFile = %+v", reply)
	}
	for name, frames := range map[string][]Frame{
		"short": {{16, 4}},
		"long":  {{16, 4}, {16, 2}},
		"wraps": {{16, 6}, {16, math.MaxUint64}},
	} {
		reply, err := OpenFile(AppendCompressed(nil, "aj", FormatVoidstar, frames, []byte("12345")))
		if err != nil {
			t.Fatal(err)
		}
		if got, err := reply.Frames(); err != ErrMalformed {
			t.Errorf("%s: Frames() = %v, %v, want %v", name, got, err, ErrMalformed)
		}
	}
	plain := AppendData(nil, "aj", FormatVoidstar, nil)
	if reply, err = OpenFile(plain); err != nil {
		t.Fatal(err)
	}
	if _, err := reply.Frames(); err != errFrames {
		t.Errorf("Frames() = %v, want %v", err, errFrames)
	}
}

func TestMetadata(t *testing.T) {
	t.Parallel()
	entry := func(kind byte, size int, body string) string {
		return string(appendEntry(nil, kind, size)) + body
	}
	for _, tt := range []struct{ name, meta, want string }{
		{"none", "", ""},
		{"zeros", strings.Repeat("\x00", 32), ""},
		{"schema", entry(1, 3, "i4\x00"), "i4"},
		{"without NUL", entry(1, 2, "i4"), "i4"},
		{"behind a hash", entry(2, 8, "mmh\x01mmh\x01") + entry(1, 2, "s\x00"), "s"},
		{"first of two", entry(1, 2, "s\x00") + entry(1, 2, "z\x00"), "s"},
		{"behind a gap", "\x00" + entry(1, 2, "s\x00"), ""},
		{"too large", entry(1, 4, "i4\x00"), ""},
		{"far too large", entry(2, math.MaxUint32, "") + entry(1, 2, "s\x00"), ""},
		{"head cut", entry(1, 2, "")[:7], ""},
	} {
		if got := schemaOf([]byte(tt.meta)); got != tt.want {
			t.Errorf("%s: schemaOf = %q, want %q", tt.name, got, tt.want)
		}
	}
	frames := func(body string) (string, error) {
		b := appendHeader(nil, TypeData, SourceMessage, FormatVoidstar)
		b[15] = 1
		reply, err := OpenFile(finish(append(b, entry(entryFrames, len(body), body)...), 0, nil))
		if err != nil {
			return "", err
		}
		_, err = reply.Frames()
		return "", err
	}
	for _, body := range []string{"", "\x01\x00\x00", "\x01\x00\x00\x00", "\xff\xff\xff\xff"} {
		if _, err := frames(body); err != ErrMalformed {
			t.Errorf("Frames of %q: %v, want %v", body, err, ErrMalformed)
		}
	}
}

func TestReferences(t *testing.T) {
	t.Parallel()
	reference := func(s Source, f Format, payload string) Reply {
		reply, err := Open(finish(appendHeader(nil, TypeData, s, f), 0, []byte(payload)))
		if err != nil {
			t.Fatal(err)
		}
		return reply
	}
	for _, path := range []string{"", "a\x00b", strings.Repeat("x", 4097)} {
		if got, err := reference(SourceFile, FormatData, path).Path(); err != ErrMalformed {
			t.Errorf("Path() of %.10q = %q, %v, want %v", path, got, err, ErrMalformed)
		}
	}
	for _, address := range []string{"", "1234567", "123456789", strings.Repeat("\xff", 8)} {
		if got, err := reference(SourceRelptr, FormatVoidstar, address).Address(); err != ErrMalformed {
			t.Errorf("Address() of %q = %d, %v, want %v", address, got, err, ErrMalformed)
		}
	}
}

func TestEachArgumentRefuses(t *testing.T) {
	t.Parallel()
	call := func(body []byte) []byte {
		b := append(appendHeader(nil, TypeCall, 0, 0), body...)
		setSizes(b, 0, len(body))
		return b
	}
	data := AppendData(nil, "z", FormatVoidstar, nil)
	for _, tt := range []struct {
		name string
		call []byte
		want string
	}{
		{"not a packet", []byte("x"), ErrMalformed.Error()},
		{"ping", []byte(Ping), ErrMalformed.Error()},
		{"cut", call(data)[:40], ErrMalformed.Error()},
		{"argument cut", call(data[:40]), ErrMalformed.Error()},
		{"junk behind", call(append(bytes.Clone(data), 1)), ErrMalformed.Error()},
		{"ping inside", call(append(bytes.Clone(data), Ping...)), "packet error: Argument #1 is not a DATA packet (type=2)"},
	} {
		err := EachArgument(tt.call, func(int, string, []byte) bool { return true })
		if err == nil || err.Error() != tt.want {
			t.Errorf("%s: EachArgument = %v, want %s", tt.name, err, tt.want)
		}
	}
	n := 0
	if err := EachArgument(call(append(data, data...)), func(int, string, []byte) bool { n++; return false }); err != nil || n != 1 {
		t.Errorf("EachArgument called back %d times, %v, want once", n, err)
	}
}

func TestOpenAllocates(t *testing.T) {
	reply := AppendData(nil, "i8", FormatVoidstar, make([]byte, 8))
	if n := testing.AllocsPerRun(100, func() { Open(reply) }); n != 0 {
		t.Errorf("%v allocations, want 0", n)
	}
}

// Whatever the bytes are, opening them neither panics nor allocates for sizes they only
// claim; and what is opened can be written again.
func FuzzPacket(f *testing.F) {
	g := load(f, "packets.json")
	for _, p := range g.Packets {
		f.Add([]byte(p.Hex))
	}
	for _, e := range g.Control {
		f.Add([]byte(e.Hex))
	}
	for _, e := range load(f, "packets-live.json").Entries[:20] {
		f.Add([]byte(e.CallHex))
	}
	compressed, err := hex.DecodeString(savedCompressed)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(compressed)
	f.Fuzz(func(t *testing.T, b []byte) {
		if n, err := Total(b, math.MaxUint64); err == nil && n < HeaderSize {
			t.Errorf("Total = %d", n)
		}
		EachArgument(b, func(_ int, schema string, payload []byte) bool { return true })
		reply, err := OpenFile(b)
		if err != nil {
			return
		}
		reply.Path()
		reply.Address()
		schema := reply.Schema()
		if strings.Contains(schema, "\x00") {
			t.Errorf("Schema() = %q", schema)
		}
		var again []byte
		if frames, err := reply.Frames(); err == nil {
			again = AppendCompressed(nil, schema, reply.Format, frames, reply.Payload)
		} else {
			again = AppendData(nil, schema, reply.Format, reply.Payload)
		}
		second, err := OpenFile(again)
		if err != nil || second.Schema() != schema || !bytes.Equal(second.Payload, reply.Payload) {
			t.Errorf("written again: %+v, %v", second, err)
		}
	})
}
