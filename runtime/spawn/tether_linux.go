package spawn

import (
	"os"
	"syscall"
)

// A Tether makes a group of processes end with this one, however that ends: the parent-death
// signal reaches the leader only, not what that has started. It is a pipe of which we alone have
// the end for writing. When we end, the kernel tells the group that the other one can be read, as
// the pipe is at its end; and it has been told to do so by SIGKILL.
//
// For that the end for reading must be open still. The leader has it, but may have been killed
// before, and what it has started may have closed it. So we keep it too: of the files of a process
// that ends, Linux lets go of the last number first.
type Tether struct {
	read  *os.File
	write int // the greater number
}

// NewTether returns a tether for one group.
func NewTether() (*Tether, error) {
	var ends [2]int
	if err := syscall.Pipe2(ends[:], syscall.O_CLOEXEC); err != nil {
		return nil, os.NewSyscallError("pipe2", err)
	}
	t := &Tether{read: os.NewFile(uintptr(ends[0]), "tether"), write: ends[1]}
	if ends[0] < ends[1] {
		return t, nil
	} // a lower number became free meanwhile
	write, err := fcntl(ends[1], syscall.F_DUPFD_CLOEXEC, ends[0]+1)
	if err != nil {
		t.Close()
		return nil, os.NewSyscallError("fcntl", err)
	}
	_ = syscall.Close(ends[1])
	t.write = write
	return t, nil
}

// Extend hands the pipe to a process that is to be started, the leader of its group.
func (t *Tether) Extend(attr *os.ProcAttr) {
	attr.Files = append(attr.Files, t.read)
}

// Tie makes the kernel kill a group when this process ends. Where it cannot, only the leader
// ends with it, by the parent-death signal.
func (t *Tether) Tie(group int) {
	const setSignal = 10 // F_SETSIG
	fd := int(t.read.Fd())
	for _, c := range [][2]int{
		{syscall.F_SETOWN, -group},
		{setSignal, int(syscall.SIGKILL)},
		{syscall.F_SETFL, syscall.O_ASYNC},
	} {
		if _, err := fcntl(fd, c[0], c[1]); err != nil {
			return
		}
	}
}

// Close ends it. Nothing of the group is left, or nothing was started.
func (t *Tether) Close() {
	_ = t.read.Close()
	_ = syscall.Close(t.write)
}

func fcntl(fd, command, argument int) (int, error) {
	n, _, errno := syscall.Syscall(syscall.SYS_FCNTL, uintptr(fd), uintptr(command), uintptr(argument))
	if errno != 0 {
		return 0, errno
	}
	return int(n), nil
}
