//go:build unix

package verify

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mcpgen/mcpgen/verify/report"
)

// TestBadBehaviour plays servers that would hurt a harness which trusts them. Each has a
// verdict within bounds of time and memory, and leaves nothing.
func TestBadBehaviour(t *testing.T) {
	t.Parallel()
	for _, c := range []fleetCase{
		{n: "flood-stdout", verify: `"timeoutMs":700`, set: once, score: timeoutS, kind: "timeout", class: "timeout"},
		{n: "flood-stderr", score: pass, class: "ok"},
		{n: "no-newline", score: pass, class: "ok", check: finding("long-line")},
		{n: "children", score: pass, class: "ok"},
		{n: "closes-output", set: func(w *world) { w.o.times.output = 100 * time.Millisecond }, score: failS, kind: "handshake", class: "mcp-fail", notes: "closed its output before initialize"},
		{n: "answers-twice", score: pass, class: "ok", check: finding("answered-twice")},
		{n: "other-id", verify: `"timeoutMs":700`, set: once, score: timeoutS, kind: "timeout", class: "timeout", check: finding("unknown-id")},
		{n: "string-id", verify: `"timeoutMs":700`, set: once, score: timeoutS, kind: "timeout", class: "timeout", check: finding("unknown-id")},
		{n: "never-reads", verify: `"timeoutMs":700`, set: once, score: timeoutS, kind: "timeout", class: "timeout"},
		{n: "deep", score: pass, class: "ok", check: finding("not-json")},
		{n: "bad-result", verify: probeA, score: warnS, class: "mcp-probe", check: probeIs("bad-result")},
		{n: "bad-structured", verify: probeA, score: warnS, class: "mcp-probe", notes: "structuredContent", check: probeIs("bad-result")},
		{n: "harmless", set: func(w *world) { w.o.Probing = ProbeAuto }, score: pass, class: "ok", notes: "probe b→ok"},
		{n: "harmless", id: "harmless-off", score: pass, class: "ok", check: func(t *testing.T, r report.Result, _ *world) {
			if r.Probe != "" {
				t.Errorf("probe %q, want none", r.Probe)
			}
		}},
	} {
		id := c.id
		if id == "" {
			id = c.n
		}
		t.Run(id, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			w.app(id, c.config(), "")
			if c.set != nil {
				c.set(w)
			}
			c.judge(t, w)
		})
	}
}

// TestMemory reads a line of a gigabyte and keeps little of it.
func TestMemory(t *testing.T) {
	w := newWorld(t)
	c := fleetCase{n: "no-newline"}
	w.app("x", c.config(), "")
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	w.run()
	runtime.ReadMemStats(&after)
	if grown := int64(after.Sys) - int64(before.Sys); grown > 200<<20 {
		t.Errorf("memory grew by %d MiB", grown>>20)
	}
}

// TestSecrets gives a server a secret, which it says wherever it can, and looks for it in
// everything that comes out.
func TestSecrets(t *testing.T) {
	t.Parallel()
	const secret = `p"ss/w<rd & more`
	w := newWorld(t)
	c := fleetCase{n: "echo-secret", more: "," + acme, verify: probeA}
	w.app("x", c.config(), "")
	w.o.Secrets = map[string]string{"ACME_API_KEY": secret}
	w.o.Strict = true
	var out, log bytes.Buffer
	w.o.Sink = &report.NDJSON{Out: &out, Log: &log}
	results := w.run()
	w.o.Sink = &report.Text{Out: &out, Log: &log, Now: func() int64 { return 0 }}
	results = append(results, w.run()...)
	texts := map[string][]byte{"events": out.Bytes(), "log": log.Bytes(), "tap": report.TAP(results)}
	texts["junit"], _ = report.JUnit(report.Servers, results, report.OnFail)
	texts["html"], _ = report.HTML(results, time.Now())
	texts["records"], _ = report.Records(results)
	for name, text := range texts {
		for _, form := range append(formsOf(secret), "p&#34;ss", "w&lt;rd", "ss/w") {
			if bytes.Contains(text, []byte(form)) {
				t.Errorf("%s has the secret as %q:\n%s", name, form, text)
			}
		}
		if !bytes.Contains(text, []byte(mask)) && name != "records" {
			t.Errorf("%s does not tell that there was one", name)
		}
	}
}

// TestCatalogue is the constructed catalogue with recorded servers behind npx.
func TestCatalogue(t *testing.T) {
	t.Parallel()
	golden, err := filepath.Abs("../testdata/golden/qa")
	if err != nil {
		t.Fatal(err)
	}
	w := newWorld(t)
	if err := os.Symlink(self(t), filepath.Join(w.engine, "npx")); err != nil {
		t.Fatal(err)
	}
	w.o.Store = filepath.Join(golden, "catalog")
	w.o.Env = append(w.o.Env, "HOME="+filepath.Join(golden, "live"))
	compareCatalogue(t, w, golden)
}

// compareCatalogue runs the constructed catalogue and compares with what is recorded.
func compareCatalogue(t *testing.T, w *world, golden string) []report.Result {
	t.Helper()
	var want struct {
		Discovered []string
		Results    []struct {
			AppID    string
			Score    report.Score
			FailKind *string
			Class    string
		}
		ExitCode int
	}
	text, err := os.ReadFile(filepath.Join(golden, "expected", "host-runner.json"))
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, &want); err != nil {
		t.Fatal(err)
	}
	w.o.Apps = want.Discovered
	results := w.run()
	status := 0
	for _, x := range want.Results {
		i := slices.IndexFunc(results, func(r report.Result) bool { return r.AppID == x.AppID })
		if i < 0 {
			t.Errorf("%s has no result", x.AppID)
			continue
		}
		kind := ""
		if x.FailKind != nil {
			kind = *x.FailKind
		}
		r := results[i]
		if r.Score != x.Score || string(r.FailKind) != kind || r.Class != x.Class {
			t.Errorf("%s: %s/%s/%s, want %s/%s/%s: %s", x.AppID, r.Score, r.FailKind, r.Class, x.Score, kind, x.Class, r.Notes)
		}
		if report.OnFail.Includes(r.Score) {
			status = 1
		}
	}
	if len(results) != len(want.Results) || status != want.ExitCode {
		t.Errorf("%d results and status %d, want %d and %d", len(results), status, len(want.Results), want.ExitCode)
	}
	return results
}

// TestManyApps runs 200 apps, eight at a time.
func TestManyApps(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.o.Jobs = 8
	for i := range 200 {
		w.app(fmt.Sprintf("app-%03d", i), `{"mcp":{"command":"/bin/sh","args":["-c","exit 3"]}}`, "")
	}
	calls := 0
	w.o.Each = func(sofar []report.Result) {
		if calls++; len(sofar) != calls {
			t.Errorf("told of %d results, want %d", len(sofar), calls)
		}
	}
	results := w.run()
	ids := map[string]bool{}
	for _, r := range results {
		ids[r.AppID] = true
	}
	if len(results) != 200 || len(ids) != 200 || calls != 200 {
		t.Errorf("%d results of %d apps, told %d times, want 200", len(results), len(ids), calls)
	}
}

// TestOrder tells results in order of completion, not in that of the queue.
func TestOrder(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.app("slow", fleetCase{n: "22", verify: `"timeoutMs":2000`}.config(), "")
	w.app("quick", `{"mcp":{"command":"mcpgen-no-such-executable"}}`, "")
	w.o.Retries = 0
	results := w.run()
	if results[0].AppID != "quick" || results[1].AppID != "slow" {
		t.Errorf("%s before %s", results[0].AppID, results[1].AppID)
	}
}

// TestStdinQueue hands out the next app when a slot is free, until the input ends.
func TestStdinQueue(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.app("x", `{"mcp":{"command":"mcpgen-no-such-executable"}}`, "")
	w.o.Apps = nil
	w.o.Stdin = strings.NewReader("x\n\n  nothing-there \nx")
	var ids []string
	for _, r := range w.run() {
		ids = append(ids, r.AppID)
	}
	slices.Sort(ids)
	if !slices.Equal(ids, []string{"nothing-there", "x", "x"}) {
		t.Errorf("results of %v", ids)
	}
}

// waiter cancels a run once an app is in a phase.
type waiter struct {
	report.Discard
	app, phase string
	cancel     func()
	done       int
}

func (w *waiter) AppPhase(id, phase, _ string, _ int64) {
	if id == w.app && phase == w.phase {
		w.cancel()
	}
}

func (w *waiter) BatchDone(results []report.Result, _ int64) { w.done = len(results) }

// TestInterrupted ends a run in the middle: what is known is told, nothing is left.
func TestInterrupted(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.o.Jobs = 1
	w.app("known", `{"mcp":{"command":"mcpgen-no-such-executable"}}`, "")
	w.app("at-work", fleetCase{n: "22"}.config(), "")
	w.app("never", fleetCase{n: "1"}.config(), "")
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	sink := &waiter{app: "at-work", phase: "initialize", cancel: cancel}
	w.o.Sink = sink
	results, err := Run(ctx, w.o)
	if !errors.Is(err, context.Canceled) {
		t.Errorf("Run = %v, want canceled", err)
	}
	if len(results) != 1 || results[0].AppID != "known" || sink.done != 1 {
		t.Errorf("results %v, told %d, want the one that is known", results, sink.done)
	}
	w.nothingLeft()
}

// TestAdHoc checks a server that is in no store, with everything that may be declared.
func TestAdHoc(t *testing.T) {
	t.Parallel()
	doc := func(t *testing.T, text string) *Expect {
		path := filepath.Join(t.TempDir(), "tools.json")
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		e, err := ReadExpect(path)
		if err != nil {
			t.Fatal(err)
		}
		return e
	}
	for _, tt := range []struct {
		name   string
		expect string
		set    func(w *world)
		want   fleetCase
	}{
		{"declared", "", func(w *world) { w.o.Declared = []string{"a", "z"} }, fleetCase{score: warnS, class: "mcp-drift", notes: "(z)"}},
		{"equal", tools("a", "b"), nil, fleetCase{score: pass, class: "ok"}},
		{"order", tools("b", "a"), nil, fleetCase{score: failS, kind: "expect", class: "mcp-fail", notes: `tools[0] is "a", want "b"`}},
		{"more", tools("a"), nil, fleetCase{score: failS, kind: "expect", class: "mcp-fail", notes: `"b" is not expected`}},
		{"fewer", tools("a", "b", "c"), nil, fleetCase{score: failS, kind: "expect", class: "mcp-fail", notes: `"c" is missing`}},
		{"schema", strings.Replace(tools("a", "b"), `"type":"object"`, `"type":"object","x":1`, 1), nil, fleetCase{score: failS, kind: "expect", class: "mcp-fail", notes: `inputSchema.x is missing`}},
		{"all revisions", tools("a", "b"), func(w *world) { w.o.Protocol = AllRevisions }, fleetCase{score: pass, class: "ok", check: eras("2025-11-25")}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			w.o.Command = []string{self(t), "fleet", "good"}
			if tt.expect != "" {
				w.o.Expect = doc(t, tt.expect)
			}
			if tt.set != nil {
				tt.set(w)
			}
			tt.want.judge(t, w)
		})
	}
}
