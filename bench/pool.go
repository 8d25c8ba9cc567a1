package main

import (
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"time"
)

// startPool starts a pool for the raw client, as a server would, and returns its socket.
func startPool(b *binaries) (socket string, stop func(), err error) {
	dir, err := os.MkdirTemp("", "bench-pool-")
	if err != nil {
		return "", nil, err
	}
	socket = filepath.Join(dir, "pipe-go")
	cmd := exec.Command(b.pool, socket, dir, "bench")
	cmd.Stderr = os.Stderr
	if err := cmd.Start(); err != nil {
		return "", nil, err
	}
	stop = func() {
		_ = cmd.Process.Signal(syscall.SIGTERM)
		_ = cmd.Wait()
		_ = os.RemoveAll(dir)
	}
	for {
		c, err := net.Dial("unix", socket)
		if err == nil {
			_ = c.Close()
			return socket, stop, nil
		}
		time.Sleep(time.Millisecond)
	}
}
