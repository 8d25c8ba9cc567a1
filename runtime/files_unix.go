//go:build unix

package runtime

import (
	"errors"
	"strconv"
	"syscall"
)

// fewFiles is how many open files a server needs to say what it lacks. With fewer, the
// runtime of Go itself gives up.
const fewFiles = 16

// checkFiles says that the process may not open enough files, if that is so.
func checkFiles() error {
	var limit syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &limit); err != nil || limit.Cur >= fewFiles {
		return nil
	}
	return errors.New("limit of " + strconv.FormatUint(uint64(limit.Cur), 10) + " open files: want " +
		strconv.Itoa(fewFiles) + " or more")
}
