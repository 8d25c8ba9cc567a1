package sessions

import (
	"bufio"
	"context"
	"io"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"

	"github.com/mcpgen/mcpgen/verify"
	"github.com/mcpgen/mcpgen/verify/report"
)

// TestVerified holds every server against the manifest that it was made of, in every
// revision of the protocol, on standard input and output and over HTTP.
func TestVerified(t *testing.T) {
	t.Parallel()
	for _, program := range allPrograms(t) {
		t.Run(program, func(t *testing.T) {
			t.Parallel()
			s := serverOf(t, program)
			expect, err := verify.ReadExpect(s.manifest)
			if err != nil {
				t.Fatal(err)
			}
			o := verify.Defaults()
			o.Env, o.Runner, o.Protocol, o.Expect = os.Environ(), verify.Host, verify.AllRevisions, expect
			o.Command = []string{s.binary}
			mustPass(t, o)

			if help, _ := exec.Command(s.binary, "--help").Output(); !strings.Contains(string(help), "--http-port") {
				t.Skip("the server does not serve over HTTP")
			}
			o.Command, o.URL = nil, serveHTTP(t, s)
			mustPass(t, o)
		})
	}
}

// mustPass fails unless the server speaks all revisions and lists exactly what it should.
// A program without tools has nothing more to show than that.
func mustPass(t *testing.T, o verify.Options) {
	t.Helper()
	results, err := verify.Run(context.Background(), o)
	if err != nil || len(results) != 1 {
		t.Fatalf("%d results, %v", len(results), err)
	}
	r := results[0]
	if r.Score != report.Pass && r.Class != "mcp-empty" || len(r.Eras) != 5 {
		t.Errorf("%s over %s, revisions %v: %s", r.Score, r.Transport, r.Eras, r.Notes)
	}
}

var address = regexp.MustCompile(`http://[0-9.]+:[0-9]+(/mcp)?`)

// serveHTTP starts a server on a free port until the test ends, and returns its address.
func serveHTTP(t *testing.T, s server) string {
	t.Helper()
	cmd := exec.Command(s.binary, "--http-port", "0")
	stderr, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Signal(os.Interrupt)
		_ = cmd.Wait()
	})
	lines := bufio.NewReader(stderr)
	for {
		line, err := lines.ReadString('\n')
		if found := address.FindString(line); found != "" {
			go io.Copy(io.Discard, lines)
			return strings.TrimSuffix(found, "/mcp") + "/mcp"
		}
		if err != nil {
			t.Fatalf("the server does not say where it listens: %v", err)
		}
	}
}
