//go:build unix

package verify

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mcpgen/mcpgen/verify/report"
)

// A world is what the tests of one app have to themselves.
type world struct {
	t      *testing.T
	store  string
	tmp    string
	engine string // folder of the fake engine
	o      Options
}

// newWorld returns an empty store and options for quick runs on this host.
func newWorld(t *testing.T) *world {
	t.Helper()
	w := &world{t: t, store: t.TempDir(), tmp: t.TempDir(), engine: t.TempDir()}
	w.o = Defaults()
	w.o.Store, w.o.Runner = w.store, Host
	w.o.Timeout, w.o.ProbeTimeout = 30*time.Second, 10*time.Second
	w.o.times.grace, w.o.times.settle, w.o.times.poll = 300*time.Millisecond, 400*time.Millisecond, time.Millisecond
	w.o.times.output = time.Minute // whatever else the machine does
	w.o.Env = []string{"PATH=" + w.engine + ":" + os.Getenv("PATH"), "HOME=" + w.tmp, "FAKE_ENGINE=" + w.engine}
	w.o.runID = newRunID()
	return w
}

// withEngine puts the fake engine into the path.
func (w *world) withEngine() {
	w.t.Helper()
	for _, name := range []string{"docker", "podman"} {
		if err := os.Symlink(self(w.t), filepath.Join(w.engine, name)); err != nil {
			w.t.Fatal(err)
		}
	}
	w.o.Runner = Docker
}

// app adds an app: a config.json with SELF for the test binary, and a compose file.
func (w *world) app(id, config, compose string) {
	w.t.Helper()
	dir := filepath.Join(w.store, id)
	if err := os.MkdirAll(dir, 0o777); err != nil {
		w.t.Fatal(err)
	}
	for name, text := range map[string]string{"config.json": config, "docker-compose.json": compose} {
		if text == "" {
			continue
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(strings.ReplaceAll(text, "SELF", self(w.t))), 0o666); err != nil {
			w.t.Fatal(err)
		}
	}
	w.o.Apps = append(w.o.Apps, id)
}

// run runs and sees to it that nothing is left.
func (w *world) run() []report.Result {
	w.t.Helper()
	results, err := Run(context.Background(), w.o)
	if err != nil {
		w.t.Fatal(err)
	}
	w.nothingLeft()
	return results
}

// nothingLeft fails if a process or a folder of the run is there.
func (w *world) nothingLeft() {
	w.t.Helper()
	if pids := marked("MCPGEN_VERIFY=" + w.o.runID + "/"); len(pids) > 0 {
		w.t.Errorf("processes are left: %v", pids)
	}
	if left, _ := filepath.Glob(filepath.Join(os.TempDir(), "qa-mcp-*"+w.o.runID+"*")); len(left) > 0 {
		w.t.Errorf("folders are left: %v", left)
	}
}

// marked returns the processes with an entry of the environment that begins so.
func marked(prefix string) []string {
	var found []string
	files, _ := filepath.Glob("/proc/[0-9]*/environ")
	for _, f := range files {
		env, _ := os.ReadFile(f)
		for entry := range bytes.SplitSeq(env, []byte{0}) {
			if bytes.HasPrefix(entry, []byte(prefix)) {
				found = append(found, filepath.Base(filepath.Dir(f)))
			}
		}
	}
	return found
}

// calls returns the command lines that the fake engine got.
func (w *world) calls() [][]string {
	text, _ := os.ReadFile(filepath.Join(w.engine, "log"))
	var calls [][]string
	for line := range strings.Lines(string(text)) {
		var args []string
		if json.Unmarshal([]byte(line), &args) == nil {
			calls = append(calls, args)
		}
	}
	return calls
}

// runLine returns the command line that started a container of an app.
func (w *world) runLine() []string {
	for _, args := range w.calls() {
		if args[0] == "run" && !slices.Contains(args, "-d") {
			return args
		}
	}
	return nil
}

const acme = `"env":[{"key":"ACME_API_KEY","required":true,"secret":true}]`

// A fleetCase is a line of spec/qa.md 12.
type fleetCase struct {
	n       string // of the case, and of the server that plays it
	more    string // members of the mcp block
	verify  string // members of mcp.verify
	id      string // of the app; default case-N
	declare string // names; default a b; - is none
	set     func(w *world)
	score   report.Score
	kind    report.Kind
	class   string
	notes   string // that the notes contain
	check   func(t *testing.T, r report.Result, w *world)
}

const (
	pass, skip, warnS = report.Pass, report.Skip, report.Warn
	failS, errorS     = report.Fail, report.Error
	timeoutS          = report.Timeout
)

const probeA = `"probe":{"tool":"a","args":{}}`

func probeIs(status string) func(*testing.T, report.Result, *world) {
	return func(t *testing.T, r report.Result, _ *world) {
		if r.Probe != status || r.ProbeTool != "a" {
			t.Errorf("probe = %q of %q, want %q of a", r.Probe, r.ProbeTool, status)
		}
	}
}

func finding(rule string) func(*testing.T, report.Result, *world) {
	return func(t *testing.T, r report.Result, _ *world) {
		if !slices.ContainsFunc(r.Findings, func(f report.Finding) bool { return f.Rule == rule }) {
			t.Errorf("findings %v have no %s", r.Findings, rule)
		}
	}
}

func strictly(w *world) { w.o.Strict = true }

// fleetCases are the cases of stdio on this host.
var fleetCases = []fleetCase{
	{n: "1", score: pass, class: "ok", notes: "3 tools, 2 declared", check: func(t *testing.T, r report.Result, _ *world) {
		if !slices.Equal(r.Extra, []string{"c"}) || !slices.Equal(r.Tools, []string{"a", "b", "c"}) {
			t.Errorf("extra %v of %v, want c", r.Extra, r.Tools)
		}
	}},
	{n: "1", id: "case-2", verify: `"exact":true`, score: warnS, class: "mcp-drift", notes: "1 live tools are not declared (c)"},
	{n: "3", score: warnS, class: "mcp-drift", notes: "tool drift: 1/2 declared tools missing from live list (b)", check: func(t *testing.T, r report.Result, _ *world) {
		if !slices.Equal(r.Missing, []string{"b"}) {
			t.Errorf("missing %v, want b", r.Missing)
		}
	}},
	{n: "4", score: warnS, class: "mcp-drift", notes: "(b)"},
	{n: "5", score: warnS, class: "mcp-empty", notes: "EMPTY"},
	{n: "5", id: "case-6", more: `,"requires":{"host_software":["Blender 4.2","uv"]}`, score: skip, class: "needs-host-software", notes: "needs host software: Blender 4.2"},
	{n: "7", declare: "-", score: pass, class: "ok"},
	{n: "8", score: pass, class: "ok"},
	{n: "9", score: failS, kind: "handshake", class: "mcp-fail", notes: "comes again"},
	{n: "10", score: pass, class: "ok", notes: "1 declared tools need client capabilities"},
	{n: "11", score: pass, class: "ok", check: func(t *testing.T, r report.Result, _ *world) {
		if strings.Contains(r.Notes, "capabilities") {
			t.Errorf("notes %q: want a second list of the first launch", r.Notes)
		}
	}},
	{n: "12", score: failS, kind: "handshake", class: "mcp-fail", notes: "initialize error: {"},
	{n: "13", score: pass, class: "ok", check: eras("2026-07-28")},
	{n: "14", score: pass, class: "ok", check: eras("2026-07-28")},
	{n: "15", score: failS, kind: "handshake", class: "mcp-fail", notes: "protocolVersion is missing"},
	{n: "16", score: failS, kind: "handshake", class: "mcp-fail", notes: "serverInfo"},
	{n: "17", score: pass, class: "ok", check: eras("2024-11-05")},
	{n: "18", score: pass, class: "ok", check: finding("version")},
	{n: "18", id: "case-18-strict", set: strictly, score: warnS, class: "mcp-protocol"},
	{n: "19", score: pass, class: "ok", check: finding("not-json")},
	{n: "19", id: "case-19-strict", set: strictly, score: warnS, class: "mcp-protocol", notes: "Server ready"},
	{n: "20", score: pass, class: "ok", check: func(t *testing.T, r report.Result, _ *world) {
		if len(r.Findings) > 0 || r.StderrTail != "Welcome to the server\n" {
			t.Errorf("findings %v, stderr %q: want none, the banner", r.Findings, r.StderrTail)
		}
	}},
	{n: "21", score: pass, class: "ok", check: func(t *testing.T, r report.Result, _ *world) {
		if len(r.Findings) > 0 {
			t.Errorf("findings %v, want none", r.Findings)
		}
	}},
	{n: "22", verify: `"timeoutMs":700`, score: timeoutS, kind: "timeout", class: "timeout", notes: "no initialize response before deadline", check: func(t *testing.T, r report.Result, _ *world) {
		if r.Attempts != 2 || !r.Retried || r.FirstAttemptScore != timeoutS || r.FirstAttemptNotes == "" {
			t.Errorf("attempts %d, retried %v, first %q %q: want a second try", r.Attempts, r.Retried, r.FirstAttemptScore, r.FirstAttemptNotes)
		}
	}},
	{n: "23", verify: `"timeoutMs":1500`, set: once, score: timeoutS, kind: "timeout", class: "timeout", notes: "no tools/list before deadline"},
	{n: "24", score: failS, kind: "exit", class: "mcp-fail", notes: "exited (code 0) before tools/list"},
	{n: "25", score: failS, kind: "handshake", class: "mcp-fail", notes: "exited (code 7) before initialize | boom"},
	{n: "26", more: "," + acme, score: skip, class: "needs-secret", notes: "needs-secret: ACME_API_KEY required to boot — "},
	{n: "27", more: "," + acme, score: failS, kind: "handshake", class: "mcp-fail"},
	{n: "28", more: "," + acme, verify: `"timeoutMs":700`, set: once, score: timeoutS, kind: "timeout", class: "timeout"},
	{n: "29", more: "," + acme, score: pass, class: "ok", check: func(t *testing.T, r report.Result, _ *world) {
		if !slices.Equal(r.Unresolved, []string{"ACME_API_KEY"}) {
			t.Errorf("unresolved %v, want ACME_API_KEY", r.Unresolved)
		}
	}},
	{n: "30", more: `,"env":[{"key":"POSTGRES_URL","required":true}]`, score: skip, class: "needs-connection", notes: "ECONNREFUSED"},
	{n: "35", score: failS, kind: "package", class: "mcp-fail", notes: "E404"},
	{n: "35b", score: failS, kind: "package", class: "mcp-fail", notes: "ETARGET"},
	{n: "36", score: errorS, kind: "network", class: "infra", check: func(t *testing.T, r report.Result, _ *world) {
		if r.Attempts != 2 {
			t.Errorf("attempts %d, want 2", r.Attempts)
		}
	}},
	{n: "41", verify: probeA, score: pass, class: "ok", notes: "probe a→ok", check: probeIs("ok")},
	{n: "42", verify: probeA, score: warnS, class: "mcp-probe", notes: "probe FAILED: a→method-error", check: probeIs("method-error")},
	{n: "43", verify: probeA, score: pass, class: "ok", check: probeIs("invalid-params")},
	{n: "44", verify: probeA, score: warnS, class: "mcp-probe", check: probeIs("method-error")},
	{n: "45", verify: probeA, score: pass, class: "ok", notes: "401 Unauthorized", check: probeIs("tool-error")},
	{n: "46", verify: probeA + `,"probeTimeoutMs":300`, score: pass, class: "ok", check: probeIs("timeout")},
	{n: "47", verify: probeA, score: warnS, class: "mcp-probe", notes: "code 3", check: probeIs("crashed")},
	{n: "48", verify: probeA, score: pass, class: "ok", notes: "requires the argument q", check: probeIs("skipped")},
	{n: "49", score: warnS, class: "mcp-schema", check: finding("input-missing")},
	{n: "50", score: warnS, class: "mcp-schema", check: finding("name-dup")},
	{n: "51", verify: probeA, score: warnS, class: "mcp-drift", notes: "probe FAILED: a→internal-error", check: probeIs("internal-error")},
	{n: "52", score: pass, class: "ok", check: func(t *testing.T, r report.Result, _ *world) {
		if r.Exit == nil || r.Exit.Shutdown != "kill" || r.Exit.Signal == nil || *r.Exit.Signal != "SIGKILL" {
			t.Errorf("exit %+v, want kill", r.Exit)
		}
	}},
	{n: "55", more: `,"command":"SELF","args":["fleet","1","${NOPE}"]`, score: errorS, kind: "config", class: "infra", notes: "${NOPE} is declared nowhere"},
	{n: "env", id: "case-56", more: `,"env":[{"key":"REDIRECT_URL","required":true}]`, score: pass, class: "ok", check: func(t *testing.T, r report.Result, _ *world) {
		if r.StderrTail != "http://qa.invalid\n" {
			t.Errorf("REDIRECT_URL is %q, want http://qa.invalid", r.StderrTail)
		}
	}},
}

func once(w *world) { w.o.Retries = 0 }

func eras(want ...string) func(*testing.T, report.Result, *world) {
	return func(t *testing.T, r report.Result, _ *world) {
		if !slices.Equal(r.Eras, want) {
			t.Errorf("eras %v, want %v", r.Eras, want)
		}
	}
}

// config returns the config.json of a case.
func (c fleetCase) config() string {
	declared := c.declare
	if declared == "" {
		declared = "a b"
	}
	var list []string
	for name := range strings.FieldsSeq(strings.Trim(declared, "-")) {
		list = append(list, fmt.Sprintf(`{"name":%q}`, name))
	}
	block := fmt.Sprintf(`"command":"SELF","args":["fleet",%q],"manifest":{"tools":[%s]},"verify":{%s}%s`, c.n, strings.Join(list, ","), c.verify, c.more)
	return `{"name":"A case","mcp":{` + block + `}}`
}

// TestFleet plays servers that fail in every known way, on this host.
func TestFleet(t *testing.T) {
	t.Parallel()
	for _, c := range fleetCases {
		id := c.id
		if id == "" {
			id = "case-" + c.n
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

// judge runs a case and compares.
func (c fleetCase) judge(t *testing.T, w *world) {
	t.Helper()
	results := w.run()
	if len(results) != 1 {
		t.Fatalf("%d results, want 1", len(results))
	}
	r := results[0]
	if r.Score != c.score || r.FailKind != c.kind || r.Class != c.class || !strings.Contains(r.Notes, c.notes) {
		t.Errorf("%s/%s/%s, want %s/%s/%s with %q\nnotes: %s\nstderr: %s", r.Score, r.FailKind, r.Class, c.score, c.kind, c.class, c.notes, r.Notes, r.StderrTail)
	}
	if !r.MCP || r.Attempts == 0 || r.TS == 0 {
		t.Errorf("mcp %v, attempts %d, ts %d: want all of them", r.MCP, r.Attempts, r.TS)
	}
	if c.check != nil {
		c.check(t, r, w)
	}
}
