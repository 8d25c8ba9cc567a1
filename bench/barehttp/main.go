// Command barehttp is the least that answers the calls of the benchmark over HTTP: a
// handler of net/http that knows neither sessions nor revisions nor what a tool is. It finds
// id and argument by their position in the body, decoding nothing; with -json it decodes
// them into typed structs with encoding/json, as a careful handler has to.
package main

import (
	"bytes"
	"encoding/json"
	"flag"
	"io"
	"log"
	"net"
	"net/http"
	"strconv"
)

func main() {
	log.SetFlags(0)
	decode := flag.Bool("json", false, "decode with encoding/json")
	flag.Parse()
	find := byPosition
	if *decode {
		find = byDecoding
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	log.Printf("barehttp: over HTTP at http://%s/mcp", l.Addr())
	log.Fatal(http.Serve(l, handler(find)))
}

// A finder returns the id and the text of the value of a call; id is nil if it is no call.
type finder func(body []byte) (id, value []byte)

func handler(find finder) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		id, value := find(body)
		if err != nil || id == nil {
			w.WriteHeader(http.StatusBadRequest)
			return
		}
		out := make([]byte, 0, 128+len(value))
		out = append(out, `{"jsonrpc":"2.0","id":`...)
		out = append(out, id...)
		out = append(out, `,"result":{"content":[{"type":"text","text":"`...)
		out = appendEscaped(out, value)
		out = append(out, "\"}],\"isError\":false}}\n"...)
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("Cache-Control", "no-store")
		w.Header().Set("Content-Length", strconv.Itoa(len(out)))
		_, _ = w.Write(out)
	}
}

// appendEscaped appends JSON text that has no control characters as the inside of a string.
func appendEscaped(out, text []byte) []byte {
	if bytes.IndexByte(text, '"') < 0 && bytes.IndexByte(text, '\\') < 0 {
		return append(out, text...)
	}
	for _, b := range text {
		if b == '"' || b == '\\' {
			out = append(out, '\\')
		}
		out = append(out, b)
	}
	return out
}

// byPosition takes what stands between the words that the benchmark's client writes.
func byPosition(body []byte) (id, value []byte) {
	_, rest, _ := bytes.Cut(body, []byte(`"id":`))
	id, rest, _ = bytes.Cut(rest, []byte(`,"method"`))
	_, rest, found := bytes.Cut(rest, []byte(`"_1":`))
	value, _, ended := bytes.Cut(rest, []byte("}"))
	if !found || !ended {
		return nil, nil
	}
	return id, value
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
func byDecoding(body []byte) (id, value []byte) {
	var c call
	if json.Unmarshal(body, &c) != nil {
		return nil, nil
	}
	var err error
	switch c.Params.Name {
	case "echo":
		value, err = again[string](c.Params.Arguments)
	case "numbers":
		value, err = again[[]float64](c.Params.Arguments)
	default:
		return nil, nil
	}
	if err != nil {
		return nil, nil
	}
	return c.ID, value
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
