package command

import (
	"os/exec"
	"testing"
	"time"

	rt "github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/mcp"
)

// BenchmarkCall compares calls through the server with what package exec takes for the same
// child, by turns in the same run: the metric x-exec is how many times as long a call takes.
func BenchmarkCall(b *testing.B) {
	child, err := exec.LookPath("true")
	if err != nil {
		b.Skip(err)
	}
	for _, mode := range []struct {
		name string
		pipe bool
	}{{"capture=file", false}, {"capture=pipe", true}} {
		b.Run(mode.name, func(b *testing.B) {
			call := benchServer(b, &CLI{Command: []string{child}, MaxOutput: 1 << 20, MaxParallel: 8, Pipe: mode.pipe})
			var direct, served time.Duration
			b.ReportAllocs()
			for b.Loop() {
				begun := time.Now()
				if _, err := exec.Command(child, "hello").Output(); err != nil {
					b.Fatal(err)
				}
				between := time.Now()
				call()
				direct += between.Sub(begun)
				served += time.Since(between)
			}
			b.ReportMetric(float64(served)/float64(direct), "x-exec")
			b.ReportMetric(float64(served.Microseconds())/float64(b.N), "us/call")
		})
	}
}

// benchServer serves a program, and returns a function that makes a call.
func benchServer(b *testing.B, cli *CLI) (call func()) {
	b.Helper()
	cli.Start(rt.Options{Program: "bench"})
	b.Cleanup(cli.Stop)
	out := make(lines, 1)
	s := &mcp.Server{Name: "b", Info: "{}", Tools: "[]", New: func() mcp.Tools { return benchTools{cli} }}
	c := mcp.NewConn(s, mcp.NewWriter(out))
	c.Handle([]byte(`{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25"}}`))
	c.Handle([]byte(`{"jsonrpc":"2.0","method":"notifications/initialized"}`))
	if _, err := c.Flush(); err != nil {
		b.Fatal(err)
	}
	<-out
	request := []byte(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"x","arguments":{}}}`)
	want := `{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":""}],"isError":false}}` + "\n"
	return func() {
		c.Handle(request)
		if got := <-out; got != want {
			b.Fatalf("got %s, want %s", got, want)
		}
	}
}

type benchTools struct{ cli *CLI }

// Call implements [mcp.Tools].
func (t benchTools) Call(c *mcp.Call, _ []byte) error {
	j := t.cli.Call(c, plain)
	j.Argv.Word("hello")
	return j.Run(nil)
}
