// Command limit is as fast as a server that answers echo can be: it checks nothing, finds
// the id and the text of a line by their position in what bench sends, and writes the
// replies to all lines of a read at once. With -pool SOCKET it makes a raw packet exchange
// for each line instead of echoing.
package main

import (
	"bytes"
	"encoding/binary"
	"flag"
	"io"
	"net"
	"os"
	"strconv"
)

const (
	beforeText = `"arguments":{"_1":"`
	replyHead  = `{"jsonrpc":"2.0","id":`
	resultHead = `,"result":{"content":[{"type":"text","text":"\"`
	resultTail = `\""}],"isError":false}}` + "\n"
)

func main() {
	socket := flag.String("pool", "", "socket of a pool")
	mid := flag.Uint("mid", 0, "manifold to call, of a string")
	flag.Parse()
	buf := make([]byte, 0, 1<<20)
	var out []byte
	for {
		n, err := os.Stdin.Read(buf[len(buf):cap(buf)])
		buf = buf[:len(buf)+n]
		rest := buf
		for {
			end := bytes.IndexByte(rest, '\n')
			if end < 0 {
				break
			}
			out = answer(out, rest[:end], *socket, uint32(*mid))
			rest = rest[end+1:]
		}
		buf = buf[:copy(buf, rest)]
		if _, err := os.Stdout.Write(out); err != nil || n == 0 {
			return
		}
		out = out[:0]
		if err == io.EOF {
			return
		}
	}
}

func answer(out, line []byte, socket string, mid uint32) []byte {
	if !bytes.HasPrefix(line, []byte(replyHead)) { // a notification
		return out
	}
	idAt := len(replyHead)
	idEnd := idAt + bytes.IndexByte(line[idAt:], ',')
	out = append(out, replyHead...)
	out = append(out, line[idAt:idEnd]...)
	at := bytes.Index(line, []byte(beforeText))
	if at < 0 { // the handshake
		return append(out, `,"result":{}}`+"\n"...)
	}
	text := line[at+len(beforeText):]
	text = text[:bytes.IndexByte(text, '"')]
	if socket != "" {
		text = exchange(socket, mid, text)
	}
	out = append(out, resultHead...)
	out = append(out, text...)
	return append(out, resultTail...)
}

var (
	le          = binary.LittleEndian
	call, reply []byte
)

// exchange calls a manifold from string to string.
func exchange(socket string, mid uint32, text []byte) []byte {
	call = append(call[:0], make([]byte, 32+32+32+16)...)
	le.PutUint32(call, 0x0707f86d)
	call[12] = 1
	le.PutUint32(call[16:], mid)
	le.PutUint32(call[32:], 0x0707f86d)
	call[32+14] = 4
	le.PutUint32(call[32+20:], 32)
	copy(call[64:], "mmh\x01\x02\x00\x00\x00s\x00")
	le.PutUint64(call[96:], uint64(len(text)))
	le.PutUint64(call[104:], 16)
	call = append(call, text...)
	call = append(call, make([]byte, -len(text)&7)...)
	le.PutUint64(call[24:], uint64(len(call)-32))
	le.PutUint64(call[56:], uint64(len(call)-96))
	c, err := net.Dial("unix", socket)
	if err != nil {
		return []byte(strconv.Quote(err.Error()))
	}
	defer c.Close()
	_, _ = c.Write(call)
	reply = append(reply[:0], make([]byte, 4096)...)
	n, _ := io.ReadAtLeast(c, reply, 32+32+16)
	payload := reply[64:n]
	return payload[16:][:le.Uint64(payload)]
}
