package runtime

import (
	"io"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/mcpgen/mcpgen/runtime/mcp"
)

// Main runs the server on the process's arguments and returns its exit status: 0 at the end
// of input, 1 after a fault, 2 for wrong usage, 128+n after signal n. It serves standard
// input and output, unless the arguments ask for one of the services.
func Main(p *Program, serve Transport, services ...Service) int {
	o, err := p.parseFlags(os.Args[1:], services)
	switch {
	case err != nil:
		p.Log(err.Error())
		return 2
	case o.help:
		return output(p, p.usage(services))
	case o.version:
		return output(p, p.Name+" "+p.Version+"\n")
	case o.tools:
		p.logExcluded()
		return output(p, p.listing())
	case o.config != "":
		text, err := p.clientEntry(o)
		if err != nil {
			p.Log(err.Error())
			return 1
		}
		return output(p, text)
	}
	return run(p, o, serve)
}

// output writes text on standard output and returns the exit status.
func output(p *Program, text string) int {
	if _, err := os.Stdout.WriteString(text); err != nil {
		p.Log("standard output: " + err.Error())
		return 1
	}
	return 0
}

func run(p *Program, o *flags, serve Transport) int {
	if err := checkFiles(); err != nil {
		p.Log(err.Error())
		return 1
	}
	p.logExcluded()
	stdout, err := takeStdout()
	if err != nil {
		p.Log("standard output: " + err.Error())
		return 1
	}
	// That a peer is gone shows as an error of Write, even on stderr, not as our death.
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE)
	stop := make(chan os.Signal, 2)
	signal.Notify(stop, syscall.SIGTERM, syscall.SIGINT, syscall.SIGHUP)
	if o.service != nil {
		if err := o.service.Open(p, ServiceOptions{PageBytes: o.pageBytes, Logging: o.logging}); err != nil {
			p.Log(err.Error())
			return 1
		}
	}
	defer p.stop()
	p.start(o)
	warm := func() {
		if !o.lazy {
			p.warm()
		}
	}
	if o.service != nil {
		warm()
		return p.offer(o.service, stop)
	}
	e := mcp.NewEndpoint(p.Server, mcp.Options{PageBytes: o.pageBytes, Logging: o.logging})
	return p.converse(e, serve, &firstReply{w: stdout, then: warm}, stop, o.drainTimeout)
}

// A firstReply calls a function when something has been written for the first time: pools
// are started beside the protocol, and not even their share of the processor delays the
// handshake (decision 9). A call that comes sooner starts them itself.
type firstReply struct {
	w    io.Writer
	then func() // nil when it was called
}

// Write implements [io.Writer]. Calls do not overlap.
func (f *firstReply) Write(b []byte) (int, error) {
	n, err := f.w.Write(b)
	if f.then != nil {
		f.then()
		f.then = nil
	}
	return n, err
}

// converse serves one client on standard input and output, whose calls may run on for a while
// after the end of input.
func (p *Program) converse(e *mcp.Endpoint, serve Transport, stdout io.Writer, stop <-chan os.Signal, drain time.Duration) int {
	w := mcp.NewWriter(stdout)
	conn := e.NewConn(w)
	input := make(chan error, 1)
	go func() { input <- serve(conn, os.Stdin) }()
	select {
	case err := <-input:
		if err != nil {
			p.Log("standard input or output: " + err.Error())
			return 1
		}
		return p.drain(conn, w, stop, drain, 0)
	case <-w.Broken():
		p.Log("standard output: " + w.Err().Error())
		return 1
	case s := <-stop:
		return p.drain(conn, w, stop, drainAtSignal, status(s))
	}
}

// offer serves many clients until a signal other than SIGHUP, which makes the service read
// its files again.
func (p *Program) offer(s Service, stop <-chan os.Signal) int {
	failed := make(chan error, 1)
	go func() { failed <- s.Serve() }()
	for {
		select {
		case err := <-failed:
			p.Log(err.Error())
			return 1
		case sig := <-stop:
			if sig == syscall.SIGHUP {
				s.Reload()
				continue
			}
			done := make(chan struct{})
			go func() {
				s.Shutdown(drainAtSignal)
				close(done)
			}()
			select {
			case <-done:
			case <-stop: // for the second time
			}
			return status(sig)
		}
	}
}

// status is the exit status after a signal.
func status(s os.Signal) int { return 128 + int(s.(syscall.Signal)) }

// drain waits for the calls that are running and returns the exit status, which is after
// if nothing comes between.
func (p *Program) drain(c *mcp.Conn, w *mcp.Writer, stop <-chan os.Signal, timeout time.Duration, after int) int {
	drained := make(chan bool, 1)
	go func() { drained <- c.Drain(timeout) }()
	select {
	case all := <-drained:
		if !all {
			p.Log("calls were still running and have been given up")
		}
		if err := w.Err(); err != nil {
			p.Log("standard output: " + err.Error())
			return 1
		}
		return after
	case <-w.Broken():
		p.Log("standard output: " + w.Err().Error())
		return 1
	case s := <-stop:
		return status(s)
	}
}

// Log writes a line on stderr.
func (p *Program) Log(line string) {
	_, _ = os.Stderr.WriteString(p.Name + ": " + line + "\n")
}

func (p *Program) logExcluded() {
	for _, u := range p.units() {
		for _, note := range u.Excluded {
			u.Log(note)
		}
	}
}
