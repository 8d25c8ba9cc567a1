// Package goclient is what the clients in Go have in common: the job, the report, and the
// order in which a server is driven (../README.md, "Clients"). It is a module without
// requirements, so that each client keeps those of its own library.
package goclient

import (
	"context"
	"encoding/json"
	"log"
	"os"
	"sync"
	"time"
)

// A Job is what to do.
type Job struct {
	Era, Modern, URL        string
	Command                 []string
	Calls                   []Call
	Progress, Cancel, After *Call
	CancelAfter             float64 // seconds
}

// Revision returns the revision of the protocol to ask for; legacy is that of clients with
// a handshake.
func (j *Job) Revision(legacy string) string {
	if j.Era == "legacy" {
		return legacy
	}
	return j.Modern
}

// A Call is a call of a tool; without arguments if they are nil.
type Call struct {
	Tool      string
	Arguments json.RawMessage
}

// A Report is what came of a job.
type Report struct {
	Server   any       `json:"server"` // with name and version
	Revision string    `json:"revision"`
	Tools    []string  `json:"tools"`
	Calls    []Answer  `json:"calls"`
	Progress *Answer   `json:"progress,omitempty"`
	Notices  []float64 `json:"notices,omitempty"`
	Canceled bool      `json:"canceled"`
	After    *Answer   `json:"after,omitempty"`
}

// An Answer is what came of a call: a result, an error of the protocol, or another one.
type Answer struct {
	Content    any    `json:"content,omitempty"`
	Structured any    `json:"structured,omitempty"`
	IsError    bool   `json:"isError"`
	Code       int64  `json:"code,omitempty"`
	Message    string `json:"message,omitempty"`
	Thrown     string `json:"thrown,omitempty"`
}

// A Session is a connection to a server.
type Session interface {
	// Tools returns the names of all tools, of all pages.
	Tools(ctx context.Context) ([]string, error)
	// Call makes a call, with a token for progress unless that is nil.
	Call(ctx context.Context, c *Call, token any) Answer
	Close() error
}

// Notices collects what a server tells of progress. It may be used by several goroutines.
type Notices struct {
	mu   sync.Mutex
	done []float64
}

// Add adds one.
func (n *Notices) Add(done float64) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.done = append(n.done, done)
}

// All returns those that have come so far.
func (n *Notices) All() []float64 {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.done[:len(n.done):len(n.done)]
}

// Main does the job on standard input and prints the report. The function connects to the
// server, has its notices added, and fills in Server and Revision of the report.
func Main(connect func(context.Context, *Job, *Notices, *Report) (Session, error)) {
	log.SetFlags(0)
	j, r := new(Job), new(Report)
	if err := json.NewDecoder(os.Stdin).Decode(j); err != nil {
		log.Fatal(err)
	}
	ctx, notices := context.Background(), new(Notices)
	s, err := connect(ctx, j, notices, r)
	if err != nil {
		log.Fatal(err)
	}
	if err := drive(ctx, j, s, notices, r); err != nil {
		log.Fatal(err)
	}
	if err := json.NewEncoder(os.Stdout).Encode(r); err != nil {
		log.Fatal(err)
	}
}

// drive lists the tools, makes the calls and closes the session.
func drive(ctx context.Context, j *Job, s Session, notices *Notices, r *Report) (err error) {
	if r.Tools, err = s.Tools(ctx); err != nil {
		return err
	}
	for i := range j.Calls {
		r.Calls = append(r.Calls, s.Call(ctx, &j.Calls[i], nil))
	}
	if j.Progress != nil {
		a := s.Call(ctx, j.Progress, "interop")
		r.Progress, r.Notices = &a, notices.All()
	}
	if j.Cancel != nil {
		limited, cancel := context.WithTimeout(ctx, time.Duration(j.CancelAfter*float64(time.Second)))
		defer cancel()
		r.Canceled = s.Call(limited, j.Cancel, nil).Thrown != ""
		a := s.Call(ctx, j.After, nil)
		r.After = &a
	}
	return s.Close()
}
