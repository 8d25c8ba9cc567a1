// Command pool is the fastest pool there can be: it answers every call of a string with
// that string, without looking at anything else.
package main

import (
	"encoding/binary"
	"io"
	"log"
	"net"
	"os"
	"os/signal"
	"syscall"
)

const header = 32

func main() {
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
	buf := make([]byte, 64<<10)
	for {
		c, err := l.Accept()
		if err != nil {
			return
		}
		if n, err := io.ReadAtLeast(c, buf, header); err == nil {
			if buf[12] == 2 { // a ping comes back whole
				_, _ = c.Write(buf[:n])
			} else {
				_, _ = c.Write(whole(c, buf, n)) // the argument is the reply
			}
		}
		_ = c.Close()
	}
}

// whole reads the rest of a call and returns its argument, which is a data packet.
func whole(c net.Conn, buf []byte, n int) []byte {
	size := header + int(binary.LittleEndian.Uint64(buf[24:]))
	if size > len(buf) {
		log.Fatal("a call of ", size, " bytes")
	}
	_, _ = io.ReadFull(c, buf[n:size])
	return buf[header:size]
}
