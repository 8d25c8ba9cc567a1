package process

import (
	"bytes"
	"os"
	"path/filepath"
	"strconv"
	"syscall"
)

// sweep kills every process that has the mark in its environment: children that left the
// group keep what they inherited. It looks again while it finds some, since they may have
// been starting others.
func sweep(mark string) {
	if mark == "" {
		return
	}
	for range 5 {
		found := marked(mark)
		for _, pid := range found {
			_ = syscall.Kill(pid, syscall.SIGKILL)
		}
		if len(found) == 0 {
			return
		}
	}
}

// marked returns the ids of the running processes that have the mark, an entry of the
// form NAME=VALUE, in their environment.
func marked(mark string) []int {
	files, _ := filepath.Glob("/proc/[0-9]*/environ")
	var found []int
	for _, file := range files {
		env, err := os.ReadFile(file) // empty for a process that only waits to be reaped
		if err != nil || !hasEntry(env, mark) {
			continue
		}
		if pid, err := strconv.Atoi(filepath.Base(filepath.Dir(file))); err == nil && pid != os.Getpid() {
			found = append(found, pid)
		}
	}
	return found
}

func hasEntry(env []byte, entry string) bool {
	for one := range bytes.SplitSeq(env, []byte{0}) {
		if string(one) == entry {
			return true
		}
	}
	return false
}
