package shm

import (
	"os"
	"path/filepath"
	"strconv"
	"syscall"
)

// SweepStale removes the shared memory that servers of this user left behind when they
// were killed, upstream's included: that of processes which isAlive denies. It leaves alone
// what is locked, as a server in another container may not be visible as a process.
func SweepStale(isAlive func(pid int) bool) { sweepStale(home, isAlive) }

func sweepStale(dir string, isAlive func(pid int) bool) {
	stale := map[string]bool{} // by basename
	for _, name := range names(dir) {
		basename, pid, ok := parse(name)
		if !ok {
			continue
		}
		verdict, known := stale[basename]
		if !known {
			verdict = !isAlive(pid) && !isLocked(filepath.Join(dir, basename+string(volumeMark)+strconv.Itoa(0)))
			stale[basename] = verdict
		}
		if path := filepath.Join(dir, name); verdict && isOurs(path) {
			_ = os.Remove(path)
		}
	}
}

// isLocked reports whether a process holds the lock that [Create] takes.
func isLocked(path string) bool {
	f, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NOFOLLOW|syscall.O_NONBLOCK, 0)
	if err != nil {
		return false
	}
	defer f.Close()
	return syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) == syscall.EWOULDBLOCK
}

// isOurs reports whether path is a file of the user who runs this process.
func isOurs(path string) bool {
	info, err := os.Lstat(path)
	if err != nil || !info.Mode().IsRegular() {
		return false
	}
	stat, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(stat.Uid) == os.Geteuid()
}
