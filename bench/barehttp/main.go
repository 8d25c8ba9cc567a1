// Command barehttp is the least a handler of net/http can do that does the benchmark's job:
// it reads the body and writes the reply, and knows neither sessions nor origins, neither
// revisions nor what a tool is. It finds id and argument by their position in the body,
// decoding nothing; with -json it decodes them into typed structs with encoding/json, as a
// careful handler has to; with -pool it makes a raw exchange with a pool of the argument.
//
//	barehttp [-json | -pool SOCKET]
package main

import (
	"encoding/json"
	"flag"
	"io"
	"log"
	"net"
	"net/http"
	"strconv"
	"sync"

	"github.com/mcpgen/mcpgen/bench/internal/position"
	"github.com/mcpgen/mcpgen/bench/internal/rawpool"
)

func main() {
	log.SetFlags(0)
	log.SetPrefix("barehttp: ")
	decode := flag.Bool("json", false, "decode with encoding/json")
	socket := flag.String("pool", "", "socket of a pool to call")
	flag.Parse()
	answer := byPosition
	switch {
	case *decode:
		answer = byDecoding
	case *socket != "":
		answer = byPool(*socket)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	log.Printf("over HTTP at http://%s/mcp", l.Addr())
	log.Fatal(http.Serve(l, handler(answer)))
}

// An answerer appends the text of a result to out, as the inside of a string, after what
// head appends for the call's id; it returns nil if body is no call.
type answerer func(out, body []byte) []byte

// head appends what stands before the text of a result.
func head(out, id []byte) []byte {
	out = append(append(out, `{"jsonrpc":"2.0","id":`...), id...)
	return append(out, `,"result":{"content":[{"type":"text","text":"`...)
}

func handler(answer answerer) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			w.WriteHeader(http.StatusBadRequest)
			return
		}
		out := answer(make([]byte, 0, 128+len(body)), body)
		if out == nil {
			w.WriteHeader(http.StatusBadRequest)
			return
		}
		out = append(out, "\"}],\"isError\":false}}\n"...)
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("Cache-Control", "no-store")
		w.Header().Set("Content-Length", strconv.Itoa(len(out)))
		_, _ = w.Write(out)
	}
}

func byPosition(out, body []byte) []byte {
	id, _, arguments, ok := position.Find(body)
	if !ok {
		return nil
	}
	return position.Escape(head(out, id), position.Value(arguments))
}

// byPool returns an answerer that calls a pool, which handles one call at a time.
func byPool(socket string) answerer {
	var mu sync.Mutex
	pool := rawpool.Client{Socket: socket}
	return func(out, body []byte) []byte {
		id, tool, arguments, ok := position.Find(body)
		if !ok {
			return nil
		}
		mu.Lock()
		defer mu.Unlock()
		out, err := pool.AppendResult(head(out, id), tool, arguments)
		if err != nil {
			log.Print(err)
			return nil
		}
		return out
	}
}

// A call is a request as the benchmark makes it.
type call struct {
	ID     json.RawMessage `json:"id"`
	Params struct {
		Name      string          `json:"name"`
		Arguments json.RawMessage `json:"arguments"`
	} `json:"params"`
}

// byDecoding decodes the argument to a Go value and encodes that.
func byDecoding(out, body []byte) []byte {
	var c call
	if json.Unmarshal(body, &c) != nil {
		return nil
	}
	var value []byte
	var err error
	switch c.Params.Name {
	case "echo":
		value, err = again[string](c.Params.Arguments)
	case "numbers":
		value, err = again[[]float64](c.Params.Arguments)
	default:
		return nil
	}
	if err != nil {
		return nil
	}
	return position.Escape(head(out, c.ID), value)
}

func again[T any](arguments []byte) ([]byte, error) {
	var a struct {
		Value T `json:"_1"`
	}
	if err := json.Unmarshal(arguments, &a); err != nil {
		return nil, err
	}
	return json.Marshal(a.Value)
}
