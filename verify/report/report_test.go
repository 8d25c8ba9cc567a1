package report

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "rewrite the expected reports")

// samples are results of every score, with texts that reports must not take literally.
func samples() []Result {
	killed := "SIGKILL"
	count := 2
	return []Result{
		{
			AppID: "memory-mcp", Name: "Memory", MCP: true, Score: Pass, Class: "ok", Notes: "9 tools, 9 declared; probe read_graph→ok",
			Tools: []string{"create_entities", "read_graph"}, DeclaredTools: 2, Probe: "ok", ProbeTool: "read_graph", Transport: "stdio",
			ProtocolVersion: "2025-11-25", Eras: []string{"2025-11-25"}, ServerInfo: json.RawMessage(`{"name":"memory-server","version":"0.6.3"}`),
			Exit: &Exit{Code: 0, Shutdown: "stdin"}, DurationMS: 1234, HandshakeMS: 900, Attempts: 1, TS: 1790000000000,
			Listing: json.RawMessage(`[{"name":"read_graph","description":"</pre><script>alert(1)</script>"}]`),
		},
		{
			AppID: "drift-mcp", Name: "Drift <b>", MCP: true, Score: Warn, Class: "mcp-drift", Notes: "tool drift: 1/2 declared tools missing from live list (b)",
			Tools: []string{"a", "c"}, DeclaredTools: 2, Missing: []string{"b"}, Extra: []string{"c"}, Transport: "stdio", ProtocolVersion: "2025-11-25",
			Eras: []string{"2025-11-25"}, Exit: &Exit{Code: -1, Signal: &killed, Shutdown: "kill"}, DurationMS: 5000, Attempts: 1, TS: 1790000001000,
			Findings: []Finding{{Rule: "not-json", Message: `"Server ready" is no JSON-RPC message`}},
		},
		{
			AppID: "crash-mcp", Name: "Crash", MCP: true, Score: Fail, FailKind: "handshake", Class: "mcp-fail", Tools: []string{},
			Notes: "server exited (code 7) before initialize | boom # <script>\x1b[31m\x00", StderrTail: "boom\n\x1b[31m<script>\n", DurationMS: 80, Attempts: 1, TS: 1790000002000,
		},
		{AppID: "image-mcp", Name: "Image", MCP: true, Score: Error, FailKind: "pull", Class: "infra", Tools: []string{}, Notes: "manifest unknown", Attempts: 2, Retried: true, FirstAttemptScore: Error, FirstAttemptNotes: "manifest unknown", DurationMS: 900, TS: 1790000003000},
		{AppID: "silent-mcp", Name: "Silent", MCP: true, Score: Timeout, FailKind: "timeout", Class: "timeout", Tools: []string{}, Notes: "no initialize response before deadline", Attempts: 1, DurationMS: 90000, TS: 1790000004000},
		{AppID: "secret-mcp", Name: "Secret", MCP: true, Score: Skip, Class: "needs-secret", Tools: []string{}, Notes: "needs-secret: ACME_API_KEY required to boot", Unresolved: []string{"ACME_API_KEY"}, Attempts: 1, DurationMS: 70, TS: 1790000005000},
		{AppID: "hub-mcp-bridge", Name: "Hub MCP Bridge", MCP: true, Score: Pass, Class: "ok", Tools: []string{"x", "y"}, ToolCount: &count, Notes: "2 tools", Attempts: 1, DurationMS: 20, TS: 1790000006000},
	}
}

// golden compares a text with a file of testdata.
func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, got, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(string(want), string(got)); d != "" {
		t.Errorf("%s (-want +got):\n%s", name, d)
	}
}

// play tells a sink of a whole run.
func play(s Sink, results []Result) {
	s.BatchStart(BatchStart{Apps: []string{"memory-mcp", "drift-mcp"}, Kind: "mcp", Mode: "argv", StoreDir: "apps", TS: 1})
	for _, r := range results {
		s.AppStart(r.AppID, 2)
		s.AppPhase(r.AppID, "initialize", "", 3)
		s.AppResult(r)
	}
	s.BatchDone(results, 4)
}

func TestNDJSON(t *testing.T) {
	var out, log bytes.Buffer
	play(&NDJSON{Out: &out, Log: &log}, samples())
	golden(t, "events.ndjson", out.Bytes())
	golden(t, "events.log", log.Bytes())
	for line := range bytes.Lines(out.Bytes()) {
		if !json.Valid(line) {
			t.Errorf("no JSON: %s", line)
		}
	}
}

func TestText(t *testing.T) {
	var many, one, live bytes.Buffer
	now := func() int64 { return 2500 }
	play(&Text{Out: &many, Log: &many, Now: now}, samples())
	golden(t, "many.txt", many.Bytes())
	play(&Text{Out: &one, Log: &one, Now: now}, samples()[2:3])
	play(&Text{Out: &one, Log: &one, Now: now}, samples()[1:2])
	golden(t, "one.txt", one.Bytes())
	play(&Text{Out: &live, Log: &live, Now: now, Live: true, Color: true, Width: func() int { return 40 }}, samples()[:2])
	golden(t, "live.txt", live.Bytes())
	for name, text := range map[string]string{"many": many.String(), "one": one.String()} {
		if strings.ContainsAny(text, "\x1b\x00") {
			t.Errorf("%s lets control characters of a server through", name)
		}
	}
}

func TestJUnit(t *testing.T) {
	text, err := JUnit(Servers, samples(), OnFail)
	if err != nil {
		t.Fatal(err)
	}
	golden(t, "junit.xml", text)
	strict, err := JUnit(Bridge, samples(), OnWarn)
	if err != nil {
		t.Fatal(err)
	}
	var s suite
	if err := xml.Unmarshal(strict, &s); err != nil {
		t.Fatal(err)
	}
	if s.Name != "mcpgen.verify.layer2" || s.Tests != 7 || s.Failures != 2 || s.Errors != 2 || s.Skipped != 1 {
		t.Errorf("%s: %d tests, %d failures, %d errors, %d skipped", s.Name, s.Tests, s.Failures, s.Errors, s.Skipped)
	}
}

func TestTAP(t *testing.T) { golden(t, "tap.txt", TAP(samples())) }

func TestHTML(t *testing.T) {
	text, err := HTML(samples(), time.UnixMilli(1790000000000))
	if err != nil {
		t.Fatal(err)
	}
	golden(t, "page.html", text)
	for _, bad := range []string{"<script", "http://", "https://", "Drift <b>"} {
		if bytes.Contains(text, []byte(bad)) {
			t.Errorf("the page has %q in it", bad)
		}
	}
}

func TestRecords(t *testing.T) {
	text, err := Records(samples())
	if err != nil {
		t.Fatal(err)
	}
	golden(t, "results.json", text)
	dir := filepath.Join(t.TempDir(), "new")
	if err := WriteFolder(dir, "7", samples(), 90*time.Second); err != nil {
		t.Fatal(err)
	}
	summary, err := os.ReadFile(filepath.Join(dir, "batch-7-summary.json"))
	if err != nil {
		t.Fatal(err)
	}
	golden(t, "summary.json", summary)
	if s := summarize("0", nil, 0); s.PassRate != 0 {
		t.Errorf("pass rate of nothing is %v", s.PassRate)
	}
}

// TestTriage reads results in all their forms and sorts them alike.
func TestTriage(t *testing.T) {
	var events bytes.Buffer
	play(&NDJSON{Out: &events, Log: &bytes.Buffer{}}, samples())
	records, err := Records(samples())
	if err != nil {
		t.Fatal(err)
	}
	object, err := json.Marshal(map[string]any{"results": samples()})
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string][]byte{"events": events.Bytes(), "records": records, "object": object} {
		results, err := ReadResults(text)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		var out bytes.Buffer
		WriteWork(&out, Triage(results))
		golden(t, "work.txt", out.Bytes())
	}
	work, err := Triage(samples()).JSON()
	if err != nil {
		t.Fatal(err)
	}
	golden(t, "work.json", work)
	for _, bad := range []string{"", "x", `{"a":1}`, `[1]`, `"x"`} {
		if results, err := ReadResults([]byte(bad)); err == nil {
			t.Errorf("ReadResults(%q) = %v, want an error", bad, results)
		}
	}
}

// TestOldRecords sorts records of the older harness, which have no class.
func TestOldRecords(t *testing.T) {
	for _, tt := range []struct{ score, notes, want string }{
		{"warn", "tool drift: 3/16 declared tools missing", "mcp-drift"},
		{"warn", "handshake ok but EMPTY tool list", "mcp-empty"},
		{"warn", "9 tools; probe FAILED: x", "mcp-probe"},
		{"warn", "something else", ""},
		{"fail", "x", "mcp-fail"},
		{"pass", "x", "ok"},
		{"timeout", "x", "timeout"},
	} {
		r := Result{MCP: true, Score: Score(tt.score), Notes: tt.notes}
		if got := classOf(r); got != tt.want {
			t.Errorf("class of %s %q = %q, want %q", tt.score, tt.notes, got, tt.want)
		}
	}
}

func TestFailOn(t *testing.T) {
	for on, want := range map[FailOn]string{OnFail: "fail", OnError: "fail error timeout", OnWarn: "warn fail error timeout", OnSkip: "warn fail error timeout skip"} {
		var got []string
		for _, s := range Scores {
			if on.Includes(s) {
				got = append(got, string(s))
			}
		}
		if strings.Join(got, " ") != want {
			t.Errorf("--fail-on %s: %q, want %q", on, got, want)
		}
	}
}
