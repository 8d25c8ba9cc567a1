package main

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"strconv"
	"syscall"
	"time"
)

// cpuOf returns the processor time that the threads of a running process have used. It is
// exact to the nanosecond where /proc/PID/stat counts in ticks of 10 ms.
func cpuOf(pid int) (time.Duration, error) {
	var total time.Duration
	dir := "/proc/" + strconv.Itoa(pid) + "/task/"
	threads, err := os.ReadDir(dir)
	if err != nil {
		return 0, err
	}
	for _, t := range threads {
		text, err := os.ReadFile(dir + t.Name() + "/schedstat")
		if errors.Is(err, fs.ErrNotExist) {
			continue // has just ended
		}
		if err != nil {
			return 0, err
		}
		first, _, _ := bytes.Cut(text, []byte(" "))
		ns, err := strconv.ParseInt(string(first), 10, 64)
		if err != nil {
			return 0, fmt.Errorf("%s%s/schedstat: %w", dir, t.Name(), err)
		}
		total += time.Duration(ns)
	}
	return total, nil
}

// memoryOf returns a line of /proc/PID/status that tells of memory, in bytes.
func memoryOf(pid int, key string) (int64, error) {
	text, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/status")
	if err != nil {
		return 0, err
	}
	_, rest, found := bytes.Cut(text, []byte("\n"+key+":"))
	fields := bytes.Fields(rest)
	if !found || len(fields) < 2 || string(fields[1]) != "kB" {
		return 0, fmt.Errorf("/proc/%d/status: no %s", pid, key)
	}
	kib, err := strconv.ParseInt(string(fields[0]), 10, 64)
	return kib << 10, err
}

// stop ends a server by a signal, and by force if that does not help.
func stop(cmd *exec.Cmd) {
	_ = cmd.Process.Signal(syscall.SIGTERM)
	timer := time.AfterFunc(10*time.Second, func() { _ = cmd.Process.Kill() })
	defer timer.Stop()
	_ = cmd.Wait()
}
