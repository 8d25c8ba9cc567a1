// Command direct runs a command-line program for each line, with os/exec and nothing else: it
// finds the argument of a call by its position and answers with what the program prints.
//
//	direct PROGRAM
package main

import (
	"bytes"
	"fmt"
	"log"
	"os"
	"os/exec"
	"sync"

	"github.com/mcpgen/mcpgen/bench/internal/line"
	"github.com/mcpgen/mcpgen/bench/internal/position"
)

func main() {
	log.SetFlags(0)
	log.SetPrefix("direct: ")
	if len(os.Args) != 2 {
		log.Fatal("usage: direct PROGRAM")
	}
	var calls sync.WaitGroup
	err := line.Serve(func(out, text []byte) []byte {
		id, tool, arguments, ok := position.Find(text)
		switch {
		case ok:
			value := string(bytes.Trim(position.Value(arguments), `"`))
			id, tool := string(id), string(tool)
			calls.Go(func() { answer(id, tool, value) })
		case bytes.Contains(text, []byte(`"id"`)): // the handshake
			out = append(out, `{"jsonrpc":"2.0","id":0,"result":{}}`+"\n"...)
		}
		return out
	})
	calls.Wait()
	if err != nil {
		log.Fatal(err)
	}
}

// answer makes a call and writes the reply, all at once.
func answer(id, tool, value string) {
	out, err := exec.Command(os.Args[1], tool, value).Output()
	if err != nil {
		log.Fatal(err)
	}
	_, err = fmt.Printf(`{"jsonrpc":"2.0","id":%s,"result":{"content":[{"type":"text","text":"%s"}],"isError":false}}`+"\n",
		id, bytes.TrimSpace(out))
	if err != nil {
		log.Fatal(err)
	}
}
