// Package process runs servers that may misbehave in any way: they flood, hang, ignore
// signals, and leave children behind. Whatever they do, memory and time are bounded, and
// [Process.Stop] leaves nothing of them running.
//
// It knows nothing of protocols. The invariant: after Stop has returned, the process has
// been waited for, and so have this package's goroutines.
package process

import (
	"errors"
	"io"
	"os"
	"os/exec"
	"sync"
	"syscall"
	"time"
)

// Bounds of the end of a process.
const (
	lateOutput = 300 * time.Millisecond // what a dead process wrote may still be on its way
	reapLimit  = 5 * time.Second        // how long to wait for a killed process
	tailBytes  = 16 << 10               // of standard error that are kept
)

// A Command says what to run. Env is the whole environment.
type Command struct {
	Args []string // Args[0] is looked up in PATH of Env if it has no slash
	Env  []string
	Dir  string
	Mark string // NAME=VALUE in the environment of the process and of all it starts
}

// Shutdown says what it took to end a process.
type Shutdown string

// Ways to end, from the polite to the last.
const (
	ByInput Shutdown = "stdin" // it ended by itself, at the latest with its input
	ByTerm  Shutdown = "term"
	ByKill  Shutdown = "kill"
)

// An Exit is how a process ended.
type Exit struct {
	Code     int      // -1 if a signal ended it
	Signal   string   // as in SIGKILL; "" if none
	Shutdown Shutdown // "" until Stop
}

// A Process is a running process, or one that has ended.
type Process struct {
	Input  io.WriteCloser
	Output io.Reader // ends soon after the process, whoever else holds its other end

	cmd     *exec.Cmd
	mark    string
	input   *os.File
	output  *os.File
	errors  *os.File
	tail    tail
	done    chan struct{} // it has been waited for
	drained sync.WaitGroup
	once    sync.Once
	exit    Exit
}

// Start starts a process in a group of its own. The error is about the executable or the
// folder: nothing has run.
func Start(c Command) (*Process, error) {
	path, err := lookUp(c.Args[0], c.Env)
	if err != nil {
		return nil, err
	}
	p := &Process{mark: c.Mark, done: make(chan struct{})}
	p.cmd = &exec.Cmd{Path: path, Args: c.Args, Dir: c.Dir, Env: append(c.Env[:len(c.Env):len(c.Env)], c.Mark)}
	ownGroup(p.cmd)
	theirs, err := p.pipes()
	if err != nil {
		p.closePipes()
		return nil, err
	}
	err = p.cmd.Start()
	for _, f := range theirs {
		f.Close()
	}
	if err != nil {
		p.closePipes()
		return nil, diagnose(path, err)
	}
	p.Input, p.Output = p.input, p.output
	p.drained.Go(func() { _, _ = io.Copy(&p.tail, p.errors) })
	go p.wait()
	return p, nil
}

// pipes makes the three pipes and returns the ends of the process.
func (p *Process) pipes() (theirs []*os.File, err error) {
	in, input, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	p.input = input
	p.cmd.Stdin = in
	theirs = []*os.File{in}
	for _, end := range []struct {
		ours   **os.File
		theirs *io.Writer
	}{{&p.output, &p.cmd.Stdout}, {&p.errors, &p.cmd.Stderr}} {
		r, w, err := os.Pipe()
		if err != nil {
			for _, f := range theirs {
				f.Close()
			}
			return nil, err
		}
		*end.ours, *end.theirs = r, w
		theirs = append(theirs, w)
	}
	return theirs, nil
}

func (p *Process) closePipes() {
	for _, f := range []*os.File{p.input, p.output, p.errors} {
		if f != nil {
			f.Close()
		}
	}
}

// wait reaps the process and ends its output a little later.
func (p *Process) wait() {
	_ = p.cmd.Wait() // all of its files are ours: this waits for the process alone
	p.exit = exitOf(p.cmd.ProcessState)
	late := time.Now().Add(lateOutput)
	_ = p.output.SetReadDeadline(late)
	_ = p.errors.SetReadDeadline(late)
	close(p.done)
}

func exitOf(state *os.ProcessState) Exit {
	e := Exit{Code: state.ExitCode()}
	if status, ok := state.Sys().(syscall.WaitStatus); ok && status.Signaled() {
		e.Signal = signalName(status.Signal())
	}
	return e
}

// Done is closed when the process has ended.
func (p *Process) Done() <-chan struct{} { return p.done }

// Ended reports whether the process has ended.
func (p *Process) Ended() bool {
	select {
	case <-p.done:
		return true
	default:
		return false
	}
}

// Exit returns how the process ended. It must have.
func (p *Process) Exit() Exit { return p.exit }

// Stderr returns the end of what the process wrote to standard error.
func (p *Process) Stderr() string { return p.tail.String() }

// Settle waits at most d for the end of a process whose output has ended, and, if it does
// end, for its last words on standard error.
func (p *Process) Settle(d time.Duration) {
	if p.within(d) {
		p.drained.Wait() // which ends soon after the process
	}
}

// Stop ends the process: it closes its input, then sends SIGTERM and then SIGKILL to its
// group, each after grace. Whatever is left of the group, and whatever carries the mark,
// is killed. It returns how the process ended; the second call returns the same.
func (p *Process) Stop(grace time.Duration) Exit {
	p.once.Do(func() { p.stop(grace) })
	return p.exit
}

func (p *Process) stop(grace time.Duration) {
	by := ByInput
	_ = p.input.Close()
	if !p.within(grace) {
		by = ByTerm
		terminate(p.cmd)
		if !p.within(grace) {
			by = ByKill
			kill(p.cmd)
			p.within(reapLimit)
		}
	}
	kill(p.cmd) // children that outlived it
	sweep(p.mark)
	_ = p.output.SetReadDeadline(time.Now().Add(lateOutput))
	_ = p.errors.SetReadDeadline(time.Now().Add(lateOutput))
	p.drained.Wait()
	p.exit.Shutdown = by
}

// Close closes what is left of the pipes. Nobody may read any more.
func (p *Process) Close() {
	p.output.Close()
	p.errors.Close()
}

func (p *Process) within(d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-p.done:
		return true
	case <-timer.C:
		return false
	}
}

// ErrNotFound is an executable that is not there.
var ErrNotFound = errors.New("executable not found")

// A StartError tells why a process could not be started.
type StartError struct {
	Path string
	Err  error
}

func (e *StartError) Error() string { return e.Path + ": " + e.Err.Error() }
func (e *StartError) Unwrap() error { return e.Err }
