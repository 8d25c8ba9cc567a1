package main

import (
	"fmt"
	"strconv"
)

// Requests in flight.
const (
	one  = 1
	many = 64
)

// A task is a load, as rows of the tables name it.
type task struct {
	name  string
	load  load
	floor floor
}

// A floor is who does a task with the least that can be done.
type floor int

const (
	noFloor floor = iota
	limit         // a loop that checks nothing
	raw           // a raw client of the pool, which ours calls too; others do the task themselves
	rawOnly       // the same, and the others cannot do it
)

var (
	taskEcho    = task{"echo of 5 bytes", callLoad("echo", `\"hello\"`, hello), limit}
	taskNumbers = task{"1,000 numbers to themselves", callLoad("numbers", numbers1k[:20], numbers1k), noFloor}
	taskDoubles = task{"1,000 numbers of full precision", callLoad("numbers", doubles1k[:20], doubles1k), noFloor}
	taskString  = task{"echo of 1 MB", callLoad("echo", `\"The quick brown`, megabyte), limit}
	taskPool    = task{"echo of 5 bytes in a pool", callLoad("echoPool", `\"hello\"`, hello), rawOnly}
	taskAdd     = task{"1 + 2 in a pool", callLoad("add", `3"`, "1", "2"), raw}
	taskSum     = task{"sum of 1,000 numbers in a pool", callLoad("sum", "", numbers1k), raw}
	taskList    = task{"100,000 numbers through a pool", callLoad("numbersPool", list100k[:20], list100k), raw}
)

// at returns the name of the case of a task with so many requests in flight.
func (t *task) at(inFlight int) string { return fmt.Sprintf("%s, %d in flight", t.name, inFlight) }

// A group is the first part of a case's path, and a table.
const (
	groupStdio    = "stdio"
	groupWeb      = "http"
	groupModern   = "http-2026"
	groupStart    = "start"
	groupList     = "list"
	groupMemory   = "memory"
	groupSize     = "size"
	groupGenerate = "generate"
	groupReplicas = "replicas"
	groupCLI      = "cli"
)

// allCases returns all there is to measure, with the aims.
func allCases() []*benchCase {
	var all []*benchCase
	for _, cases := range [][]*benchCase{
		stdioCases(), webCases(), listCases(), startCases(), memoryCases(), sizeCases(), generateCases(), replicaCases(),
		cliCases(),
	} {
		all = append(all, cases...)
	}
	for _, c := range all {
		for i := range c.entrants {
			c.entrants[i].aim = aims[place{c.group, c.name, c.entrants[i].name}]
		}
	}
	return all
}

// enter adds a server to a case.
func (c *benchCase) enter(name string, start starter) {
	c.entrants = append(c.entrants, entrant{name: name, start: start})
}

// stdioCases are calls on standard input and output.
func stdioCases() []*benchCase {
	var all []*benchCase
	for _, x := range []struct {
		task     task
		inFlight int
	}{
		{taskEcho, one}, {taskEcho, many},
		{taskNumbers, one}, {taskNumbers, many},
		{taskDoubles, many},
		{taskString, one}, {taskString, many},
		{taskPool, one}, {taskPool, many},
		{taskAdd, one}, {taskAdd, many},
		{taskSum, one}, {taskSum, many},
		{taskList, one},
	} {
		c := &benchCase{group: groupStdio, name: x.task.at(x.inFlight), unit: cpuTime}
		enter := func(name string, argv argvFunc) { c.enter(name, stdio(x.task.load, x.inFlight, argv)) }
		enter(ourName, ours())
		switch x.task.floor {
		case limit:
			enter(limitLoop, standIn("limit"))
		case raw, rawOnly:
			enter(rawClient, onPool("raw"))
		}
		if x.task.floor != rawOnly {
			enter(jsonLoop, standIn("stdjson"))
			for _, p := range peers {
				enter(p.name, p.with())
			}
		}
		all = append(all, c)
	}
	return all
}

// webCases are calls over HTTP: with sessions, and in the revision that has none.
func webCases() []*benchCase {
	var sessions, calls []*benchCase
	for _, x := range []struct {
		task     task
		inFlight int
	}{
		{taskEcho, one}, {taskEcho, many},
		{taskNumbers, one}, {taskNumbers, many},
		{taskString, one},
		{taskAdd, one}, {taskAdd, many},
		{taskSum, many},
		{taskList, one},
	} {
		a := &benchCase{group: groupWeb, name: x.task.at(x.inFlight), unit: cpuTime}
		b := &benchCase{group: groupModern, name: x.task.at(x.inFlight), unit: cpuTime}
		enter := func(c *benchCase, name string, d dialect, argv argvFunc) {
			c.enter(name, web(x.task.load, x.inFlight, d, argv))
		}
		own := ours("--http-port", "0", "--tool-names", "bare")
		enter(a, ourName, session, own)
		enter(b, ourName, modern, own)
		bare := standIn("barehttp")
		if x.task.floor == raw {
			bare = onPool("barehttp", "-pool")
		}
		enter(a, bareHandler, pretense, bare)
		enter(b, bareHandler, modern, bare)
		if x.task.floor != raw {
			enter(a, jsonHandler, pretense, standIn("barehttp", "-json"))
			enter(b, jsonHandler, modern, standIn("barehttp", "-json"))
		}
		for _, p := range peers {
			enter(a, p.name, session, p.with("-http"))
			if p.name == goSDK {
				enter(a, goSDK+", stateless", single, p.with("-http", "-stateless"))
				enter(b, goSDK, modern, p.with("-http", "-stateless"))
			}
		}
		sessions, calls = append(sessions, a), append(calls, b)
	}
	return append(sessions, calls...)
}

// listCases are lists of many tools, and calls of one among them.
func listCases() []*benchCase {
	var all []*benchCase
	const most = 1_000
	for _, n := range []int{1, 100, most} {
		c := &benchCase{group: groupList, name: "tools/list of " + commas(n), unit: cpuTime}
		list := listLoad(catalogueName(n - 1))
		c.enter(ourName, stdio(list, one, oursListing(n)))
		for _, p := range peers {
			c.enter(p.name, stdio(list, one, p.listing(n)))
		}
		all = append(all, c)
	}
	last := func(tools int) load { return callLoad(catalogueName(tools-1), `\"hello\"`, hello) }
	c := &benchCase{group: groupList, name: "echo, one of 1,000 tools, 64 in flight", unit: cpuTime}
	c.enter(ourName, stdio(last(most), many, oursListing(most)))
	c.enter(ofHundred, stdio(last(100), many, oursListing(100)))
	c.enter(ofOne, stdio(last(1), many, oursListing(1)))
	for _, p := range peers {
		c.enter(p.name, stdio(last(most), many, p.listing(most)))
	}
	return append(all, c)
}

// commas writes a number as prose does.
func commas(n int) string {
	if n < 1_000 {
		return strconv.Itoa(n)
	}
	return fmt.Sprintf("%s,%03d", commas(n/1_000), n%1_000)
}
