package files_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/mcpgen/mcpgen/runtime/files"
	"github.com/mcpgen/mcpgen/runtime/jsonx"
	"github.com/mcpgen/mcpgen/runtime/packet"
	"github.com/mcpgen/mcpgen/runtime/pure"
	"github.com/mcpgen/mcpgen/runtime/voidstar"
)

// Loaders of optional types; absent is shown as null.
var (
	loadMaybeText = files.Loader[*string]{
		Schema: "?s",
		Text:   func(text string) *string { return &text },
		JSON:   func(d *pure.Decoder) *string { return pure.ReadOptional(d, (*pure.Decoder).String) },
		Value: func(r *voidstar.Reader, at int) *string {
			return voidstar.Optional(r, at, (*voidstar.Reader).String)
		},
	}
	loadMaybeReal = files.Loader[*float64]{
		Schema: "?f8",
		Float:  func(v float64) *float64 { return &v },
		JSON:   func(d *pure.Decoder) *float64 { return pure.ReadOptional(d, (*pure.Decoder).Float64) },
		Value: func(r *voidstar.Reader, at int) *float64 {
			return voidstar.Optional(r, at, (*voidstar.Reader).Float64)
		},
	}
)

func showMaybe[T any](f func([]byte, T) []byte) func([]byte, *T) []byte {
	return func(dst []byte, v *T) []byte { return jsonx.AppendOptional(dst, v, f) }
}

func loadsAs[T any](l *files.Loader[T], show func([]byte, T) []byte) func(path string) string {
	return func(path string) string {
		v, err := taken(path, l, show)
		switch {
		case err == nil:
			return v
		case !pure.IsUser(err):
			return "not a user error: " + err.Error()
		}
		return err.Error()
	}
}

var loads = map[string]func(path string) string{
	"aj":  loadsAs(&loadInts, showInts),
	"j":   loadsAs(&loadInt, jsonx.AppendInt),
	"f8":  loadsAs(&loadReal, jsonx.AppendFloat64),
	"s":   loadsAs(&loadText, jsonx.AppendString),
	"?s":  loadsAs(&loadMaybeText, showMaybe(jsonx.AppendString)),
	"?f8": loadsAs(&loadMaybeReal, showMaybe(jsonx.AppendFloat64)),
}

func value(schema string, payload []byte) string {
	return string(packet.AppendData(nil, schema, packet.FormatVoidstar, payload))
}

// TestLoad covers what the recorded session does not: which kind a content is taken for.
func TestLoad(t *testing.T) {
	t.Parallel()
	ints := payloadOfInts([]jsonx.Int{jsonx.NewInt(7), jsonx.MustParseInt("18446744073709551616")})
	const shown = "[7,18446744073709551616]"
	ascii := strings.Repeat("x", 130) // its msgpack header is UTF-8
	stream := []byte(value("aj", ints))
	stream[12] = 3
	failed := packet.AppendFailure(nil, "the pool failed")
	damaged := []byte(value("aj", ints))
	damaged[len(damaged)-len(ints)] = 0xFF
	frames := func(plain uint64, packed string) string {
		return string(packet.AppendCompressed(nil, "aj", packet.FormatVoidstar,
			[]packet.Frame{{Plain: plain, Packed: uint64(len(packed))}}, []byte(packed)))
	}
	const zeros = "\x28\xb5\x2f\xfd\x20\x10\x83\x00\x00\x00" // 16 of them, one RLE block
	tests := []struct{ schema, name, content, want string }{
		{"s", "x", ascii, `"` + ascii + `"`},
		{"s", "x", "\xd9\x82" + ascii, `"` + ascii + `"`},
		{"s", "x", "\xd9\x82" + ascii + "\n", "\"\u0642" + ascii + `"`},
		{"s", "x", "\xa2hi", `"hi"`},
		{"s", "x.mpk", "\xa2hi", `"hi"`},
		{"s", "x.mpk", "text", `"text"`},
		{"s", "x.json", "text\r\n", `"text"`},
		{"s", "x", "a\n\r\n", `"a\n"`},
		{"s", "x", " \n", `" "`},
		{"s", "x", " \"a\\u0062\" ", `"ab"`},
		{"s", "x", "\"a\"b", "serialization error: JSON parse error: trailing characters at line 1 column 4"},
		{"s", "x", value("s", payloadOf("s", 16, func(c *packet.Call) { c.PutString(0, "hi") })), `"hi"`},
		{"?s", "x", "null", `"null"`},
		{"?s", "x", "\xc0", "null"},
		{"?s", "x", `"q"`, `"q"`},
		{"?s", "x", value("?s", bytes.Repeat([]byte{0xFF}, 8)), "null"},

		{"f8", "x", "nan", `"nan"`},
		{"f8", "x", "\\-inf\n", `"-inf"`},
		{"f8", "x.json", "inf", `"inf"`},
		{"f8", "x", "\"inf\"", `"inf"`},
		{"f8", "x", "\xcb\x3f\xf8\x00\x00\x00\x00\x00\x00", "1.5"},
		{"?f8", "x", "inf", `"inf"`},
		{"?f8", "x", "null", "null"},
		{"?f8", "x", "2", "2"},

		{"j", "x", "5", "5"},
		{"j", "x", "t", "116"},
		{"j", "x", "\x05", "5"},
		{"j", "x", "\xff", "-1"},
		{"j", "x.json", "\x05", "serialization error: JSON parse error: expected value at line 1 column 1"},
		{"j", "x.mpk", "5", "53"},
		{"j", "x.msgpack", "55", "serialization error: 1 bytes after the msgpack value"},
		{"j", "x", "-", "45"},
		{"j", "x", "\t-7", "-7"},
		{"j", "x", "'7'", "serialization error: JSON parse error: expected value at line 1 column 1"},
		{"j", "x", "[1]", "serialization error: invalid integer literal: \"[1]\" (expected decimal digits)"},

		{"aj", "x", value("aj", ints), shown},
		{"aj", "x", value("a:2j", ints), shown},
		{"aj", "x", value("<hint>a<other>j", ints), shown},
		{"aj", "x.json", value("aj", ints), "serialization error: JSON parse error: expected value at line 1 column 1"},
		{"aj", "x", string(packet.AppendData(nil, "aj", packet.FormatMsgpack, []byte("\x92\x01\x02"))), "[1,2]"},
		{"aj", "x", value("as", ints), "@load: schema mismatch reading 'PATH': file has schema `as`, requested `aj`"},
		{"aj", "x", value("", ints), "@load: schema mismatch reading 'PATH': file has schema ``, requested `aj`"},
		{"aj", "x", value("aT", ints), "@load: schema mismatch reading 'PATH': file has schema `aT`, requested `aj`"},
		{"aj", "x", value(strings.Repeat("a", 2<<20), ints), "packet error: Malformed morloc packet"},
		{"aj", "x", value("aj", ints)[:100], "packet error: Malformed morloc packet"},
		{"aj", "x", value("aj", ints) + "more", "packet error: Malformed morloc packet"},
		{"aj", "x", string(stream), "@load: stream files cannot be loaded: 'PATH'"},
		{"aj", "x", string(failed), "the pool failed"},
		{"aj", "x", string(damaged), voidstar.ErrMalformed.Error()},
		{"aj", "x", frames(16, zeros), "[]"},
		{"aj", "x", frames(15, zeros), "zstd: content exceeds the limit"},
		{"aj", "x", frames(17, zeros), "packet error: Malformed morloc packet"},
		{"aj", "x", frames(2<<30, zeros), "zstd: content exceeds the limit"},
		{"aj", "x", frames(16, "no frame"), "zstd: not a frame"},
		{"aj", "x", "\x6d\xf8\x07\x07", "packet error: Malformed morloc packet"},
	}
	for _, tt := range tests {
		t.Run(tt.schema+" "+tt.name, func(t *testing.T) {
			t.Parallel()
			path := filepath.Join(t.TempDir(), tt.name)
			write(t, path, []byte(tt.content))
			want := strings.ReplaceAll(tt.want, "PATH", path)
			if got := loads[tt.schema](path); got != want {
				t.Errorf("Load(%.200q) as %s = %s, want %s", tt.content, tt.schema, got, want)
			}
		})
	}
}

// A type that holds itself may be spelled out in many ways.
func TestLoadRecursive(t *testing.T) {
	t.Parallel()
	type link struct {
		head int64
		tail *link
	}
	var value func(r *voidstar.Reader, at int) link
	value = func(r *voidstar.Reader, at int) link {
		return link{r.Int64(at), voidstar.Optional(r, at+8, value)}
	}
	l := files.Loader[link]{Schema: "&4Linkm24headi84tail?^4Link", Value: value}
	payload := []byte("\x01\x00\x00\x00\x00\x00\x00\x00\x10\x00\x00\x00\x00\x00\x00\x00" +
		"\x02\x00\x00\x00\x00\x00\x00\x00\xff\xff\xff\xff\xff\xff\xff\xff")
	for schema, want := range map[string]bool{
		"&4Linkm24headi84tail?^4Link":           true,
		"&1Lm24headi84tail?^1L":                 true,
		"m24headi84tail?&1Lm24headi84tail?^1L":  true,
		"&1Lm24headi84tail?m24headi84tail?^1L":  true,
		"&1Lm24headi84next?^1L":                 false,
		"&1Lm24headu84tail?^1L":                 false,
		"m24headi84tail?i8":                     false,
		"&1Lt2i8?^1L":                           false,
		"&1Lm34headi84tail?^1L4morez":           false,
		"&1Lm24headi84tail?m24headi84tail?^1Lx": false,
	} {
		path := filepath.Join(t.TempDir(), "link")
		write(t, path, packet.AppendData(nil, schema, packet.FormatVoidstar, payload))
		v, err := files.Load(path, &l)
		if got := err == nil && v.tail != nil && v.tail.head == 2 && v.tail.tail == nil; got != want {
			t.Errorf("Load of schema %s: %v, %v, want success: %v", schema, v, err, want)
		}
	}
}

// onLinux skips tests that know the numbers of errors.
func onLinux(t *testing.T) {
	t.Helper()
	if runtime.GOOS != "linux" {
		t.Skip("other systems have other numbers")
	}
}

func TestLoadRefusesWhatIsNoFile(t *testing.T) {
	t.Parallel()
	onLinux(t)
	for path, want := range map[string]string{
		os.DevNull:          "IO error: not a regular file",
		os.DevNull + "/x":   "@load: failed to load '/dev/null/x'",
		"missing/a\x00b":    "@load: failed to load 'missing/a?b'",
		"/proc/self/status": "null", // whose size is unknown before it is read
	} {
		got := loads["?s"](path)
		if want == "null" && strings.HasPrefix(got, `"Name:`) {
			continue
		}
		if got != want {
			t.Errorf("Load(%q) = %s, want %s", path, got, want)
		}
	}
}

// FuzzLoad loads arbitrary files: with a value or a user error, and a value is loaded again
// from the JSON that shows it.
func FuzzLoad(f *testing.F) {
	for _, content := range recordedFiles(f) {
		f.Add(content)
	}
	for _, content := range []string{"nan", "\\-inf\n", `"a\u0000"`, "\xa2hi", "\xc0", "[1,2.0,-3e2]", "word", "\xcb\x3f\xf8\x00\x00\x00\x00\x00\x00", " 7 "} {
		f.Add([]byte(content))
	}
	dir := f.TempDir()
	path, shown := filepath.Join(dir, "x"), filepath.Join(dir, "shown.json")
	f.Fuzz(func(t *testing.T, content []byte) {
		write(t, path, content)
		for schema, load := range loads {
			got := load(path)
			if strings.HasPrefix(got, "not a user error") {
				t.Errorf("Load(%q) as %s: %s", content, schema, got)
			}
			if !json.Valid([]byte(got)) || schema == "?s" && got == "null" {
				continue // an error, or what a text file cannot say
			}
			write(t, shown, []byte(got))
			if again := load(shown); again != got {
				t.Errorf("Load(%q) as %s is %s, and of that %s", content, schema, got, again)
			}
		}
	})
}

func recordedFiles(tb testing.TB) [][]byte {
	tb.Helper()
	s := recorded(tb)
	var contents [][]byte
	for _, content := range s.Setup {
		contents = append(contents, []byte(content))
	}
	for _, content := range s.Written {
		contents = append(contents, content)
	}
	return contents
}
