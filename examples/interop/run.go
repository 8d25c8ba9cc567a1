package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// Transports.
const (
	stdio = "stdio"
	http  = "http"
)

// runLimit is how long a client may take for one program.
const runLimit = time.Minute

// A run is a client that makes the calls of a program over a transport.
type run struct {
	client    *client
	program   *program
	era       string
	transport string
	mark      string // in the environment of the server and of what it starts
	dir       string // its own

	revision string
	checks   int
	notices  int
	problems []string // of the checks that were not passed, one each
}

func (x *run) passed() int { return x.checks - len(x.problems) }

// check counts a check; the problem is what is wrong, or "".
func (x *run) check(problem string) {
	x.checks++
	if problem != "" {
		x.problems = append(x.problems, problem)
	}
}

// A job is what a client is told to do.
type job struct {
	Era         string   `json:"era"`
	Modern      string   `json:"modern"` // the revision of the modern era
	Command     []string `json:"command,omitempty"`
	URL         string   `json:"url,omitempty"`
	Calls       []call   `json:"calls"`
	Progress    *call    `json:"progress,omitempty"`
	Cancel      *call    `json:"cancel,omitempty"`
	CancelAfter float64  `json:"cancelAfter,omitempty"`
	After       *call    `json:"after,omitempty"`
}

type call struct {
	Tool      string          `json:"tool"`
	Arguments json.RawMessage `json:"arguments,omitempty"`
}

// A report is what a client has seen.
type report struct {
	Server   struct{ Name, Version string }
	Revision string
	Tools    []string
	Calls    []answer
	Progress *answer
	Notices  []float64
	Canceled bool
	After    *answer
}

// execute starts the server, runs the client and checks what comes of both.
func (x *run) execute(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, runLimit)
	defer cancel()
	if err := os.MkdirAll(x.dir, 0o777); err != nil {
		x.check(err.Error())
		return
	}
	j := x.job()
	end, err := x.start(ctx, j)
	if err != nil {
		x.check(err.Error())
		return
	}
	r, err := x.drive(ctx, j)
	if err != nil {
		x.check(err.Error())
	} else {
		x.compare(r)
	}
	x.check(end())
	x.check(leftovers(x.mark))
}

func (x *run) job() *job {
	p := x.program
	j := &job{Era: x.era, Modern: modernRevision, CancelAfter: p.CancelAfter}
	for i := range p.Calls {
		j.Calls = append(j.Calls, *x.call(&p.Calls[i]))
	}
	j.Progress, j.Cancel, j.After = x.call(p.Progress), x.call(p.Cancel), x.call(p.After)
	return j
}

func (x *run) call(t *testCase) *call {
	if t == nil {
		return nil
	}
	return &call{x.listed(t.Tool), t.Arguments}
}

// listed is the name that a tool is listed by.
func (x *run) listed(tool string) string {
	if x.transport == http {
		return x.program.Name + "__" + tool
	}
	return tool
}

// drive runs the client, which must end with status 0.
func (x *run) drive(ctx context.Context, j *job) (*report, error) {
	input, err := json.Marshal(j)
	if err != nil {
		return nil, err
	}
	var out, said bytes.Buffer
	cmd := exec.CommandContext(ctx, x.client.argv[0], x.client.argv[1:]...)
	cmd.Dir = x.dir
	cmd.Stdin, cmd.Stdout, cmd.Stderr = bytes.NewReader(input), &out, &said
	cmd.WaitDelay = time.Second
	err = cmd.Run()
	if ctx.Err() != nil {
		err = fmt.Errorf("no end after %v", runLimit)
	}
	if err != nil {
		return nil, fmt.Errorf("client: %w\n%s", err, strings.TrimSpace(said.String()))
	}
	r := new(report)
	d := json.NewDecoder(&out)
	d.UseNumber()
	if err := d.Decode(r); err != nil {
		return nil, fmt.Errorf("client: no report: %w", err)
	}
	return r, os.WriteFile(filepath.Join(x.dir, "stderr"), said.Bytes(), 0o666)
}
