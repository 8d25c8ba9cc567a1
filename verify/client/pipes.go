package client

import (
	"context"
	"io"
	"sync"
)

// Pipes starts a session on the input and output of a process: one message a line. The
// session owns both; output must end, or its reads fail, when the process has ended.
func Pipes(cfg Config, input io.WriteCloser, output io.Reader) *Session {
	s := newSession(cfg)
	p := &pipes{input: input, queue: make(chan []byte, 64), done: make(chan struct{}), closed: make(chan struct{})}
	s.link = p
	p.workers.Go(p.write)
	p.workers.Go(func() {
		defer close(p.done)
		readLines(output, func(line []byte) { s.receive(line, 0) }, func() {
			s.find("long-line", "a line is longer than %d MiB", MaxMessage>>20)
		})
	})
	return s
}

// pipes is the link of stdio. A server that stops reading blocks its writer and nothing
// else.
type pipes struct {
	input   io.WriteCloser
	queue   chan []byte
	done    chan struct{} // the output has ended
	closed  chan struct{} // by close
	once    sync.Once
	workers sync.WaitGroup
}

func (p *pipes) name() string           { return "stdio" }
func (p *pipes) ended() <-chan struct{} { return p.done }

func (p *pipes) write() {
	for {
		select {
		case text := <-p.queue:
			// A server that has closed its input may still have said all that is wanted.
			_, _ = p.input.Write(append(text, '\n'))
		case <-p.closed:
			return
		}
	}
}

// send queues a message. Answers to requests of the server are dropped when the queue is
// full: a server that does not read them gets none.
func (p *pipes) send(ctx context.Context, m outgoing) error {
	if m.method == "" {
		select {
		case p.queue <- m.text:
		default:
		}
		return nil
	}
	select {
	case p.queue <- m.text:
		return nil
	case <-p.done:
		return ErrEnded
	case <-ctx.Done():
		return ctx.Err()
	}
}

// close closes the server's input. The reader lives on until the output ends, which is
// for the owner of the process to bring about.
func (p *pipes) close(context.Context) {
	p.once.Do(func() {
		close(p.closed)
		_ = p.input.Close()
	})
}

// Wait waits until a session on pipes has read all of the output and its goroutines have
// ended. It returns at once for others.
func (s *Session) Wait() {
	if p, ok := s.link.(*pipes); ok {
		p.workers.Wait()
	}
}
