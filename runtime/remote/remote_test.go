package remote

import (
	"errors"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	rt "github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/jsonx"
	"github.com/mcpgen/mcpgen/runtime/mcp"
	"github.com/mcpgen/mcpgen/runtime/packet"
	"github.com/mcpgen/mcpgen/runtime/pool"
	"github.com/mcpgen/mcpgen/runtime/voidstar"
)

// memory answers exchanges at once: with their own argument, or with a fault.
type memory struct {
	running
	reader voidstar.Reader
	err    error
	calls  int
}

func (m *memory) Do(x *pool.Exchange) {
	m.calls++
	if m.err != nil {
		x.Finisher.Finish(nil, m.err)
		return
	}
	// The argument is a data packet, and so would the reply be.
	reply, err := packet.Open(x.Call[packet.HeaderSize:])
	if err != nil {
		x.Finisher.Finish(nil, err)
		return
	}
	m.reader.Reset(reply.Payload)
	x.Finisher.Finish(&m.reader, nil)
}

// running is what a fleet says of exchanges that do not wait.
type running struct{}

func (running) Ahead(*pool.Exchange) (int, bool) { return 0, false }
func (running) Cancel(*pool.Exchange) bool       { return false }

// tools has what generated code would hold for two functions of a pool.
type tools struct {
	pools *Pools
	text  string
	n     jsonx.Int
}

var (
	textKeys   = jsonx.Keys{Names: []string{"x"}, Required: jsonx.Set{1}}
	textResult = Result{Schema: "s", Copy: (*voidstar.Reader).AppendString}
	pngResult  = Result{Schema: "s", Copy: (*voidstar.Reader).AppendRawString, Mime: "image/png"}
	oddResult  = Result{Schema: "f8", Mime: "image/png"}
	wildResult = Result{Schema: "s", Copy: func(*voidstar.Reader, []byte, int) []byte { panic("deliberate") }}
	intResult  = Result{Schema: "j", Copy: (*voidstar.Reader).AppendInt}
)

func (t *tools) Call(c *mcp.Call, name []byte) error {
	d := &c.Arguments
	o := d.Object(&textKeys)
	for d.Member(&o) {
		if d.First(&o, 0) {
			if string(name) == "int" {
				t.n = d.Int()
			} else {
				t.text = d.Text()
			}
		}
	}
	d.EndObject(&o)
	if err := d.Err(); err != nil {
		return err
	}
	j := t.pools.Call(c, 0, 7)
	if string(name) == "int" {
		j.Packet.Begin("j", 16)
		j.Packet.PutInt(0, t.n)
		j.Packet.End()
		return j.Send(&intResult)
	}
	j.Packet.Begin("s", 16)
	j.Packet.PutString(0, t.text)
	j.Packet.End()
	switch string(name) {
	case "png":
		return j.Send(&pngResult)
	case "odd":
		return j.Send(&oddResult)
	case "wild":
		return j.Send(&wildResult)
	}
	return j.Send(&textResult)
}

func serve(p *Pools, w io.Writer) *mcp.Conn {
	s := &mcp.Server{Name: "memory", Info: "{}", Tools: "[]", New: func() mcp.Tools { return &tools{pools: p} }}
	c := mcp.NewConn(s, mcp.NewWriter(w))
	c.Handle([]byte(`{"jsonrpc":"2.0","method":"notifications/initialized"}`))
	return c
}

func call(name, value string) []byte {
	return []byte(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"` + name + `","arguments":{"x":` + value + `}}}`)
}

func TestResults(t *testing.T) {
	t.Parallel()
	const isError = `"isError":true}}` + "\n"
	for _, tt := range []struct {
		name, tool, value string
		refuses           bool
		err               error
		want              string
		calls             int
	}{
		{"text", "text", `"a\"b"`, false, nil, `{"type":"text","text":"\"a\\\"b\""}],"isError":false}}` + "\n", 1},
		{"big integer", "int", "123456789012345678901234567890", false, nil, `"text":"123456789012345678901234567890"`, 1},
		{"media", "png", `"PNG"`, false, nil, `{"type":"image","data":"UE5H","mimeType":"image/png"}`, 1},
		{"no media", "odd", `"x"`, false, nil, `-f raw requires Str`, 1},
		{"failure", "text", `"x"`, false, packet.Failure("boom\n  at f [py] (mid=7)"), `"text":"boom\n  at f [py] (mid=7)"}],` + isError, 1},
		{"fault", "text", `"x"`, false, errors.New("IPC error: Connection closed by peer"), `closed by peer"}],` + isError, 1},
		{"fault of ours", "wild", `"x"`, false, nil, `"text":"internal error"}],` + isError, 1},
		{"NUL passes", "text", `"a\u0000b"`, false, nil, `\"a\\u0000b\"`, 1},
		{"NUL is refused", "text", `"a\u0000b"`, true, nil,
			`r does not support embedded NUL bytes in strings (at [0] (byte 1 of 3))"}],` + isError, 0},
		{"no NUL", "text", `"ab"`, true, nil, `\"ab\"`, 1},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			m := &memory{err: tt.err}
			p := &Pools{Table: []Pool{{Lang: "r", Exec: []string{"x"}, RefusesNUL: tt.refuses}}, set: m}
			var out strings.Builder
			c := serve(p, &out)
			c.Handle(call(tt.tool, tt.value))
			if _, err := c.Flush(); err != nil {
				t.Fatal(err)
			}
			if got := out.String(); !strings.Contains(got, tt.want) || strings.Count(got, "\n") != 1 {
				t.Errorf("got %s\nwant %s", got, tt.want)
			}
			if m.calls != tt.calls {
				t.Errorf("%d exchanges, want %d", m.calls, tt.calls)
			}
		})
	}
}

// TestAllocs asserts that a warm call from request bytes to reply bytes allocates nothing.
func TestAllocs(t *testing.T) {
	p := &Pools{Table: []Pool{{Lang: "py", Exec: []string{"x"}}}, set: new(memory)}
	c := serve(p, io.Discard)
	for _, line := range [][]byte{call("text", `"hello"`), call("int", "42"), call("png", `"PNG"`)} {
		do := func() {
			c.Handle(line)
			if _, err := c.Flush(); err != nil {
				t.Fatal(err)
			}
		}
		do()
		if n := testing.AllocsPerRun(200, do); n != 0 {
			t.Errorf("%v allocations for %s, want 0", n, line)
		}
	}
}

// TestFolders is the order in which a program's files are looked for.
func TestFolders(t *testing.T) {
	t.Parallel()
	whole, half := t.TempDir(), t.TempDir()
	for _, file := range []string{filepath.Join(whole, "a"), filepath.Join(whole, "b"), filepath.Join(half, "a")} {
		if err := os.WriteFile(file, nil, 0o777); err != nil {
			t.Fatal(err)
		}
	}
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(whole, link); err != nil {
		t.Fatal(err)
	}
	real, err := filepath.EvalSymlinks(whole)
	if err != nil {
		t.Fatal(err)
	}
	p := &Pools{Table: []Pool{{Exec: []string{"a"}}, {Exec: []string{"python3", "b"}}}}
	for _, tt := range []struct {
		folders []string
		want    string
	}{
		{[]string{half, whole}, real},
		{[]string{filepath.Join(half, "none"), link}, real},
		{[]string{half}, ""},
		{nil, ""},
	} {
		if got, _ := p.find(tt.folders); got != tt.want {
			t.Errorf("find(%q) = %q, want %q", tt.folders, got, tt.want)
		}
	}
}

func TestMissingFiles(t *testing.T) {
	t.Parallel()
	p := &Pools{Table: []Pool{{Lang: "py", Exec: []string{"python3", "pools/py/pool.py"}}}}
	p.Start(rt.Options{Program: "memory", Folders: []string{"/none", "/nowhere"}})
	defer p.Stop()
	var out strings.Builder
	c := serve(p, &out)
	c.Handle(call("text", `"x"`))
	_, _ = c.Flush()
	want := `{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":` +
		`"program files not found; looked in: /none, /nowhere"}],"isError":true}}` + "\n"
	if out.String() != want {
		t.Errorf("got %s, want %s", out.String(), want)
	}
}

// TestBadValue has a reply whose string points outside.
func TestBadValue(t *testing.T) {
	t.Parallel()
	p := &Pools{Table: []Pool{{Lang: "py", Exec: []string{"x"}}}, set: damaged{}}
	var out strings.Builder
	c := serve(p, &out)
	c.Handle(call("text", `"x"`))
	if got := out.String(); !strings.Contains(got, "does not hold a value of the declared type") || !strings.Contains(got, `"isError":true`) {
		t.Errorf("got %s", got)
	}
}

type damaged struct{ running }

func (damaged) Do(x *pool.Exchange) {
	var r voidstar.Reader
	r.Reset([]byte{math.MaxUint8, 0, 0, 0, 0, 0, 0, 0, 16, 0, 0, 0, 0, 0, 0, 0})
	x.Finisher.Finish(&r, nil)
}

// TestKeptJobs asserts that many large calls at once leave few large buffers behind.
func TestKeptJobs(t *testing.T) {
	t.Parallel()
	p := new(table)
	jobs := make([]*Job, 2*keepJobs)
	for i := range jobs {
		jobs[i] = p.job()
		jobs[i].Packet.Reset(1)
		switch i % 4 {
		case 0:
			jobs[i].value = make([]byte, largeBuffer+1)
		case 1:
			jobs[i].value = make([]byte, keepBuffer+1) // not kept at all
		}
	}
	for range 2 {
		for _, j := range jobs {
			j.release()
		}
		large := 0
		for _, j := range p.free {
			if cap(j.value) > largeBuffer {
				large++
			}
		}
		if len(p.free) != keepJobs || large != keepLarge {
			t.Errorf("%d jobs are kept, %d of them large, want %d and %d", len(p.free), large, keepJobs, keepLarge)
		}
		for i := range keepJobs {
			jobs[i] = p.job()
			jobs[i].Packet.Reset(1)
		}
		if jobs = jobs[:keepJobs]; p.large != 0 {
			t.Errorf("%d large ones are counted when none is kept", p.large)
		}
	}
}
