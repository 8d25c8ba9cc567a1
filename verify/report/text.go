package report

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"
)

// Text writes for people: a line per result while the run goes on, then a table and what
// there is to do. With Live set, a last line on Log tells which apps are at work.
type Text struct {
	Out, Log io.Writer
	Live     bool // Log is a terminal
	Color    bool // Out is a terminal
	Now      func() int64
	Width    func() int // of the terminal; nil is 100

	running []running
	total   int
	done    int
	shown   bool // the live line is on the screen
}

type running struct {
	id, phase string
	since     int64
}

// BatchStart implements [Sink].
func (t *Text) BatchStart(b BatchStart) { t.total = len(b.Apps) }

// AppStart implements [Sink].
func (t *Text) AppStart(id string, ts int64) {
	t.running = append(t.running, running{id, "starting", ts})
	t.draw()
}

// AppPhase implements [Sink].
func (t *Text) AppPhase(id, phase, _ string, _ int64) {
	for i := range t.running {
		if t.running[i].id == id {
			t.running[i].phase = phase
		}
	}
	t.draw()
}

// AppResult implements [Sink].
func (t *Text) AppResult(r Result) {
	t.running = slices.DeleteFunc(t.running, func(one running) bool { return one.id == r.AppID })
	t.done++
	t.erase()
	fmt.Fprintf(t.Out, "%s  %s  %s  %s\n", t.paint(r.Score, pad(strings.ToUpper(string(r.Score)), 7)), pad(r.AppID, 24), seconds(r.DurationMS), clean(r.Notes))
	t.draw()
}

// Tick redraws the live line, for the elapsed times in it.
func (t *Text) Tick() { t.draw() }

// draw writes the live line.
func (t *Text) draw() {
	if !t.Live || len(t.running) == 0 {
		return
	}
	var parts []string
	for _, r := range t.running {
		parts = append(parts, fmt.Sprintf("%s %s %s", r.id, r.phase, strings.TrimSpace(seconds(t.Now()-r.since))))
	}
	line := strings.Join(parts, " · ")
	if t.total > 1 {
		line = fmt.Sprintf("[%d/%d] %s", t.done, t.total, line)
	}
	width := 100
	if t.Width != nil {
		width = t.Width()
	}
	fmt.Fprint(t.Log, "\r\x1b[K"+shorten(clean(line), width-1))
	t.shown = true
}

func (t *Text) erase() {
	if t.shown {
		fmt.Fprint(t.Log, "\r\x1b[K")
		t.shown = false
	}
}

// BatchDone implements [Sink].
func (t *Text) BatchDone(results []Result, _ int64) {
	t.erase()
	if len(results) == 0 {
		return
	}
	fmt.Fprintln(t.Out)
	if len(results) == 1 {
		t.one(results[0])
		return
	}
	t.table(results)
	counts := Count(results)
	var parts []string
	for _, s := range Scores {
		if n := counts[s]; n > 0 {
			parts = append(parts, t.paint(s, fmt.Sprintf("%d %s", n, s)))
		}
	}
	fmt.Fprintf(t.Out, "%s\n", strings.Join(parts, ", "))
	writeWork(t.Out, Triage(results))
}

// one writes the facts of a single server.
func (t *Text) one(r Result) {
	row := func(name, value string) {
		if value != "" {
			fmt.Fprintf(t.Out, "  %-10s %s\n", name, clean(value))
		}
	}
	if r.Class != "ok" {
		row("class", strings.TrimSuffix(r.Class+", "+string(r.FailKind), ", "))
	}
	row("server", serverName(r))
	if len(r.Eras) > 0 {
		row("protocol", strings.Join(r.Eras, ", ")+" over "+r.Transport)
	}
	row("tools", toolsLine(r))
	if r.Probe != "" {
		row("probe", strings.TrimSpace(r.ProbeTool+" "+r.Probe+" "+r.ProbeDetail))
	}
	if r.Exit != nil {
		row("end", exitLine(*r.Exit))
	}
	for _, f := range r.Findings {
		row("finding", findingLine(f))
	}
	if r.Class == "mcp-drift" {
		row("declare", declaration(r.Tools))
	}
	if r.Score.Rank() > Warn.Rank() {
		for i, line := range strings.Split(strings.TrimRight(r.StderrTail, "\n"), "\n") {
			if i == 0 {
				row("stderr", line)
			} else {
				row("", line)
			}
		}
	}
}

// table writes a line per app, in order of badness and name.
func (t *Text) table(results []Result) {
	fmt.Fprintf(t.Out, "  %-7s  %-28s  %7s  %-14s  %-10s  %6s\n", "SCORE", "APP", "TOOLS", "PROBE", "PROTOCOL", "TIME")
	for _, r := range Sorted(results) {
		fmt.Fprintf(t.Out, "  %s  %s  %7s  %-14s  %-10s  %s\n", t.paint(r.Score, pad(string(r.Score), 7)), pad(shorten(clean(r.AppID), 28), 28),
			toolCounts(r), r.Probe, shorten(clean(r.ProtocolVersion), 10), seconds(r.DurationMS))
	}
	fmt.Fprintln(t.Out)
}

// Sorted returns results with the worst first, then by id.
func Sorted(results []Result) []Result {
	sorted := slices.Clone(results)
	order := []Score{Fail, Error, Timeout, Warn, Skip, Pass}
	slices.SortStableFunc(sorted, func(a, b Result) int {
		if c := slices.Index(order, a.Score) - slices.Index(order, b.Score); c != 0 {
			return c
		}
		return strings.Compare(a.AppID, b.AppID)
	})
	return sorted
}

func toolCounts(r Result) string {
	if r.ProtocolVersion == "" {
		return "-"
	}
	if r.DeclaredTools == 0 {
		return fmt.Sprint(len(r.Tools))
	}
	return fmt.Sprintf("%d/%d", len(r.Tools), r.DeclaredTools)
}

func toolsLine(r Result) string {
	if r.ProtocolVersion == "" {
		return ""
	}
	if len(r.Tools) == 0 {
		return "none"
	}
	names := r.Tools
	more := ""
	if len(names) > 8 {
		more = fmt.Sprintf(", and %d more", len(names)-8)
		names = names[:8]
	}
	return fmt.Sprintf("%d: %s%s", len(r.Tools), strings.Join(names, ", "), more)
}

func serverName(r Result) string {
	var info struct{ Name, Version string }
	readInfo(r.ServerInfo, &info.Name, &info.Version)
	return strings.TrimSpace(info.Name + " " + info.Version)
}

func exitLine(e Exit) string {
	how := map[string]string{
		"term": ": it did not end with its input",
		"kill": ": it ended neither with its input nor after SIGTERM",
	}[e.Shutdown]
	if e.Signal != nil {
		return *e.Signal + how
	}
	return fmt.Sprintf("status %d%s", e.Code, how)
}

func findingLine(f Finding) string {
	line := f.Rule + ": "
	if f.Tool != "" {
		line += f.Tool + ": "
	}
	return line + f.Message
}

// seconds writes a duration in six columns.
func seconds(ms int64) string { return fmt.Sprintf("%5.1fs", float64(ms)/1000) }

func pad(text string, n int) string {
	return text + strings.Repeat(" ", max(0, n-utf8.RuneCountInString(text)))
}

func shorten(text string, n int) string {
	runes := []rune(text)
	if len(runes) <= n || n < 1 {
		return text
	}
	return string(runes[:n-1]) + "…"
}

// clean makes text of a server harmless for a terminal.
func clean(text string) string {
	return strings.Map(func(r rune) rune {
		if r < 0x20 || r >= 0x7f && r < 0xa0 || r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069 {
			return ' '
		}
		return r
	}, text)
}

// paint colours a text by a score.
func (t *Text) paint(s Score, text string) string {
	codes := map[Score]string{Pass: "32", Warn: "33", Fail: "31", Error: "35", Timeout: "35", Skip: "36"}
	if !t.Color {
		return text
	}
	return "\x1b[" + codes[s] + "m" + text + "\x1b[0m"
}
