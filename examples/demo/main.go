// Command demo shows mcpgen at work, from a manifest to a conversation: it builds mcpgen,
// lets it write the server of examples/pure into a temporary folder, builds that and talks
// to it, printing every line that goes over its standard streams.
//
// Run it with "go run ./examples/demo" from the top of the repository.
package main

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

const manifest = "examples/pure/pure-build/manifest.json"

// messages are what the client says. A notification gets no reply.
var messages = []struct{ remark, line string }{
	{"A client introduces itself.",
		`{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18",` +
			`"capabilities":{},"clientInfo":{"name":"demo","version":"1"}}}`},
	{"", `{"jsonrpc":"2.0","method":"notifications/initialized"}`},
	{"It calls a function of the program ...",
		`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"hello","arguments":{"name":"world"}}}`},
	{"... one whose result has no fixed size ...",
		`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"big"}}`},
	{"... one that makes a record, which comes as text and as data ...",
		`{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"tagged","arguments":{"_1":1.5,"_2":-2}}}`},
	{"... and one with an argument of the wrong type.",
		`{"jsonrpc":"2.0","id":4,"method":"tools/call","params":{"name":"hello","arguments":{"name":42}}}`},
}

func main() {
	if err := demo(os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "demo:", err)
		os.Exit(1)
	}
}

func demo(out io.Writer) error {
	temp, err := os.MkdirTemp("", "mcpgen-demo-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(temp)
	mcpgen := filepath.Join(temp, "mcpgen.exe") // any system runs that
	server := filepath.Join(temp, "pure-mcp")
	steps := []struct {
		show, dir string
		command   []string
	}{
		{"go build ./cmd/mcpgen", "", []string{"go", "build", "-o", mcpgen, "./cmd/mcpgen"}},
		{"mcpgen " + manifest, "", []string{mcpgen, "-o", server, manifest}},
		{"cd pure-mcp && go build", server, []string{"go", "build", "-o", "server.exe"}},
	}
	for _, s := range steps {
		fmt.Fprintln(out, "$", s.show)
		cmd := exec.Command(s.command[0], s.command[1:]...)
		cmd.Dir = s.dir
		if text, err := cmd.CombinedOutput(); err != nil {
			return fmt.Errorf("%s: %w\n%s", s.show, err, text)
		}
	}
	fmt.Fprintln(out, "$ ls pure-mcp")
	if err := listFolder(out, server); err != nil {
		return err
	}
	fmt.Fprintln(out, "$ ./pure-mcp")
	return converse(out, filepath.Join(server, "server.exe"))
}

// listFolder prints the files of the generated package, but not the runtime's.
func listFolder(out io.Writer, dir string) error {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	for _, e := range entries {
		switch name := e.Name(); {
		case name == "server.exe":
			fmt.Fprintln(out, "pure-mcp*")
		case e.IsDir():
			fmt.Fprintln(out, name+"/")
		default:
			fmt.Fprintln(out, name)
		}
	}
	return nil
}

// converse starts a server, sends it the messages one by one and ends its input.
func converse(out io.Writer, server string) error {
	cmd := exec.Command(server)
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		return err
	}
	replies, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	lines := bufio.NewReader(replies)
	for _, m := range messages {
		if m.remark != "" {
			fmt.Fprintf(out, "\n# %s\n", m.remark)
		}
		fmt.Fprintln(out, "-->", m.line)
		if _, err := io.WriteString(in, m.line+"\n"); err != nil {
			return err
		}
		if !strings.Contains(m.line, `"id":`) {
			continue
		}
		reply, err := lines.ReadString('\n')
		if err != nil {
			return fmt.Errorf("reading a reply: %w", err)
		}
		fmt.Fprint(out, "<-- ", reply)
	}
	fmt.Fprint(out, "\n# The client is done: it ends the server's input.\n")
	in.Close()
	if err := cmd.Wait(); err != nil {
		return err
	}
	fmt.Fprintln(out, "$ # the server has ended with status 0")
	return nil
}
