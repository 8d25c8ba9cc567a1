package command

import (
	"os"
	"syscall"

	"github.com/mcpgen/mcpgen/runtime/spawn"
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
	spawn.Await(p.leader)
	p.finish()
	state, _ := p.leader.Wait()
	return state
}
