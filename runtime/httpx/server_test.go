package httpx

import (
	"bufio"
	"bytes"
	"errors"
	"flag"
	"io"
	"net"
	"net/http"
	"os"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/mcpgen/mcpgen/internal/testenv"
	rt "github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/jsonx"
	"github.com/mcpgen/mcpgen/runtime/mcp"
	"github.com/mcpgen/mcpgen/runtime/stdio"
)

// TestMain serves the program of the tests instead, if it is asked to.
func TestMain(m *testing.M) {
	if os.Getenv("MCPGEN_TEST_SERVER") != "" {
		d := newDemo()
		d.async = true
		os.Exit(rt.Main(d.program(), stdio.Serve, New()))
	}
	testenv.Clear()
	os.Exit(m.Run())
}

const demoTools = `[{"name":"echo","description":"Gives it back","inputSchema":{"type":"object"}},` +
	`{"name":"boom","description":"Fails","inputSchema":{"type":"object"}},` +
	`{"name":"pair","description":"A record","inputSchema":{"type":"object"},"outputSchema":{"type":"object"}}]`

// A demo is the fixture of http.md 12, with tools beside it that wait, report and touch files.
type demo struct {
	async bool            // slow calls end by themselves, after as many milliseconds as they say
	calls chan *mcp.Reply // those of the tool wait
	until chan struct{}   // closed when the tool patient may answer
	runs  chan string     // names of tools that were run, if there is room
	ready func() bool
}

func newDemo() *demo {
	return &demo{calls: make(chan *mcp.Reply, 2000), runs: make(chan string, 100), until: make(chan struct{})}
}

func (d *demo) program() *rt.Program {
	p := &rt.Program{Name: "demo", Version: "1", Server: &mcp.Server{
		Name: "demo", Info: `{"name":"demo","version":"1"}`, Tools: demoTools,
		New: func() mcp.Tools { return &demoCalls{demo: d} },
	}}
	if d.ready != nil {
		p.Backend = backend{d.ready}
	}
	return p
}

type backend struct{ ready func() bool }

func (backend) Start(rt.Options) {}
func (backend) Warm()            {}
func (backend) Stop()            {}
func (b backend) Ready() bool    { return b.ready() }

type demoCalls struct {
	*demo
	text string
	n    jsonx.Int
}

var oneKey = jsonx.Keys{Names: []string{"_1"}, Required: jsonx.Set{1}}

// read reads the one argument.
func (d *demoCalls) read(c *mcp.Call, text bool) error {
	a := &c.Arguments
	o := a.Object(&oneKey)
	for a.Member(&o) {
		switch string(a.Key()) {
		case "_1":
			if a.First(&o, 0) && text {
				d.text = a.Text()
			} else {
				d.n = a.Int()
			}
		default:
			a.Unknown(&o)
		}
	}
	a.EndObject(&o)
	return a.Err()
}

func (d *demoCalls) Call(c *mcp.Call, name []byte) error {
	select {
	case d.runs <- string(name):
	default:
	}
	switch string(name) {
	case "echo":
		if err := d.read(c, true); err != nil {
			return err
		}
		return c.Reply(jsonx.AppendString(c.Buffer(), d.text))
	case "boom":
		if err := d.read(c, false); err != nil {
			return err
		}
		return errors.New("bad")
	case "pair":
		if err := d.read(c, false); err != nil {
			return err
		}
		return c.ReplyRecord(append(jsonx.AppendInt(append(c.Buffer(), `{"a":`...), d.n), '}'))
	case "sound":
		return c.ReplyMedia("audio/wav", []byte("RIFF"))
	case "files":
		if err := c.Files(); err != nil {
			return err
		}
		return c.Reply(append(c.Buffer(), '1'))
	case "panic":
		panic("deliberate")
	case "report":
		r := new(mcp.Reply)
		c.Detach(r)
		go func() {
			r.Progress(1, 2, "half")
			r.Progress(2, 2, "done")
			r.Value([]byte(`"reported"`))
		}()
		return nil
	case "patient":
		r := new(mcp.Reply)
		c.Detach(r)
		go func() {
			<-d.until
			r.Value([]byte(`"patient"`))
		}()
		return nil
	case "wait":
		r := new(mcp.Reply)
		c.Detach(r)
		if d.async {
			_, _ = os.Stderr.WriteString(waitingLine + "\n")
			time.AfterFunc(time.Second, func() { r.Value([]byte(`"waited"`)) })
		} else {
			d.calls <- r
		}
		return nil
	}
	return mcp.UnknownTool(name)
}

// waitingLine is what a process of the tests prints when its tool wait was called.
const waitingLine = "demo: waiting"

// A server is a service under test.
type server struct {
	t       *testing.T
	service *Service
	addr    string
	log     *logBuffer
}

type logBuffer struct {
	mu sync.Mutex
	b  strings.Builder
}

func (l *logBuffer) add(line string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.b.WriteString(line + "\n")
}

func (l *logBuffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

// open makes a service of flags, and opens it.
func open(p *rt.Program, args ...string) (*Service, error) {
	return openWith(p, rt.ServiceOptions{}, args...)
}

func openWith(p *rt.Program, o rt.ServiceOptions, args ...string) (*Service, error) {
	s := New()
	if err := newFlagSet(s).Parse(args); err != nil {
		return nil, err
	}
	if _, err := s.Wanted(); err != nil {
		return nil, err
	}
	return s, s.Open(p, o)
}

func newFlagSet(s *Service) *flag.FlagSet {
	set := flag.NewFlagSet("", flag.ContinueOnError)
	set.SetOutput(io.Discard)
	s.Flags(set)
	return set
}

// serve serves a program until the end of the test.
func serve(t *testing.T, d *demo, args ...string) *server {
	t.Helper()
	s, err := open(d.program(), append([]string{"--http-port", "0"}, args...)...)
	if err != nil {
		t.Fatal(err)
	}
	return serveOpened(t, s)
}

// serveOpened is serve for a service whose handler a test has changed.
func serveOpened(t *testing.T, s *Service) *server {
	x := &server{t: t, service: s, addr: s.door.Addr().String(), log: new(logBuffer)}
	s.handler.log.write = x.log.add
	done := make(chan error, 1)
	go func() { done <- s.Serve() }()
	t.Cleanup(func() {
		s.Shutdown(5*time.Second, func() {})
		if err := <-done; err != nil {
			t.Errorf("Serve: %v", err)
		}
	})
	return x
}

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
