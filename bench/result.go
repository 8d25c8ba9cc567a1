package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"
)

// A sample is what one measurement gave: a mean over the requests that it made.
type sample struct {
	CPU   time.Duration `json:"cpu,omitempty"` // of the server, user and system
	Wall  time.Duration `json:"wall,omitempty"`
	Bytes int64         `json:"bytes,omitempty"`
}

// A unit says which part of a sample a case is about.
type unit string

const (
	cpuTime       unit = "cpu"
	wallTime      unit = "wall"
	byteCount     unit = "bytes"    // of a file, told in MB
	residentBytes unit = "resident" // of memory, told in MiB
)

// of returns the number that u is about: nanoseconds or bytes.
func (u unit) of(s sample) float64 {
	switch u {
	case cpuTime:
		return float64(s.CPU)
	case wallTime:
		return float64(s.Wall)
	default:
		return float64(s.Bytes)
	}
}

// An aim is what a number should not be above: the ratio of ours to that of a server, or,
// stated of ours, the number itself.
type aim struct {
	Ratio float64 `json:"ratio,omitempty"`
	Most  float64 `json:"most,omitempty"` // nanoseconds or bytes
}

// A report is a whole run. It is kept as raw data, and all tables are made of it.
type report struct {
	Machine machine           `json:"machine"`
	Date    time.Time         `json:"date"`
	Rounds  int               `json:"rounds"`
	Quick   bool              `json:"quick,omitempty"`
	Peers   map[string]string `json:"peers"`              // servers by the library they are made with: name and version
	LeftOut []string          `json:"left_out,omitempty"` // which servers, and why
	Cases   []result          `json:"cases"`
}

// A result is what the measurements of a case gave.
type result struct {
	Group   string     `json:"group"`
	Name    string     `json:"name"`
	Unit    unit       `json:"unit"`
	Servers []measured `json:"servers"` // ours first
}

// measured is what was measured of a server.
type measured struct {
	Name    string   `json:"name"`
	Aim     aim      `json:"aim,omitzero"`
	Samples []sample `json:"samples"` // by round
}

// median returns the median of each part of the samples.
func (m *measured) median() sample {
	return sample{
		CPU:   medianOf(m.Samples, func(s sample) time.Duration { return s.CPU }),
		Wall:  medianOf(m.Samples, func(s sample) time.Duration { return s.Wall }),
		Bytes: medianOf(m.Samples, func(s sample) int64 { return s.Bytes }),
	}
}

// medianOf returns the median of a part of samples, of which there is one at least. Of an
// even number it is the mean of the two in the middle.
func medianOf[T ~int64](samples []sample, part func(sample) T) T {
	var all []T
	for _, s := range samples {
		all = append(all, part(s))
	}
	slices.Sort(all)
	return (all[(len(all)-1)/2] + all[len(all)/2]) / 2
}

// ratio returns the number of ours by that of another server; 0 if there is none.
func (r *result) ratio(other int) float64 {
	ours, theirs := r.Unit.of(r.Servers[0].median()), r.Unit.of(r.Servers[other].median())
	if theirs == 0 {
		return 0
	}
	return ours / theirs
}

// met says what became of the aim of a server: "" if there is none.
func (r *result) met(server int) string {
	s := &r.Servers[server]
	var met bool
	switch {
	case s.Aim.Ratio > 0:
		met = r.ratio(server) <= s.Aim.Ratio
	case s.Aim.Most > 0:
		met = r.Unit.of(s.median()) <= s.Aim.Most
	default:
		return ""
	}
	if met {
		return "yes"
	}
	return "no"
}

// write keeps a report in a file.
func (r *report) write(file string) error {
	text, err := json.MarshalIndent(r, "", " ")
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
		return err
	}
	return os.WriteFile(file, append(text, '\n'), 0o666)
}

// readReport reads what write has kept.
func readReport(file string) (*report, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	r := new(report)
	if err := json.Unmarshal(text, r); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	for _, c := range r.Cases {
		for _, s := range c.Servers {
			if len(s.Samples) == 0 {
				return nil, fmt.Errorf("%s: no samples of %s of %s", file, c.Name, s.Name)
			}
		}
	}
	return r, nil
}
