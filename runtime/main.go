package runtime

import (
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/mcpgen/mcpgen/runtime/mcp"
)

// How long running calls have after the end of input, and after a signal (decision 13).
const (
	drainAtEnd    = 30 * time.Second
	drainAtSignal = 2 * time.Second
)

// Main runs the server on the process's arguments and standard streams, and returns its
// exit status: 0 at the end of input, 1 after a fault, 2 for wrong usage, 128+n after
// signal n.
func Main(p *Program, serve Transport) int {
	o, err := parseFlags(os.Args[1:])
	switch {
	case err != nil:
		p.log(err.Error())
		return 2
	case o.help:
		return output(p, p.usage())
	case o.version:
		return output(p, p.Name+" "+p.Version+"\n")
	case o.tools:
		p.logExcluded()
		return output(p, p.listing())
	case o.config != "":
		text, err := p.clientEntry(o)
		if err != nil {
			p.log(err.Error())
			return 1
		}
		return output(p, text)
	}
	return run(p, o, serve)
}

// output writes text on standard output and returns the exit status.
func output(p *Program, text string) int {
	if _, err := os.Stdout.WriteString(text); err != nil {
		p.log("standard output: " + err.Error())
		return 1
	}
	return 0
}

func run(p *Program, o *flags, serve Transport) int {
	p.logExcluded()
	stdout, err := takeStdout()
	if err != nil {
		p.log("standard output: " + err.Error())
		return 1
	}
	// That a peer is gone shows as an error of Write, even on stderr, not as our death.
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE)
	stop := make(chan os.Signal, 2)
	signal.Notify(stop, syscall.SIGTERM, syscall.SIGINT, syscall.SIGHUP)
	if p.Backend != nil {
		defer p.Backend.Stop()
		p.Backend.Start(Options{Program: p.Name, Folders: p.folders(o), Lazy: o.lazy})
	}

	w := mcp.NewWriter(stdout)
	conn := mcp.NewConn(p.Server, w)
	input := make(chan error, 1)
	go func() { input <- serve(conn, os.Stdin) }()
	select {
	case err := <-input:
		if err != nil {
			p.log("standard input or output: " + err.Error())
			return 1
		}
		return p.drain(conn, w, stop, drainAtEnd, 0)
	case <-w.Broken():
		p.log("standard output: " + w.Err().Error())
		return 1
	case s := <-stop:
		return p.drain(conn, w, stop, drainAtSignal, 128+int(s.(syscall.Signal)))
	}
}

// drain waits for the calls that are running and returns the exit status, which is the one
// given if nothing comes between.
func (p *Program) drain(c *mcp.Conn, w *mcp.Writer, stop <-chan os.Signal, timeout time.Duration, status int) int {
	drained := make(chan bool, 1)
	go func() { drained <- c.Drain(timeout) }()
	select {
	case all := <-drained:
		if !all {
			p.log("calls were still running and have been given up")
		}
		if err := w.Err(); err != nil {
			p.log("standard output: " + err.Error())
			return 1
		}
		return status
	case <-w.Broken():
		p.log("standard output: " + w.Err().Error())
		return 1
	case s := <-stop:
		return 128 + int(s.(syscall.Signal))
	}
}

// log writes a line on stderr.
func (p *Program) log(line string) {
	_, _ = os.Stderr.WriteString(p.Name + ": " + line + "\n")
}

func (p *Program) logExcluded() {
	for _, note := range p.Excluded {
		p.log(note)
	}
}
