package main

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
)

// A dialect is how a client speaks to a server over HTTP.
type dialect int

const (
	session  dialect = iota // 2025-11-25, after a handshake and with its Mcp-Session-Id
	single                  // 2025-11-25, without a handshake and an id
	pretense                // 2025-11-25, without a handshake, but with an id: what a bare handler reads is not less
	modern                  // 2026-07-28
)

const (
	accept   = "Content-Type: application/json\r\nAccept: application/json, text/event-stream\r\n"
	revision = "MCP-Protocol-Version: 2025-11-25\r\n"
	noID     = "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA" // of a session, as long as one
	meta     = `,"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",` +
		`"io.modelcontextprotocol/clientInfo":{"name":"bench","version":"1"},"io.modelcontextprotocol/clientCapabilities":{}}`
)

// A webServer is a server that runs, over HTTP.
type webServer struct {
	cmd     *exec.Cmd
	url     *url.URL
	clients map[dialect][]*webClient // of one connection each
}

// serving is the line with which a server says where it listens. The peers say it as ours does.
var serving = regexp.MustCompile(`over HTTP at (http://\S+)`)

// serve starts a server and returns when it listens.
func serve(argv []string) (*webServer, error) {
	s := &webServer{cmd: exec.Command(argv[0], argv[1:]...), clients: map[dialect][]*webClient{}}
	stderr, err := s.cmd.StderrPipe()
	if err != nil {
		return nil, err
	}
	if err := s.cmd.Start(); err != nil {
		return nil, err
	}
	in := bufio.NewReader(stderr)
	var said strings.Builder
	for s.url == nil {
		line, err := in.ReadString('\n')
		said.WriteString(line)
		if found := serving.FindStringSubmatch(line); found != nil {
			s.url, err = url.Parse(found[1])
		}
		if err != nil {
			_ = s.cmd.Process.Kill()
			return nil, fmt.Errorf("%s: does not say where it listens: %v, %v\n%s", argv[0], err, s.cmd.Wait(), said.String())
		}
	}
	go func() { _, _ = io.Copy(os.Stderr, in) }()
	return s, nil
}

// stop ends the server, and with it the pools of ours.
func (s *webServer) stop() {
	for _, clients := range s.clients {
		for _, c := range clients {
			_ = c.conn.Close()
		}
	}
	stop(s.cmd)
}

// connected returns n clients of a dialect, those of earlier calls among them.
func (s *webServer) connected(d dialect, n int) ([]*webClient, error) {
	for len(s.clients[d]) < n {
		c, err := s.connect(d)
		if err != nil {
			return nil, err
		}
		s.clients[d] = append(s.clients[d], c)
	}
	return s.clients[d][:n], nil
}

// A webClient makes requests over one kept-alive connection. Not for concurrent use.
type webClient struct {
	host    string
	dialect dialect
	conn    net.Conn
	replies *bufio.Reader
	start   string // request line and header fields that are the same in all requests
	request []byte
	message []byte
	body    bytes.Buffer // of the last reply
}

// connect opens a connection and shakes hands where the dialect has that.
func (s *webServer) connect(d dialect) (*webClient, error) {
	c := &webClient{host: s.url.Host, dialect: d}
	err := c.dial()
	if err != nil {
		return nil, err
	}
	c.start = "POST " + s.url.Path + " HTTP/1.1\r\nHost: " + s.url.Host + "\r\n" + accept
	switch d {
	case session:
		err = c.handshake()
	case single:
		c.start += revision
	case pretense:
		c.start += revision + "Mcp-Session-Id: " + noID + "\r\n"
	case modern:
		c.start += "MCP-Protocol-Version: 2026-07-28\r\n"
	}
	if err != nil {
		return nil, errors.Join(err, c.conn.Close())
	}
	return c, nil
}

func (c *webClient) dial() (err error) {
	if c.conn, err = net.Dial("tcp", c.host); err != nil {
		return err
	}
	c.replies = bufio.NewReaderSize(c.conn, 64<<10)
	return nil
}

// redial opens a new connection for the same session: servers close those that were idle
// for some time.
func (c *webClient) redial() error {
	_ = c.conn.Close()
	return c.dial()
}

// handshake begins a session, of which later requests hold the id.
func (c *webClient) handshake() error {
	c.message = append(c.message[:0], strings.Replace(handshake, "2025-06-18", "2025-11-25", 1)...)
	header, err := c.exchange("")
	if err != nil {
		return err
	}
	c.start += revision + "Mcp-Session-Id: " + header.Get("Mcp-Session-Id") + "\r\n"
	c.message = append(c.message[:0], initialized...)
	_, err = c.exchange("")
	return err
}

// exchange posts c.message, with more header fields, and reads the reply into c.body.
func (c *webClient) exchange(fields string) (http.Header, error) {
	c.request = append(append(append(c.request[:0], c.start...), fields...), "Content-Length: "...)
	c.request = strconv.AppendInt(c.request, int64(len(c.message)), 10)
	c.request = append(append(c.request, "\r\n\r\n"...), c.message...)
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

// requests makes n requests, one after the other, and checks the replies.
func (c *webClient) requests(l *load, n int) error {
	fields, more := "", ""
	if c.dialect == modern {
		fields, more = "Mcp-Method: "+l.method+"\r\n", meta
		if l.tool != "" {
			fields += "Mcp-Name: " + l.tool + "\r\n"
		}
	}
	for id := range n {
		c.message = l.appendRequest(c.message[:0], id, more)
		if _, err := c.exchange(fields); err != nil {
			return err
		}
		if reply := c.body.Bytes(); idOf(reply) != id || !l.right(reply) {
			return fmt.Errorf("not the right reply: %.200s", reply)
		}
	}
	return nil
}

// web returns a way to measure requests, over so many connections at once, on a server
// that is started once.
func web(l load, connections int, d dialect, argv func(*kit) ([]string, error)) starter {
	return func(k *kit) (taker, error) {
		command, err := argv(k)
		if err != nil {
			return nil, err
		}
		s, err := k.webServer(command)
		if err != nil {
			return nil, err
		}
		clients, err := s.connected(d, connections)
		if err != nil {
			return nil, err
		}
		ready := func() error {
			for _, c := range clients {
				if err := c.redial(); err != nil {
					return err
				}
			}
			return atOnce(clients, &l, connections)
		}
		return k.repeated(s.cmd.Process.Pid, connections, ready, func(n int) error { return atOnce(clients, &l, n) })
	}
}

// atOnce makes n requests in all, shared out to all clients.
func atOnce(clients []*webClient, l *load, n int) error {
	done := make(chan error, len(clients))
	for _, c := range clients {
		go func() { done <- c.requests(l, n/len(clients)) }()
	}
	var err error
	for range clients {
		err = errors.Join(err, <-done)
	}
	return err
}
