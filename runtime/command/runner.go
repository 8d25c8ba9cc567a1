package command

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	rt "github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/argv"
	"github.com/mcpgen/mcpgen/runtime/spawn"
)

// A runner runs a program, from the start of its server to the end.
type runner struct {
	cli     *CLI
	program string   // for lines on stderr
	command []string // that of the author, or what replaces it
	folder  string   // that relative paths start from
	limit   time.Duration
	style   argv.Style
	thread  *spawn.Thread
	queue   queue

	preparing sync.Once
	begun     atomic.Bool   // to prepare
	ready     chan struct{} // closed when env is known
	env       environment

	shell      process // that asks for the login environment
	shellLimit time.Duration
	stopping   sync.Once
}

func newRunner(c *CLI, o rt.Options) *runner {
	r := &runner{
		cli:     c,
		program: o.Program,
		command: c.Command,
		folder:  o.Home,
		limit:   o.CallTimeout,
		style:   c.Style,
		thread:  spawn.NewThread(),
		queue:   newQueue(max(c.MaxParallel, 1), o.MaxQueue),
		ready:   make(chan struct{}),

		shellLimit: shellLimit,
	}
	if len(o.Command) > 0 {
		r.command = o.Command
	}
	r.style.Bun = filepath.Base(r.command[0]) == "bun"
	if c.ShellEnv == "" {
		r.prepare() // does not wait for anything
	}
	return r
}

// prepare begins to find out the environment of the program.
func (r *runner) prepare() {
	r.preparing.Do(func() {
		r.begun.Store(true)
		if r.cli.ShellEnv == "" {
			r.setEnvironment(nil)
		} else {
			go func() { r.setEnvironment(r.loginEnvironment()) }()
		}
	})
}

// setEnvironment puts the environment together, of which a part came from a login shell, and
// runs what has waited for that.
func (r *runner) setEnvironment(login []string) {
	e := newEnvironment(withoutToken(os.Environ()))
	e.addLogin(withoutToken(login))
	if r.cli.EnvFile != "" {
		vars, err := readEnvFile(r.path(expandHome(r.cli.EnvFile)))
		if err != nil {
			r.log("environment file " + r.cli.EnvFile + ": " + reason(err))
		}
		e.addAll(vars)
	}
	e.addAll(r.cli.Env)
	r.env = e
	close(r.ready)
	for _, j := range r.queue.open() {
		go r.work(j)
	}
}

func (r *runner) isReady() bool {
	select {
	case <-r.ready:
		return true
	default:
		return false
	}
}

// isUp reports whether calls could run now, or nothing has begun that they would wait for.
func (r *runner) isUp() bool { return !r.queue.isClosed() && (r.isReady() || !r.begun.Load()) }

// path returns a path of the author as it is from anywhere.
func (r *runner) path(name string) string {
	if filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(r.folder, name)
}

// refuse returns why a leaf is not to be run: for its environment, or else for err. What the
// environment is may not be known yet; then nothing is missing in it.
func (r *runner) refuse(l *Leaf, err error) error {
	if l == nil || len(l.Env) == 0 || !r.isReady() {
		return err
	}
	var missing []string
	for _, name := range l.Env {
		if value, _ := r.env.get(name); value == "" {
			missing = append(missing, name)
		}
	}
	if missing == nil {
		return err
	}
	return errors.New("Missing required env: " + strings.Join(missing, ", "))
}

// submit queues a job, or answers it if that cannot be.
func (r *runner) submit(j *Job) {
	r.prepare()
	switch runs, err := r.queue.put(j); {
	case err != nil:
		j.refuse(err)
	case runs:
		go r.work(j)
	}
}

// work runs a job, and then those that get its place.
func (r *runner) work(j *Job) {
	for j != nil {
		j.run()
		next := r.queue.done(j)
		j.cli.release(j)
		j = next
	}
}

// deadline returns the smaller of two limits, where 0 is none.
func deadline(a, b time.Duration) time.Duration {
	if a == 0 || b != 0 && b < a {
		return b
	}
	return a
}

// stop ends what runs, refuses what waits, and returns when nothing is left.
func (r *runner) stop() { r.stopping.Do(r.halt) }

func (r *runner) halt() {
	r.shell.end(causeStopping)
	waiting, idle := r.queue.close(func(j *Job) { j.process.end(causeStopping) })
	for _, j := range waiting {
		j.refuse(errStopping)
	}
	r.prepare()
	timer := time.NewTimer(reapLimit)
	defer timer.Stop()
	for _, end := range []<-chan struct{}{r.ready, idle} {
		select {
		case <-end:
		case <-timer.C:
			return
		}
	}
	r.thread.Close()
}

// reapLimit bounds the wait for killed processes, which the kernel may hold.
const reapLimit = 5 * time.Second

// log writes a line on the server's stderr.
func (r *runner) log(line string) { _, _ = rt.Stderr.Write([]byte(r.program + ": " + line + "\n")) }
