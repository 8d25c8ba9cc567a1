package httpx

import (
	"errors"
	"flag"
	"io"
	"os"
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
