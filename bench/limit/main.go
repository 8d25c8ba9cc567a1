// Command limit is as fast as a server that answers echo can be: it checks nothing, finds
// the id and the text of a line by their position in what bench sends, and writes the
// replies to all lines of a read at once.
package main

import (
	"bytes"
	"log"

	"github.com/mcpgen/mcpgen/bench/internal/line"
)

const (
	beforeText = `"arguments":{"_1":"`
	replyHead  = `{"jsonrpc":"2.0","id":`
	resultHead = `,"result":{"content":[{"type":"text","text":"\"`
	resultTail = `\""}],"isError":false}}` + "\n"
)

func main() {
	if err := line.Serve(answer); err != nil {
		log.Fatal("limit: ", err)
	}
}

func answer(out, line []byte) []byte {
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
	out = append(out, resultHead...)
	out = append(out, text...)
	return append(out, resultTail...)
}
