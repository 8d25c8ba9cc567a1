package main

import (
	"bytes"
	"fmt"
	"time"
)

// A contender is a server over HTTP and how it is spoken to.
type contender struct {
	name    string
	argv    []string
	dialect dialect
	same    bool // its replies are those of the first contender, byte for byte
}

// A webLoad is a load over so many connections.
type webLoad struct {
	load
	connections int
	want        string // in every right reply, whatever its layout
}

// contenders returns the servers to measure over HTTP; the first two are ours.
func contenders(b *binaries) []contender {
	ours := []string{b.server, "--http-port", "0", "--tool-names", "bare", "--program-dir", b.program}
	all := []contender{
		{"ours", ours, session, true},
		{"ours, 2026-07-28", ours, modern, false},
		{"bare, by position", []string{b.barehttp}, single, true},
		{"bare, encoding/json", []string{b.barehttp, "-json"}, single, true},
	}
	if b.peers == "" {
		return all
	}
	return append(all,
		contender{"go-sdk, sessions", []string{b.peers, "go-sdk"}, session, false},
		contender{"go-sdk, stateless", []string{b.peers, "-stateless", "go-sdk"}, single, false},
		contender{"go-sdk, 2026-07-28", []string{b.peers, "-stateless", "go-sdk"}, modern, false},
		contender{"mcp-go, sessions", []string{b.peers, "mcp-go"}, session, false},
	)
}

// compareWeb measures calls over HTTP on all servers in turn. All of them run all the time,
// and each connection has a session of its own where there are sessions.
func compareWeb(b *binaries, rounds int, numbers string) error {
	all := contenders(b)
	servers := make([]*webServer, len(all))
	for i, c := range all {
		s, err := serve(c.argv)
		if err != nil {
			return fmt.Errorf("%s: %w", c.name, err)
		}
		defer s.stop()
		servers[i] = s
	}
	echo := load{"echo, 5 bytes", "echo", `"hello"`, 3_200}
	list := load{"1,000 numbers in and out", "numbers", numbers, 320}
	fmt.Printf("\nover HTTP; CPU of the server; ratios are CPU of ours by that of the server\n\n")
	fmt.Printf("%-25s %5s %-20s %11s %11s %6s %11s\n", "call", "conns", "server", "CPU", "wall", "ratio", "2026-07-28")
	for _, l := range []webLoad{
		{echo, 1, "hello"},
		{echo, 32, "hello"},
		{list, 1, "17.25,0.5,17.25"},
		{list, 32, "17.25,0.5,17.25"},
	} {
		costs, err := measureWeb(all, servers, l, rounds)
		if err != nil {
			return err
		}
		printWeb(all, l, costs)
	}
	return nil
}

// measureWeb returns the median cost of a load on each server.
func measureWeb(all []contender, servers []*webServer, l webLoad, rounds int) ([]cost, error) {
	clients := make([][]*webClient, len(all))
	var reply []byte // of the first contender
	for i, c := range all {
		for range l.connections {
			client, err := connect(servers[i].url, c.dialect, l)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", c.name, err)
			}
			defer client.conn.Close()
			clients[i] = append(clients[i], client)
		}
		if _, err := atOnce(servers[i].cmd.Process.Pid, clients[i], 10*l.connections); err != nil { // warm-up
			return nil, fmt.Errorf("%s: %s: %w", c.name, l.name, err)
		}
		got := clients[i][0].body.Bytes()
		if i == 0 {
			reply = bytes.Clone(got)
		}
		if c.same && !bytes.Equal(got, reply) {
			return nil, fmt.Errorf("%s: %s: answers %.200q, ours %.200q", c.name, l.name, got, reply)
		}
	}
	taken := make([][]cost, len(all))
	for range rounds {
		for i, c := range all {
			one, err := atOnce(servers[i].cmd.Process.Pid, clients[i], l.calls)
			if err != nil {
				return nil, fmt.Errorf("%s: %s: %w", c.name, l.name, err)
			}
			taken[i] = append(taken[i], one)
		}
	}
	costs := make([]cost, len(all))
	for i := range all {
		costs[i] = median(taken[i])
	}
	return costs, nil
}

func printWeb(all []contender, l webLoad, costs []cost) {
	round := func(d time.Duration) time.Duration { return d.Round(10 * time.Nanosecond) }
	name := l.name
	for i, c := range all {
		fmt.Printf("%-25s %5d %-20s %11v %11v", name, l.connections, c.name, round(costs[i].cpu), round(costs[i].wall))
		if i >= 2 {
			ratio := func(ours cost) float64 { return float64(ours.cpu) / float64(costs[i].cpu) }
			fmt.Printf(" %6.3f %11.3f", ratio(costs[0]), ratio(costs[1]))
		}
		fmt.Println()
		name = ""
	}
}
