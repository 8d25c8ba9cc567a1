package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/mcpgen/mcpgen/examples/internal/launch"
)

// runLimit is how long the suite may take for a revision.
const runLimit = 3 * time.Minute

// A suite is the conformance suite, installed.
type suite struct{ node, script string }

// installSuite installs the suite from its registry as the lock file says, and with it the
// release of Node.js that it needs, unless that has been done.
func installSuite(ctx context.Context) (*suite, error) {
	dir, err := filepath.Abs(folder)
	if err != nil {
		return nil, err
	}
	if err := launch.Node(ctx, dir); err != nil {
		return nil, err
	}
	modules := filepath.Join(dir, "node_modules")
	s := &suite{script: filepath.Join(modules, "@modelcontextprotocol", "conformance", "dist", "index.js")}
	cpu := map[string]string{"amd64": "x64"}[runtime.GOARCH]
	if cpu == "" {
		cpu = runtime.GOARCH
	}
	s.node = filepath.Join(modules, "node-"+runtime.GOOS+"-"+cpu, "bin", "node")
	if _, err := os.Stat(s.node); err != nil {
		s.node = "node" // has to be release 22 or later
	}
	return s, nil
}

// run runs the scenarios of a revision against the server at url. Results go to dir. That
// scenarios fail is no error.
func (s *suite) run(ctx context.Context, url, revision, dir string, verbose bool) (*outcome, error) {
	ctx, cancel := context.WithTimeout(ctx, runLimit)
	defer cancel()
	cmd := exec.CommandContext(ctx, s.node, s.script, "server", "--url", url, "--requirements", revision, "-o", dir)
	cmd.WaitDelay = time.Second
	out, err := cmd.CombinedOutput()
	if verbose {
		_, _ = os.Stdout.Write(out)
	}
	if ctx.Err() != nil {
		return nil, fmt.Errorf("the suite did not end within %v", runLimit)
	}
	if _, failed := errors.AsType[*exec.ExitError](err); err != nil && !failed {
		return nil, err
	}
	_, summary, ok := strings.Cut(string(out), "=== SUMMARY ===")
	if !ok {
		return nil, fmt.Errorf("the suite did not run: %v\n%s", err, bytes.TrimSpace(out))
	}
	return readOutcome(revision, dir, summary)
}
