//go:build linux

package testpool

import (
	"bytes"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"syscall"
)

// Manifolds: what the pool does when it is called. Their argument and their result, if any,
// is a string. What a behaviour needs to be told is in the argument.
const (
	Echo    uint32 = 9000 + iota // answers with the argument, inline at any size
	Slow                         // waits until a named pipe was opened and closed, then echoes
	Failure                      // fails with the argument
	Exit                         // ends with the status in the argument
	Signal                       // ends by the signal in the argument

	Half     // sends half of an echo
	HalfExit // the same, and ends
	Nothing  // sends nothing
	Magic    // sends an echo with another magic
	Huge     // claims to send 2^40 bytes
	Slack    // echoes with zeros behind the value
	Trailing // sends bytes behind the packet of an echo
	Drip     // sends an echo byte by byte
	Early    // fails before it has read the argument
	Refuse   // closes before it has read the argument
	Raw      // sends the argument as it is

	Msgpack     // echoes in msgpack
	File        // echoes by a file that holds a packet
	FileMissing // names a file that does not exist
	FileMsgpack // echoes by a file in msgpack
	Shared      // echoes by shared memory
	Compressed  // echoes with the flag of compression, though it is plain
	WrongType   // answers with a call packet

	Junk // prints to stdout and stderr, then echoes
	PIDs // answers with the process ids of the answering process and of its group
	Env  // answers with the value of an environment variable
	Args // answers with the arguments that the pool was started with
	Grow // makes a volume of the size in the argument, answers with its name

	FailOther // fails with the argument and an unusual status
	Shares    // answers with the reference count of the last result in shared memory, and whether it is zeroed
	Lifeline  // answers with what is wrong with the lifeline, or "good"
)

// answer handles a connection: one message.
func (p *pool) answer(c *net.UnixConn) {
	defer c.Close()
	message, err := p.receive(c)
	if message == nil {
		return // closed, or half a message
	}
	overlaps := p.enter()
	reply := Fail("two exchanges at a time")
	switch {
	case overlaps:
	case err != nil:
		reply = Fail(err.Error())
	case message[12] == typePing:
		reply = message
	case message[12] == typeCall:
		reply = p.call(c, le.Uint32(message[16:]), message)
	default:
		reply = Fail("Unexpected packet type in pool dispatch")
	}
	if !overlaps {
		p.leave()
	}
	_, _ = c.Write(reply)
}

// receive reads a message, of a call to [Early] or [Refuse] the header only.
func (p *pool) receive(c *net.UnixConn) ([]byte, error) {
	head := make([]byte, headerSize)
	if _, err := io.ReadFull(c, head); err != nil {
		return nil, err
	}
	if mid := le.Uint32(head[16:]); head[12] == typeCall && (mid == Early || mid == Refuse) {
		return head, nil
	}
	return readMessage(io.MultiReader(bytes.NewReader(head), c))
}

// enter begins to handle a message and reports whether another is still being handled. Up
// to now the client had time to read the last result.
func (p *pool) enter() (overlaps bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.busy {
		return true
	}
	p.busy = true
	p.last.destroy()
	p.last = shared{}
	return false
}

// leave ends the handling, before the reply, as the client may be quick.
func (p *pool) leave() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.busy = false
}

// call returns the reply to a call.
func (p *pool) call(c *net.UnixConn, mid uint32, message []byte) []byte {
	if p.Replay != "" && mid < Echo {
		return p.replay(mid, message)
	}
	switch mid {
	case Early:
		return Fail("early")
	case Refuse:
		return nil
	}
	args, err := arguments(message)
	if err != nil || len(args) != 1 {
		return Fail("want one argument")
	}
	arg, err := text(args[0])
	if err != nil {
		return Fail(err.Error())
	}
	if reply := p.report(mid, arg); reply != nil {
		return reply
	}
	if reply := p.form(mid, arg); reply != nil {
		return reply
	}
	return p.misbehave(c, mid, arg)
}

// report answers with something that the pool knows.
func (p *pool) report(mid uint32, arg []byte) []byte {
	switch mid {
	case Slow:
		await(string(arg))
		return echo(arg)
	case Failure:
		return Fail(string(arg))
	case Junk:
		fmt.Println(`{"jsonrpc":"2.0","method":"junk"}`)
		fmt.Fprintln(os.Stderr, "junk on stderr")
		return echo(arg)
	case PIDs:
		return echo(fmt.Appendf(nil, "%d %d", os.Getpid(), syscall.Getpgrp()))
	case Env:
		value, ok := os.LookupEnv(string(arg))
		return echo(fmt.Appendf(nil, "%q %v", value, ok))
	case Args:
		return echo(fmt.Appendf(nil, "%s %s %s", p.socket, p.dir, p.basename))
	case FailOther:
		reply := Fail(string(arg))
		reply[17] = 2
		return reply
	case Shares:
		return echo([]byte(p.shares()))
	case Lifeline:
		return echo([]byte(lifelineFault))
	case Grow:
		name := p.basename + "_777"
		size, _ := strconv.Atoi(string(arg))
		if err := os.WriteFile(filepath.Join("/dev/shm", name), make([]byte, size), 0o600); err != nil {
			return Fail(err.Error())
		}
		return echo([]byte(name))
	}
	return nil
}

func echo(arg []byte) []byte {
	return Data(sourceMessage, formatVoidstar, Text(string(arg)))
}

// form echoes in a form other than the usual.
func (p *pool) form(mid uint32, arg []byte) []byte {
	switch mid {
	case Echo:
		return echo(arg)
	case Slack:
		return Data(sourceMessage, formatVoidstar, append(Text(string(arg)), make([]byte, 61)...))
	case Msgpack:
		return Data(sourceMessage, formatMsgpack, packed(arg))
	case File:
		path := filepath.Join(p.dir, "cached.dat")
		return p.file(path, formatData, echo(arg))
	case FileMissing:
		return Data(sourceFile, formatData, []byte(filepath.Join(p.dir, "missing.dat")))
	case FileMsgpack:
		path := filepath.Join(p.dir, fmt.Sprintf("morloc-pkt-%d-0.mpk", os.Getpid()))
		return p.file(path, formatMsgpack, packed(arg))
	case Shared:
		if p.Newest {
			return p.give(arg)
		}
		return p.share(arg)
	}
	return nil
}

// packed returns a string in msgpack, in its longest form.
func packed(s []byte) []byte {
	n := len(s)
	return append([]byte{0xdb, byte(n >> 24), byte(n >> 16), byte(n >> 8), byte(n)}, s...)
}

// file writes a file and returns the packet that names it.
func (p *pool) file(path string, format byte, content []byte) []byte {
	if err := os.WriteFile(path, content, 0o600); err != nil {
		return Fail(err.Error())
	}
	return Data(sourceFile, format, []byte(path))
}

// misbehave does what no pool should do. What it returns is sent.
func (p *pool) misbehave(c *net.UnixConn, mid uint32, arg []byte) []byte {
	reply := echo(arg)
	switch mid {
	case Exit:
		status, _ := strconv.Atoi(string(arg))
		os.Exit(status)
	case Signal:
		number, _ := strconv.Atoi(string(arg))
		_ = syscall.Kill(os.Getpid(), syscall.Signal(number))
		select {}
	case Half:
		return reply[:len(reply)/2]
	case HalfExit:
		_, _ = c.Write(reply[:len(reply)/2])
		os.Exit(3)
	case Nothing:
		return nil
	case Magic:
		reply[0] ^= 1
	case Huge:
		le.PutUint64(reply[24:], 1<<40)
	case Trailing:
		return append(reply, "what follows"...)
	case Drip:
		final := len(reply) - 1 // sent when we are done: the client may be quick
		for i := range reply[:final] {
			_, _ = c.Write(reply[i : i+1])
		}
		return reply[final:]
	case Raw:
		return arg
	case Compressed:
		reply[15] = 1
	case WrongType:
		reply[12] = typeCall
	default:
		return Fail(fmt.Sprintf("Invalid local manifold id: %d", mid))
	}
	return reply
}
