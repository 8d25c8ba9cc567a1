package main

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"time"
)

// A dialect is how a client speaks to a server over HTTP.
type dialect int

const (
	session dialect = iota // 2025-11-25, after a handshake and with its Mcp-Session-Id
	single                 // 2025-11-25, calls only
	modern                 // 2026-07-28
)

const accept = "Content-Type: application/json\r\nAccept: application/json, text/event-stream\r\n"

// A webClient makes calls of one tool over one kept-alive connection. Not for concurrent use.
type webClient struct {
	conn    net.Conn
	replies *bufio.Reader
	start   string // request line and header fields, up to the value of Content-Length
	params  string // of a call, up to the closing brace
	want    []byte // what is in every right reply
	request []byte
	body    bytes.Buffer
}

// connect opens a connection and shakes hands where the dialect has that.
func connect(endpoint string, d dialect, l webLoad) (*webClient, error) {
	u, err := url.Parse(endpoint)
	if err != nil {
		return nil, err
	}
	conn, err := net.Dial("tcp", u.Host)
	if err != nil {
		return nil, err
	}
	c := &webClient{conn: conn, replies: bufio.NewReaderSize(conn, 64<<10), want: []byte(l.want)}
	c.params = `{"name":"` + l.tool + `","arguments":{"_1":` + l.argument + `}`
	first := "POST " + u.Path + " HTTP/1.1\r\nHost: " + u.Host + "\r\n" + accept
	fields := "MCP-Protocol-Version: 2025-11-25\r\n"
	switch d {
	case session:
		id, err := c.handshake(first, fields)
		if err != nil {
			return nil, errors.Join(err, conn.Close())
		}
		fields += "Mcp-Session-Id: " + id + "\r\n"
	case modern:
		fields = "MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: tools/call\r\nMcp-Name: " + l.tool + "\r\n"
		c.params += `,"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",` +
			`"io.modelcontextprotocol/clientInfo":{"name":"bench","version":"1"},"io.modelcontextprotocol/clientCapabilities":{}}`
	}
	c.start = first + fields + "Content-Length: "
	return c, nil
}

// handshake begins a session and returns its id.
func (c *webClient) handshake(first, fields string) (id string, err error) {
	c.start = first + "Content-Length: "
	header, err := c.exchange(`{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25",` +
		`"capabilities":{},"clientInfo":{"name":"bench","version":"1"}}}`)
	if err != nil {
		return "", err
	}
	id = header.Get("Mcp-Session-Id")
	c.start = first + fields + "Mcp-Session-Id: " + id + "\r\nContent-Length: "
	_, err = c.exchange(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	return id, err
}

// exchange posts a body and reads the reply into c.body.
func (c *webClient) exchange(body string) (http.Header, error) {
	c.request = append(c.request[:0], c.start...)
	c.request = strconv.AppendInt(c.request, int64(len(body)), 10)
	c.request = append(append(c.request, "\r\n\r\n"...), body...)
	if _, err := c.conn.Write(c.request); err != nil {
		return nil, err
	}
	r, err := http.ReadResponse(c.replies, nil)
	if err != nil {
		return nil, err
	}
	c.body.Reset()
	if _, err = c.body.ReadFrom(r.Body); err != nil {
		return nil, err
	}
	if r.StatusCode/100 != 2 {
		return nil, fmt.Errorf("status %s: %.200s", r.Status, c.body.Bytes())
	}
	return r.Header, nil
}

// calls makes n calls, one after the other.
func (c *webClient) calls(n int) error {
	for i := range n {
		body := `{"jsonrpc":"2.0","id":` + strconv.Itoa(i) + `,"method":"tools/call","params":` + c.params + "}}"
		if _, err := c.exchange(body); err != nil {
			return err
		}
		if !bytes.Contains(c.body.Bytes(), c.want) || bytes.Contains(c.body.Bytes(), []byte(`"isError":true`)) {
			return fmt.Errorf("not the right reply: %.200s", c.body.Bytes())
		}
	}
	return nil
}

// atOnce makes n calls in all, shared out to all clients, and returns what a call cost.
func atOnce(pid int, clients []*webClient, n int) (cost, error) {
	each := n / len(clients)
	done := make(chan error, len(clients))
	before, start := cpuTime(pid), time.Now()
	for _, c := range clients {
		go func() { done <- c.calls(each) }()
	}
	var err error
	for range clients {
		err = errors.Join(err, <-done)
	}
	calls := time.Duration(each * len(clients))
	wall := time.Since(start) / calls
	return cost{(cpuTime(pid) - before) / calls, wall}, err
}
