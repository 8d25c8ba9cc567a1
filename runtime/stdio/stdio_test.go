package stdio

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/mcpgen/mcpgen/runtime/mcp"
)

func TestLineReader(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", 101)
	for _, tt := range []struct{ name, in, want string }{
		{"nothing", "", ""},
		{"lines", "a\nb\r\n\n c\n", "a|b\r|| c|"},
		{"no newline at the end", "a\nbc", "a|bc|"},
		{"longest", long[1:] + "\nb\n", long[1:] + "|b|"},
		{"too long", "a\n" + long + "\nb\n", "a|TOO LONG|b|"},
		{"far too long", strings.Repeat(long, 2000) + "\nb\n", "TOO LONG|b|"},
		{"too long at the end", "a\n" + long, "a|TOO LONG|"},
	} {
		for _, size := range []int{1, 16, 4096} {
			in := lineReader{r: strings.NewReader(tt.in), max: 100, buf: make([]byte, 0, size)}
			if size == 16 {
				in.r = iotest.DataErrReader(iotest.OneByteReader(in.r))
			}
			var got strings.Builder
			put := func(line []byte) {
				if line == nil {
					line = []byte("TOO LONG")
				}
				got.Write(append(line, '|'))
			}
			for more := true; more; {
				if line, ok := in.next(); ok {
					put(line)
				} else {
					more = in.fill()
				}
			}
			if line := in.rest(); line == nil || len(line) > 0 {
				put(line)
			}
			if got.String() != tt.want {
				t.Errorf("%s, buffer %d: got %.80q, want %.80q", tt.name, size, got.String(), tt.want)
			}
		}
	}
}

// none is a program without tools.
type none struct{}

func (none) Call(_ *mcp.Call, name []byte) error { return mcp.UnknownTool(name) }

var server = mcp.Server{
	Name: "none", Info: `{"name":"none","version":"0"}`, Tools: "[]",
	New: func() mcp.Tools { return none{} },
}

const ping = `{"jsonrpc":"2.0","id":1,"method":"ping"}`

// TestFraming is the table of framing cases F1 to F12 of tools.md 16.
func TestFraming(t *testing.T) {
	t.Parallel()
	const (
		pong    = `{"jsonrpc":"2.0","id":1,"result":{}}` + "\n"
		invalid = `{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"invalid JSON"}}` + "\n"
		tooLong = `{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"request line exceeds the maximum size"}}` + "\n"
	)
	padded := func(n int) string { return ping + strings.Repeat(" ", n-len(ping)) }
	nested := func(n int) string {
		return `{"jsonrpc":"2.0","id":1,"method":"ping","params":` + strings.Repeat("[", n) + strings.Repeat("]", n) + "}\n"
	}
	for _, tt := range []struct{ name, in, want string }{
		{"F1 nothing", "", ""},
		{"F2 CR LF", ping + "\r\n", pong},
		{"F3 no newline", ping, pong},
		{"F4 longest line", padded(maxLine) + "\n", pong},
		{"F5 too long", padded(maxLine+1) + "\n" + ping + "\n", tooLong + pong},
		{"F6 too long at the end", strings.Repeat("x", maxLine+1), tooLong},
		{"F7 not UTF-8", "{\"jsonrpc\":\"2.0\",\"id\":\"\xff\",\"method\":\"ping\"}\n", "{\"jsonrpc\":\"2.0\",\"id\":\"\uFFFD\",\"result\":{}}\n"},
		{"F8 BOM", "\xef\xbb\xbf" + ping + "\n", invalid},
		{"F9 1,000 levels", nested(999), pong},
		{"F10 1,001 levels", nested(1000), invalid},
		{"F11 duplicate", `{"jsonrpc":"2.0","id":5,"method":"ping","id":1}`,
			`{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"duplicate member 'id'"}}` + "\n"},
		{"F12 NUL in an id", `{"jsonrpc":"2.0","id":"a\u0000b","method":"ping"}`, `{"jsonrpc":"2.0","id":"a\u0000b","result":{}}` + "\n"},
		{"padding", "\v\f" + ping + "\f\v\n", pong},
		{"CR inside", ping + "\r" + ping + "\n", invalid},
		{"NUL", "\x00" + ping + "\n", invalid},
		{"Content-Length", "Content-Length: 40\r\n\r\n" + ping + "\n", invalid + pong},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var out bytes.Buffer
			if err := Serve(mcp.NewConn(&server, mcp.NewWriter(&out)), strings.NewReader(tt.in)); err != nil {
				t.Fatal(err)
			}
			if out.String() != tt.want {
				t.Errorf("got %.200q\nwant %.200q", out.String(), tt.want)
			}
		})
	}
}

// TestOneWrite asserts that what one read brought is answered with one write.
func TestOneWrite(t *testing.T) {
	t.Parallel()
	var writes int
	w := mcp.NewWriter(writerFunc(func(b []byte) (int, error) { writes++; return len(b), nil }))
	if err := Serve(mcp.NewConn(&server, w), strings.NewReader(strings.Repeat(ping+"\n", 64))); err != nil {
		t.Fatal(err)
	}
	if writes != 1 {
		t.Errorf("%d writes for 64 pings, want 1", writes)
	}
}

func TestErrors(t *testing.T) {
	t.Parallel()
	broken := errors.New("broken")
	w := mcp.NewWriter(writerFunc(func([]byte) (int, error) { return 0, broken }))
	if err := Serve(mcp.NewConn(&server, w), strings.NewReader(ping+"\n")); err != broken {
		t.Errorf("Serve with a broken writer: %v", err)
	}
	w = mcp.NewWriter(io.Discard)
	if err := Serve(mcp.NewConn(&server, w), iotest.ErrReader(broken)); err != broken {
		t.Errorf("Serve with a broken reader: %v", err)
	}
}

type writerFunc func([]byte) (int, error)

func (f writerFunc) Write(b []byte) (int, error) { return f(b) }
