// Command stdjson is the plain way to write such a server in Go: encoding/json, typed
// structs, one write a reply. It has no pool: it does itself what the pool would do.
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
	switch name {
	case "echo":
		return answer(arguments, func(a one[string]) any { return a.Value })
	case "numbers", "numbersPool":
		return answer(arguments, func(a one[[]float64]) any { return a.Value })
	case "add":
		return answer(arguments, func(a two) any { return a.X + a.Y })
	case "sum":
		return answer(arguments, func(a one[[]float64]) any { return sum(a.Value) })
	}
	return result{IsError: true}
}

// one is one argument.
type one[T any] struct {
	Value T `json:"_1"`
}

// two is two arguments.
type two struct {
	X int64 `json:"_1"`
	Y int64 `json:"_2"`
}

// answer decodes arguments and makes a result of what f makes of them.
func answer[T any](arguments json.RawMessage, f func(T) any) result {
	var a T
	if json.Unmarshal(arguments, &a) != nil {
		return result{IsError: true}
	}
	text, err := json.Marshal(f(a))
	if err != nil {
		return result{IsError: true}
	}
	return result{Content: []content{{"text", string(text)}}}
}

func sum(values []float64) (total float64) {
	for _, v := range values {
		total += v
	}
	return total
}
