package report

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
)

// Work is what is left to do after a run.
type Work struct {
	Counts     Counts `json:"counts"`
	Actionable []Item `json:"actionable"` // for the owner of the app or of the catalogue
	Flagged    []Item `json:"flagged"`    // to be run again or looked into; nobody's yet
	Skipped    []Item `json:"skipped"`
}

// An Item is one app of a list of work.
type Item struct {
	AppID string   `json:"appId"`
	Score Score    `json:"score"`
	Class string   `json:"class"`
	Notes string   `json:"notes"`
	Tools []string `json:"tools,omitempty"` // live ones, to be declared
}

// Triage sorts results.
func Triage(results []Result) Work {
	w := Work{Counts: Count(results), Actionable: []Item{}, Flagged: []Item{}, Skipped: []Item{}}
	for _, r := range Sorted(results) {
		item := Item{AppID: r.AppID, Score: r.Score, Class: classOf(r), Notes: shorten(r.Notes, 160)}
		switch r.Score {
		case Warn, Fail:
			if item.Class == "mcp-drift" {
				item.Tools = r.Tools
			}
			w.Actionable = append(w.Actionable, item)
		case Error, Timeout:
			w.Flagged = append(w.Flagged, item)
		case Skip:
			w.Skipped = append(w.Skipped, item)
		}
	}
	return w
}

// classOf returns the class of a result; records of the older harness have none.
func classOf(r Result) string {
	switch {
	case r.Class != "":
		return r.Class
	case r.Score == Pass:
		return "ok"
	case r.Score == Fail && r.MCP:
		return "mcp-fail"
	case r.Score == Timeout:
		return "timeout"
	case r.Score == Error:
		return "infra"
	case r.Score != Warn || !r.MCP:
		return ""
	case strings.HasPrefix(r.Notes, "tool drift"):
		return "mcp-drift"
	case strings.Contains(r.Notes, "EMPTY"):
		return "mcp-empty"
	case strings.Contains(r.Notes, "probe FAILED"):
		return "mcp-probe"
	}
	return ""
}

// WriteWork writes counts and lists for people.
func WriteWork(out io.Writer, w Work) {
	var parts []string
	for _, s := range Scores {
		if n := w.Counts[s]; n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, s))
		}
	}
	if len(parts) == 0 {
		parts = []string{"no results"}
	}
	fmt.Fprintln(out, strings.Join(parts, ", "))
	writeWork(out, w)
}

// writeWork writes the lists of what somebody should look at.
func writeWork(out io.Writer, w Work) {
	list := func(title string, items []Item) {
		if len(items) == 0 {
			return
		}
		fmt.Fprintf(out, "\n%s\n", title)
		for _, i := range items {
			fmt.Fprintf(out, "  %-7s  %s  %-12s  %s\n", i.Score, pad(clean(i.AppID), 24), i.Class, clean(i.Notes))
			if i.Tools != nil {
				fmt.Fprintf(out, "           declare instead: %s\n", clean(declaration(i.Tools)))
			}
		}
	}
	list("To do", w.Actionable)
	list("Run again or look into (nobody's fault yet)", w.Flagged)
}

// declaration returns manifest.tools for a list of names.
func declaration(names []string) string {
	type tool struct {
		Name string `json:"name"`
	}
	tools := make([]tool, len(names))
	for i, n := range names {
		tools[i].Name = n
	}
	text, _ := marshal(tools) // names always can be written
	return string(text)
}

// JSON returns a list of work as JSON.
func (w Work) JSON() ([]byte, error) {
	text, err := json.MarshalIndent(w, "", "  ")
	return append(text, '\n'), err
}

var errNoResults = errors.New("holds no results: want NDJSON events, an array of records, or {\"results\":[...]}")

// ReadResults reads the records of earlier runs: events, an array, or an object with one.
func ReadResults(text []byte) ([]Result, error) {
	text = bytes.TrimSpace(text)
	if len(text) > 0 && text[0] == '[' {
		var list []Result
		if err := json.Unmarshal(text, &list); err != nil {
			return nil, fmt.Errorf("%w: %w", errNoResults, err)
		}
		return list, nil
	}
	var whole struct {
		Results []Result `json:"results"`
	}
	if json.Unmarshal(text, &whole) == nil && whole.Results != nil {
		return whole.Results, nil
	}
	return readEventLines(text)
}

func readEventLines(text []byte) ([]Result, error) {
	var list []Result
	any := false
	lines := bufio.NewScanner(bytes.NewReader(text))
	lines.Buffer(nil, len(text)+1)
	for lines.Scan() {
		var event struct {
			Event  string `json:"event"`
			Result Result `json:"result"`
		}
		if len(bytes.TrimSpace(lines.Bytes())) == 0 {
			continue
		}
		if json.Unmarshal(lines.Bytes(), &event) != nil || event.Event == "" {
			return nil, errNoResults
		}
		any = true
		if event.Event == "app_result" {
			list = append(list, event.Result)
		}
	}
	if !any {
		return nil, errNoResults
	}
	return list, nil
}
