package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"time"
)

// A webServer is a server that runs, over HTTP.
type webServer struct {
	url string
	cmd *exec.Cmd
}

// serving is the line with which a server says where it listens. The peers say it as ours does.
var serving = regexp.MustCompile(`over HTTP at (http://\S+)`)

// serve starts a server and returns when it listens.
func serve(argv []string) (*webServer, error) {
	s := &webServer{cmd: exec.Command(argv[0], argv[1:]...)}
	stderr, err := s.cmd.StderrPipe()
	if err != nil {
		return nil, err
	}
	if err := s.cmd.Start(); err != nil {
		return nil, err
	}
	in := bufio.NewReader(stderr)
	var said strings.Builder
	for {
		line, err := in.ReadString('\n')
		said.WriteString(line)
		if found := serving.FindStringSubmatch(line); found != nil {
			s.url = found[1]
			break
		}
		if err != nil {
			return nil, fmt.Errorf("%s: ended before it listened: %v\n%s", argv[0], s.cmd.Wait(), said.String())
		}
	}
	go func() { _, _ = io.Copy(os.Stderr, in) }()
	return s, nil
}

// stop ends the server, and with it the pools of ours.
func (s *webServer) stop() {
	_ = s.cmd.Process.Signal(os.Interrupt)
	timer := time.AfterFunc(10*time.Second, func() { _ = s.cmd.Process.Kill() })
	defer timer.Stop()
	_ = s.cmd.Wait()
}

// buildPeers builds the servers on the libraries of others. Their module is one of its own,
// so that ours does not depend on theirs.
func buildPeers(file string) error {
	cmd := exec.Command("go", "build", "-o", file, ".")
	cmd.Dir = "bench/peers"
	out, err := cmd.CombinedOutput()
	if _, failed := errors.AsType[*exec.ExitError](err); failed {
		return fmt.Errorf("bench/peers: go build needs go-sdk and mcp-go from the module proxy (go env GOPROXY); "+
			"-peers=false measures without them\n%s", out)
	}
	return err
}
