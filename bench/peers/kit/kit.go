// Package kit is what the peers have in common: their flags, what their tools do, and how
// they are reached over HTTP.
package kit

import (
	"encoding/json"
	"flag"
	"fmt"
	"log"
	"net"
	"net/http"
)

// Options is the command line of a peer.
type Options struct {
	HTTP      bool // serve over HTTP, not on standard input and output
	Stateless bool // without sessions
	Tools     int  // list so many tools, of three kinds in turn; 0: the tools of the benchmark
}

// Parse reads the command line.
func Parse(name string) Options {
	log.SetFlags(0)
	log.SetPrefix(name + ": ")
	var o Options
	flag.BoolVar(&o.HTTP, "http", false, "serve over HTTP on a free port, which is told on stderr")
	flag.BoolVar(&o.Stateless, "stateless", false, "serve without sessions")
	flag.IntVar(&o.Tools, "tools", 0, "list so many tools")
	flag.Parse()
	return o
}

// A Kind is what a tool does.
type Kind int

// Kinds, in the order in which they take turns.
const (
	Echo    Kind = iota // a string to itself
	Add                 // two integers
	Numbers             // a list of numbers to itself
	Sum                 // a list of numbers
)

// A Tool is a tool to be served.
type Tool struct {
	Name string
	Kind Kind
}

// Served returns the tools to serve.
func (o Options) Served() []Tool {
	if o.Tools == 0 {
		return []Tool{{"echo", Echo}, {"numbers", Numbers}, {"numbersPool", Numbers}, {"add", Add}, {"sum", Sum}}
	}
	tools := make([]Tool, o.Tools)
	for i := range tools {
		tools[i] = Tool{fmt.Sprintf("tool%04d", i), Kind(i % 3)}
	}
	return tools
}

// Description is that of all tools.
const Description = "The argument itself"

// One is the arguments of a tool that has one.
type One[T any] struct {
	Value T `json:"_1"`
}

// Two is the arguments of a tool that adds.
type Two struct {
	X int64 `json:"_1"`
	Y int64 `json:"_2"`
}

// Text returns the JSON text of a value, which is what the tools answer.
func Text(value any) (string, error) {
	out, err := json.Marshal(value)
	return string(out), err
}

// Same returns its argument's value.
func Same[T any](a One[T]) any { return a.Value }

// Plus adds.
func Plus(a Two) any { return a.X + a.Y }

// Total adds the numbers of a list.
func Total(a One[[]float64]) any {
	var sum float64
	for _, x := range a.Value {
		sum += x
	}
	return sum
}

// Listen serves over HTTP until the process is killed.
func Listen(h http.Handler) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	log.Printf("over HTTP at http://%s/mcp", l.Addr())
	mux := http.NewServeMux()
	mux.Handle("/mcp", h)
	log.Fatal(http.Serve(l, mux))
}
