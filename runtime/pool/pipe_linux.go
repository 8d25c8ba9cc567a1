package pool

import (
	"os"
	"syscall"
)

// readNow reads what a pipe holds and does not wait for more; 0 if there is nothing, or an
// error, which the next Read meets too.
func readNow(f *os.File, b []byte) int {
	c, err := f.SyscallConn()
	if err != nil {
		return 0
	}
	n := 0
	_ = c.Read(func(fd uintptr) bool {
		for {
			if n, err = syscall.Read(int(fd), b); err != syscall.EINTR {
				return true
			}
		}
	})
	return max(n, 0)
}
