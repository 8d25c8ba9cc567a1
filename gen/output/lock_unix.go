//go:build linux || darwin

package output

import (
	"errors"
	"os"
	"syscall"
)

// lockFolder makes dir ours until the returned file is closed, or the process ends.
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
