package launch

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"time"
)

// A Server is a generated server that runs, over HTTP.
type Server struct {
	URL string // of its endpoint

	cmd  *exec.Cmd
	said chan string // what it has said on stderr, when it has ended
}

// endLimit is how long a server may take to end.
const endLimit = 10 * time.Second

var serving = regexp.MustCompile(`over HTTP at (http://\S+)`)

// Serve starts a server on a free port of this machine, with more flags and with one more
// variable in its environment, and returns when it listens.
func Serve(ctx context.Context, binary, variable string, flags ...string) (*Server, error) {
	s := &Server{said: make(chan string, 1)}
	s.cmd = exec.CommandContext(ctx, binary, append([]string{"--http-port", "0"}, flags...)...)
	s.cmd.Env = append(os.Environ(), variable)
	stderr, err := s.cmd.StderrPipe()
	if err != nil {
		return nil, err
	}
	if err := s.cmd.Start(); err != nil {
		return nil, err
	}
	url := make(chan string, 1)
	go func() {
		var said strings.Builder
		for lines := bufio.NewScanner(stderr); lines.Scan(); {
			said.WriteString(lines.Text() + "\n")
			if found := serving.FindStringSubmatch(lines.Text()); found != nil {
				url <- found[1]
			}
		}
		close(url)
		s.said <- said.String()
	}()
	if s.URL = <-url; s.URL == "" {
		said := <-s.said
		return nil, fmt.Errorf("server: %v\n%s", s.cmd.Wait(), said)
	}
	return s, nil
}

// End ends the server with SIGINT. That it had ended before, or ends otherwise than it
// should, is an error.
func (s *Server) End() error {
	if err := s.cmd.Process.Signal(os.Interrupt); err != nil {
		return fmt.Errorf("server: %w\n%s", err, <-s.said)
	}
	timer := time.AfterFunc(endLimit, func() { _ = s.cmd.Process.Kill() })
	defer timer.Stop()
	said := <-s.said
	err := s.cmd.Wait()
	if exit, ok := errors.AsType[*exec.ExitError](err); ok && exit.ExitCode() == 130 { // 128 + SIGINT
		return nil
	}
	return fmt.Errorf("server: ended after SIGINT with %v, not with status 130\n%s", err, said)
}
