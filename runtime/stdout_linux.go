package runtime

import (
	"os"
	"syscall"
	"time"
)

// takeStdout returns standard output for the protocol alone: it is moved to a descriptor
// that children do not inherit, and what is printed to descriptor 1 from then on, by
// whomever, lands on stderr.
func takeStdout() (*os.File, error) {
	f, err := openPipe("/proc/self/fd/1")
	if err != nil { // no pipe, or one of somebody else's
		fd, _, errno := syscall.Syscall(syscall.SYS_FCNTL, 1, syscall.F_DUPFD_CLOEXEC, 3)
		if errno != 0 {
			return nil, errno
		}
		f = os.NewFile(fd, "stdout")
	}
	if err := syscall.Dup3(2, 1, 0); err != nil {
		return nil, err
	}
	return f, nil
}

// openPipe opens a pipe anew, so that writes to it can be ended: what we set there does not
// touch others who have the pipe open.
func openPipe(path string) (*os.File, error) {
	info, err := os.Stat(path)
	if err == nil && info.Mode()&os.ModeNamedPipe == 0 {
		err = syscall.ESPIPE
	}
	if err != nil {
		return nil, err
	}
	return os.OpenFile(path, os.O_WRONLY|syscall.O_NONBLOCK, 0)
}

// cutStdout makes writes to standard output fail, those under way too, if it is a pipe or a
// socket: others do not wait for whoever reads.
func cutStdout(f *os.File) {
	if f.SetWriteDeadline(time.Unix(1, 0)) != nil {
		_ = syscall.Shutdown(int(f.Fd()), syscall.SHUT_WR)
	}
}
