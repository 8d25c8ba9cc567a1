package soak

import (
	"bufio"
	"errors"
	"io"
	"strings"
	"sync"
	"time"
)

// inFlight is how many requests a client on stdio has under way.
const inFlight = 64

// A talker is the client on stdio.
type talker struct {
	server *server
	mix    *mix
	slots  chan struct{} // taken by requests under way

	mu sync.Mutex // held while a line is written
}

func newTalker(s *server, m *mix) *talker {
	return &talker{server: s, mix: m, slots: make(chan struct{}, inFlight)}
}

// handshake begins the session.
func (c *talker) handshake(out *bufio.Reader) error {
	c.send(`{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},` +
		`"clientInfo":{"name":"soak","version":"0"}}}`)
	line, err := out.ReadString('\n')
	if err == nil && !strings.Contains(line, `"protocolVersion"`) {
		err = errors.New("initialize was answered " + line)
	}
	c.send(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	return err
}

// send writes a line. That the server is gone shows where it is read.
func (c *talker) send(line string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	_, _ = io.WriteString(c.server.in, line+"\n")
}

// listen takes replies until the server closes its output.
func (c *talker) listen(out *bufio.Reader) error {
	for {
		line, err := out.ReadBytes('\n')
		if err != nil {
			if len(line) == 0 && errors.Is(err, io.EOF) {
				err = nil
			}
			return err
		}
		if _, first := c.mix.ledger.settle(line); first {
			<-c.slots
		}
	}
}

// load makes calls until done is closed, and returns when none is under way.
func (c *talker) load(done <-chan struct{}) {
	for {
		select {
		case <-done:
			c.wait()
			return
		case c.slots <- struct{}{}:
		}
		next := c.mix.next()
		c.send(next.request(""))
		if next.cancel > 0 {
			time.AfterFunc(next.cancel, func() { c.cancel(next) })
		}
	}
}

// cancel gives up a call that is not answered.
func (c *talker) cancel(x call) {
	if c.mix.ledger.cancel(x.id) {
		c.send(x.cancellation())
		<-c.slots
	}
}

// take takes a slot, and reports whether one was to be had before lossLimit.
func (c *talker) take() bool {
	select {
	case c.slots <- struct{}{}:
		return true
	case <-time.After(lossLimit):
		return false
	}
}

// wait returns when no request is under way: all slots can be had; or when one is lost.
func (c *talker) wait() {
	taken := 0
	for taken < inFlight && c.take() {
		taken++
	}
	for range taken {
		<-c.slots
	}
}
