package sessions

import (
	"os"
	"strconv"
	"syscall"
)

// keepFiles has the files that whoever runs the tests has left open stay here: a server that
// may open few has them all.
func keepFiles() {
	files, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		return
	}
	for _, f := range files {
		if n, err := strconv.Atoi(f.Name()); err == nil && n > 2 {
			syscall.CloseOnExec(n)
		}
	}
}
