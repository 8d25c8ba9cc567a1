// Command stdjson is the plain way to write such a server in Go: encoding/json, typed
// structs, one write a reply.
package main

import (
	"bufio"
	"encoding/json"
	"os"
)

type request struct {
	JSONRPC string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id"`
	Method  string          `json:"method"`
	Params  struct {
		Name      string          `json:"name"`
		Arguments json.RawMessage `json:"arguments"`
	} `json:"params"`
}

type content struct {
	Type string `json:"type"`
	Text string `json:"text"`
}

type result struct {
	Content []content `json:"content"`
	IsError bool      `json:"isError"`
}

type response struct {
	JSONRPC string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id"`
	Result  any             `json:"result"`
}

func main() {
	in := bufio.NewReaderSize(os.Stdin, 1<<20)
	for {
		line, err := in.ReadBytes('\n')
		if err != nil {
			return
		}
		var r request
		if json.Unmarshal(line, &r) != nil || r.ID == nil {
			continue
		}
		reply := response{JSONRPC: "2.0", ID: r.ID, Result: struct{}{}}
		if r.Method == "tools/call" {
			reply.Result = call(r.Params.Name, r.Params.Arguments)
		}
		text, err := json.Marshal(reply)
		if err != nil {
			return
		}
		if _, err := os.Stdout.Write(append(text, '\n')); err != nil {
			return
		}
	}
}

func call(name string, arguments json.RawMessage) result {
	var value any
	switch name {
	case "echo":
		var a struct {
			Text string `json:"_1"`
		}
		if json.Unmarshal(arguments, &a) != nil {
			return result{IsError: true}
		}
		value = a.Text
	case "numbers":
		var a struct {
			Values []float64 `json:"_1"`
		}
		if json.Unmarshal(arguments, &a) != nil {
			return result{IsError: true}
		}
		value = a.Values
	}
	text, err := json.Marshal(value)
	if err != nil {
		return result{IsError: true}
	}
	return result{Content: []content{{"text", string(text)}}}
}
