package main

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"time"
	"unicode/utf8"
)

// sections say what the table of a group is about, in the order of the tables.
var sections = []struct{ group, about string }{
	{groupStdio, "Calls on standard input and output: CPU time of the server a call. Pure commands cannot calculate, " +
		"so what adds is a function of a pool. mcpgen's server and the raw client call the same pool, which counts for " +
		"neither; the others do the task themselves."},
	{groupWeb, "Calls over HTTP, one connection for each in flight, with sessions: CPU time of the server a call."},
	{groupModern, "The same in revision 2026-07-28, which has no sessions."},
	{groupList, "Servers with many tools: CPU time a request."},
	{groupStart, "From the start of the process to its first reply: wall time. A pool starts beside that."},
	{groupMemory, "Resident memory, without pools."},
	{groupSize, "Stripped binaries; TypeScript has none."},
	{groupGenerate, "Generation, and `go build` of the package for the first time: wall time."},
	{groupCLI, "Calls that run a command-line program, a small one, against the same by os/exec: wall time a call, or CPU time of the " +
		"server and the program."},
	{groupReplicas, "The same load on one pool and on copies of it: wall time a call."},
}

// printReadme prints the section of README.md about numbers.
func (r *report) printReadme(w io.Writer) error {
	var b strings.Builder
	met, all := r.countAims()
	b.WriteString("## Numbers\n\n")
	wrap(&b, fmt.Sprintf("Measured on %s by `make bench` on a machine with %s, against %s. The load of the machine was %s when it began. "+
		"All servers were measured in turn in one run, %d times, builds less often; these are medians. In parentheses: how many times mcpgen's number that is.",
		r.Date.Format("2 January 2006"), r.Machine, r.peerList(), strings.Fields(r.Machine.Load + " ?")[0], r.Rounds))
	for _, line := range r.LeftOut {
		fmt.Fprintf(&b, "\n%s\n", strings.SplitN(line, "\n", 2)[0])
	}
	for _, s := range sections {
		r.printGroup(&b, s.group, s.about)
	}
	fmt.Fprintf(&b, "\nAims, of which %d of %d are met:\n\n", met, all)
	r.printAims(&b)
	b.WriteByte('\n')
	wrap(&b, "To repeat it: `make bench`, with Node.js for the TypeScript SDK, and a network. `go run ./bench -readme` prints this "+
		"section, `go run ./bench -from FILE -readme` prints it of an earlier run, `-help` tells more.")
	_, err := io.WriteString(w, b.String())
	return err
}

// lineLength is that of prose in README.md.
const lineLength = 115

// wrap writes a paragraph.
func wrap(b *strings.Builder, text string) {
	length := 0
	for _, word := range strings.Fields(text) {
		n := utf8.RuneCountInString(word)
		switch {
		case length == 0:
		case length+1+n > lineLength:
			b.WriteByte('\n')
			length = 0
		default:
			b.WriteByte(' ')
			length++
		}
		b.WriteString(word)
		length += n
	}
	b.WriteByte('\n')
}

// peerList names the libraries that were measured, with their versions.
func (r *report) peerList() string {
	var all []string
	for _, p := range peers {
		if r.Peers[p.name] != "" {
			all = append(all, r.Peers[p.name])
		}
	}
	if len(all) == 0 {
		return "no libraries of others"
	}
	return strings.Join(all, ", ")
}

// printGroup prints the table of a group: a row for each case, a column for each server.
func (r *report) printGroup(b *strings.Builder, group, about string) {
	var cases []*result
	var servers []string
	for i := range r.Cases {
		if c := &r.Cases[i]; c.Group == group {
			cases = append(cases, c)
			for _, s := range c.Servers {
				if !slices.Contains(servers, s.Name) {
					servers = append(servers, s.Name)
				}
			}
		}
	}
	if len(cases) == 0 {
		return
	}
	b.WriteByte('\n')
	wrap(b, about)
	fmt.Fprintf(b, "\n|  | %s |\n| --- |%s\n", strings.Join(servers, " | "), strings.Repeat(" ---: |", len(servers)))
	for _, c := range cases {
		fmt.Fprintf(b, "| %s |", c.Name)
		for _, name := range servers {
			fmt.Fprintf(b, " %s |", c.cell(name))
		}
		b.WriteByte('\n')
	}
}

// cell writes the number of a server; "" if the server took no part.
func (r *result) cell(server string) string {
	at := slices.IndexFunc(r.Servers, func(m measured) bool { return m.Name == server })
	if at < 0 {
		return ""
	}
	s := r.Unit.format(r.Unit.of(r.Servers[at].median()))
	if ratio := r.ratio(at); at > 0 && ratio > 0 {
		s += " (" + threeDigits(1/ratio) + "×)"
	}
	return s
}

// printAims prints the aims and what was measured.
func (r *report) printAims(b *strings.Builder) {
	b.WriteString("| mcpgen's number, by that of | aim | measured | met |\n| --- | ---: | ---: | --- |\n")
	for i := range r.Cases {
		c := &r.Cases[i]
		for at, s := range c.Servers {
			if c.met(at) == "" {
				continue
			}
			what, number := c.Group+": "+c.Name, c.Unit.format(c.Unit.of(s.median()))
			if s.Aim.Ratio > 0 {
				what, number = what+", by "+s.Name, formatRatio(c.ratio(at))
			}
			fmt.Fprintf(b, "| %s | %s | %s | %s |\n", what, c.Unit.formatAim(s.Aim), number, c.met(at))
		}
	}
}

// format writes a number of a unit.
func (u unit) format(x float64) string {
	switch u {
	case byteCount, residentBytes:
		return u.formatBytes(int64(x))
	default:
		return formatTime(time.Duration(x))
	}
}
