//go:build !unix

package command

import (
	"os"
	"syscall"
)

// There are no groups of processes here: the leader stands for all.
func leaderAttr() *syscall.SysProcAttr { return &syscall.SysProcAttr{} }

// signalGroup ends the leader, whatever the signal: there are no others.
func signalGroup(leader *os.Process, _ syscall.Signal) { _ = leader.Kill() }

// Nothing ends by a signal.
var signalNames map[syscall.Signal]string
