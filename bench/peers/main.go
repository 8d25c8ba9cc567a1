// Command peers serves the pure tools of the benchmark's program over HTTP with a library of
// others, written as its documentation shows: typed handlers, JSON replies.
//
//	peers [-stateless] go-sdk
//	peers mcp-go
//
// It says on stderr where it listens and runs until it is killed.
package main

import (
	"encoding/json"
	"flag"
	"log"
	"net"
	"net/http"
)

// An argument is the arguments of a tool that has one.
type argument[T any] struct {
	Value T `json:"_1"`
}

func main() {
	log.SetFlags(0)
	log.SetPrefix("peers: ")
	stateless := flag.Bool("stateless", false, "serve without sessions (go-sdk)")
	flag.Parse()
	var handler http.Handler
	switch name := flag.Arg(0); {
	case name == "go-sdk":
		handler = goSDK(*stateless)
	case name == "mcp-go" && !*stateless:
		handler = mcpGo()
	default:
		log.Fatal("want: peers [-stateless] go-sdk, or: peers mcp-go")
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	log.Printf("%s over HTTP at http://%s/mcp", flag.Arg(0), l.Addr())
	mux := http.NewServeMux()
	mux.Handle("/mcp", handler)
	log.Fatal(http.Serve(l, mux))
}

// text returns the JSON text of a value, which is what the tools answer.
func text(value any) (string, error) {
	out, err := json.Marshal(value)
	return string(out), err
}
