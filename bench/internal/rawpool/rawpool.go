// Package rawpool calls the functions of the benchmark's pool with as little as a call can
// be made of: arguments found by their position, a packet written into a buffer, one
// connection, and the result read from its place in the reply. It checks nothing.
package rawpool

import (
	"bytes"
	"encoding/binary"
	"io"
	"math"
	"net"
	"slices"
	"strconv"

	"github.com/mcpgen/mcpgen/bench/internal/position"
)

// Manifolds of the pool, the numbers of its functions.
const (
	Echo    = 1 + iota // string to string
	Add                // integers
	Sum                // list of numbers
	Numbers            // list of numbers to itself
	Wait               // string to string, after a while
)

const (
	magic      = 0x0707f86d
	headerSize = 32
	blockSize  = 32 // of metadata, which holds the schema
	voidstar   = 4
)

var le = binary.LittleEndian

// A Client calls a pool. Not for concurrent use.
type Client struct {
	Socket string

	call, reply []byte
}

// AppendResult calls the function of a tool and appends the JSON text of its result as the
// inside of a string.
func (c *Client) AppendResult(out, tool, arguments []byte) ([]byte, error) {
	switch string(tool) {
	case "echoPool":
		text := position.Value(arguments)
		c.begin(Echo)
		c.text(text[1 : len(text)-1])
		payload, err := c.exchange()
		if err != nil {
			return nil, err
		}
		out = append(append(out, `\"`...), payload[16:][:le.Uint64(payload)]...)
		return append(out, `\"`...), nil
	case "add":
		a, b, _ := bytes.Cut(arguments, []byte(","))
		c.begin(Add)
		c.integer(position.Value(a))
		c.integer(position.Value(b))
		payload, err := c.exchange()
		if err != nil {
			return nil, err
		}
		return strconv.AppendInt(out, int64(le.Uint64(payload[8:])), 10), nil
	case "sum":
		c.begin(Sum)
		c.numbers(position.Value(arguments))
		payload, err := c.exchange()
		if err != nil {
			return nil, err
		}
		return appendNumber(out, payload), nil
	default:
		c.begin(Numbers)
		c.numbers(position.Value(arguments))
		payload, err := c.exchange()
		if err != nil {
			return nil, err
		}
		return appendNumbers(out, payload), nil
	}
}

func appendNumber(out, value []byte) []byte {
	return strconv.AppendFloat(out, math.Float64frombits(le.Uint64(value)), 'f', -1, 64)
}

func appendNumbers(out, payload []byte) []byte {
	n, at := le.Uint64(payload), le.Uint64(payload[8:])
	out = append(out, '[')
	for i := range n {
		if i > 0 {
			out = append(out, ',')
		}
		out = appendNumber(out, payload[at+8*i:])
	}
	return append(out, ']')
}

// begin starts the packet of a call.
func (c *Client) begin(manifold uint32) {
	c.call = append(c.call[:0], make([]byte, headerSize)...)
	le.PutUint32(c.call, magic)
	c.call[12] = 1
	le.PutUint32(c.call[16:], manifold)
}

// argument starts the packet of an argument and returns where its value begins.
func (c *Client) argument(schema string) (start int) {
	at := len(c.call)
	c.call = append(c.call, make([]byte, headerSize+blockSize)...)
	packet := c.call[at:]
	le.PutUint32(packet, magic)
	packet[14] = voidstar
	le.PutUint32(packet[20:], blockSize)
	copy(packet[headerSize:], "mmh\x01")
	le.PutUint32(packet[headerSize+4:], uint32(len(schema)+1))
	copy(packet[headerSize+8:], schema)
	return len(c.call)
}

// end ends the packet of an argument.
func (c *Client) end(start int) {
	c.call = append(c.call, make([]byte, (start-len(c.call))&7)...)
	le.PutUint64(c.call[start-blockSize-8:], uint64(len(c.call)-start))
}

func (c *Client) put(values ...uint64) {
	for _, v := range values {
		c.call = le.AppendUint64(c.call, v)
	}
}

func (c *Client) text(text []byte) {
	start := c.argument("s")
	c.put(uint64(len(text)), 16)
	c.call = append(c.call, text...)
	c.end(start)
}

func (c *Client) integer(digits []byte) {
	start := c.argument("j")
	value, _ := strconv.ParseInt(string(digits), 10, 64)
	c.put(1, uint64(value))
	c.end(start)
}

func (c *Client) numbers(list []byte) {
	start := c.argument("af8")
	c.put(0, 64, 0, 0, 0, 0, 0, 0)
	n := 0
	for rest := list[1 : len(list)-1]; len(rest) > 0; n++ {
		var digits []byte
		digits, rest, _ = bytes.Cut(rest, []byte(","))
		value, _ := strconv.ParseFloat(string(digits), 64)
		c.put(math.Float64bits(value))
	}
	le.PutUint64(c.call[start:], uint64(n))
	c.end(start)
}

// exchange sends the call and returns the value in the reply, until the next call.
func (c *Client) exchange() ([]byte, error) {
	le.PutUint64(c.call[24:], uint64(len(c.call)-headerSize))
	conn, err := net.Dial("unix", c.Socket)
	if err != nil {
		return nil, err
	}
	defer conn.Close()
	if _, err := conn.Write(c.call); err != nil {
		return nil, err
	}
	c.reply = slices.Grow(c.reply[:0], 4096)
	c.reply = c.reply[:cap(c.reply)]
	n, err := io.ReadAtLeast(conn, c.reply, headerSize)
	if err != nil {
		return nil, err
	}
	value := headerSize + int(le.Uint32(c.reply[20:]))
	size := value + int(le.Uint64(c.reply[24:]))
	if size > len(c.reply) {
		c.reply = append(c.reply, make([]byte, size-len(c.reply))...)
	}
	if _, err := io.ReadFull(conn, c.reply[min(n, size):size]); err != nil {
		return nil, err
	}
	return c.reply[value:size], nil
}
