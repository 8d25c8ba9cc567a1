package spawn

import (
	"os"
	"runtime"
)

// A Thread starts processes from an operating system thread that lives as long as they do:
// the kernel sends them the parent-death signal, if they have one, when the thread ends that
// has started them, not the process (pool-protocol.md 1.10). It may be used by any goroutine.
type Thread struct{ tasks chan *task }

type task struct {
	path    string
	argv    []string
	attr    *os.ProcAttr
	process *os.Process
	err     error
	done    chan struct{}
}

// NewThread returns a thread.
func NewThread() *Thread {
	t := &Thread{make(chan *task)}
	go func() {
		runtime.LockOSThread()
		for x := range t.tasks {
			x.process, x.err = os.StartProcess(x.path, x.argv, x.attr)
			close(x.done)
		}
	}()
	return t
}

// Start is [os.StartProcess] on the thread.
func (t *Thread) Start(path string, argv []string, attr *os.ProcAttr) (*os.Process, error) {
	x := &task{path: path, argv: argv, attr: attr, done: make(chan struct{})}
	t.tasks <- x
	<-x.done
	return x.process, x.err
}

// Close ends the thread, and with it processes that are still there. Nothing is started after
// it.
func (t *Thread) Close() { close(t.tasks) }
