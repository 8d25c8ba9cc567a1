package pool

import (
	"syscall"
	"time"
)

const (
	nothing   = -1 // stands for a file that is not waited for
	unlimited = -1 // stands for a limit that there is not
)

// pollRead waits until one of two files can be read without waiting, and tells which; if that
// does not come true within the limit, or cannot be found out, neither.
func pollRead(a, b int, limit time.Duration) (aReady, bReady bool) {
	for {
		var set syscall.FdSet
		if !addFile(&set, a) || b != nothing && !addFile(&set, b) {
			return false, false
		}
		var timeout *syscall.Timeval
		if limit != unlimited {
			tv := syscall.NsecToTimeval(int64(limit))
			timeout = &tv
		}
		switch _, err := syscall.Select(max(a, b)+1, &set, nil, nil, timeout); err {
		case nil:
			return hasFile(&set, a), b != nothing && hasFile(&set, b)
		case syscall.EINTR:
		default:
			return false, false
		}
	}
}

// bits is how many files a set of select(2) has room for; the size of its words differs.
const bits = 1024

// addFile adds a file to a set, and reports whether there is room for it.
func addFile(set *syscall.FdSet, file int) bool {
	if file < 0 || file >= bits {
		return false
	}
	size := bits / len(set.Bits)
	set.Bits[file/size] |= 1 << (file % size)
	return true
}

func hasFile(set *syscall.FdSet, file int) bool {
	size := bits / len(set.Bits)
	return set.Bits[file/size]&(1<<(file%size)) != 0
}
