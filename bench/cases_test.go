package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/mcpgen/mcpgen/gen"
	"github.com/mcpgen/mcpgen/gen/lower"
	"github.com/mcpgen/mcpgen/gen/manifest"
)

// TestCases holds the list of cases against the aims and the sections of README.md.
func TestCases(t *testing.T) {
	t.Parallel()
	shown := map[string]bool{}
	for _, s := range sections {
		shown[s.group] = true
	}
	paths, unused := map[string]bool{}, map[place]bool{}
	for p := range aims {
		unused[p] = true
	}
	for _, c := range allCases() {
		if paths[c.path()] {
			t.Errorf("there are two cases %s", c.path())
		}
		paths[c.path()] = true
		if !shown[c.group] {
			t.Errorf("%s: its group has no section", c.path())
		}
		servers := map[string]bool{}
		for i, e := range c.entrants {
			if servers[e.name] {
				t.Errorf("%s: there are two %s", c.path(), e.name)
			}
			servers[e.name] = true
			delete(unused, place{c.group, c.name, e.name})
			if (e.aim.Ratio > 0 && i == 0) || (e.aim.Most > 0 && i > 0) {
				t.Errorf("%s, %s: a ratio is that of others, an absolute number is ours", c.path(), e.name)
			}
		}
	}
	for p := range unused {
		t.Errorf("the aim %v is of nothing", p)
	}
}

// TestLoads checks that requests are JSON with the arguments that they should have.
func TestLoads(t *testing.T) {
	t.Parallel()
	for _, x := range []struct {
		task task
		args int
	}{{taskEcho, 1}, {taskNumbers, 1}, {taskDoubles, 1}, {taskString, 1}, {taskPool, 1}, {taskAdd, 2}, {taskSum, 1}, {taskList, 1}} {
		var request struct {
			ID     int
			Method string
			Params struct {
				Name      string
				Arguments map[string]any
				Meta      map[string]any `json:"_meta"`
			}
		}
		text := x.task.load.appendRequest(nil, 42, meta)
		if err := json.Unmarshal(text, &request); err != nil {
			t.Errorf("%s: %v", x.task.name, err)
			continue
		}
		p := request.Params
		if request.ID != 42 || request.Method != "tools/call" || p.Name != x.task.load.tool || len(p.Arguments) != x.args || len(p.Meta) == 0 {
			t.Errorf("%s: got %.300s", x.task.name, text)
		}
	}
	var list []float64
	if err := json.Unmarshal([]byte(list100k), &list); err != nil || len(list) != 100_000 {
		t.Errorf("a list of %d numbers, %v", len(list), err)
	}
	if n := len(megabyte); n < 1_000_000 || n > 1<<20 {
		t.Errorf("a string of %d bytes", n)
	}
}

// TestManifest has mcpgen read the programs.
func TestManifest(t *testing.T) {
	t.Parallel()
	for name, commands := range map[string][]command{
		"own": ownCommands, "pure": ownCommands[:2], "one": catalogue(1), "hundred": catalogue(100),
	} {
		file, err := writeManifest(t.TempDir(), name, commands)
		if err != nil {
			t.Fatal(err)
		}
		m, err := manifest.Read(file, manifest.Options{})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		p, err := lower.Lower(m)
		if err != nil || len(p.Tools) != len(commands) {
			t.Errorf("%s: %+v, %v, want %d tools", name, p, err, len(commands))
		}
	}
}

// TestCLIManifest has mcpgen read the manifest of the command-line program.
func TestCLIManifest(t *testing.T) {
	t.Parallel()
	text, err := cliManifest("/bin/cli")
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "cli.json")
	if err := os.WriteFile(file, text, 0o666); err != nil {
		t.Fatal(err)
	}
	loaded, err := gen.Load(gen.Options{Manifests: []string{file}})
	if err != nil || len(loaded.Sources) != 1 {
		t.Fatalf("Load = %+v, %v", loaded, err)
	}
}

func TestProc(t *testing.T) {
	t.Parallel()
	if runtime.GOOS != "linux" {
		t.Skip("there is no /proc")
	}
	pid := os.Getpid()
	if used, err := cpuOf(pid); used <= 0 || err != nil {
		t.Errorf("cpuOf = %v, %v", used, err)
	}
	now, err := memoryOf(pid, residentNow)
	peak, err2 := memoryOf(pid, residentPeak)
	if now < 1<<20 || peak < 1<<20 || err != nil || err2 != nil {
		t.Errorf("resident %d, %v; peak %d, %v", now, err, peak, err2)
	}
	if _, err := memoryOf(pid, "VmNothing"); err == nil {
		t.Error("no error for a line that is not there")
	}
}
