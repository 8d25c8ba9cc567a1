package report

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"time"
)

// record is a result in the shape of the web application's aggregator. What this harness
// does not measure is 0.
type record struct {
	AppID          string  `json:"appId"`
	Name           string  `json:"name"`
	Image          string  `json:"image"`
	Port           int     `json:"port"`
	ImageSizeMB    float64 `json:"imageSizeMb"`
	PullTimeMS     int64   `json:"pullTimeMs"`
	StartupMS      int64   `json:"startupMs"`
	ResponseTimeMS int64   `json:"responseTimeMs"`
	MemoryMB       float64 `json:"memoryMb"`
	MemoryPeakMB   float64 `json:"memoryPeakMb"`
	CPUPercent     float64 `json:"cpuPercent"`
	HTTPStatus     int     `json:"httpStatus"`
	ScreenshotPath string  `json:"screenshotPath"`
	Score          Score   `json:"score"`
	Notes          string  `json:"notes"`
	Retried        bool    `json:"retried"`
	Attempts       int     `json:"attempts"`
	FailKind       Kind    `json:"failKind"`
	MCP            bool    `json:"mcp"`
	Timestamp      string  `json:"timestamp"`

	// What its records drop and a list of work needs.
	Class         string   `json:"class"`
	Tools         []string `json:"tools"`
	DeclaredTools int      `json:"declaredTools"`
	Probe         string   `json:"probe,omitempty"`
}

func recordOf(r Result) record {
	return record{
		AppID: r.AppID, Name: r.Name, StartupMS: r.HandshakeMS, ResponseTimeMS: r.HandshakeMS,
		Score: r.Score, Notes: r.Notes, Retried: r.Retried, Attempts: r.Attempts, FailKind: r.FailKind, MCP: r.MCP,
		Timestamp: time.UnixMilli(r.TS).UTC().Format("2006-01-02T15:04:05.000Z"),
		Class:     r.Class, Tools: r.Tools, DeclaredTools: r.DeclaredTools, Probe: r.Probe,
	}
}

// Records writes results as an array of records.
func Records(results []Result) ([]byte, error) {
	records := make([]record, len(results))
	for i, r := range results {
		records[i] = recordOf(r)
	}
	text, err := json.MarshalIndent(records, "", "  ")
	return append(text, '\n'), err
}

// A Summary is a run in numbers.
type Summary struct {
	Batch          string  `json:"batch"`
	Total          int     `json:"total"`
	Passed         int     `json:"passed"`
	Warned         int     `json:"warned"`
	Failed         int     `json:"failed"`
	Errored        int     `json:"errored"`
	TimedOut       int     `json:"timedOut"`
	PassRate       float64 `json:"passRate"`
	ElapsedMinutes float64 `json:"elapsedMinutes"`
}

// summarize counts the results of a batch.
func summarize(batch string, results []Result, elapsed time.Duration) Summary {
	c := Count(results)
	s := Summary{Batch: batch, Total: len(results), Passed: c[Pass], Warned: c[Warn], Failed: c[Fail], Errored: c[Error], TimedOut: c[Timeout]}
	if judged := s.Passed + s.Warned + s.Failed; judged > 0 {
		s.PassRate = math.Round(1000*float64(s.Passed)/float64(judged)) / 10
	}
	s.ElapsedMinutes = math.Round(10*elapsed.Minutes()) / 10
	return s
}

// WriteFolder writes results.json and the summary of a batch into a folder.
func WriteFolder(dir, batch string, results []Result, elapsed time.Duration) error {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	text, err := Records(results)
	if err != nil {
		return err
	}
	if err := WriteFile(filepath.Join(dir, "results.json"), text); err != nil {
		return err
	}
	text, err = json.MarshalIndent(summarize(batch, results, elapsed), "", "  ")
	if err != nil {
		return err
	}
	return WriteFile(filepath.Join(dir, fmt.Sprintf("batch-%s-summary.json", filepath.Base(batch))), append(text, '\n'))
}

// WriteFile writes a report whole or not at all.
func WriteFile(path string, text []byte) error {
	f, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+"-*")
	if err != nil {
		return err
	}
	_, err = f.Write(text)
	if modeErr := f.Chmod(0o644); err == nil {
		err = modeErr
	}
	if closeErr := f.Close(); err == nil {
		err = closeErr
	}
	if err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		os.Remove(f.Name())
	}
	return err
}

// readInfo reads the name and version of a server.
func readInfo(raw json.RawMessage, name, version *string) {
	var members map[string]json.RawMessage
	_ = json.Unmarshal(raw, &members)
	_ = json.Unmarshal(members["name"], name)
	_ = json.Unmarshal(members["version"], version)
}
