package stdio

import (
	"io"
	"strconv"
	"strings"
	"testing"

	"github.com/mcpgen/mcpgen/runtime/mcp"
)

// A diary notes what happens to a server whose calls wait to be helped with.
type diary struct {
	reads []string // what is still to be read, one Read each
	left  []bool   // answers of Help, false behind them
	notes []string
}

func (d *diary) note(s string) { d.notes = append(d.notes, s) }

// Read implements [io.Reader].
func (d *diary) Read(b []byte) (int, error) {
	if len(d.reads) == 0 {
		d.note("end")
		return 0, io.EOF
	}
	n := copy(b, d.reads[0])
	if d.reads[0] = d.reads[0][n:]; d.reads[0] == "" {
		d.reads = d.reads[1:]
	}
	d.note("read")
	return n, nil
}

// Descriptor implements [Descriptor].
func (d *diary) Descriptor() int { return 7 }

// Call implements [mcp.Tools]: it leaves the call to whoever helps.
func (d *diary) Call(c *mcp.Call, _ []byte) error {
	r := new(mcp.Reply)
	c.Detach(r)
	d.note("call, lent: " + strconv.FormatBool(r.Lends(d)))
	return nil
}

// Help implements [mcp.Helper].
func (d *diary) Help(input int) (left bool) {
	d.note("help " + strconv.Itoa(input))
	if len(d.left) > 0 {
		left, d.left = d.left[0], d.left[1:]
	}
	return left
}

// HandOver implements [mcp.Helper].
func (d *diary) HandOver() { d.note("hand over") }

func TestHelp(t *testing.T) {
	t.Parallel()
	const (
		handshake = `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{}}` + "\n" +
			`{"jsonrpc":"2.0","method":"notifications/initialized"}` + "\n"
		call = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"x"}}` + "\n"
	)
	long := strings.Repeat(" ", longLine) + ping + "\n"
	for _, tt := range []struct {
		name  string
		reads []string
		left  []bool
		want  string
	}{
		{"nothing to help with", []string{handshake + ping + "\n"}, nil, "read, end"},
		{"a call", []string{handshake + call}, nil, "read, call, lent: true, help 7, end"},
		{"all that one read brings first", []string{handshake + call + call}, nil,
			"read, call, lent: true, call, lent: true, help 7, end"},
		{"interrupted", []string{handshake + call, ping + "\n", ping + "\n"}, []bool{true, false},
			"read, call, lent: true, help 7, read, help 7, read, end"},
		{"half a line", []string{handshake + call, ping, "\n"}, []bool{true, true, false},
			"read, call, lent: true, help 7, read, help 7, read, help 7, end"},
		{"a long line", []string{handshake + call, "\n" + long}, []bool{true, true, true},
			"read, call, lent: true, help 7, read, help 7, read, help 7, read, hand over, end"},
		{"the end", []string{handshake + call}, []bool{true}, "read, call, lent: true, help 7, end, hand over"},
		{"the end of a line without a newline", []string{handshake + strings.TrimSpace(call)}, nil,
			"read, end, call, lent: true, hand over"},
	} {
		d := &diary{reads: tt.reads, left: tt.left}
		s := mcp.Server{Name: "d", Info: `{"name":"d","version":"0"}`, Tools: "[]", New: func() mcp.Tools { return d }}
		if err := Serve(mcp.NewConn(&s, mcp.NewWriter(io.Discard)), d); err != nil {
			t.Errorf("%s: %v", tt.name, err)
		}
		if got := strings.Join(d.notes, ", "); got != tt.want {
			t.Errorf("%s:\ngot  %s\nwant %s", tt.name, got, tt.want)
		}
	}
}

// TestNoHelp asserts that calls are not kept for a reader that cannot tell when there is input.
func TestNoHelp(t *testing.T) {
	t.Parallel()
	d := new(diary)
	s := mcp.Server{Name: "d", Info: `{"name":"d","version":"0"}`, Tools: "[]", New: func() mcp.Tools { return d }}
	in := strings.NewReader(`{"jsonrpc":"2.0","method":"notifications/initialized"}` + "\n" +
		`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"x"}}` + "\n")
	if err := Serve(mcp.NewConn(&s, mcp.NewWriter(io.Discard)), in); err != nil {
		t.Error(err)
	}
	if got := strings.Join(d.notes, ", "); got != "call, lent: false" {
		t.Errorf("got %s", got)
	}
}
