package command

import (
	"os"
	"syscall"
)

// A lifeline is a pipe whose one end a group of processes has, and whose other end this
// process alone. When it ends, however it does, the kernel tells the group that the pipe can
// be read, as it is at its end; and it has been told to do so by SIGKILL. The parent-death
// signal reaches the leader only.
type lifeline struct {
	theirs *os.File // nil when the group has it
	ours   int
}

func newLifeline() (*lifeline, error) {
	var ends [2]int
	if err := syscall.Pipe2(ends[:], syscall.O_CLOEXEC); err != nil {
		return nil, os.NewSyscallError("pipe2", err)
	}
	return &lifeline{theirs: os.NewFile(uintptr(ends[0]), "lifeline"), ours: ends[1]}, nil
}

// extend hands the pipe to a process that is to be started.
func (l *lifeline) extend(attr *os.ProcAttr) { attr.Files = append(attr.Files, l.theirs) }

// tie makes the kernel kill the group, whose leader has been started. Where it cannot, only
// the leader ends with this process.
func (l *lifeline) tie(group int) {
	const setSignal = 10 // F_SETSIG
	fd := l.theirs.Fd()
	for _, c := range [][2]uintptr{
		{syscall.F_SETOWN, uintptr(-group)},
		{setSignal, uintptr(syscall.SIGKILL)},
		{syscall.F_SETFL, syscall.O_ASYNC},
	} {
		if _, _, errno := syscall.Syscall(syscall.SYS_FCNTL, fd, c[0], c[1]); errno != 0 {
			break
		}
	}
	_ = l.theirs.Close()
	l.theirs = nil
}

// close ends it. Nothing of the group is left.
func (l *lifeline) close() {
	if l.theirs != nil {
		_ = l.theirs.Close()
	}
	_ = syscall.Close(l.ours)
}
