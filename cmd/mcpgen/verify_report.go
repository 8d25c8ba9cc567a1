package main

import (
	"encoding/json"
	"fmt"
	"os"
	"strconv"
	"sync"
	"time"

	"github.com/mcpgen/mcpgen/verify"
	"github.com/mcpgen/mcpgen/verify/report"
)

// sink returns what tells of a run while it goes on, and a function that ends it.
func (a *app) sink(format string) (report.Sink, func(), error) {
	outIsTerminal := isTerminal(a.stdout)
	if format == "" {
		format = "ndjson"
		if outIsTerminal {
			format = "text"
		}
	}
	switch format {
	case "ndjson":
		return &report.NDJSON{Out: a.stdout, Log: a.stderr}, func() {}, nil
	case "none":
		return report.Discard{}, func() {}, nil
	case "text":
		text := &report.Text{
			Out: a.stdout, Log: a.stderr, Live: a.terminal, Now: func() int64 { return time.Now().UnixMilli() },
			Color: outIsTerminal && a.getenv("NO_COLOR") == "" && a.getenv("TERM") != "dumb",
			Width: func() int { return a.columns() },
		}
		if !a.terminal {
			return text, func() {}, nil
		}
		l := &live{sink: text, stop: make(chan struct{})}
		l.worker.Go(l.tick)
		return l, func() { close(l.stop); l.worker.Wait() }, nil
	}
	return nil, nil, usage(fmt.Sprintf("--format %q: want text, ndjson or none", format))
}

func (a *app) columns() int {
	if n, err := strconv.Atoi(a.getenv("COLUMNS")); err == nil && n > 20 {
		return n
	}
	return 80
}

// live keeps the last line of a terminal moving.
type live struct {
	mu     sync.Mutex
	sink   *report.Text
	stop   chan struct{}
	worker sync.WaitGroup
}

func (l *live) tick() {
	t := time.NewTicker(200 * time.Millisecond)
	defer t.Stop()
	for {
		select {
		case <-t.C:
			l.do(l.sink.Tick)
		case <-l.stop:
			return
		}
	}
}

func (l *live) do(f func()) {
	l.mu.Lock()
	defer l.mu.Unlock()
	f()
}

func (l *live) BatchStart(b report.BatchStart) { l.do(func() { l.sink.BatchStart(b) }) }
func (l *live) AppStart(id string, ts int64)   { l.do(func() { l.sink.AppStart(id, ts) }) }
func (l *live) AppPhase(id, phase, message string, ts int64) {
	l.do(func() { l.sink.AppPhase(id, phase, message, ts) })
}
func (l *live) AppResult(r report.Result) { l.do(func() { l.sink.AppResult(r) }) }
func (l *live) BatchDone(results []report.Result, ts int64) {
	l.do(func() { l.sink.BatchDone(results, ts) })
}

// folder returns what rewrites the durable records after each result.
func (f *verifyFlags) folder(a *app, began time.Time) func([]report.Result) {
	dir := f.results
	if dir == "" {
		dir = a.getenv("RESULTS_DIR")
	}
	if dir == "" {
		return nil
	}
	batch := a.getenv("QA_BATCH")
	if batch == "" {
		batch = "0"
	}
	told := false
	return func(results []report.Result) {
		if err := report.WriteFolder(dir, batch, results, time.Since(began)); err != nil && !told {
			told = true
			a.say(err.Error())
		}
	}
}

// writeReports writes the documents that were asked for.
func (f *verifyFlags) writeReports(layer report.Layer, results []report.Result, on report.FailOn) error {
	for _, r := range []struct {
		path string
		make func() ([]byte, error)
	}{
		{f.json, func() ([]byte, error) {
			text, err := json.MarshalIndent(map[string][]report.Result{"results": results}, "", "  ")
			return append(text, '\n'), err
		}},
		{f.junit, func() ([]byte, error) { return report.JUnit(layer, results, on) }},
		{f.tap, func() ([]byte, error) { return report.TAP(results), nil }},
		{f.html, func() ([]byte, error) { return report.HTML(results, time.Now()) }},
	} {
		if r.path == "" {
			continue
		}
		text, err := r.make()
		if err != nil {
			return err
		}
		if err := report.WriteFile(r.path, text); err != nil {
			return err
		}
	}
	return nil
}

// triageFile sorts the results of an earlier run.
func (a *app) triageFile(f *verifyFlags) error {
	text, err := os.ReadFile(f.triage)
	if err != nil {
		return err
	}
	results, err := report.ReadResults(text)
	if err != nil {
		return fmt.Errorf("%s: %w", f.triage, err)
	}
	work := report.Triage(results)
	if f.json != "" {
		text, err := work.JSON()
		if err != nil {
			return err
		}
		if err := report.WriteFile(f.json, text); err != nil {
			return err
		}
	}
	report.WriteWork(a.stdout, work)
	return nil
}

// bridgeOptions makes the options of layer 2.
func (f *verifyFlags) bridgeOptions(a *app, sink report.Sink) (verify.BridgeOptions, error) {
	o := verify.BridgeOptions{
		Hub: verify.DefaultHub, Key: a.getenv("MCP_API_KEY"), Timeout: 15 * time.Second,
		Legacy: f.bridgeLegacy, Apps: f.apps, Sink: sink,
	}
	if hub := a.getenv("HUB_URL"); hub != "" {
		o.Hub = hub
	}
	if text := a.getenv("QA_BRIDGE_TIMEOUT_MS"); text != "" {
		ms, err := strconv.Atoi(text)
		if err != nil || ms < 1 {
			return o, usage(fmt.Sprintf("$QA_BRIDGE_TIMEOUT_MS %q: want a positive number", text))
		}
		o.Timeout = time.Duration(ms) * time.Millisecond
	}
	switch f.protocol {
	case "auto":
	case verify.AllRevisions:
		o.Protocol = f.protocol
	default:
		return o, usage("--bridge: want --protocol auto or all")
	}
	return o, nil
}
