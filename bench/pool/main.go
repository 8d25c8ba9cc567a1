// Command pool is the fastest pool there can be: it looks at the number of a function and
// at the value of its arguments, at nothing else. Like the pools of Morloc, it handles one
// call at a time.
package main

import (
	"encoding/binary"
	"io"
	"log"
	"math"
	"net"
	"os"
	"os/signal"
	"slices"
	"syscall"
	"time"

	"github.com/mcpgen/mcpgen/bench/internal/rawpool"
)

const (
	header = 32 // of a packet
	ping   = 2  // type of a packet

	// waiting is how long a call of [rawpool.Wait] takes, as one does that asks a service.
	waiting = 2 * time.Millisecond
)

var le = binary.LittleEndian

func main() {
	log.SetFlags(0)
	log.SetPrefix("pool: ")
	if len(os.Args) != 4 {
		log.Fatal("usage: pool SOCKET TMPDIR BASENAME")
	}
	l, err := net.Listen("unix", os.Args[1])
	if err != nil {
		log.Fatal(err)
	}
	stop := make(chan os.Signal, 1)
	signal.Notify(stop, syscall.SIGTERM, syscall.SIGINT)
	go func() {
		<-stop
		_ = l.Close()
		os.Exit(0)
	}()
	var buf []byte
	for {
		c, err := l.Accept()
		if err != nil {
			return
		}
		buf = serve(c, buf)
		_ = c.Close()
	}
}

// serve answers the message of a connection. It returns the buffer for the next one.
func serve(c net.Conn, buf []byte) []byte {
	buf = slices.Grow(buf[:0], 64<<10)
	buf = buf[:cap(buf)]
	n, err := io.ReadAtLeast(c, buf, header)
	if err != nil {
		return buf // a connection that was closed
	}
	if buf[12] == ping { // comes back whole
		_, _ = c.Write(buf[:n])
		return buf
	}
	size := header + int(le.Uint64(buf[24:]))
	if size > len(buf) {
		buf = append(buf, make([]byte, size-len(buf))...)
	}
	if _, err := io.ReadFull(c, buf[min(n, size):size]); err != nil {
		return buf
	}
	_, _ = c.Write(call(le.Uint32(buf[16:]), buf[header:size]))
	return buf
}

// call returns the reply to a call, which overwrites the arguments.
func call(manifold uint32, arguments []byte) []byte {
	switch manifold {
	case rawpool.Add:
		a, rest := next(arguments)
		b, _ := next(rest)
		// An integer of one word is the number of its words and itself.
		le.PutUint64(a[8:], le.Uint64(a[8:])+le.Uint64(b[8:]))
		return arguments[:len(arguments)-len(rest)]
	case rawpool.Sum:
		list, _ := next(arguments)
		n, at := le.Uint64(list), le.Uint64(list[8:])
		var sum float64
		for i := range n {
			sum += math.Float64frombits(le.Uint64(list[at+8*i:]))
		}
		return number(arguments, sum)
	case rawpool.Wait:
		time.Sleep(waiting)
	}
	return arguments // the argument is the reply
}

// next returns the value of the first packet, and the packets after it.
func next(packets []byte) (value, rest []byte) {
	at := header + int(le.Uint32(packets[20:]))
	end := at + int(le.Uint64(packets[24:]))
	return packets[at:end], packets[end:]
}

// number makes the packet of a list of numbers that of one. Nobody reads the schema in it.
func number(packet []byte, x float64) []byte {
	at := header + int(le.Uint32(packet[20:]))
	le.PutUint64(packet[24:], 8)
	le.PutUint64(packet[at:], math.Float64bits(x))
	return packet[:at+8]
}
