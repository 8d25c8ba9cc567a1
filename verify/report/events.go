package report

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
)

// A Sink is told what happens in a run. Its methods are not called concurrently.
type Sink interface {
	BatchStart(b BatchStart)
	AppStart(id string, ts int64)
	AppPhase(id, phase, message string, ts int64)
	AppResult(r Result)
	BatchDone(results []Result, ts int64)
}

// BatchStart says what a run is about to do.
type BatchStart struct {
	Apps     []string `json:"apps"` // empty if they come from standard input
	Kind     string   `json:"kind"` // mcp or mcp-bridge
	Mode     string   `json:"mode"` // argv or stdin
	StoreDir string   `json:"storeDir"`
	TS       int64    `json:"ts"`
}

// NDJSON writes events to out, one JSON object a line, and a line per result to log.
type NDJSON struct {
	Out, Log io.Writer
}

func (n *NDJSON) emit(event any) {
	text, err := marshal(event)
	if err != nil {
		panic("mcpgen: internal: event: " + err.Error())
	}
	_, _ = n.Out.Write(append(text, '\n'))
}

// marshal writes JSON with <, > and & as they are.
func marshal(v any) ([]byte, error) {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(v)
	return []byte(strings.TrimSuffix(b.String(), "\n")), err
}

// BatchStart implements [Sink].
func (n *NDJSON) BatchStart(b BatchStart) {
	if b.Apps == nil {
		b.Apps = []string{}
	}
	n.emit(struct {
		Event string `json:"event"`
		BatchStart
	}{"batch_start", b})
}

// AppStart implements [Sink].
func (n *NDJSON) AppStart(id string, ts int64) {
	n.emit(struct {
		Event string `json:"event"`
		AppID string `json:"appId"`
		TS    int64  `json:"ts"`
	}{"app_start", id, ts})
}

// AppPhase implements [Sink].
func (n *NDJSON) AppPhase(id, phase, message string, ts int64) {
	n.emit(struct {
		Event   string `json:"event"`
		AppID   string `json:"appId"`
		Phase   string `json:"phase"`
		Message string `json:"message"`
		TS      int64  `json:"ts"`
	}{"app_phase", id, phase, message, ts})
}

// AppResult implements [Sink].
func (n *NDJSON) AppResult(r Result) {
	n.emit(struct {
		Event  string `json:"event"`
		AppID  string `json:"appId"`
		Result Result `json:"result"`
	}{"app_result", r.AppID, r})
	fmt.Fprintf(n.Log, "  %-7s %-24s %s\n", strings.ToUpper(string(r.Score)), clean(r.AppID), clean(r.Notes))
}

// BatchDone implements [Sink].
func (n *NDJSON) BatchDone(results []Result, ts int64) {
	n.emit(struct {
		Event string `json:"event"`
		Total int    `json:"total"`
		TS    int64  `json:"ts"`
	}{"batch_done", len(results), ts})
}

// Discard is told everything and says nothing.
type Discard struct{}

// BatchStart implements [Sink].
func (Discard) BatchStart(BatchStart) {}

// AppStart implements [Sink].
func (Discard) AppStart(string, int64) {}

// AppPhase implements [Sink].
func (Discard) AppPhase(string, string, string, int64) {}

// AppResult implements [Sink].
func (Discard) AppResult(Result) {}

// BatchDone implements [Sink].
func (Discard) BatchDone([]Result, int64) {}
