package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"time"
)

const (
	handshake = `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18",` +
		`"capabilities":{},"clientInfo":{"name":"bench","version":"1"}}}` + "\n"
	initialized = `{"jsonrpc":"2.0","method":"notifications/initialized"}` + "\n"
)

// A stdioServer is a server that runs, on standard input and output. Not for concurrent use.
type stdioServer struct {
	cmd     *exec.Cmd
	in      io.WriteCloser
	replies *bufio.Reader
	line    []byte // the last reply, without its newline
	next    int    // id
}

// launch starts a server.
func launch(argv []string) (*stdioServer, error) {
	s := &stdioServer{cmd: exec.Command(argv[0], argv[1:]...)}
	s.cmd.Stderr = os.Stderr
	var err error
	if s.in, err = s.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	out, err := s.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	s.replies = bufio.NewReaderSize(out, 64<<10)
	return s, s.cmd.Start()
}

// launchReady starts a server and shakes hands with it.
func launchReady(argv []string) (*stdioServer, error) {
	s, err := launch(argv)
	if err != nil {
		return nil, err
	}
	if err := s.begin(); err != nil {
		return nil, errors.Join(err, s.end())
	}
	return s, nil
}

// begin shakes hands.
func (s *stdioServer) begin() error {
	if err := s.greet(); err != nil {
		return err
	}
	return s.settle()
}

// greet makes the first half of the handshake.
func (s *stdioServer) greet() error {
	if _, err := io.WriteString(s.in, handshake); err != nil {
		return err
	}
	if err := s.read(); err != nil {
		return fmt.Errorf("no answer to the handshake: %w", err)
	}
	return nil
}

// settle makes the second half.
func (s *stdioServer) settle() error {
	s.next = 1
	_, err := io.WriteString(s.in, initialized)
	return err
}

// end closes the server's input, which ends it, and waits until it has ended.
func (s *stdioServer) end() error {
	_ = s.in.Close()
	timer := time.AfterFunc(10*time.Second, func() { _ = s.cmd.Process.Kill() })
	defer timer.Stop()
	return s.cmd.Wait()
}

// read reads a reply into s.line.
func (s *stdioServer) read() error {
	s.line = s.line[:0]
	for {
		part, err := s.replies.ReadSlice('\n')
		s.line = append(s.line, part...)
		if err != bufio.ErrBufferFull {
			return err
		}
	}
}

// requests makes n requests, with at most inFlight of them unanswered, and checks that each
// is answered once, and rightly. As clients do, it writes each request by itself; and it
// writes beside reading, since a server may wait for the one or the other.
func (s *stdioServer) requests(l *load, n, inFlight int) error {
	first := s.next
	s.next += n
	room := make(chan struct{}, inFlight)
	for range inFlight {
		room <- struct{}{}
	}
	sending := make(chan error, 1)
	go func() { sending <- send(s.in, l, first, n, room) }()
	if err := s.receive(l, first, n, room); err != nil {
		close(room)
		return errors.Join(err, s.in.Close()) // of no more use, and the sender may wait for it
	}
	return <-sending
}

// receive reads n replies, and makes room for a request after each.
func (s *stdioServer) receive(l *load, first, n int, room chan<- struct{}) error {
	answered := make([]bool, n)
	for range n {
		if err := s.read(); err != nil {
			return err
		}
		at := idOf(s.line) - first
		if at < 0 || at >= n || answered[at] || !l.right(s.line) {
			return fmt.Errorf("not the right reply: %.200s", s.line)
		}
		answered[at] = true
		room <- struct{}{}
	}
	return nil
}

// send writes n requests, each when there is room. It ends early if room is closed.
func send(in io.Writer, l *load, first, n int, room <-chan struct{}) error {
	var out []byte
	for i := range n {
		if _, ok := <-room; !ok {
			return nil
		}
		out = append(l.appendRequest(out[:0], first+i, ""), '\n')
		if _, err := in.Write(out); err != nil {
			return err
		}
	}
	return nil
}

// stdio returns a way to measure requests on a server that is started once.
func stdio(l load, inFlight int, argv func(*kit) ([]string, error)) starter {
	return func(k *kit) (taker, error) {
		command, err := argv(k)
		if err != nil {
			return nil, err
		}
		s, err := k.stdioServer(command)
		if err != nil {
			return nil, err
		}
		ready := func() error { return nil }
		return k.repeated(s.cmd.Process.Pid, inFlight, ready, func(n int) error { return s.requests(&l, n, inFlight) })
	}
}
