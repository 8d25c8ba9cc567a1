//go:build !unix

package process

import (
	"os/exec"
	"strconv"
	"syscall"
)

// There are no process groups here: signals go to the process alone.
func ownGroup(*exec.Cmd)      {}
func terminate(cmd *exec.Cmd) { _ = cmd.Process.Kill() }
func kill(cmd *exec.Cmd)      { _ = cmd.Process.Kill() }

// Alive reports whether there is a process with an id; here it is not known.
func Alive(int) bool { return true }

func signalName(s syscall.Signal) string { return "signal " + strconv.Itoa(int(s)) }
