//go:build unix && !linux

package command

import "syscall"

// groupAttr makes a process the leader of a group, and of a session, which has no terminal.
var groupAttr = &syscall.SysProcAttr{Setsid: true}
