package runtime

import (
	"os"
	"syscall"
)

// takeStdout returns standard output for the protocol alone: it is moved to a descriptor
// that children do not inherit, and what is printed to descriptor 1 from then on, by
// whomever, lands on stderr.
func takeStdout() (*os.File, error) {
	fd, _, errno := syscall.Syscall(syscall.SYS_FCNTL, 1, syscall.F_DUPFD_CLOEXEC, 3)
	if errno != 0 {
		return nil, errno
	}
	if err := syscall.Dup3(2, 1, 0); err != nil {
		return nil, err
	}
	return os.NewFile(fd, "stdout"), nil
}
