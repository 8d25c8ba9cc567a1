package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// An outcome is what came of the scenarios of a revision.
type outcome struct {
	revision  string
	scenarios []scenario
}

// A scenario is a number of checks of the suite's.
type scenario struct {
	name     string
	unscored string // why it is not scored; "" if it is
	checks   []check
}

type check struct {
	ID           string
	Status       string // SUCCESS, FAILURE, WARNING, SKIPPED, INFO
	ErrorMessage string
}

// Lines of the suite's summary: scenarios that do not count, with the reason.
var unscoredLine = regexp.MustCompile(`(?m)^  [✓✗] (\S+) \((\S+)\)$`)

// readOutcome reads the files that the suite has left in dir, one a scenario, and its
// summary.
func readOutcome(revision, dir, summary string) (*outcome, error) {
	unscored := map[string]string{}
	for _, m := range unscoredLine.FindAllStringSubmatch(summary, -1) {
		unscored[m[1]] = m[2]
	}
	files, err := filepath.Glob(filepath.Join(dir, "server-*", "checks.json"))
	if err != nil {
		return nil, err
	}
	o := &outcome{revision: revision}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		s := scenario{name: scenarioOf(filepath.Base(filepath.Dir(file)))}
		s.unscored = unscored[s.name]
		if err := json.Unmarshal(text, &s.checks); err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		o.scenarios = append(o.scenarios, s)
	}
	if len(o.scenarios) == 0 {
		return nil, fmt.Errorf("the suite ran no scenario of %s", revision)
	}
	return o, nil
}

var resultFolder = regexp.MustCompile(`^server-(.*)-\d{4}-\d\d-\d\dT`)

// scenarioOf returns the name of the scenario whose results are in a folder called name.
func scenarioOf(name string) string {
	if m := resultFolder.FindStringSubmatch(name); m != nil {
		return m[1]
	}
	return name
}

// has reports whether a check of the scenario came out like that.
func (s *scenario) has(status string) bool {
	return slices.ContainsFunc(s.checks, func(c check) bool { return c.Status == status })
}

// problem returns the first check that failed or warned.
func (s *scenario) problem() string {
	for _, status := range []string{"FAILURE", "WARNING"} {
		for _, c := range s.checks {
			if c.Status == status {
				return fmt.Sprintf("%s: %s: %s", status, c.ID, c.ErrorMessage)
			}
		}
	}
	return ""
}

func (o *outcome) count(scored bool) (n int) {
	for i := range o.scenarios {
		if (o.scenarios[i].unscored == "") == scored {
			n++
		}
	}
	return n
}

// passed counts as the suite does: a warning is no failure.
func (o *outcome) passed(scored bool) (n int) {
	for i := range o.scenarios {
		if s := &o.scenarios[i]; (s.unscored == "") == scored && !s.has("FAILURE") {
			n++
		}
	}
	return n
}

// checks counts checks of scored scenarios.
func (o *outcome) checks(status string) (n int) {
	for _, s := range o.scenarios {
		for _, c := range s.checks {
			if s.unscored == "" && c.Status == status {
				n++
			}
		}
	}
	return n
}

// unscoredExtension is the reason for which a scenario that fails may do so unlisted.
const unscoredExtension = "extension"

// compare returns what is not as expected, that is, as the names of the scored scenarios
// that fail or warn.
func (o *outcome) compare(expected []string) (problems []string) {
	known := map[string]bool{}
	for i := range o.scenarios {
		s := &o.scenarios[i]
		known[s.name] = true
		listed := slices.Contains(expected, s.name)
		switch problem := s.problem(); {
		case s.unscored == unscoredExtension:
		case problem != "" && !listed && (s.unscored == "" || s.has("FAILURE")):
			problems = append(problems, s.name+": "+problem)
		case problem == "" && listed:
			problems = append(problems, s.name+": passes now: take it out of the baseline file")
		}
	}
	for _, name := range expected {
		if !known[name] {
			problems = append(problems, name+": in the baseline file, but not in the suite")
		}
	}
	return problems
}

// readBaseline returns the scenarios that a baseline file lists. It is in the format of the
// suite's --expected-failures.
func readBaseline(file string) (names []string, err error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	for line := range strings.Lines(string(text)) {
		line, _, _ = strings.Cut(line, "#")
		if name, ok := strings.CutPrefix(strings.TrimSpace(line), "- "); ok {
			names = append(names, strings.TrimSpace(name))
		}
	}
	if names == nil {
		return nil, fmt.Errorf("%s: lists nothing", file)
	}
	return names, nil
}
