package sessions

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/mcpgen/mcpgen/internal/testenv"
)

// root is the folder of everything that the tests of this package write; it is removed at
// the end.
var root string

func TestMain(m *testing.M) { os.Exit(runAll(m)) }

func runAll(m *testing.M) int {
	if answers := os.Getenv(fakeVariable); answers != "" {
		return fakeCLI(answers)
	}
	testenv.Clear()
	dir, err := os.MkdirTemp("", "sessions-")
	if err == nil {
		root, err = filepath.EvalSymlinks(dir)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(root)
	keepFiles()
	return m.Run()
}
