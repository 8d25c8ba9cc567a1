package verify

import (
	"bufio"
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"hash/fnv"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"golang.org/x/sync/semaphore"

	"github.com/mcpgen/mcpgen/verify/catalog"
	"github.com/mcpgen/mcpgen/verify/report"
)

// A run is one call of [Run].
type run struct {
	Options
	id     string // unique to the run: in names of containers, folders and processes
	engine *engine
	slots  *semaphore.Weighted

	mu      sync.Mutex // also around the sink
	results []report.Result
	faults  []error // of ours

	apps      sync.WaitGroup // that hold a slot
	teardowns sync.WaitGroup // that a watchdog left behind
}

// Run checks what the options name and returns the results in order of completion. When
// ctx ends, servers at work are torn down and get no result; the error is then the
// context's.
func Run(ctx context.Context, o Options) ([]report.Result, error) {
	if o.runID == "" {
		o.runID = newRunID()
	}
	r := &run{Options: o, id: o.runID, slots: semaphore.NewWeighted(int64(max(1, o.Jobs)))}
	if o.Runner != Host && !o.adHoc() {
		r.engine = &engine{run: r, name: string(o.Runner)}
		r.engine.sweep(ctx)
	}
	r.Sink.BatchStart(r.batch())
	ids := r.queue(ctx)
	for ctx.Err() == nil {
		// A slot comes first: with --stdin the next id is taken when one is free.
		if r.slots.Acquire(ctx, 1) != nil {
			break
		}
		job, ok := r.next(ids)
		if !ok {
			r.slots.Release(1)
			break
		}
		weight := int64(1)
		if job.needsBacking(&o) && o.Jobs > 1 && r.slots.Acquire(ctx, 1) == nil {
			weight++ // its service needs room too
		}
		r.apps.Go(func() {
			defer r.slots.Release(weight)
			r.check(ctx, job)
		})
	}
	r.apps.Wait()
	waitAtMost(&r.teardowns, o.times.exit)
	r.mu.Lock()
	defer r.mu.Unlock()
	r.Sink.BatchDone(r.results, time.Now().UnixMilli())
	return r.results, errors.Join(append(r.faults, ctx.Err())...)
}

// newRunID returns a name that tells this machine, this process and this run: containers
// of runs that died are found by it.
func newRunID() string {
	var noise [3]byte
	_, _ = rand.Read(noise[:]) // never fails
	return fmt.Sprintf("%s-%d-%s", machine(), os.Getpid(), hex.EncodeToString(noise[:]))
}

// machine returns a short name for this machine: engines may be shared by several.
func machine() string {
	host, _ := os.Hostname()
	h := fnv.New32a()
	_, _ = h.Write([]byte(host))
	return fmt.Sprintf("%04x", h.Sum32()&0xffff)
}

func (r *run) batch() report.BatchStart {
	b := report.BatchStart{Kind: "mcp", Mode: "argv", StoreDir: r.Store, TS: time.Now().UnixMilli()}
	switch {
	case r.Stdin != nil:
		b.Mode = "stdin"
	case r.adHoc():
		b.Apps = []string{r.adHocEntry().ID}
	default:
		b.Apps = r.Apps
	}
	return b
}

// A job is an app to check: its entry, or why there is none.
type job struct {
	id    string
	entry *catalog.Entry
	err   error
}

func (j job) needsBacking(o *Options) bool {
	if j.entry == nil || o.Runner == Host || o.NoBacking {
		return false
	}
	b, err := j.entry.Backing()
	return b != nil && err == nil
}

// queue returns a function that yields the ids of the apps.
func (r *run) queue(ctx context.Context) func() (string, bool) {
	switch {
	case r.adHoc():
		return yield([]string{r.adHocEntry().ID})
	case r.Stdin == nil:
		return yield(r.Apps)
	}
	lines := make(chan string)
	go func() { // ends with its input, which may be after the run
		defer close(lines)
		for in := bufio.NewScanner(r.Stdin); in.Scan(); {
			if id := strings.TrimSpace(in.Text()); id != "" {
				select {
				case lines <- id:
				case <-ctx.Done():
					return
				}
			}
		}
	}()
	return func() (string, bool) {
		select {
		case id, ok := <-lines:
			return id, ok
		case <-ctx.Done():
			return "", false
		}
	}
}

func yield(ids []string) func() (string, bool) {
	return func() (string, bool) {
		if len(ids) == 0 {
			return "", false
		}
		id := ids[0]
		ids = ids[1:]
		return id, true
	}
}

func (r *run) next(ids func() (string, bool)) (job, bool) {
	id, ok := ids()
	if !ok {
		return job{}, false
	}
	if r.adHoc() {
		return job{id: id, entry: r.adHocEntry()}, true
	}
	entry, err := catalog.Load(r.Store, id)
	return job{id, entry, err}, true
}

// adHocEntry describes a server that is in no store.
func (r *run) adHocEntry() *catalog.Entry {
	e := &catalog.Entry{HasMCP: true, Transport: "stdio", Declared: r.Declared, URL: r.URL}
	if r.Expect != nil && len(e.Declared) == 0 {
		e.Declared = r.Expect.names()
	}
	if r.URL != "" {
		e.Transport, e.ID = "http", hostOf(r.URL)
	} else {
		e.ID = filepath.Base(r.Command[0])
	}
	e.Name = e.ID
	if r.Probe != nil {
		e.Verify.Probe = catalog.Optional[catalog.Probe]{Present: true, Value: r.Probe}
	}
	return e
}

// check checks one app under its watchdog and tells the result.
func (r *run) check(ctx context.Context, j job) {
	began := time.Now()
	r.tell(func() { r.Sink.AppStart(j.id, began.UnixMilli()) })
	if j.err != nil {
		r.done(ctx, began, broken(j))
		return
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	finished := make(chan report.Result, 1)
	r.teardowns.Go(func() { finished <- r.attempts(ctx, j.entry) })
	dog := time.NewTimer(r.watchdog(j.entry))
	defer dog.Stop()
	select {
	case result := <-finished:
		r.done(ctx, began, result)
	case <-dog.C:
		result := blank(j.entry)
		result.Score, result.FailKind, result.Class, result.Watchdog = report.Timeout, "watchdog", "timeout", true
		result.Notes = fmt.Sprintf("no verdict within %s", r.watchdog(j.entry))
		result.Attempts = 1
		r.done(ctx, began, result) // the teardown goes on behind it
	case <-ctx.Done(): // as it does here
	}
}

// attempts tries an app again if what failed may be no lasting fault.
func (r *run) attempts(ctx context.Context, e *catalog.Entry) report.Result {
	first := r.attempt(ctx, e)
	first.Attempts = 1
	result := first
	for result.Attempts <= r.Retries && mayPass(result.FailKind) && ctx.Err() == nil {
		again := r.attempt(ctx, e)
		again.Attempts = result.Attempts + 1
		again.Retried, again.FirstAttemptScore, again.FirstAttemptNotes = true, first.Score, first.Notes
		result = again
	}
	return result
}

func mayPass(kind report.Kind) bool {
	return slices.Contains([]report.Kind{"pull", "timeout", "network"}, kind)
}

// done tells a result, unless the run was ended before there was a true one.
func (r *run) done(ctx context.Context, began time.Time, result report.Result) {
	if ctx.Err() != nil {
		return
	}
	now := time.Now()
	result.TS, result.DurationMS = now.UnixMilli(), now.Sub(began).Milliseconds()
	r.tell(func() {
		r.results = append(r.results, result)
		r.Sink.AppResult(result)
		if r.Each != nil {
			r.Each(r.results)
		}
	})
}

func (r *run) tell(f func()) {
	r.mu.Lock()
	defer r.mu.Unlock()
	f()
}

// blank returns a result with nothing in it yet.
func blank(e *catalog.Entry) report.Result {
	return report.Result{AppID: e.ID, Name: e.Name, MCP: true, Tools: []string{}, DeclaredTools: len(e.Declared)}
}

// broken is the result of an app whose files cannot be read.
func broken(j job) report.Result {
	result := blank(&catalog.Entry{ID: j.id, Name: j.id})
	result.Score, result.FailKind, result.Class = report.Error, "config", "infra"
	result.Notes, result.Attempts = shorten(oneLine(j.err.Error()), maxNotes), 1
	return result
}

// waitAtMost waits for a group, but not for ever.
func waitAtMost(g *sync.WaitGroup, d time.Duration) {
	all := make(chan struct{})
	go func() {
		g.Wait()
		close(all)
	}()
	select {
	case <-all:
	case <-time.After(d):
	}
}
