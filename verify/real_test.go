//go:build unix

package verify

import (
	"bufio"
	"encoding/json"
	"errors"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/mcpgen/mcpgen/verify/report"
)

// TestRealServers checks the constructed catalogue with servers from the package registry,
// and what they list with what was recorded. It runs when MCPGEN_VERIFY_REAL says so.
func TestRealServers(t *testing.T) {
	if os.Getenv("MCPGEN_VERIFY_REAL") == "" {
		t.Skip("needs a package registry: make verify-real")
	}
	golden, err := filepath.Abs("../testdata/golden/qa")
	if err != nil {
		t.Fatal(err)
	}
	w := newWorld(t)
	w.o = Defaults()
	w.o.runID = newRunID()
	w.o.Env, w.o.Runner, w.o.Store = os.Environ(), Host, filepath.Join(golden, "catalog")
	results := compareCatalogue(t, w, golden)
	for app, file := range map[string]string{
		"everything-mcp": "everything.tools.json", "everything-caps-mcp": "everything.fullcaps.tools.json", "filesystem-mcp": "filesystem.tools.json",
		"memory-mcp": "memory.tools.json", "sequential-thinking-mcp": "sequential-thinking.tools.json",
	} {
		i := slices.IndexFunc(results, func(r report.Result) bool { return r.AppID == app })
		if i >= 0 {
			compareRecorded(t, app, results[i].Listing, filepath.Join(golden, "live", file))
		}
	}
	realHTTP(t, golden)
}

// compareRecorded compares a list with a recorded one, in which descriptions are elided.
func compareRecorded(t *testing.T, app string, listing json.RawMessage, file string) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var recorded struct{ Tools any }
	var live any
	if err := errors.Join(json.Unmarshal(text, &recorded), json.Unmarshal(listing, &live)); err != nil {
		t.Fatal(err)
	}
	if d := treeDifference(elide(live), elide(recorded.Tools), "tools"); d != "" {
		t.Errorf("%s: %s", app, d)
	}
}

func elide(node any) any {
	switch node := node.(type) {
	case []any:
		for i := range node {
			node[i] = elide(node[i])
		}
	case map[string]any:
		for key, child := range node {
			if _, isText := child.(string); isText && key == "description" {
				node[key] = "(elided)"
			} else {
				node[key] = elide(child)
			}
		}
	case float64:
		text, _ := json.Marshal(node)
		return json.Number(text)
	}
	return node
}

// realHTTP starts the everything server on HTTP and checks it there.
func realHTTP(t *testing.T, golden string) {
	t.Helper()
	for _, transport := range []struct{ arg, path, want string }{{"streamableHttp", "/mcp", "http"}, {"sse", "/sse", "sse"}} {
		port := freePort(t)
		cmd := exec.Command("npx", "-y", "@modelcontextprotocol/server-everything@2026.8.31", transport.arg)
		cmd.Env = append(os.Environ(), "PORT="+port)
		ownProcessGroup(cmd)
		stderr, err := cmd.StderrPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		awaitText(stderr, port)
		go io.Copy(io.Discard, stderr)
		w := newWorld(t)
		w.o.URL = "http://127.0.0.1:" + port + transport.path
		w.o.Declared = []string{"echo"}
		r := w.run()[0]
		killGroup(cmd)
		_ = cmd.Wait()
		if r.Score != report.Pass || r.Transport != transport.want {
			t.Errorf("everything over %s: %s over %s: %s", transport.arg, r.Score, r.Transport, r.Notes)
		}
		if transport.want == "http" {
			compareRecorded(t, "everything over HTTP", r.Listing, filepath.Join(golden, "live", "everything.tools.json"))
		}
	}
}

// freePort returns a port that nobody listens on at the moment.
func freePort(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	_, port, err := net.SplitHostPort(l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	return port
}

// awaitText reads lines until one has a text in it, or they end.
func awaitText(r io.Reader, text string) {
	for lines := bufio.NewScanner(r); lines.Scan(); {
		if strings.Contains(lines.Text(), text) {
			return
		}
	}
}

func ownProcessGroup(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

func killGroup(cmd *exec.Cmd) { _ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
