package report

import (
	"encoding/json"
	"slices"
)

// A Score is the verdict on a server.
type Score string

// Scores, from the best.
const (
	Pass    Score = "pass"
	Skip    Score = "skip"
	Warn    Score = "warn"
	Timeout Score = "timeout"
	Error   Score = "error"
	Fail    Score = "fail"
)

// Scores lists them in the order in which they are shown.
var Scores = []Score{Pass, Warn, Fail, Error, Timeout, Skip}

// Rank orders scores by how bad they are: pass and skip 0, warn 1, timeout and error 2,
// fail 3.
func (s Score) Rank() int {
	switch s {
	case Warn:
		return 1
	case Timeout, Error:
		return 2
	case Fail:
		return 3
	}
	return 0
}

// A Result is all that is known about one app. Every text in it is redacted.
type Result struct {
	AppID    string `json:"appId"`
	Name     string `json:"name"`
	MCP      bool   `json:"mcp"`
	Score    Score  `json:"score"`
	Class    string `json:"class"`
	FailKind Kind   `json:"failKind"`
	Notes    string `json:"notes"`

	Tools         []string  `json:"tools"`
	DeclaredTools int       `json:"declaredTools"`
	Missing       []string  `json:"missing,omitempty"`
	Extra         []string  `json:"extra,omitempty"`
	Probe         string    `json:"probe,omitempty"`
	ProbeTool     string    `json:"probeTool,omitempty"`
	ProbeDetail   string    `json:"probeDetail,omitempty"`
	Findings      []Finding `json:"findings,omitempty"`
	Unresolved    []string  `json:"unresolved,omitempty"`

	Transport       string          `json:"transport,omitempty"`
	ProtocolVersion string          `json:"protocolVersion,omitempty"`
	Eras            []string        `json:"eras,omitempty"`
	ServerInfo      json.RawMessage `json:"serverInfo,omitempty"`
	StderrTail      string          `json:"stderrTail,omitempty"`
	Exit            *Exit           `json:"exit,omitempty"`
	DurationMS      int64           `json:"durationMs"`
	HandshakeMS     int64           `json:"handshakeMs,omitempty"`

	Attempts          int    `json:"attempts"`
	Retried           bool   `json:"retried,omitempty"`
	FirstAttemptScore Score  `json:"firstAttemptScore,omitempty"`
	FirstAttemptNotes string `json:"firstAttemptNotes,omitempty"`
	Watchdog          bool   `json:"watchdog,omitempty"`

	ToolCount   *int   `json:"toolCount,omitempty"`   // of layer 2
	SSEEndpoint string `json:"sseEndpoint,omitempty"` // of layer 2, legacy

	TS int64 `json:"ts"`

	// Listing is the array of tools as it came, for reports that show it.
	Listing json.RawMessage `json:"-"`
}

// A Kind says what went wrong; "" is null in JSON.
type Kind string

// MarshalJSON implements [json.Marshaler].
func (k Kind) MarshalJSON() ([]byte, error) {
	if k == "" {
		return []byte("null"), nil
	}
	return json.Marshal(string(k))
}

// A Finding is a rule that a server breaks.
type Finding struct {
	Rule    string `json:"rule"`
	Tool    string `json:"tool,omitempty"`
	Message string `json:"message"`
}

// An Exit is how a server ended.
type Exit struct {
	Code     int     `json:"code"`
	Signal   *string `json:"signal"`
	Shutdown string  `json:"shutdown"`
}

// Counts are the numbers of results by score.
type Counts map[Score]int

// Count counts results.
func Count(results []Result) Counts {
	c := Counts{}
	for _, r := range results {
		c[r.Score]++
	}
	return c
}

// A Layer tells the two kinds of runs apart.
type Layer int

// Layers: servers of a catalogue or a command line, and the bridge of a hub.
const (
	Servers Layer = 1
	Bridge  Layer = 2
)

// FailOn is the lowest score that makes a run fail.
type FailOn string

// Values of --fail-on, each including those before it.
const (
	OnFail  FailOn = "fail"
	OnError FailOn = "error"
	OnWarn  FailOn = "warn"
	OnSkip  FailOn = "skip"
)

// FailOns are the values that there are.
var FailOns = []FailOn{OnFail, OnError, OnWarn, OnSkip}

// Includes reports whether a score makes a run fail.
func (f FailOn) Includes(s Score) bool {
	fatal := []Score{Fail}
	switch f {
	case OnError:
		fatal = []Score{Fail, Error, Timeout}
	case OnWarn:
		fatal = []Score{Fail, Error, Timeout, Warn}
	case OnSkip:
		fatal = []Score{Fail, Error, Timeout, Warn, Skip}
	}
	return slices.Contains(fatal, s)
}
