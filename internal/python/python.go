// Package python finds the interpreter that tests run pools with.
package python

import (
	"os/exec"
	"strings"
	"sync"
)

// Interpreter returns the path of the interpreter itself. What is called python3 may be a
// shell script that finds it: that takes longer than pools may take to start, and prints
// what it thinks of the locale.
var Interpreter = sync.OnceValues(func() (path string, err error) {
	out, err := exec.Command("python3", "-c", "import sys; print(sys.executable)").Output()
	return strings.TrimSpace(string(out)), err
})
