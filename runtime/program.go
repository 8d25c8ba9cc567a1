package runtime

import (
	"errors"
	"flag"
	"io"
	"path/filepath"
	"sync"
	"time"

	"github.com/mcpgen/mcpgen/runtime/mcp"
)

// A Program is one generated server, or several that [Join] made one. It is not changed once
// [Main] was called.
type Program struct {
	Name     string // module of the program; prefix of lines on stderr
	Version  string // of the compiler that built the program
	Server   *mcp.Server
	Excluded []string // notes about commands that are not served, a line each
	Folder   string   // the manifest's folder, relative to the generated package
	Backend  Backend  // nil if no tool needs one

	joined []*Program // what it was joined of; nil if it is one program
}

// A Transport reads messages from r and gives them to c until r ends, and returns an error
// of r or of c. Calls may still be running then.
type Transport func(c *mcp.Conn, r io.Reader) error

// A Service serves a program to many clients at once, over a network. It is not linked
// into servers for standard input and output alone.
type Service interface {
	// Flags adds the flags of the service to a set, and returns what --help says of them.
	Flags(set *flag.FlagSet) (help string)
	// Wanted reports whether the flags, now parsed, ask for the service, or what is wrong
	// with them.
	Wanted() (bool, error)
	// Open makes sure that the service can be had, before anything else is started.
	Open(p *Program, o ServiceOptions) error
	// Serve serves until Shutdown, then returns nil.
	Serve() error
	// Shutdown takes no more requests, and returns when the last one is answered. After the
	// timeout, giveUp ends the calls that still run: they fail, and their clients have a
	// moment to be told so.
	Shutdown(timeout time.Duration, giveUp func())
	// Reload reads again what the flags say is in files.
	Reload()
	// Entry returns the JSON object that makes a client use the service, in a dialect
	// of --mcp-config.
	Entry(dialect string) (string, error)
}

// ServiceOptions are flags that a [Service] shares with standard input and output.
type ServiceOptions struct {
	Logging   bool // forward what pools print to clients
	PageBytes int  // size of a page of tools/list; 0: all are on one
}

// A Backend is what remote tools run in.
type Backend interface {
	// Start makes the backend fit for calls, of which the first starts what it needs. It
	// reports nothing: calls that need what cannot be started fail and say why.
	Start(o Options)
	// Warm begins to start all that calls may need, and does not wait.
	Warm()
	// Ready reports whether calls could be served now, or nothing was started yet that
	// would have to.
	Ready() bool
	// Stop ends everything and returns when nothing is left. Calls that are running fail.
	Stop()
}

// Options are what a [Backend] is started with.
type Options struct {
	Program string   // for lines on stderr
	Folders []string // where the program's files may be, in the order of preference

	// CallTimeout is how long a call may run before it is given up, and, of a language pool,
	// how long it may wait for its turn before that; 0: for ever.
	CallTimeout time.Duration

	MaxQueue int // calls that may wait for their turn; 0 is 1,024

	// Of language pools.
	Replicas     int           // complete sets, which run calls side by side
	StartTimeout time.Duration // for all pools of a set to answer
	ShmLimit     int64         // bytes of shared memory beyond which an idle set is restarted

	Home    string   // folder of the server's executable, links followed
	Command []string // of a command-line program, in place of the author's; nil if none is given
}

// Ready reports whether the program's calls could be served now.
func (p *Program) Ready() bool {
	for _, u := range p.units() {
		if u.Backend != nil && !u.Backend.Ready() {
			return false
		}
	}
	return true
}

// Prepare starts what remote tools run in, for tests: the program's files are looked for
// in the folder that is recorded, seen from root, the folder of the main package, and then
// where a server would look. The returned function stops it.
func (p *Program) Prepare(root string) (stop func()) {
	o := flags{limits: defaultLimits()}
	if err := errors.Join(o.setPlaces(p), o.setCommands(p)); err != nil {
		p.Log(err.Error())
	}
	for i, u := range p.units() {
		if u.Folder != "" {
			o.given[i] = filepath.Join(root, filepath.FromSlash(u.Folder))
		}
	}
	p.start(&o)
	return p.stop
}

// start makes the backends of all units fit for calls.
func (p *Program) start(o *flags) {
	home := ""
	if exe, err := executable(); err == nil {
		home = filepath.Dir(exe)
	}
	for i, u := range p.units() {
		if u.Backend != nil {
			u.Backend.Start(Options{
				Program:      u.Name,
				Folders:      u.folders(o, i),
				Home:         home,
				Command:      o.commands[i],
				CallTimeout:  o.callTimeout,
				Replicas:     o.replicas,
				MaxQueue:     o.maxQueue,
				StartTimeout: o.startTimeout,
				ShmLimit:     o.shmLimit,
			})
		}
	}
}

// warm makes them start what calls may need, unless the first call is to do so.
func (p *Program) warm(o *flags) {
	if o.lazy {
		return
	}
	for _, u := range p.units() {
		if u.Backend != nil {
			u.Backend.Warm()
		}
	}
}

// stop ends them, all at the same time.
func (p *Program) stop() {
	var wait sync.WaitGroup
	for _, u := range p.units() {
		if u.Backend != nil {
			wait.Go(u.Backend.Stop)
		}
	}
	wait.Wait()
}

// Serve serves the program on a pair of streams until r ends and every call is answered;
// for tests, after [Program.Prepare].
func (p *Program) Serve(serve Transport, r io.Reader, w io.Writer) error {
	c := mcp.NewConn(p.Server, mcp.NewWriter(w))
	if err := serve(c, r); err != nil {
		return err
	}
	if !c.Drain(defaultDrain) {
		return errStillRunning
	}
	return nil
}

var errStillRunning = errors.New("calls are still running")
