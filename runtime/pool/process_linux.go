package pool

import (
	"errors"
	"io/fs"
	"os"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/mcpgen/mcpgen/runtime/spawn"
)

// A process is the leader of a pool and the group of processes around it.
type process struct {
	lang   string
	pid    int // of the leader, and of the group
	leader *os.Process
	tether *spawn.Tether
	out    *output

	exited chan struct{}    // closed when the leader has ended
	state  *os.ProcessState // valid then; nil if somebody else has taken it
	gone   bool             // the group has no processes

	mu   sync.Mutex
	over bool // the leader has ended, and the group's id may become another's
}

// wait waits for the leader's end. Workers that outlive it are killed before it is reaped:
// until then the id of the group is not given to any other.
func (p *process) wait() {
	spawn.Await(p.leader)
	p.signal(syscall.SIGKILL)
	p.mu.Lock()
	p.over = true
	p.mu.Unlock()
	p.state, _ = p.leader.Wait()
	p.tether.Close()
	close(p.exited)
}

// signal sends a signal to all processes of the pool.
func (p *process) signal(sig syscall.Signal) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.over {
		_ = syscall.Kill(-p.pid, sig)
	}
}

// status describes how the leader ended, as "exit status 1".
func (p *process) status() string {
	if p.state == nil {
		return "unknown exit status"
	}
	return p.state.String()
}

// fault describes it in the words of upstream's recovery.
func (p *process) fault() string {
	switch {
	case p.state == nil:
		return "Pool process ended"
	case p.state.Exited():
		return "Pool process exited with status " + strconv.Itoa(p.state.ExitCode())
	}
	signal := p.state.Sys().(syscall.WaitStatus).Signal()
	return "Pool process crashed with signal " + strconv.Itoa(int(signal))
}

// A spawner starts pools that end with it.
type spawner struct{ thread *spawn.Thread }

func newSpawner() *spawner { return &spawner{spawn.NewThread()} }

// close ends processes that are still there.
func (s *spawner) close() { s.thread.Close() }

// spawn starts a pool with arguments behind its command. It may be given a lifeline.
func (s *spawner) spawn(cfg *Config, spec Spec, args []string, line *lifeline, to *console) (*process, error) {
	argv := append(cfg.command(spec), args...)
	path, err := lookPath(argv[0], cfg.Env)
	if err != nil {
		return nil, notFound(spec.Lang, argv[0], err)
	}
	null, err := os.Open(os.DevNull)
	if err != nil {
		return nil, startError(spec.Lang, "no standard input", ": "+err.Error())
	}
	defer null.Close()
	ours, theirs, err := os.Pipe()
	if err != nil {
		return nil, startError(spec.Lang, "no standard output", ": "+err.Error())
	}
	defer theirs.Close()
	tether, err := spawn.NewTether()
	if err != nil {
		_ = ours.Close()
		return nil, startError(spec.Lang, "no pipe that tells of our end", ": "+err.Error())
	}
	attr := &os.ProcAttr{
		Env:   cfg.environment(spec),
		Files: []*os.File{null, theirs, theirs},
		Sys:   &syscall.SysProcAttr{Setpgid: true, Pdeathsig: cfg.Stage.deathSignal},
	}
	line.extend(attr)
	tether.Extend(attr)
	leader, err := s.thread.Start(path, argv, attr)
	if err != nil {
		tether.Close()
		_ = ours.Close()
		return nil, startError(spec.Lang, causeOf(err), " ("+path+")")
	}
	tether.Tie(leader.Pid)
	return &process{
		lang:   spec.Lang,
		pid:    leader.Pid,
		leader: leader,
		tether: tether,
		out:    newOutput(ours, to, spec.Lang),
		exited: make(chan struct{}),
	}, nil
}

// lookPath finds a program in the PATH of an environment.
func lookPath(name string, env []string) (string, error) {
	list := ""
	for _, entry := range env {
		if value, ok := strings.CutPrefix(entry, "PATH="); ok {
			list = value
		}
	}
	path, err := spawn.LookPath(name, list)
	if err != nil {
		return "", errors.New("looked in PATH=" + list)
	}
	return path, nil
}

// notFound names the remedy for the usual fault: clients start servers with a bare PATH.
func notFound(lang, interpreter string, err error) error {
	return startError(lang, "interpreter '"+interpreter+"' not found", "; "+err.Error()+
		"; give the server a PATH that holds it: --mcp-config prints a client entry with one")
}

// causeOf is the text of an error without the call and the path.
func causeOf(err error) string {
	var e *fs.PathError
	if errors.As(err, &e) {
		err = e.Err
	}
	return err.Error()
}

// signalAll sends a signal to all processes of the pools.
func signalAll(pools []*process, sig syscall.Signal) {
	for _, p := range pools {
		p.signal(sig)
	}
}

const (
	goneEvery = 2 * time.Millisecond
	// orphanLimit bounds the wait for killed groups. Workers whose leader is gone belong
	// to process 1, and where that does not reap, they are never gone.
	orphanLimit = 100 * time.Millisecond
	// reapLimit bounds the wait for a killed leader, which the kernel may hold.
	reapLimit = 5 * time.Second
)

// awaitGone waits until no process of the pools is left, or for the limit.
func awaitGone(pools []*process, limit time.Duration) {
	deadline := time.Now().Add(limit)
	for {
		left := false
		for _, p := range pools {
			left = !p.isGone() || left
		}
		if !left || time.Now().After(deadline) {
			return
		}
		time.Sleep(goneEvery)
	}
}

// isGone reports whether the pool has no process any more.
func (p *process) isGone() bool {
	if !p.gone && isClosed(p.exited) {
		p.gone = syscall.Kill(-p.pid, 0) == syscall.ESRCH
	}
	return p.gone
}

// awaitReaped waits for processes that have been killed.
func awaitReaped(pools []*process) {
	timer := time.NewTimer(reapLimit)
	defer timer.Stop()
	for _, p := range pools {
		select {
		case <-p.exited:
		case <-timer.C:
			return
		}
	}
	awaitGone(pools, orphanLimit)
}
