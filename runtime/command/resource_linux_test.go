package command

import (
	"os"
	"path/filepath"
	"strconv"
	"testing"

	rt "github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/mcp"
)

// TestResources reads bodies from files and from the program.
func TestResources(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	file := filepath.Join(dir, "file")
	write := func(text string) {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	cli := newCLI()
	cli.MaxOutput = 100
	f := &fixture{t: t, cli: cli, out: make(lines, 4096)}
	resource := func(name string, load func(*mcp.Call) error) mcp.Resource {
		return mcp.Resource{URI: "x://" + name, Name: name, MIME: "text/x", Load: load}
	}
	s := &mcp.Server{Name: "test", Info: "{}", Tools: "[]", New: func() mcp.Tools { return f }, Resources: []mcp.Resource{
		resource("file", cli.File("file")),
		resource("absolute", cli.File(file)),
		resource("none", cli.File("none")),
		resource("pipe", cli.File(newPipe(t))),
		resource("output", cli.Output("err=warn", "args", "a b", "-x")),
		resource("fails", cli.Output("out=o", "err= bad \n", "exit=1")),
		resource("large", cli.Output("fill=101")),
	}}
	cli.Start(rt.Options{Program: "test", Home: dir})
	t.Cleanup(cli.Stop)
	f.conn = mcp.NewConn(s, mcp.NewWriter(f.out))
	f.handle(`{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"` + latest + `"}}`)
	f.handle(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	f.line()
	read := func(name string) string {
		f.handle(`{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"x://` + name + `"}}`)
		return f.result()
	}
	contents := func(name, text string) string {
		return `{"contents":[{"uri":"x://` + name + `","mimeType":"text/x","text":` + strconv.Quote(text) + `}]}`
	}
	fault := func(reason string) string {
		return `{"code":-32603,"message":"Resource load failed: ` + reason + `"}`
	}
	for _, text := range []string{"first", "second, longer", ""} {
		write(text)
		expect(t, read("file"), contents("file", text))
		expect(t, read("absolute"), contents("absolute", text))
	}
	expect(t, read("none"), fault("no such file or directory"))
	expect(t, read("pipe"), fault("not a regular file"))
	expect(t, read("output"), contents("output", `["a b","-x"]`))
	expect(t, read("fails"), fault("bad"))
	expect(t, read("large"), fault("Output exceeded 100 bytes"))
	cli.Stop()
	expect(t, read("output"), fault("server is shutting down"))
}
