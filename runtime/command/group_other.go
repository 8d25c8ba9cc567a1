//go:build !linux

package command

import (
	"os"
	"syscall"
)

// newGroup returns what makes a process the leader of a group without a terminal.
func newGroup() *syscall.SysProcAttr { return leaderAttr() }

// await waits for the end of the leader.
func (p *process) await() *os.ProcessState {
	state, _ := p.leader.Wait()
	p.finish()
	return state
}
