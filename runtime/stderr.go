package runtime

import (
	"io"
	"os"
	"strconv"
	"sync"
	"time"
)

// Stderr takes whole lines for people, from any goroutine, and brings them to standard error.
// While a server runs, who writes never waits: there are hosts that do not read what servers
// print, and a pipe that is full must stop neither calls nor the end of the process. Lines that
// find no room are dropped, and counted.
var Stderr = &sink{to: os.Stderr}

const (
	// maxLines is how many bytes of lines wait to be read.
	maxLines = 1 << 20
	// lastLines is how long the end of the process waits for lines to be read.
	lastLines = time.Second
)

type sink struct {
	to io.Writer

	mu      sync.Mutex
	apart   bool // lines are written on a goroutine of their own
	waiting []byte
	dropped int           // lines
	idle    chan struct{} // closed when all is written; nil if nothing is under way
}

// part makes writes not wait from now on.
func (s *sink) part() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.apart = true
}

// Write implements [io.Writer]. Nobody is left to tell that a write failed.
func (s *sink) Write(lines []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.apart {
		return s.to.Write(lines)
	}
	if len(s.waiting) > 0 && len(s.waiting)+len(lines) > maxLines {
		s.dropped++
		return len(lines), nil
	}
	s.waiting = append(s.waiting, lines...)
	if s.idle == nil {
		s.idle = make(chan struct{})
		go s.run(s.idle)
	}
	return len(lines), nil
}

// run writes what waits, and ends when nothing does.
func (s *sink) run(idle chan<- struct{}) {
	defer close(idle)
	for text := s.take(); text != nil; text = s.take() {
		_, _ = s.to.Write(text)
	}
}

// take takes out what waits; nil if nothing does, and the next line begins another run.
func (s *sink) take() []byte {
	s.mu.Lock()
	defer s.mu.Unlock()
	text := s.waiting
	if s.dropped > 0 {
		text = append(text, "mcpgen: "+strconv.Itoa(s.dropped)+" lines were not read in time, and are dropped\n"...)
	}
	s.waiting, s.dropped = nil, 0
	if len(text) == 0 {
		s.idle = nil
		return nil
	}
	return text
}

// flush waits until all is written, or for the limit.
func (s *sink) flush(limit time.Duration) {
	s.mu.Lock()
	idle := s.idle
	s.mu.Unlock()
	if idle == nil {
		return
	}
	timer := time.NewTimer(limit)
	defer timer.Stop()
	select {
	case <-idle:
	case <-timer.C:
	}
}
