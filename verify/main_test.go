//go:build unix

package verify

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// TestMain runs the tests, or is one of the programs that they start: a server of the
// fleet, a container engine, or npx.
func TestMain(m *testing.M) {
	switch name := filepath.Base(os.Args[0]); {
	case name == "docker" || name == "podman":
		syscall.Exit(beEngine(os.Args[1:]))
	case name == "npx":
		syscall.Exit(beNpx(os.Args[1:]))
	case len(os.Args) > 2 && os.Args[1] == "fleet":
		beServer(os.Args[2])
		syscall.Exit(0) // os.Exit waits a second under the race detector
	}
	os.Exit(m.Run())
}

// self returns the path of the test binary.
func self(t testing.TB) string {
	t.Helper()
	path, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return path
}
