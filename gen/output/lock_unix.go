//go:build linux || darwin

package output

import (
	"errors"
	"os"
	"syscall"
)

// lockFolder makes dir ours until unlock, or the end of the process.
func lockFolder(dir string) (*os.File, error) {
	f, err := os.Open(dir)
	if err != nil {
		return nil, err
	}
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		f.Close()
		if errors.Is(err, syscall.EWOULDBLOCK) {
			return nil, errors.New("another mcpgen is writing to it")
		}
		return nil, err
	}
	return f, nil
}

// unlock ends what lockFolder began. Closing would not do at once: a process that is just being
// started has the file too, until it runs its own program.
func unlock(f *os.File) {
	_ = syscall.Flock(int(f.Fd()), syscall.LOCK_UN)
	f.Close()
}
