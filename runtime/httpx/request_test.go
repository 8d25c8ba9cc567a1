package httpx

import (
	"bufio"
	"bytes"
	"io"
	"net"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"
)

// An answer is what a request was answered.
type answer struct {
	status int
	header http.Header
	body   string
}

// A request is one under construction; its zero value posts nothing to /mcp.
type request struct {
	method, path, body string
	header             []string // "Name: value"; a name alone takes the default away
}

func post(body string, header ...string) request { return request{body: body, header: header} }

// text returns the bytes of the request.
func (r request) text(addr string) string {
	method, path := r.method, r.path
	if method == "" {
		method = "POST"
	}
	if path == "" {
		path = "/mcp"
	}
	head := []string{
		"Host: " + addr, "Content-Type: application/json", "Accept: application/json, text/event-stream",
		"Content-Length: " + strconv.Itoa(len(r.body)),
	}
	defaults := len(head)
	for _, line := range r.header {
		name, _, given := strings.Cut(line, ":")
		for i, old := range head[:min(defaults, len(head))] {
			if known, _, _ := strings.Cut(old, ":"); strings.EqualFold(known, name) {
				head = append(head[:i:i], head[i+1:]...)
				defaults--
				break
			}
		}
		if given {
			head = append(head, line)
		}
	}
	return method + " " + path + " HTTP/1.1\r\n" + strings.Join(head, "\r\n") + "\r\n\r\n" + r.body
}

// dial connects to the server.
func (s *server) dial() net.Conn {
	s.t.Helper()
	c, err := net.Dial("tcp", s.addr)
	if err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(func() { _ = c.Close() })
	_ = c.SetDeadline(time.Now().Add(time.Minute))
	return c
}

// readAnswer reads the answer to a request of that method.
func readAnswer(t *testing.T, r *bufio.Reader, method string) answer {
	t.Helper()
	a, err := tryReadAnswer(r, method)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func tryReadAnswer(r *bufio.Reader, method string) (answer, error) {
	if method == "" {
		method = "POST"
	}
	res, err := http.ReadResponse(r, &http.Request{Method: method})
	if err != nil {
		return answer{}, err
	}
	defer res.Body.Close()
	if res.Close {
		res.Header.Set("Connection", "close") // which it was taken from
	}
	body, err := io.ReadAll(res.Body)
	return answer{res.StatusCode, res.Header, string(body)}, err
}

// do makes a request on a connection of its own.
func (s *server) do(r request) answer {
	s.t.Helper()
	return s.raw(r.text(s.addr), r.method)
}

// raw is do for the bytes of a request.
func (s *server) raw(text, method string) answer {
	s.t.Helper()
	c := s.dial()
	defer c.Close()
	if _, err := io.Copy(c, strings.NewReader(text)); err != nil {
		s.t.Fatal(err)
	}
	return readAnswer(s.t, bufio.NewReader(c), method)
}

const initialized = `{"jsonrpc":"2.0","method":"notifications/initialized"}`

func initialize(revision string) string {
	return `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"` + revision +
		`","capabilities":{},"clientInfo":{"name":"t","version":"0"}}}`
}

// begin begins a session and returns the header that names it.
func (s *server) begin(revision string) string {
	s.t.Helper()
	a := s.do(post(initialize(revision)))
	id := a.header.Get("Mcp-Session-Id")
	if a.status != 200 || id == "" {
		s.t.Fatalf("initialize: %+v", a)
	}
	return "Mcp-Session-Id: " + id
}

// session is begin with the whole handshake.
func (s *server) session(revision string) string {
	s.t.Helper()
	id := s.begin(revision)
	if a := s.do(post(initialized, id)); a.status != 202 || a.body != "" {
		s.t.Fatalf("initialized: %+v", a)
	}
	return id
}

func tool(id, name, arguments string) string {
	return `{"jsonrpc":"2.0","id":` + id + `,"method":"tools/call","params":{"name":"` + name + `","arguments":` + arguments + `}}`
}

const (
	ping = `{"jsonrpc":"2.0","id":1,"method":"ping"}`
	pong = `{"jsonrpc":"2.0","id":1,"result":{}}`
	list = `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`
)

// events returns the messages of an event stream.
func events(body string) []string {
	var messages []string
	for block := range strings.SplitSeq(body, "\n\n") {
		if data, ok := strings.CutPrefix(block, "event: message\ndata: "); ok {
			messages = append(messages, data)
		} else if block != "" {
			messages = append(messages, "NO EVENT: "+block)
		}
	}
	return messages
}

// repeat is a reader of n bytes that takes no memory.
func repeat(b byte, n int64) io.Reader { return io.LimitReader(filled(b), n) }

type filled byte

func (f filled) Read(b []byte) (int, error) {
	copy(b, bytes.Repeat([]byte{byte(f)}, len(b)))
	return len(b), nil
}
