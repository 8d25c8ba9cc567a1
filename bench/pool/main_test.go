package main

import (
	"net"
	"strings"
	"testing"

	"github.com/mcpgen/mcpgen/bench/internal/rawpool"
	"github.com/mcpgen/mcpgen/internal/testenv"
)

// TestCalls makes the raw client call the pool.
func TestCalls(t *testing.T) {
	t.Parallel()
	many := "[" + strings.Repeat("0.5,-17.25,", 20_000) + "3]"
	socket := testenv.SocketPath(t)
	l, err := net.Listen("unix", socket)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	go func() {
		var buf []byte
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			buf = serve(c, buf)
			_ = c.Close()
		}
	}()
	client := rawpool.Client{Socket: socket}
	for _, test := range []struct{ tool, arguments, want string }{
		{"echoPool", `"_1":"hello"`, `\"hello\"`},
		{"echoPool", `"_1":""`, `\"\"`},
		{"add", `"_1":40,"_2":-2`, "38"},
		{"sum", `"_1":[1.5,2,-0.25]`, "3.25"},
		{"sum", `"_1":[]`, "0"},
		{"sum", `"_1":` + many, "-334997"},
		{"numbersPool", `"_1":[1.5,2,-0.25]`, "[1.5,2,-0.25]"},
		{"numbersPool", `"_1":` + many, many},
		{"add", `"_1":1,"_2":2`, "3"},
	} {
		got, err := client.AppendResult(nil, []byte(test.tool), []byte(test.arguments))
		if err != nil || string(got) != test.want {
			t.Errorf("%s of %.40s: got %.40q, %v, want %.40q", test.tool, test.arguments, got, err, test.want)
		}
	}
}
