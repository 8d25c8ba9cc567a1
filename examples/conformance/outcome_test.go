package main

import (
	"os"
	"path/filepath"
	"testing"
)

const summary = `
✓ ping: 1 passed, 0 failed
Not scored for 2025-11-25: 3 scenario(s) run, 2 failing. These do not affect conformance.
  ✗ tasks (extension)
  ✗ later (pending)
  ✓ soon (pending)
`

// TestCompare has a suite come out in all ways, and names what must be complained about.
func TestCompare(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for name, checks := range map[string]string{
		"ping":    `[{"id":"a","status":"SUCCESS"},{"id":"b","status":"INFO"}]`,
		"prompts": `[{"id":"a","status":"SUCCESS"},{"id":"b","status":"FAILURE","errorMessage":"none"}]`,
		"warned":  `[{"id":"a","status":"WARNING"}]`,
		"empty":   `[]`,
		"tasks":   `[{"id":"a","status":"FAILURE"}]`,
		"later":   `[{"id":"a","status":"FAILURE"}]`,
		"soon":    `[{"id":"a","status":"WARNING"}]`,
	} {
		folder := filepath.Join(dir, "server-"+name+"-2026-11-30T15-06-37-728Z")
		if err := os.Mkdir(folder, 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(folder, "checks.json"), []byte(checks), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	o, err := readOutcome("2025-11-25", dir, summary)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := [4]int{o.passed(true), o.count(true), o.passed(false), o.count(false)}, [4]int{3, 4, 1, 3}; got != want {
		t.Errorf("scored and not: %v, want %v", got, want)
	}
	for _, tt := range []struct {
		name     string
		expected []string
		problems int
	}{
		{"as it is, but for the unscored failure", []string{"prompts", "warned"}, 1},
		{"a failure is not expected", []string{"warned"}, 2},
		{"a warning is not expected", []string{"prompts"}, 2},
		{"a failure was expected", []string{"prompts", "warned", "ping"}, 2},
		{"a scenario is gone", []string{"prompts", "warned", "gone"}, 2},
	} {
		if got := o.compare(tt.expected); len(got) != tt.problems {
			t.Errorf("%s: %d problems, want %d: %q", tt.name, len(got), tt.problems, got)
		}
	}
}

func TestReadOutcomeOfNothing(t *testing.T) {
	t.Parallel()
	if _, err := readOutcome("2025-11-25", t.TempDir(), summary); err == nil {
		t.Error("no error, want one: nothing was run")
	}
}

// TestBaselines reads the files that the suite is compared with.
func TestBaselines(t *testing.T) {
	t.Parallel()
	for _, revision := range revisions {
		names, err := readBaseline("baseline-" + revision + ".yml")
		if err != nil || len(names) < 10 {
			t.Errorf("%s: %d scenarios, %v", revision, len(names), err)
		}
	}
}
