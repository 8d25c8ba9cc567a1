package mcp

import (
	"io"
	"sync"
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

// Write writes b, which holds whole messages. An empty b waits for no other write.
func (w *Writer) Write(b []byte) error {
	if len(b) == 0 {
		return w.Err()
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.err != nil {
		return w.err
	}
	if _, w.err = w.w.Write(b); w.err != nil {
		close(w.broken)
	}
	return w.err
}

// Broken is closed when a write has failed.
func (w *Writer) Broken() <-chan struct{} { return w.broken }

// Err returns the error of the first write that failed. It does not wait for those under way.
func (w *Writer) Err() error {
	select {
	case <-w.broken:
		return w.err // which does not change any more
	default:
		return nil
	}
}

// Notices takes notifications about calls, whole messages each, from any goroutine.
type Notices interface{ Notify(message []byte) }

// Notify implements [Notices]: on a pair of streams, notifications go with the replies.
func (w *Writer) Notify(message []byte) { _ = w.Write(message) }
