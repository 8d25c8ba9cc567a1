// Package testenv keeps tests from depending on the machine that they run on: its
// environment, the length of its TMPDIR, what it has in place of Python.
package testenv

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// Clear removes the variables that generated servers look at from the environment, for a
// TestMain: whoever runs tests may have set them for a server of their own.
func Clear() {
	for _, name := range []string{"MCPGEN_PROGRAM_DIR", "MCPGEN_CLI", "MORLOC_MCP_TOKEN", "MORLOC_SKIP_NULL_CHECK"} {
		_ = os.Unsetenv(name)
	}
}

// ShortDir returns a new folder, which is removed at the end of the test. Its path is short,
// whatever TMPDIR and the name of the test are.
func ShortDir(t testing.TB) string {
	t.Helper()
	dir, err := os.MkdirTemp("/tmp", "mcpgen-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	return dir
}

// SocketPath returns a path for a Unix socket, which may have 107 bytes, in a folder of its
// own.
func SocketPath(t testing.TB) string {
	t.Helper()
	return filepath.Join(ShortDir(t), "socket")
}

// Python returns the path of the interpreter itself. What is called python3 may be a shell
// script that finds it: that takes longer than pools may take to start, and prints what it
// thinks of the locale.
var Python = sync.OnceValues(func() (path string, err error) {
	out, err := exec.Command("python3", "-c", "import sys; print(sys.executable)").Output()
	return strings.TrimSpace(string(out)), err
})
