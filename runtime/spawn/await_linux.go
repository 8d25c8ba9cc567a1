package spawn

import (
	"os"
	"syscall"
)

// Await waits for the end of a child, but does not reap it: until [os.Process.Wait] does, its
// id, and that of its group, is given to no other process.
func Await(child *os.Process) {
	const idIsPID = 1
	for {
		_, _, errno := syscall.Syscall6(syscall.SYS_WAITID, idIsPID, uintptr(child.Pid), 0,
			syscall.WEXITED|syscall.WNOWAIT, 0, 0)
		if errno != syscall.EINTR {
			return
		}
	}
}
