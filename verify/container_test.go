//go:build unix

package verify

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mcpgen/mcpgen/verify/catalog"
	"github.com/mcpgen/mcpgen/verify/report"
)

func compose(image string) string { return `{"services":[{"name":"main","image":"` + image + `"}]}` }

const (
	declareAB = `"manifest":{"tools":[{"name":"a"},{"name":"b"}]}`
	postgres  = `"env":[{"key":"POSTGRES_URL","required":true}]`
	sidecar   = `"backing":{"image":"IMAGE","env":{"POSTGRES_USER":"qa"},"alias":"db","ready":["pg_isready"],
		"rewrite":{"POSTGRES_URL":"postgres://qa:qa@db:5432/qa"},"probe":{"tool":"a","args":{}}}`
)

// containerCases are the cases of spec/qa.md 12 that need an engine.
var containerCases = []struct {
	name, block, image, mode string
	more                     func(w *world)
	want                     fleetCase
}{
	{
		name: "case-31", image: "fleet/31", block: declareAB + "," + postgres + `,"verify":{` + strings.ReplaceAll(sidecar, "IMAGE", "fleet/db") + `}`,
		want: fleetCase{score: pass, class: "ok", notes: "probe a→ok", check: func(t *testing.T, _ report.Result, w *world) {
			calls := w.calls()
			network := "mcpgen-" + w.o.runID + "-case-31"
			for _, want := range [][]string{
				{"network", "create", "--label", "mcpgen.verify=" + w.o.runID, network},
				{"exec", "mcpgen-case-31-backing-" + w.o.runID, "pg_isready"},
				{"rm", "-f", "-v", "mcpgen-case-31-backing-" + w.o.runID},
				{"network", "rm", network},
			} {
				if !slices.ContainsFunc(calls, func(args []string) bool { return slices.Equal(args, want) }) {
					t.Errorf("the engine was not called with %q", want)
				}
			}
			if line := w.runLine(); !hasPair(line, "--network", network) || !hasPair(line, "-e", "POSTGRES_URL") {
				t.Errorf("run %q: want the network and the variable", line)
			}
		}},
	},
	{
		name: "case-32", image: "fleet/31", block: declareAB + "," + postgres + `,"verify":{` + strings.ReplaceAll(sidecar, "IMAGE", "unknown/db") + `}`,
		want: fleetCase{score: skip, class: "needs-connection", notes: "checked without its backing service: unknown/db", check: func(t *testing.T, r report.Result, _ *world) {
			if r.Probe != "" {
				t.Errorf("probe %q was sent without its service", r.Probe)
			}
		}},
	},
	{name: "case-33", image: "fleet/127", block: declareAB, want: fleetCase{score: errorS, kind: "run", class: "infra", notes: "container exited (code 127)"}},
	{name: "run-125", image: "fleet/125", block: declareAB, want: fleetCase{score: errorS, kind: "run", class: "infra", notes: "Duplicate mount point"}},
	{name: "case-34", image: "unknown/image", block: declareAB, want: fleetCase{score: errorS, kind: "pull", class: "infra", notes: "manifest unknown", check: func(t *testing.T, r report.Result, _ *world) {
		if r.Attempts != 2 {
			t.Errorf("attempts %d, want 2", r.Attempts)
		}
	}}},
	{name: "pull-denied", image: "denied/image", block: declareAB, want: fleetCase{score: errorS, kind: "pull", class: "infra", notes: "pull access denied"}},
	{name: "daemon-down", image: "fleet/1", mode: "down", block: declareAB, want: fleetCase{score: errorS, kind: "run", class: "infra", notes: "Cannot connect to the Docker daemon"}},
	{
		name: "engine-absent", image: "fleet/1", block: declareAB, more: func(w *world) { os.Remove(filepath.Join(w.engine, "docker")); w.o.Env[0] = "PATH=" + w.engine },
		want: fleetCase{score: errorS, kind: "run", class: "infra", notes: "executable not found"},
	},
	{
		name: "case-57", image: "fleet/1", block: declareAB + `,"env":[{"key":"DATA_DIR"},{"key":"ROOT_PATH"},{"key":"CACHE_FILE"}]`,
		want: fleetCase{score: pass, class: "ok", check: func(t *testing.T, _ report.Result, w *world) {
			line := w.runLine()
			mounts := 0
			for _, arg := range line {
				if arg == "-v" {
					mounts++
				}
			}
			if mounts != 1 {
				t.Errorf("run %q has %d mounts, want 1", line, mounts)
			}
		}},
	},
	{
		name: "case-58", block: declareAB + `,"command":"docker","args":["run","-it","--name","x","fleet/1"]`,
		want: fleetCase{score: pass, class: "ok", check: func(t *testing.T, _ report.Result, w *world) {
			want := []string{"run", "--rm", "--name", "mcpgen-case-58-" + w.o.runID + "-1", "--label", "mcpgen.verify=" + w.o.runID, "-i", "fleet/1"}
			if line := w.runLine(); !slices.Equal(line, want) {
				t.Errorf("run %q, want %q", line, want)
			}
		}},
	},
	{
		name: "podman", image: "fleet/1", block: declareAB, more: func(w *world) { w.o.Runner = Podman; os.Remove(filepath.Join(w.engine, "docker")) },
		want: fleetCase{score: pass, class: "ok"},
	},
	{
		name: "secret-value", image: "fleet/1", block: declareAB + "," + acme, more: func(w *world) { w.o.Secrets = map[string]string{"ACME_API_KEY": "s3cr3t-value"} },
		want: fleetCase{score: pass, class: "ok", check: func(t *testing.T, _ report.Result, w *world) {
			for _, args := range w.calls() {
				if strings.Contains(strings.Join(args, " "), "s3cr3t") {
					t.Errorf("the secret is on a command line: %q", args)
				}
			}
			if line := w.runLine(); !hasPair(line, "-e", "ACME_API_KEY") {
				t.Errorf("run %q: want -e ACME_API_KEY", line)
			}
		}},
	},
}

func hasPair(args []string, a, b string) bool {
	for i := range args[:max(0, len(args)-1)] {
		if args[i] == a && args[i+1] == b {
			return true
		}
	}
	return false
}

func TestContainers(t *testing.T) {
	t.Parallel()
	for _, c := range containerCases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			w.withEngine()
			image := ""
			if c.image != "" {
				image = compose(c.image)
			}
			w.app(c.name, `{"mcp":{`+c.block+`}}`, image)
			if err := os.WriteFile(filepath.Join(w.engine, "mode"), []byte(c.mode), 0o666); err != nil {
				t.Fatal(err)
			}
			if c.more != nil {
				c.more(w)
			}
			c.want.judge(t, w)
			w.containersRemoved()
		})
	}
}

// containersRemoved fails if a container was started and not removed by its name.
func (w *world) containersRemoved() {
	w.t.Helper()
	calls := w.calls()
	for _, args := range calls {
		i := slices.Index(args, "--name")
		if args[0] != "run" || i < 0 {
			continue
		}
		if !slices.ContainsFunc(calls, func(c []string) bool { return slices.Equal(c, []string{"rm", "-f", "-v", args[i+1]}) }) {
			w.t.Errorf("container %s is not removed", args[i+1])
		}
	}
}

// TestWedgedEngine is case 59: the app gets a verdict, and the next one its turn.
func TestWedgedEngine(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.withEngine()
	w.o.Jobs, w.o.Watchdog = 1, 3*time.Second
	w.app("case-59", `{"mcp":{`+declareAB+`}}`, compose("wedged/image"))
	w.app("next", `{"mcp":{`+declareAB+`}}`, compose("fleet/1"))
	results := w.run()
	if len(results) != 2 {
		t.Fatalf("%d results, want 2", len(results))
	}
	first, next := results[0], results[1]
	if first.Score != report.Timeout || first.FailKind != "watchdog" || !first.Watchdog || first.Class != "timeout" {
		t.Errorf("%s/%s/%s, want timeout/watchdog/timeout", first.Score, first.FailKind, first.Class)
	}
	if next.AppID != "next" || next.Score != report.Pass {
		t.Errorf("next is %s: %s", next.Score, next.Notes)
	}
}

// TestStaleContainers removes what runs left that are over, and nothing else.
func TestStaleContainers(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.withEngine()
	dead := "4194305" // above the highest id that Linux gives out
	w.o.Env = append(w.o.Env, "FAKE_PS=c1 "+machine()+"-"+dead+"-abc\nc2 "+newRunID()+"\nc3 ffff0-"+dead+"-abc\nc4\n")
	w.app("x", `{"mcp":{`+declareAB+`}}`, compose("fleet/1"))
	w.run()
	var removed []string
	for _, args := range w.calls() {
		if args[0] == "rm" && len(args[len(args)-1]) == 2 {
			removed = append(removed, args[len(args)-1])
		}
	}
	if !slices.Equal(removed, []string{"c1"}) {
		t.Errorf("removed %v, want c1", removed)
	}
}

func TestContainerLines(t *testing.T) {
	b := box{name: "N", runID: "R"}
	mounted := box{name: "N", runID: "R", scratch: "/tmp/s", memory: "512m", keys: []string{"A", "B"}}
	common := []string{"--name", "N", "--label", "mcpgen.verify=R"}
	for _, tt := range []struct {
		name string
		got  []string
		want []string
	}{
		{"default image", b.imageArgs(&catalog.Entry{}, nil, nil), slices.Concat([]string{"run", "-i", "--rm"}, common, []string{"alpine:3.20"})},
		{"args", mounted.imageArgs(&catalog.Entry{Command: "c", HasArgs: true, Service: catalog.Service{Image: "i"}}, []string{"x"}, nil),
			slices.Concat([]string{"run", "-i", "--rm"}, common, []string{"-e", "A", "-e", "B", "-v", "/tmp/s:/qa", "--memory", "512m", "i", "c", "x"})},
		{"entrypoint", b.imageArgs(&catalog.Entry{Service: catalog.Service{Image: "i", Entrypoint: []string{"e", "f"}}}, nil, []string{"c"}),
			slices.Concat([]string{"run", "-i", "--rm"}, common, []string{"--entrypoint", "e", "i", "f", "c"})},
		{"no run", b.dockerArgs([]string{"img", "-t"}), slices.Concat([]string{"run", "-i", "--rm"}, common, []string{"img", "-t"})},
		{"value options", b.dockerArgs([]string{"run", "--rm", "--interactive", "-e", "K=${K}", "--network", "n", "img", "--name", "y"}),
			slices.Concat([]string{"run"}, common, []string{"--rm", "--interactive", "-e", "K", "--network", "n", "img", "--name", "y"})},
		{"tty", b.dockerArgs([]string{"run", "-ti", "--tty", "--name=z", "img"}), slices.Concat([]string{"run", "--rm"}, common, []string{"-i", "img"})},
	} {
		if !slices.Equal(tt.got, tt.want) {
			t.Errorf("%s: %q, want %q", tt.name, tt.got, tt.want)
		}
	}
}
