//go:build unix

package command

import (
	"os"
	"syscall"
)

// leaderAttr returns what makes a process the leader of a group without a terminal. Only a
// session of its own takes the terminal away that this process may have; else a group will do,
// as systems may share the processor between sessions, and then each new one is slow to start.
func leaderAttr() *syscall.SysProcAttr {
	terminal, err := os.Open("/dev/tty")
	if err != nil {
		return &syscall.SysProcAttr{Setpgid: true}
	}
	_ = terminal.Close()
	return &syscall.SysProcAttr{Setsid: true}
}

// signalGroup sends a signal to all processes of a group.
func signalGroup(leader *os.Process, sig syscall.Signal) { _ = syscall.Kill(-leader.Pid, sig) }

var signalNames = map[syscall.Signal]string{
	syscall.SIGABRT:   "SIGABRT",
	syscall.SIGALRM:   "SIGALRM",
	syscall.SIGBUS:    "SIGBUS",
	syscall.SIGFPE:    "SIGFPE",
	syscall.SIGHUP:    "SIGHUP",
	syscall.SIGILL:    "SIGILL",
	syscall.SIGINT:    "SIGINT",
	syscall.SIGIO:     "SIGIO",
	syscall.SIGKILL:   "SIGKILL",
	syscall.SIGPIPE:   "SIGPIPE",
	syscall.SIGPROF:   "SIGPROF",
	syscall.SIGQUIT:   "SIGQUIT",
	syscall.SIGSEGV:   "SIGSEGV",
	syscall.SIGSYS:    "SIGSYS",
	syscall.SIGTERM:   "SIGTERM",
	syscall.SIGTRAP:   "SIGTRAP",
	syscall.SIGUSR1:   "SIGUSR1",
	syscall.SIGUSR2:   "SIGUSR2",
	syscall.SIGVTALRM: "SIGVTALRM",
	syscall.SIGXCPU:   "SIGXCPU",
	syscall.SIGXFSZ:   "SIGXFSZ",
}
