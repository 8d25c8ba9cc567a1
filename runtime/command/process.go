package command

import (
	"os"
	"sync"
	"syscall"
	"time"

	"github.com/mcpgen/mcpgen/runtime/spawn"
)

// An order is what a process is to run, and within which limits.
type order struct {
	path    string   // of the program
	words   []string // its name and the others
	dir     string   // "" is that of this process
	env     []string
	stdin   []byte
	piped   bool          // stdin is given; without it, standard input is empty
	timeout time.Duration // 0 is none
	max     int64         // bytes of each stream
	pipe    bool          // capture streams by pipes, not by files
}

// An outcome is what has become of a process.
type outcome struct {
	err            error            // why nothing has run
	cause          cause            // why it was ended; [causeNone] if it ended by itself
	state          *os.ProcessState // nil if nothing has run, or somebody else has taken it
	stdout, stderr []byte           // memory is used again
}

// A cause is why a process is ended before it ends by itself.
type cause uint8

const (
	causeNone cause = iota
	causeTimeout
	causeOutput   // there was more than its limit
	causeCanceled // nobody waits for the answer
	causeStopping // the server ends
)

const (
	// termGrace is how long a process has to end by itself (cli-schema.md 7.1), and
	// stopGrace the same when the server ends, for which clients do not wait long.
	termGrace = 2 * time.Second
	stopGrace = 200 * time.Millisecond

	// watchEvery is how often the size of the output is looked at.
	watchEvery = 20 * time.Millisecond
)

// A process is a program that runs once, and the group of processes around it.
type process struct {
	mu       sync.Mutex
	leader   *os.Process // nil if it is not started
	over     bool        // the leader has ended; its group gets no more signals
	cause    cause
	max      int64
	captures [2]capture // of standard output and standard error

	deadline, watcher, killer *time.Timer // nil if there is none
}

// reset makes o the outcome of nothing.
func (o *outcome) reset() { *o = outcome{stdout: o.stdout[:0], stderr: o.stderr[:0]} }

// groupAttr makes a process the leader of a group without a terminal.
var groupAttr = sync.OnceValue(newGroup)

// run runs the program to its end, and reports why it could not be started. What it was asked
// for meanwhile by end is in the outcome, which was reset.
func (p *process) run(t *spawn.Thread, o *order, out *outcome) error {
	p.max = o.max
	stdin, err := openStdin(o)
	if err != nil {
		return err
	}
	defer dropFile(stdin)
	for i := range p.captures {
		if p.captures[i], err = newCapture(o); err != nil {
			return err
		}
		defer p.captures[i].close()
	}
	tether, err := spawn.NewTether()
	if err != nil {
		return err
	}
	defer tether.Close()
	attr := &os.ProcAttr{
		Dir:   o.dir,
		Env:   o.env,
		Files: []*os.File{stdin, p.captures[0].file(), p.captures[1].file()},
		Sys:   groupAttr(),
	}
	tether.Extend(attr)
	if out.cause = p.ended(); out.cause != causeNone {
		return nil
	}
	leader, err := t.Start(o.path, o.words, attr)
	if err != nil {
		return err
	}
	tether.Tie(leader.Pid)
	for _, c := range p.captures {
		c.begin()
	}
	p.begin(leader, o.timeout)
	out.state = p.await()
	return p.collect(out)
}

// openStdin returns what a process reads.
func openStdin(o *order) (*os.File, error) {
	if !o.piped {
		return os.Open(os.DevNull)
	}
	f, err := newFile()
	if err != nil {
		return nil, err
	}
	if _, err = f.WriteAt(o.stdin, 0); err != nil {
		dropFile(f)
		return nil, err
	}
	return f, nil
}

// ended returns why the process was asked to end, as far as it was by now.
func (p *process) ended() cause {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.cause
}

// begin says that the leader runs, for at most timeout.
func (p *process) begin(leader *os.Process, timeout time.Duration) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.leader = leader
	if timeout > 0 {
		p.deadline = time.AfterFunc(timeout, func() { p.end(causeTimeout) })
	}
	p.watcher = time.AfterFunc(watchEvery, p.watch)
	if p.cause != causeNone {
		p.terminate(p.cause)
	}
}

// end ends the process, unless it has ended, for a reason; the first one counts.
func (p *process) end(c cause) {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch {
	case p.over:
		return
	case p.cause == causeNone:
		p.cause = c
	case c != causeStopping:
		return // it is on its way
	}
	p.terminate(c)
}

// terminate makes the group end, under mu.
func (p *process) terminate(c cause) {
	if p.leader == nil || p.over {
		return
	}
	grace := termGrace
	switch c {
	case causeOutput: // it would go on writing
		signalGroup(p.leader, syscall.SIGKILL)
		return
	case causeStopping:
		grace = stopGrace
	}
	signalGroup(p.leader, syscall.SIGTERM)
	stopTimer(p.killer)
	p.killer = time.AfterFunc(grace, p.kill)
}

func (p *process) kill() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.over {
		signalGroup(p.leader, syscall.SIGKILL)
	}
}

// watch runs on the watcher's goroutine.
func (p *process) watch() {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch {
	case p.over:
	case !p.isFull():
		p.watcher.Reset(watchEvery)
	default:
		if p.cause == causeNone {
			p.cause = causeOutput
		}
		p.terminate(causeOutput)
	}
}

// isFull reports whether there is too much output.
func (p *process) isFull() bool { return p.captures[0].size() > p.max || p.captures[1].size() > p.max }

// finish is called when the leader has ended: what is left of its group is killed.
func (p *process) finish() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.over = true
	for _, t := range []*time.Timer{p.deadline, p.watcher, p.killer} {
		stopTimer(t)
	}
	signalGroup(p.leader, syscall.SIGKILL)
}

func stopTimer(t *time.Timer) {
	if t != nil {
		t.Stop()
	}
}

// collect takes what has been written, unless there is too much of it.
func (p *process) collect(out *outcome) (err error) {
	p.captures[0].finish()
	p.captures[1].finish()
	if out.cause = p.ended(); out.cause == causeNone && p.isFull() {
		out.cause = causeOutput
	}
	if out.cause == causeOutput {
		return nil
	}
	// What was ended for another reason may have written anything, also now.
	if out.stdout, err = p.captures[0].read(out.stdout, p.max); err == nil {
		out.stderr, err = p.captures[1].read(out.stderr, p.max)
	}
	return err
}
