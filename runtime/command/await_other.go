//go:build !linux

package command

import "os"

// await waits for the end of the leader.
func (p *process) await() *os.ProcessState {
	state, _ := p.leader.Wait()
	p.finish()
	return state
}
