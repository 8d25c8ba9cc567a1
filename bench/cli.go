package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"
)

// cliName returns the name of a case of calls that run a program.
func cliName(inFlight int, u unit) string {
	name := fmt.Sprintf("run of a program that prints 5 bytes, %d in flight", inFlight)
	if u == cpuTime {
		return name + ": CPU time"
	}
	return name
}

// cliCases are calls of the server of a command-line program, which runs the program for
// each. CPU time is that of the server and of all runs.
func cliCases() []*benchCase {
	var all []*benchCase
	for _, inFlight := range []int{one, 8} { // 8 is how many run at a time unless a manifest says otherwise
		for _, u := range []unit{cpuTime, wallTime} {
			c := &benchCase{group: groupCLI, name: cliName(inFlight, u), unit: u}
			print := namedCall("echo", "hello", `"text":`+hello)
			c.enter(ourName, running(print, inFlight, oursCLI))
			c.enter(osExec, running(print, inFlight, execDirectly))
			all = append(all, c)
		}
	}
	return all
}

// execDirectly is a loop that runs the program.
func execDirectly(k *kit) ([]string, error) {
	program, err := k.program("bench/cli")
	if err != nil {
		return nil, err
	}
	return standIn("direct", program)(k)
}

// oursCLI is the server of the command-line program.
func oursCLI(k *kit) ([]string, error) {
	program, err := k.program("bench/cli")
	if err != nil {
		return nil, err
	}
	mcpgen, err := k.program("cmd/mcpgen")
	if err != nil {
		return nil, err
	}
	file, err := k.file("cli-server", func(file string) error {
		manifest := filepath.Join(k.dir, "cli.json")
		text, err := cliManifest(program)
		if err != nil {
			return err
		}
		if err := os.WriteFile(manifest, text, 0o666); err != nil {
			return err
		}
		return execute("", mcpgen, "build", "-o", file, manifest)
	})
	return []string{file}, err
}

// cliManifest returns the manifest of the command-line program.
func cliManifest(program string) ([]byte, error) {
	return json.Marshal(object{
		"mcpgen": 1, "format": "argsbarg",
		"exec": object{"command": []string{program}},
		"schema": object{"key": "cli", "description": "A program", "commands": []object{{
			"key": "echo", "description": "Prints its argument",
			"positionals": []object{{"name": "text", "description": "What to print"}},
		}}},
	})
}

// leastRuns is how many runs a measurement has at least: enough to make little of the start
// and the end of the server.
const leastRuns = 100

// running returns a way to measure requests for which a server runs programs. Each
// measurement has a server of its own, because what children used is known exactly only when
// all have ended; so its start and end count as CPU time as well.
func running(l load, inFlight int, argv argvFunc) starter {
	return func(k *kit) (taker, error) {
		command, err := argv(k)
		if err != nil {
			return nil, err
		}
		first, err := runs(command, l, leastRuns, inFlight)
		if err != nil {
			return nil, err
		}
		n := max(leastRuns, int(k.slice/max(1, first.Wall)))
		return func() (sample, error) { return runs(command, l, n, inFlight) }, nil
	}
}

// runs starts a server and makes n requests.
func runs(argv []string, l load, n, inFlight int) (sample, error) {
	s, err := launchReady(argv)
	if err != nil {
		return sample{}, err
	}
	if err := s.requests(&l, inFlight, inFlight); err != nil {
		return sample{}, errors.Join(err, s.end())
	}
	start := time.Now()
	if err := s.requests(&l, n, inFlight); err != nil {
		return sample{}, errors.Join(err, s.end())
	}
	wall := time.Since(start)
	if err := s.end(); err != nil {
		return sample{}, err
	}
	all := time.Duration(n + inFlight)
	return sample{CPU: usedBy(s.cmd) / all, Wall: wall / time.Duration(n)}, nil
}
