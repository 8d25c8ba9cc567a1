package pool

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"

	"github.com/mcpgen/mcpgen/runtime/shm"
)

// sweepStale removes what servers left behind that were killed: pools that did not end
// with them, run directories, shared memory. Only what is ours and whose server is gone.
func sweepStale() {
	for _, name := range readNames(runRoot) {
		pid, ok := parseRunDir(name)
		path := filepath.Join(runRoot, name)
		if ok && !isAlive(pid) && isAbandoned(path) {
			killOrphans(path)
			_ = os.RemoveAll(path)
		}
	}
	shm.SweepStale(isAlive)
}

// isAlive reports whether a process exists.
func isAlive(pid int) bool { return syscall.Kill(pid, 0) != syscall.ESRCH }

// isAbandoned reports whether path is a folder of our user that nobody has locked.
func isAbandoned(path string) bool {
	d, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NOFOLLOW|syscall.O_DIRECTORY, 0)
	if err != nil {
		return false
	}
	defer d.Close()
	info, err := d.Stat()
	if err != nil {
		return false
	}
	stat, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(stat.Uid) == os.Geteuid() &&
		syscall.Flock(int(d.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) == nil
}

// killOrphans kills the pools of a run directory whose server is gone. They are known by
// their last arguments; workers have those of their leader.
func killOrphans(dir string) {
	for _, name := range readNames("/proc") {
		pid, err := strconv.Atoi(name)
		if err != nil {
			continue
		}
		line, err := os.ReadFile(filepath.Join("/proc", name, "cmdline"))
		if err == nil && isPoolOf(dir, line) {
			_ = syscall.Kill(pid, syscall.SIGKILL)
		}
	}
}

// isPoolOf reports whether a command line, as /proc shows it, is that of a pool with this
// run directory.
func isPoolOf(dir string, line []byte) bool {
	argv := strings.Split(strings.TrimSuffix(string(line), "\x00"), "\x00")
	n := len(argv)
	return n > 3 && argv[n-2] == dir && filepath.Dir(argv[n-3]) == dir
}

// readNames returns the names in a folder, none if it cannot be read.
func readNames(dir string) []string {
	d, err := os.Open(dir)
	if err != nil {
		return nil
	}
	defer d.Close()
	names, _ := d.Readdirnames(-1)
	return names
}
