package mcp

import (
	"io"
	"sync"
	"time"
)

// A Writer writes whole messages from several goroutines and keeps the first error; after
// it nothing is written any more.
type Writer struct {
	mu     sync.Mutex
	w      io.Writer
	err    error
	broken chan struct{}
}

// NewWriter returns a Writer to w.
func NewWriter(w io.Writer) *Writer {
	return &Writer{w: w, broken: make(chan struct{})}
}

// Write writes b, which holds whole messages.
func (w *Writer) Write(b []byte) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.err != nil || len(b) == 0 {
		return w.err
	}
	if _, w.err = w.w.Write(b); w.err != nil {
		close(w.broken)
	}
	return w.err
}

// Broken is closed when a write has failed.
func (w *Writer) Broken() <-chan struct{} { return w.broken }

// Err returns the error of the first write that failed.
func (w *Writer) Err() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.err
}

// pending counts calls that are not answered yet.
type pending struct {
	mu   sync.Mutex
	n    int
	none chan struct{} // closed when n comes down to 0; nil unless somebody waits
}

func (p *pending) add() {
	p.mu.Lock()
	p.n++
	p.mu.Unlock()
}

func (p *pending) done() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.n--; p.n == 0 && p.none != nil {
		close(p.none)
		p.none = nil
	}
}

// wait waits until nothing is pending, and reports whether that came within the timeout.
func (p *pending) wait(timeout time.Duration) bool {
	p.mu.Lock()
	if p.n == 0 {
		p.mu.Unlock()
		return true
	}
	if p.none == nil {
		p.none = make(chan struct{})
	}
	none := p.none
	p.mu.Unlock()
	timer := time.NewTimer(timeout)
	defer timer.Stop()
	select {
	case <-none:
		return true
	case <-timer.C:
		return false
	}
}
