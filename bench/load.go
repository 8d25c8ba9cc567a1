package main

import (
	"bytes"
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
)

// A load is requests of one kind.
type load struct {
	method string
	tool   string // that is called, if any
	params string // JSON text, without the closing brace
	want   string // in every right reply, near its beginning or its end
}

// callLoad returns calls of a tool, given the JSON text of its arguments and how the text of
// the right result begins.
func callLoad(tool, result string, arguments ...string) load {
	var members []string
	for i, a := range arguments {
		members = append(members, `"_`+strconv.Itoa(i+1)+`":`+a)
	}
	return namedCall(tool, result, strings.Join(members, ","))
}

// namedCall is the same, given the members of the arguments.
func namedCall(tool, result, members string) load {
	return load{"tools/call", tool, `{"name":"` + tool + `","arguments":{` + members + `}`, `"text":"` + result}
}

// listLoad returns requests for a list of tools that ends with one of that name.
func listLoad(last string) load {
	return load{"tools/list", "", `{`, `"name":"` + last + `"`}
}

// The arguments.
var (
	hello     = `"hello"`
	megabyte  = `"` + strings.Repeat("The quick brown fox jumps over the lazy dog, ", 1<<20/45) + `"`
	numbers1k = numberList(1_000, 4)
	doubles1k = numberList(1_000, fullPrecision)
	list100k  = numberList(100_000, 4)
)

// fullPrecision makes numbers of as many digits as they have in memory.
const fullPrecision = -1

// numberList returns the JSON text of a list of n numbers, the same each time: up to three
// digits before the point, none to so many behind it.
func numberList(n, digits int) string {
	out := []byte{'['}
	r := rand.New(rand.NewPCG(1, 2))
	for i := range n {
		if i > 0 {
			out = append(out, ',')
		}
		x := 2_000*r.Float64() - 1_000
		if digits != fullPrecision {
			power := math.Pow10(r.IntN(digits + 1))
			x = math.Round(x*power) / power
		}
		out = strconv.AppendFloat(out, x, 'f', -1, 64)
	}
	return string(append(out, ']'))
}

// appendRequest appends a request, with more members of params behind the load's own.
func (l *load) appendRequest(out []byte, id int, more string) []byte {
	out = append(out, `{"jsonrpc":"2.0","id":`...)
	out = strconv.AppendInt(out, int64(id), 10)
	out = append(out, `,"method":"`...)
	out = append(out, l.method...)
	out = append(out, `","params":`...)
	out = append(out, l.params...)
	out = append(out, more...)
	return append(out, "}}"...)
}

// ends is how much of a long reply is looked at, from both ends.
const ends = 512

// right reports whether a reply is what the load wants.
func (l *load) right(reply []byte) bool {
	head, tail := reply, []byte(nil)
	if len(reply) > 2*ends {
		head, tail = reply[:ends], reply[len(reply)-ends:]
	}
	failed := []byte(`"isError":true`)
	if bytes.Contains(head, failed) || bytes.Contains(tail, failed) {
		return false
	}
	want := []byte(l.want)
	return bytes.Contains(head, want) || bytes.Contains(tail, want)
}

// idOf returns the id of a reply, which stands at one of its ends; -1 if there is none.
func idOf(reply []byte) int {
	reply = bytes.TrimRight(reply, "\n")
	key := []byte(`"id":`)
	rest, found := []byte(nil), false
	if _, rest, found = bytes.Cut(reply[:min(len(reply), 64)], key); !found {
		if _, rest, found = bytes.Cut(reply[max(0, len(reply)-32):], key); !found {
			return -1
		}
	}
	end := bytes.IndexAny(rest, ",}")
	if end < 0 {
		return -1
	}
	id, err := strconv.Atoi(string(rest[:end]))
	if err != nil {
		return -1
	}
	return id
}
