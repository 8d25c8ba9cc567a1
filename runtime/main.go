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

// lastReplies is how long the replies to calls that were given up may take to be read. A client
// that has stopped reading is not to keep the process from its end.
const lastReplies = 2 * time.Second

func run(p *Program, o *flags, serve Transport) int {
	if err := checkFiles(); err != nil {
		p.Log(err.Error())
		return 1
	}
	Stderr.part()
	defer Stderr.flush(lastLines)
	p.logExcluded()
	stdout, err := takeStdout()
	if err != nil {
		p.Log("standard output: " + err.Error())
		return 1
	}
	if o.service == nil {
		defer p.stop()
		p.start(o)
		e := mcp.NewEndpoint(p.Server, mcp.Options{PageBytes: o.pageBytes, Logging: o.logging, Stderr: Stderr})
		status := p.converse(e, serve, stdout, o)
		time.AfterFunc(lastReplies, func() { cutStdout(stdout) })
		return status
	}
	stop := catch()
	if err := o.service.Open(p, ServiceOptions{PageBytes: o.pageBytes, Logging: o.logging}); err != nil {
		p.Log(err.Error())
		return 1
	}
	defer p.stop()
	p.start(o)
	p.warm(o)
	return p.offer(o.service, stop)
}

// catch returns a channel that signals which end the process are sent to from now on.
func catch() <-chan os.Signal {
	// That a peer is gone shows as an error of Write, even on stderr, not as our death.
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE)
	stop := make(chan os.Signal, 2)
	signal.Notify(stop, syscall.SIGTERM, syscall.SIGINT, syscall.SIGHUP)
	return stop
}

// A firstWrite tells when something has been written for the first time.
type firstWrite struct {
	io.Writer
	done chan<- struct{} // closed then, and nil
}

// Write implements [io.Writer]. Calls do not overlap.
func (f *firstWrite) Write(b []byte) (int, error) {
	n, err := f.Writer.Write(b)
	if f.done != nil {
		close(f.done)
		f.done = nil
	}
	return n, err
}

// A lateRead holds back what is read until ready is closed.
type lateRead struct {
	io.Reader
	ready <-chan struct{}
}

// Read implements [io.Reader].
func (l *lateRead) Read(b []byte) (int, error) {
	n, err := l.Reader.Read(b)
	<-l.ready
	return n, err
}

// Descriptor tells what is read: standard input, and nothing else.
func (l *lateRead) Descriptor() int { return 0 }

// converse serves one client on standard input and output, whose calls may run on for a while
// after the end of input. From its first reply on, signals are caught; that takes a while, in which
// input is read. Pools are started after that reply (decision 9), or by a call that comes sooner.
func (p *Program) converse(e *mcp.Endpoint, serve Transport, stdout io.Writer, o *flags) int {
	replied, caught := make(chan struct{}), make(chan struct{})
	w := mcp.NewWriter(&firstWrite{Writer: stdout, done: replied})
	conn := e.NewConn(w)
	input := make(chan error, 1)
	go func() { input <- serve(conn, &lateRead{Reader: os.Stdin, ready: caught}) }()
	stop := catch()
	close(caught)
	for {
		select {
		case <-replied:
			replied = nil
			p.warm(o)
		case err := <-input:
			if err != nil {
				p.Log("standard input or output: " + err.Error())
				return 1
			}
			return p.drain(conn, w, stop, o.drainTimeout, 0)
		case <-w.Broken():
			p.Log("standard output: " + w.Err().Error())
			return 1
		case s := <-stop:
			return p.drain(conn, w, stop, drainAtSignal, status(s))
		}
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
				s.Shutdown(drainAtSignal, p.stop)
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
// if nothing comes between. After the first signal, more of them only end the wait.
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
		if after == 0 {
			after = status(s)
		}
		return after
	}
}

// Log writes a line on stderr.
func (p *Program) Log(line string) {
	_, _ = Stderr.Write([]byte(p.Name + ": " + line + "\n"))
}

func (p *Program) logExcluded() {
	for _, u := range p.units() {
		for _, note := range u.Excluded {
			u.Log(note)
		}
	}
}
