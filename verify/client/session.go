package client

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"sync"
	"unicode/utf8"
)

// A Finding is something that a server does and should not, and that stops nothing.
type Finding struct {
	Rule    string
	Message string
}

// ErrEnded is the end of the server, or of its output, in the middle of a conversation.
var ErrEnded = errors.New("the server ended the conversation")

// A link carries messages to a server. Messages of the server go to [Session.receive],
// from the link's own goroutines or, on HTTP, from within send.
type link interface {
	// send delivers one message. On HTTP it returns when the reply to it was read.
	send(ctx context.Context, m outgoing) error
	// ended is closed when nothing more can come; nil if that is never known.
	ended() <-chan struct{}
	// close ends the conversation and waits for the link's goroutines.
	close(ctx context.Context)
	// name is stdio, http or sse.
	name() string
}

// outgoing is a message of ours and what a transport may want to know about it.
type outgoing struct {
	text   []byte
	id     int    // 0 if it is no request
	method string // "" if it is a response
	tool   string // of tools/call
	modern bool   // sent by the rules of 2026-07-28
}

// Config says how a session presents itself. The zero value will do.
type Config struct {
	Protocol     string              // revision to speak; "" finds out
	Capabilities json.RawMessage     // of the client; nil is {}
	Roots        string              // folder to tell when the server asks for roots
	OneTransport bool                // HTTP+SSE is not tried where Streamable HTTP is refused
	Redact       func(string) string // takes secrets out of what a server says; nil leaves it
}

// A Session is a conversation with a server. Its methods are called from one goroutine;
// what arrives meanwhile is kept under a lock.
type Session struct {
	cfg  Config
	link link

	// Set by the handshake.
	Version    string          // negotiated
	IsModern   bool            // without a handshake, as of 2026-07-28
	ServerInfo json.RawMessage // as it came
	Declared   map[string]json.RawMessage

	mu       sync.Mutex
	lastID   int
	pending  map[int]chan *message
	answered map[int]bool
	findings []Finding
	changes  chan struct{} // has one element if tools/list_changed came since the last list
	replies  int
}

func newSession(cfg Config) *Session {
	if cfg.Capabilities == nil {
		cfg.Capabilities = json.RawMessage("{}")
	}
	if cfg.Redact == nil {
		cfg.Redact = func(text string) string { return text }
	}
	return &Session{cfg: cfg, pending: map[int]chan *message{}, answered: map[int]bool{}, changes: make(chan struct{}, 1)}
}

// Transport returns stdio, http or sse.
func (s *Session) Transport() string { return s.link.name() }

// Close ends the conversation: it closes the server's input or the HTTP session.
func (s *Session) Close(ctx context.Context) { s.link.close(ctx) }

// Findings returns what was found so far.
func (s *Session) Findings() []Finding {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.findings)
}

// cut returns at most n bytes of a server's text, without secrets, on one line. Secrets go
// first: half of one is still one.
func (s *Session) cut(text string, n int) string { return cut(s.cfg.Redact(text), n) }

// find remembers a finding, each rule once or, with different messages, a few times.
func (s *Session) find(rule, format string, args ...any) {
	f := Finding{rule, fmt.Sprintf(format, args...)}
	s.mu.Lock()
	defer s.mu.Unlock()
	same := 0
	for _, other := range s.findings {
		if other.Rule == rule {
			same++
		}
	}
	if same < 3 && len(s.findings) < maxFindings && !slices.Contains(s.findings, f) {
		s.findings = append(s.findings, f)
	}
}

// call sends a request and returns the result, an [*Error] of the server, or what kept
// the answer from coming.
func (s *Session) call(ctx context.Context, method, tool string, params map[string]any) (json.RawMessage, error) {
	if s.IsModern {
		params["_meta"] = s.meta()
	}
	id, ch := s.await()
	defer s.forget(id)
	text, err := request(id, method, params)
	if err != nil {
		return nil, err
	}
	err = s.link.send(ctx, outgoing{text: text, id: id, method: method, tool: tool, modern: s.IsModern})
	if err != nil {
		return nil, late(ctx, err)
	}
	select {
	case m := <-ch:
		return outcome(m)
	case <-ctx.Done():
		return nil, ctx.Err()
	case <-s.link.ended():
	}
	select { // the last words may be the answer
	case m := <-ch:
		return outcome(m)
	default:
		return nil, ErrEnded
	}
}

// await takes a fresh id and returns where the response to it will arrive.
func (s *Session) await() (int, <-chan *message) {
	ch := make(chan *message, 1)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.lastID++
	s.pending[s.lastID] = ch
	return s.lastID, ch
}

func (s *Session) forget(id int) {
	s.mu.Lock()
	delete(s.pending, id)
	s.mu.Unlock()
}

// late returns the error of the context if that is what ended the work.
func late(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return err
}

func outcome(m *message) (json.RawMessage, error) {
	if m.fault != nil {
		return nil, m.fault
	}
	return m.result, nil
}

// setVersion says which revision is spoken from now on; "" if that is open.
func (s *Session) setVersion(version string) {
	s.IsModern = version == Modern
	s.mu.Lock()
	s.Version = version
	s.mu.Unlock()
}

// notify sends a notification.
func (s *Session) notify(ctx context.Context, method string) error {
	text, err := request(0, method, nil)
	if err != nil {
		return err
	}
	return late(ctx, s.link.send(ctx, outgoing{text: text, method: method}))
}

// receive takes one message, or a batch of them. A reply to HTTP's request forID may
// lack an id; elsewhere forID is 0.
func (s *Session) receive(text []byte, forID int) {
	text = bytes.TrimSpace(text)
	if len(text) == 0 {
		return
	}
	if !utf8.Valid(text) {
		s.find("utf8", "a message is not valid UTF-8")
	}
	if text[0] == '[' {
		s.receiveBatch(text, forID)
		return
	}
	m, err := readMessage(text)
	if err != nil {
		s.find("not-json", "%s is no JSON-RPC message: %v", strconv.Quote(s.cut(string(text), 60)), err)
		return
	}
	if m.odd != "" {
		s.find("jsonrpc", "%s", m.odd)
	}
	switch {
	case m.isResponse():
		s.resolve(m, forID)
	case m.id != nil:
		s.serve(m)
	case m.method == "notifications/tools/list_changed":
		select {
		case s.changes <- struct{}{}:
		default:
		}
	}
}

func (s *Session) receiveBatch(text []byte, forID int) {
	var batch []json.RawMessage
	if json.Unmarshal(text, &batch) != nil {
		s.find("not-json", "%s is no JSON-RPC message", strconv.Quote(s.cut(string(text), 60)))
		return
	}
	s.mu.Lock()
	version := s.Version
	s.mu.Unlock()
	if version != "2025-03-26" && version != "2024-11-05" {
		s.find("batch", "the server sends a batch, which only 2025-03-26 knows")
	}
	for _, one := range batch {
		if one = bytes.TrimSpace(one); len(one) > 0 && one[0] != '[' {
			s.receive(one, forID)
		}
	}
}

// resolve hands a response to the call that waits for it.
func (s *Session) resolve(m *message, forID int) {
	if m.fault != nil {
		m.fault.Text = s.cfg.Redact(m.fault.Text)
	}
	id := forID
	if m.id != nil {
		n, err := strconv.Atoi(string(m.id))
		if err != nil {
			s.find("unknown-id", "a response has the id %s, which was never sent", s.cut(string(m.id), 40))
			return
		}
		id = n
	}
	s.mu.Lock()
	ch, again, never := s.pending[id], s.answered[id], id < 1 || id > s.lastID
	if ch != nil {
		s.answered[id] = true
		delete(s.pending, id)
	}
	s.mu.Unlock()
	switch {
	case ch != nil:
		ch <- m
	case again:
		s.find("answered-twice", "the request with id %d is answered more than once", id)
	case m.id == nil && m.fault != nil:
		s.find("unknown-id", "the server complains without an id: %v", m.fault)
	case never:
		s.find("unknown-id", "a response has the id %d, which was never sent", id)
	}
}

// serve answers a request of the server. An unanswered one keeps real servers alive after
// their input has ended.
func (s *Session) serve(m *message) {
	s.mu.Lock()
	s.replies++
	n := s.replies
	s.mu.Unlock()
	if n > maxAnswers {
		s.find("request-flood", "the server sends more than %d requests; later ones are not answered", maxAnswers)
		return
	}
	var result, fault any
	switch {
	case m.method == "ping":
		result = struct{}{}
	case m.method == "roots/list" && s.declares("roots"):
		result = map[string]any{"roots": []any{map[string]any{"uri": fileURI(s.cfg.Roots), "name": "qa"}}}
	default:
		fault = map[string]any{"code": codeMethodNotFound, "message": "Method not found"}
	}
	text, err := answer(m.id, result, fault)
	if err != nil {
		return
	}
	// Whether the answer arrives is the server's concern.
	_ = s.link.send(context.Background(), outgoing{text: text})
}

func (s *Session) declares(capability string) bool {
	var declared map[string]json.RawMessage
	_ = json.Unmarshal(s.cfg.Capabilities, &declared)
	return declared[capability] != nil
}

// Changed returns a channel that has an element if the server said, since the last list
// was asked for, that its tools changed.
func (s *Session) Changed() <-chan struct{} { return s.changes }
