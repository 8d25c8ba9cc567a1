package command

import (
	"sync"
	"time"

	rt "github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/argv"
	"github.com/mcpgen/mcpgen/runtime/jsoncheck"
)

// A CLI is the command-line program of a server, as its author describes it. Paths that are
// relative are so to the folder of the server's executable. It implements
// [rt.CommandLine].
type CLI struct {
	Command     []string      // program and leading arguments; not empty
	Cwd         string        // working directory; "" is that of the server
	Env         []string      // NAME=value each, added to the environment
	EnvFile     string        // more of it; "" is none
	ShellEnv    string        // shell whose login environment is imported; "" is none
	MaxOutput   int64         // bytes of standard output, and of standard error
	MaxParallel int           // processes at a time
	Timeout     time.Duration // of commands that are run for resources; 0 is none
	Pipe        bool          // output is captured through pipes, not in files
	Style       argv.Style    // but for Bun, which is found out

	runner *runner // nil before Start

	mu   sync.Mutex
	free []*Job // finished, kept for their buffers
}

// LoginShell as [CLI.ShellEnv] is the shell of the user.
const LoginShell = "$SHELL"

// A Leaf is a command of the program that is a tool.
type Leaf struct {
	Name    string        // of the tool, as it is in the generated package
	Env     []string      // variables that must be set and not empty
	Timeout time.Duration // 0 is none

	// Output checks what the program prints, if that has a schema; else it is nil.
	Output func(jsoncheck.Value) jsoncheck.Fault
	// AnyOutput says that the schema is not of an object: it is published, and Output
	// applies, for revisions only whose structuredContent can be any value.
	AnyOutput bool
}

// Words implements [rt.CommandLine].
func (c *CLI) Words() []string { return c.Command }

// Start implements [rt.Backend].
func (c *CLI) Start(o rt.Options) { c.runner = newRunner(c, o) }

// Warm implements [rt.Backend].
func (c *CLI) Warm() { c.runner.prepare() }

// Ready implements [rt.Backend].
func (c *CLI) Ready() bool { return c.runner.isUp() }

// Stop implements [rt.Backend].
func (c *CLI) Stop() { c.runner.stop() }

// job returns a job that is used again, or a new one.
func (c *CLI) job() *Job {
	c.mu.Lock()
	defer c.mu.Unlock()
	n := len(c.free)
	if n == 0 {
		j := &Job{cli: c}
		j.reply.Canceler = j
		return j
	}
	j := c.free[n-1]
	c.free = c.free[:n-1]
	return j
}

// Finished jobs are kept for their buffers: so many of them, without buffers that one large
// call has grown.
const (
	keepJobs   = 64
	keepBuffer = 1 << 20 // bytes
)

// release gives back a job, which has been answered.
func (c *CLI) release(j *Job) {
	j.trim()
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.free) < keepJobs {
		c.free = append(c.free, j)
	}
}
