// Command bench measures what calls cost, in one interleaved run against peers on the same
// machine: a loop that checks nothing (limit), the plain encoding/json server (stdjson), a
// raw packet client (limit with -pool), and a Go program that answers one line (empty).
// Over HTTP the peers are handlers of net/http that do the same job (barehttp) and servers on
// go-sdk and mcp-go (the module in peers).
//
//	go run ./bench [-rounds N] [-stdio=false] [-peers=false]
//
// It prints medians and ratios; only ratios within a run mean anything.
package main

import (
	"flag"
	"fmt"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

func main() {
	log.SetFlags(0)
	log.SetPrefix("bench: ")
	rounds := flag.Int("rounds", 7, "rounds, of which medians are taken")
	stdio := flag.Bool("stdio", true, "measure on stdio as well as over HTTP")
	peers := flag.Bool("peers", true, "measure go-sdk and mcp-go as well, which come from the module proxy")
	flag.Parse()
	dir, err := os.MkdirTemp("", "mcpgen-bench-")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	if err := run(dir, *rounds, *stdio, *peers); err != nil {
		os.RemoveAll(dir)
		log.Fatal(err)
	}
}

func run(dir string, rounds int, stdio, peers bool) error {
	b, err := build(dir, peers)
	if err != nil {
		return err
	}
	fmt.Printf("%d rounds, interleaved; CPU and wall time a call, medians\n", rounds)
	numbers := "[" + strings.TrimSuffix(strings.Repeat("0.5,17.25,", 500), ",") + "]"
	if stdio {
		if err := compareStdio(b, rounds, numbers); err != nil {
			return err
		}
		if err := compareStart(b, rounds); err != nil {
			return err
		}
	}
	return compareWeb(b, rounds, numbers)
}

// compareStdio measures calls on stdio, ours against one peer at a time.
func compareStdio(b *binaries, rounds int, numbers string) error {
	echo := load{"echo, 5 bytes", "echo", `"hello"`, 200_000}
	list := load{"1,000 numbers in and out", "numbers", numbers, 4_000}
	pool := load{"echo through a pool", "echoPool", `"hello"`, 10_000}
	one := func(l load) load { l.calls /= 10; return l }

	ours := []string{b.server, "--program-dir", b.program}
	socket, stop, err := startPool(b)
	if err != nil {
		return err
	}
	defer stop()
	raw := []string{b.limit, "-pool", socket, "-mid", "1"}
	fmt.Printf("\n%-28s %9s %-8s %12s %12s %8s\n", "call", "in flight", "server", "CPU", "wall", "ratio")
	for _, c := range []struct {
		load     load
		inFlight int
		peer     string
		argv     []string
	}{
		{echo, 64, "limit", []string{b.limit}},
		{echo, 64, "stdjson", []string{b.stdjson}},
		{one(echo), 1, "limit", []string{b.limit}},
		{one(echo), 1, "stdjson", []string{b.stdjson}},
		{list, 64, "stdjson", []string{b.stdjson}},
		{one(list), 1, "stdjson", []string{b.stdjson}},
		{pool, 64, "raw", raw},
		{pool, 1, "raw", raw},
	} {
		if err := compare(c.load, c.inFlight, rounds, ours, c.peer, c.argv); err != nil {
			return err
		}
	}
	return nil
}

// compare measures a load on ours and on a peer, in turn.
func compare(l load, inFlight, rounds int, ours []string, peer string, argv []string) error {
	var mine, theirs []cost
	for range rounds {
		c, err := measure(ours, l, inFlight)
		if err != nil {
			return err
		}
		mine = append(mine, c)
		if c, err = measure(argv, l, inFlight); err != nil {
			return fmt.Errorf("%s: %w", peer, err)
		}
		theirs = append(theirs, c)
	}
	a, b := median(mine), median(theirs)
	fmt.Printf("%-28s %9d %-8s %12v %12v\n", l.name, inFlight, "ours", a.cpu, a.wall)
	fmt.Printf("%-28s %9d %-8s %12v %12v %8.2f\n", "", inFlight, peer, b.cpu, b.wall, float64(a.cpu)/float64(b.cpu))
	return nil
}

func median(costs []cost) cost {
	by := func(f func(cost) time.Duration) time.Duration {
		var all []time.Duration
		for _, c := range costs {
			all = append(all, f(c))
		}
		slices.Sort(all)
		return all[len(all)/2]
	}
	return cost{by(func(c cost) time.Duration { return c.cpu }), by(func(c cost) time.Duration { return c.wall })}
}

// compareStart measures the time from exec to the first reply.
func compareStart(b *binaries, rounds int) error {
	servers := []struct {
		name string
		argv []string
	}{
		{"empty Go program", []string{b.empty}},
		{"ours, no pool", []string{b.pure}},
		{"ours, with a pool", []string{b.server, "--program-dir", b.program}},
		{"ours, --lazy-pools", []string{b.server, "--lazy-pools", "--program-dir", b.program}},
	}
	times := make([][]time.Duration, len(servers))
	for range rounds * 10 {
		for i, s := range servers {
			t, err := firstReply(s.argv)
			if err != nil {
				return fmt.Errorf("%s: %w", s.name, err)
			}
			times[i] = append(times[i], t)
		}
	}
	fmt.Printf("\n%-28s %12s %8s\n", "exec to first reply", "wall", "ratio")
	var base time.Duration
	for i, s := range servers {
		slices.Sort(times[i])
		m := times[i][len(times[i])/2]
		if i == 0 {
			base = m
		}
		fmt.Printf("%-28s %12v %8.2f\n", s.name, m.Round(time.Microsecond), float64(m)/float64(base))
	}
	for _, file := range []string{b.server, b.pure} {
		info, err := os.Stat(file)
		if err != nil {
			return err
		}
		fmt.Printf("%-28s %9.2f MB\n", "stripped binary "+filepath.Base(file), float64(info.Size())/1e6)
	}
	return nil
}

// binaries are what is measured; peers is "" if they are not.
type binaries struct{ server, pure, limit, stdjson, empty, pool, program, barehttp, peers string }

func build(dir string, peers bool) (*binaries, error) {
	b := &binaries{
		server: filepath.Join(dir, "bench"), pure: filepath.Join(dir, "pure"),
		limit: filepath.Join(dir, "limit"), stdjson: filepath.Join(dir, "stdjson"),
		empty: filepath.Join(dir, "empty"), pool: filepath.Join(dir, "pool"),
		program: filepath.Join(dir, "program-build"), barehttp: filepath.Join(dir, "barehttp"),
	}
	if peers {
		b.peers = filepath.Join(dir, "peers")
		if err := buildPeers(b.peers); err != nil {
			return nil, err
		}
	}
	for _, cmd := range [][]string{
		{"go", "build", "-o", b.limit, "./bench/limit"},
		{"go", "build", "-o", b.stdjson, "./bench/stdjson"},
		{"go", "build", "-o", b.barehttp, "./bench/barehttp"},
		{"go", "build", "-o", b.empty, "./bench/empty"},
		{"go", "build", "-o", b.pool, "./bench/pool"},
		{"go", "run", "./cmd/mcpgen", "build", "-o", b.server, "bench/program-build/manifest.json"},
		{"go", "run", "./cmd/mcpgen", "build", "-o", b.pure, "examples/pure/pure-build/manifest.json"},
	} {
		c := exec.Command(cmd[0], cmd[1:]...)
		c.Stdout, c.Stderr = os.Stderr, os.Stderr
		if err := c.Run(); err != nil {
			return nil, fmt.Errorf("%s: %w", strings.Join(cmd, " "), err)
		}
	}
	if err := os.MkdirAll(filepath.Join(b.program, "pools", "go"), 0o777); err != nil {
		return nil, err
	}
	return b, os.Symlink(b.pool, filepath.Join(b.program, "pools", "go", "pool"))
}
