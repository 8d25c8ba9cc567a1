// Command raw is the least that a server which calls a pool can do: it finds the arguments
// of a line by their position, makes a raw exchange with the pool, and answers. Calls are
// made one after the other, and each is answered before the next is made: to hold its reply
// back, for fewer writes, would delay it by all calls that wait.
//
//	raw SOCKET
package main

import (
	"bytes"
	"log"
	"os"

	"github.com/mcpgen/mcpgen/bench/internal/line"
	"github.com/mcpgen/mcpgen/bench/internal/position"
	"github.com/mcpgen/mcpgen/bench/internal/rawpool"
)

func main() {
	log.SetFlags(0)
	log.SetPrefix("raw: ")
	if len(os.Args) != 2 {
		log.Fatal("usage: raw SOCKET")
	}
	pool := rawpool.Client{Socket: os.Args[1]}
	var reply []byte
	err := line.Serve(func(nothing, text []byte) []byte {
		reply = answer(&pool, reply[:0], text)
		if _, err := os.Stdout.Write(reply); err != nil {
			log.Fatal(err)
		}
		return nothing
	})
	if err != nil {
		log.Fatal(err)
	}
}

func answer(pool *rawpool.Client, out, text []byte) []byte {
	id, tool, arguments, ok := position.Find(text)
	if !ok {
		if bytes.Contains(text, []byte(`"id"`)) { // the handshake
			out = append(out, `{"jsonrpc":"2.0","id":0,"result":{}}`+"\n"...)
		}
		return out
	}
	out = append(append(out, `{"jsonrpc":"2.0","id":`...), id...)
	out = append(out, `,"result":{"content":[{"type":"text","text":"`...)
	out, err := pool.AppendResult(out, tool, arguments)
	if err != nil {
		log.Fatal(err)
	}
	return append(out, `"}],"isError":false}}`+"\n"...)
}
