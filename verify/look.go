package verify

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/mcpgen/mcpgen/verify/check"
	"github.com/mcpgen/mcpgen/verify/client"
	"github.com/mcpgen/mcpgen/verify/process"
)

// A look is what one launch of a server showed.
type look struct {
	revision string // asked for; "" if that was left open

	// Why there is no complete list; "" if there is one.
	reason     string
	cause      error // of the client, if it came that far
	launch     *failure
	deadline   bool
	ended      bool // the process, or its output, ended
	answered   bool // initialize was answered
	silent     bool // nothing came on standard output
	stderr     string
	exit       *process.Exit
	transport  string
	version    string
	modern     bool
	serverInfo json.RawMessage
	tools      []client.Tool
	findings   []client.Finding
	handshake  time.Duration
	probe      probed

	withCapabilities []string // declared tools that only a capable client is shown
}

func (l *look) listed() bool { return l.reason == "" && l.launch == nil }

// fullCapabilities are what a client that can do everything declares.
var fullCapabilities = json.RawMessage(`{"roots":{"listChanged":true},"sampling":{},"elicitation":{}}`)

// lookTwice looks at a server and, if declared tools are missing from its list, once more
// as a client that has capabilities.
func (a *attempt) lookTwice(ctx context.Context, revision string) *look {
	own := a.entry.Verify.Capabilities
	first := a.look(ctx, revision, own, a.probe())
	missing := a.missing(first)
	if !first.listed() || len(missing) == 0 || hasMembers(own) || ctx.Err() != nil {
		return first
	}
	next := a.probe()
	if first.probe.status != "" && first.probe.status != probeSkipped {
		next = nil
	}
	second := a.look(ctx, revision, fullCapabilities, next)
	if !second.listed() {
		return first
	}
	still := a.missing(second)
	for _, name := range missing {
		if !slices.Contains(still, name) {
			second.withCapabilities = append(second.withCapabilities, name)
		}
	}
	if len(still) > 0 || len(second.withCapabilities) == 0 {
		return first
	}
	if next == nil {
		second.probe = first.probe
	}
	return second
}

func hasMembers(object json.RawMessage) bool {
	var members map[string]json.RawMessage
	return json.Unmarshal(object, &members) == nil && len(members) > 0
}

// missing returns the declared tools that a list does not have.
func (a *attempt) missing(l *look) []string {
	var names []string
	for _, d := range a.entry.Declared {
		if !slices.ContainsFunc(l.tools, func(t client.Tool) bool { return a.isNamed(t, d) }) {
			names = append(names, d)
		}
	}
	return names
}

// isNamed reports whether a live tool is a declared one: over HTTP a generated server may
// put its program's name before it.
func (a *attempt) isNamed(t client.Tool, declared string) bool {
	if t.Name == declared {
		return true
	}
	return a.Expect != nil && a.entry.Transport == "http" && a.Expect.prefix != "" && t.Name == a.Expect.prefix+declared
}

// look starts a server, or connects to it, and talks to it until there is nothing more to
// learn. Nothing of the server is left when it returns.
func (a *attempt) look(ctx context.Context, revision string, capabilities json.RawMessage, p *probing) *look {
	l := &look{revision: revision}
	a.looks++
	began := time.Now()
	within, cancel := context.WithTimeout(ctx, a.timeoutOf(a.entry))
	defer cancel()
	a.phase("starting", "")
	server, err := a.open(client.Config{Protocol: revision, Capabilities: capabilities, Roots: a.inside, Redact: a.redact.text})
	if err != nil {
		l.launch, _ = errors.AsType[*failure](err)
		return l
	}
	defer server.end(a, l)
	a.phase("initialize", "")
	err = server.session.Handshake(within)
	l.version, l.answered = server.session.Version, server.session.Version != ""
	if err == nil {
		a.phase("tools/list", "")
		l.tools, err = a.list(within, server.session)
	}
	l.handshake = time.Since(began)
	l.modern, l.serverInfo = server.session.IsModern, server.session.ServerInfo
	if err != nil {
		server.explain(l, err, a.times.output)
		return l
	}
	if p != nil {
		a.phase("probe", p.tool)
	}
	l.probe = a.sendProbe(ctx, server, l, p)
	return l
}

// list lists the tools, and again if some are missing and the server says that they have
// changed since.
func (a *attempt) list(ctx context.Context, s *client.Session) ([]client.Tool, error) {
	tools, err := s.Tools(ctx)
	if err != nil || len(a.missing(&look{tools: tools})) == 0 {
		return tools, err
	}
	settle := time.NewTimer(a.times.settle)
	defer settle.Stop()
	select {
	case <-s.Changed():
	case <-settle.C:
		return tools, nil
	case <-ctx.Done():
		return tools, nil
	}
	if again, err := s.Tools(ctx); err == nil {
		return again, nil
	}
	return tools, nil
}

// A server is one that was opened: a session and, on stdio, a process.
type server struct {
	session   *client.Session
	process   *process.Process // nil on HTTP
	output    *counter
	container string // "" on this machine
}

// explain puts into words why there is no complete list. A server whose output has ended has
// a while to end as well.
func (s *server) explain(l *look, err error, while time.Duration) {
	l.cause = err
	l.deadline = errors.Is(err, context.DeadlineExceeded)
	l.ended = errors.Is(err, client.ErrEnded)
	if s.process != nil {
		l.silent = s.output.count() == 0
		if l.ended {
			s.process.Settle(while)
		}
		l.stderr = s.process.Stderr()
	}
	step := "initialize"
	if l.answered {
		step = "tools/list"
	}
	_, malformed := errors.AsType[*client.Malformed](err)
	switch {
	case l.deadline && l.answered:
		l.reason = "no tools/list before deadline"
	case l.deadline:
		l.reason = "no initialize response before deadline"
	case l.ended && s.process == nil:
		l.reason = "the server closed the connection before " + step
	case l.ended && !s.process.Ended():
		l.reason = "the server closed its output before " + step
	case l.ended:
		l.reason = fmt.Sprintf("%s exited (%s) before %s", s.what(), status(s.process.Exit()), step)
	case malformed:
		l.reason = err.Error()
	default:
		l.reason = step + " error: " + err.Error()
	}
}

func (s *server) what() string {
	if s.container != "" {
		return "container"
	}
	return "server"
}

func status(e process.Exit) string {
	if e.Signal != "" {
		return e.Signal
	}
	return fmt.Sprintf("code %d", e.Code)
}

// end closes the session and stops what was started for it.
func (s *server) end(a *attempt, l *look) {
	l.findings = s.session.Findings()
	l.transport = s.session.Transport()
	s.session.Close(context.Background())
	if s.process == nil {
		return
	}
	exit := s.process.Stop(a.times.grace)
	l.exit = &exit
	s.session.Wait()
	s.process.Close()
	if l.stderr == "" {
		l.stderr = s.process.Stderr()
	}
	l.findings = s.session.Findings()
	if s.container != "" {
		a.engine.remove(s.container)
	}
}

// checkTools applies the rules for tools to a list.
func (l *look) checkTools() []check.Finding {
	return check.Tools(l.tools, l.version, l.transport != "stdio")
}
