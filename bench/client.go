package main

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"syscall"
	"time"
)

// A load is calls of one tool.
type load struct {
	name     string
	tool     string
	argument string // JSON of the only argument
	calls    int
}

// A cost is what one call took on average.
type cost struct {
	cpu  time.Duration // of the server process, user and system
	wall time.Duration
}

// measure starts a server, makes the calls of a load with so many in flight, and returns what
// a call cost. What the server used before the first call does not count.
func measure(argv []string, l load, inFlight int) (cost, error) {
	cmd := exec.Command(argv[0], argv[1:]...)
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		return cost{}, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return cost{}, err
	}
	if err := cmd.Start(); err != nil {
		return cost{}, err
	}
	defer func() { _ = cmd.Process.Kill() }()
	replies := bufio.NewReaderSize(out, 1<<20)
	if err := converse(in, replies, l, 100, 1); err != nil { // handshake and warm-up
		return cost{}, err
	}
	before := cpuTime(cmd.Process.Pid)
	start := time.Now()
	if err := calls(in, replies, l, l.calls, inFlight); err != nil {
		return cost{}, err
	}
	wall := time.Since(start)
	used := cpuTime(cmd.Process.Pid) - before
	_ = in.Close()
	if err := cmd.Wait(); err != nil {
		return cost{}, err
	}
	n := time.Duration(l.calls)
	return cost{used / n, wall / n}, nil
}

func converse(in io.Writer, replies *bufio.Reader, l load, n, inFlight int) error {
	_, err := io.WriteString(in, `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18"}}`+"\n"+
		`{"jsonrpc":"2.0","method":"notifications/initialized"}`+"\n")
	if err != nil {
		return err
	}
	if _, err := replies.ReadSlice('\n'); err != nil {
		return err
	}
	return calls(in, replies, l, n, inFlight)
}

// calls makes n calls, with at most inFlight of them unanswered. As clients do, it writes
// each request by itself; and it writes beside reading, since a server may wait for the
// one or the other.
func calls(in io.Writer, replies *bufio.Reader, l load, n, inFlight int) error {
	room := make(chan struct{}, inFlight)
	for range inFlight {
		room <- struct{}{}
	}
	sending := make(chan error, 1)
	go func() {
		var out []byte
		for i := range n {
			<-room
			out = appendCall(out[:0], l, i)
			if _, err := in.Write(out); err != nil {
				sending <- err
				return
			}
		}
		sending <- nil
	}()
	for range n {
		line, err := replies.ReadSlice('\n')
		if err != nil {
			return err
		}
		if !bytes.Contains(line, []byte(`"isError":false`)) {
			return fmt.Errorf("%s: %.200s", l.name, line)
		}
		room <- struct{}{}
	}
	return <-sending
}

func appendCall(out []byte, l load, id int) []byte {
	out = append(out, `{"jsonrpc":"2.0","id":`...)
	out = strconv.AppendInt(out, int64(id), 10)
	out = append(out, `,"method":"tools/call","params":{"name":"`+l.tool+`","arguments":{"_1":`...)
	out = append(out, l.argument...)
	return append(out, "}}}\n"...)
}

// cpuTime returns the processor time a running process has used, in microseconds or
// better: /proc/PID/stat counts in ticks of 10 ms, schedstat of all threads in ns.
func cpuTime(pid int) time.Duration {
	var total time.Duration
	dir := "/proc/" + strconv.Itoa(pid) + "/task"
	threads, err := os.ReadDir(dir)
	if err != nil {
		return 0
	}
	for _, t := range threads {
		text, err := os.ReadFile(dir + "/" + t.Name() + "/schedstat")
		if err != nil {
			continue
		}
		first, _, _ := bytes.Cut(text, []byte(" "))
		ns, _ := strconv.ParseInt(string(first), 10, 64)
		total += time.Duration(ns)
	}
	return total
}

// firstReply returns the time from the start of a program to its first line.
func firstReply(argv []string) (time.Duration, error) {
	cmd := exec.Command(argv[0], argv[1:]...)
	in, err := cmd.StdinPipe()
	if err != nil {
		return 0, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return 0, err
	}
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	start := time.Now()
	if err := cmd.Start(); err != nil {
		return 0, err
	}
	_, _ = io.WriteString(in, `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18"}}`+"\n")
	_, err = bufio.NewReader(out).ReadSlice('\n')
	took := time.Since(start)
	_ = in.Close()
	_ = cmd.Wait()
	return took, err
}
