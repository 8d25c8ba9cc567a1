package command

import (
	"os"
	"syscall"
)

// newGroup returns what makes a process the leader of a group without a terminal, which the
// kernel kills when the thread ends that has started it.
func newGroup() *syscall.SysProcAttr {
	a := leaderAttr()
	a.Pdeathsig = syscall.SIGKILL
	return a
}

// await waits for the end of the leader. Until it is reaped, the id of its group is not given
// to any other.
func (p *process) await() *os.ProcessState {
	const idIsPID = 1
	for {
		_, _, errno := syscall.Syscall6(syscall.SYS_WAITID, idIsPID, uintptr(p.leader.Pid), 0,
			syscall.WEXITED|syscall.WNOWAIT, 0, 0)
		if errno != syscall.EINTR {
			break
		}
	}
	p.finish()
	state, _ := p.leader.Wait()
	return state
}
