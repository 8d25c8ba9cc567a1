package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mcpgen/mcpgen/gen/lower"
	"github.com/mcpgen/mcpgen/gen/manifest"
)

// tracker runs a command line and returns all that there is to see of it.
func tracker(file, stdin string, words ...string) (status int, stdout, stderr string) {
	getenv := func(name string) string {
		if name == "TRACKER_FILE" {
			return file
		}
		return ""
	}
	var out, errs bytes.Buffer
	status = run(words, getenv, strings.NewReader(stdin), &out, &errs)
	return status, out.String(), errs.String()
}

// The export that is committed is the one that the program prints.
func TestExport(t *testing.T) {
	t.Parallel()
	want, err := os.ReadFile("../tracker.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	status, stdout, stderr := tracker("", "", "docs", "cli-schema")
	if status != 0 || stderr != "" || stdout != string(want) {
		t.Errorf("status %d, %s; ../tracker.schema.json is not what is printed: write it anew", status, stderr)
	}
}

// The command lines that a generated server makes are understood (cli-schema.md 6.3, 6.4).
func TestCommandLines(t *testing.T) {
	t.Parallel()
	m, err := manifest.Read("../manifest.json", manifest.Options{})
	if err != nil {
		t.Fatal(err)
	}
	p, err := lower.Lower(m)
	if err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		tool, before, words string // what comes before the positionals: options in angle brackets
		status              int
		stdout, stderr      string
	}{
		{"status", "<profile> <trace> status --json",
			"--profile -x status --json", 0, "{\n  \"ops/alerts\": 1,\n  \"web/shop\": 2\n}\n", ""},
		{"issue_get", "<profile> <trace> issue <repo> get --json",
			"--trace issue --repo ops/alerts get --json 1", 0, `{
  "repo": "ops/alerts",
  "number": 1,
  "title": "Too many of them",
  "day": "2026-06-20",
  "labels": [
    "urgent",
    "night"
  ]
}
`, "tracker: no TRACKER_FILE: these are samples\n"},
		{"issue_get", "<profile> <trace> issue <repo> get --json", "issue --repo --help get --json -- -7", 1, "", "no issue -7 in --help\n"},
		{"issue_label_set", "<profile> <trace> issue <repo> label-set --json <mode>",
			"--profile ann issue --repo web/shop label-set --json --mode replace -- 2 -q --", 0, `{
  "repo": "web/shop",
  "number": 2,
  "title": "Show prices with tax",
  "day": "2026-06-11",
  "labels": [
    "-q",
    "--"
  ],
  "by": "ann"
}
`, ""},
		{"issue_purge", "<profile> <trace> issue <repo> purge --yes",
			"issue --repo web/shop purge --yes", 0, "2 issues of web/shop deleted\n", ""},
		{"export", "<profile> <trace> export <since> <labels>", "export --since 2026-07-01 --labels bug,urgent", 0, "[]\n", ""},
	}
	for _, test := range tests {
		for _, tool := range p.Tools {
			if tool.Name != test.tool {
				continue
			}
			var before []string
			for _, s := range tool.Leaf.Argv {
				if s.Property >= 0 {
					before = append(before, "<"+tool.Leaf.Properties[s.Property].Name+">")
				} else {
					before = append(before, s.Word)
				}
			}
			if got := strings.Join(before, " "); got != test.before {
				t.Errorf("%s: argv %q, want %q", test.tool, got, test.before)
			}
		}
		status, stdout, stderr := tracker("", "", strings.Fields(test.words)...)
		if status != test.status || stdout != test.stdout || stderr != test.stderr {
			t.Errorf("tracker %s: status %d, %q, %q, want %d, %q, %q", test.words, status, stdout, stderr, test.status, test.stdout, test.stderr)
		}
	}
}

// What is wrong is said on standard error, with help.
func TestUsage(t *testing.T) {
	t.Parallel()
	tests := []struct{ words, want string }{
		{"", "Missing command"},
		{"nope", "Unknown command: nope"},
		{"status --repo x", "Unknown option: --repo"},
		{"issue get 1", "Missing required option: --repo"},
		{"issue --repo", "Missing value for option --repo"},
		{"issue --repo a/b get", "Missing positional argument: number"},
		{"issue --repo a/b get -7", "Unknown option: -7"},
		{"issue --repo a/b get 1 2", "Unexpected extra arguments"},
		{"issue --repo a/b label-set --mode nuke 1 x", "Option --mode: 'nuke' is not one of: add, replace"},
		{"issue --repo a/b label-set 1", "Missing positional argument: labels"},
	}
	for _, test := range tests {
		status, stdout, stderr := tracker("", "", strings.Fields(test.words)...)
		if status != 1 || stdout != "" || !strings.HasPrefix(stderr, test.want+"\n\n") {
			t.Errorf("tracker %s: status %d, %q, %q, want 1 and %q", test.words, status, stdout, stderr, test.want)
		}
	}
	status, stdout, stderr := tracker("", "", "issue", "--help")
	if status != 0 || stderr != "" || !strings.HasPrefix(stdout, "Issues of a repository.\n") {
		t.Errorf("help: status %d, %q, %q", status, stdout, stderr)
	}
}

// Changes are kept in the file, and nothing is deleted unasked.
func TestFile(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "issues.json")
	steps := []struct {
		stdin, words   string
		status         int
		stdout, stderr string
	}{
		{"", "issue --repo web/shop label-set 1 later bug", 0, "web/shop#1 Basket forgets its contents [bug, later]\n", ""},
		{"", "issue -r=web/shop get 1", 0, "web/shop#1 Basket forgets its contents [bug, later]\n", ""},
		{"no\n", "issue --repo web/shop purge", 1, "", "Delete all issues of web/shop? Type yes: nothing was deleted\n"},
		{"", "issue --repo web/shop purge", 1, "", "Delete all issues of web/shop? Type yes: nothing was deleted\n"},
		{"yes\n", "issue --repo web/shop purge", 0, "2 issues of web/shop deleted\n", "Delete all issues of web/shop? Type yes: "},
		{"", "status", 0, "1 issues in 1 repositories\n", ""},
		{"", "configure", 0, file + "\n", ""},
		{"", "version", 0, "1.0.0\n", ""},
	}
	for _, step := range steps {
		status, stdout, stderr := tracker(file, step.stdin, strings.Fields(step.words)...)
		if status != step.status || stdout != step.stdout || stderr != step.stderr {
			t.Errorf("tracker %s: status %d, %q, %q, want %d, %q, %q", step.words, status, stdout, stderr, step.status, step.stdout, step.stderr)
		}
	}
	if err := os.WriteFile(file, []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	if status, _, stderr := tracker(file, "", "status"); status != 1 || stderr != file+": unexpected end of JSON input\n" {
		t.Errorf("status %d, %q", status, stderr)
	}
}
