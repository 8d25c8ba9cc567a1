package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"time"
)

// generateCases are the times that it takes to generate the server of a program, and to
// build it when everything but the package itself and its copy of the runtime has been
// built before.
func generateCases() []*benchCase {
	var generate, build []*benchCase
	for _, n := range []int{1, 100, 1_000} {
		name := commas(n) + " command"
		if n > 1 {
			name += "s"
		}
		g := &benchCase{group: groupGenerate, name: name, unit: wallTime, rounds: 5}
		g.enter(ourName, generated(n, false))
		generate = append(generate, g)
		b := &benchCase{group: groupGenerate, name: name + ", go build", unit: wallTime, rounds: 3}
		b.enter(ourName, generated(n, true))
		build = append(build, b)
	}
	return append(generate, build...)
}

// generated returns a way to measure how long it takes to generate a package, or to build
// it after that.
func generated(commands int, build bool) starter {
	return func(k *kit) (taker, error) {
		mcpgen, err := k.program("cmd/mcpgen")
		if err != nil {
			return nil, err
		}
		name := fmt.Sprintf("generate%d", commands)
		manifest, err := writeManifest(k.dir, name, catalogue(commands))
		if err != nil {
			return nil, err
		}
		return func() (sample, error) {
			dir, err := os.MkdirTemp(k.dir, name+"-")
			if err != nil {
				return sample{}, err
			}
			defer os.RemoveAll(dir)
			// A module of another name is new to the cache of builds.
			module := filepath.Base(dir)
			cmd := exec.Command(mcpgen, "gen", "--module", module, "-o", filepath.Join(dir, "package"), manifest)
			s, err := timed(cmd)
			if err != nil || !build {
				return s, err
			}
			cmd = exec.Command("go", "build", "-o", filepath.Join(dir, "server"), ".")
			cmd.Dir = filepath.Join(dir, "package")
			return timed(cmd)
		}, nil
	}
}

// timed runs a command.
func timed(cmd *exec.Cmd) (sample, error) {
	start := time.Now()
	out, err := cmd.CombinedOutput()
	wall := time.Since(start)
	if err != nil {
		return sample{}, fmt.Errorf("%s: %w\n%s", filepath.Base(cmd.Path), err, out)
	}
	return sample{CPU: usedBy(cmd), Wall: wall}, nil
}
