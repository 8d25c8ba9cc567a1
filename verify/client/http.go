package client

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"
)

// Target is an HTTP endpoint and what is sent with every request to it.
type Target struct {
	URL    string
	Header http.Header // credentials among them
}

// An AuthError is a refusal for want of credentials.
type AuthError struct {
	Status int
	Text   string
}

func (e *AuthError) Error() string { return fmt.Sprintf("HTTP %d %s", e.Status, e.Text) }

// A StatusError is an HTTP answer that is no answer of the protocol.
type StatusError struct {
	Status int
	Text   string // of the body, cut
}

func (e *StatusError) Error() string {
	return strings.TrimSpace(fmt.Sprintf("HTTP %d %s", e.Status, e.Text))
}

// HTTP starts a session with an endpoint. Nothing is sent before the handshake.
func HTTP(cfg Config, t Target) *Session {
	s := newSession(cfg)
	life, end := context.WithCancel(context.Background())
	s.link = &streamable{s: s, target: t, client: newHTTPClient(), life: life, end: end}
	return s
}

// newHTTPClient returns a client that follows no redirection to another host, where the
// credentials do not belong.
func newHTTPClient() *http.Client {
	transport := http.DefaultTransport.(*http.Transport).Clone()
	return &http.Client{
		Transport: transport,
		CheckRedirect: func(r *http.Request, via []*http.Request) error {
			if r.URL.Host != via[0].URL.Host || len(via) > 5 {
				return fmt.Errorf("redirected to %s", r.URL.Host)
			}
			return nil
		},
	}
}

// streamable is the link of Streamable HTTP: every message is a POST of its own.
type streamable struct {
	s      *Session
	target Target
	client *http.Client

	life    context.Context // of the stream that GET opens
	end     context.CancelFunc
	workers sync.WaitGroup

	mu      sync.Mutex
	session string // Mcp-Session-Id, once there is one
}

func (h *streamable) name() string           { return "http" }
func (h *streamable) ended() <-chan struct{} { return nil }

// errNoReply is a POST that was answered without an answer in it.
var errNoReply = errors.New("the HTTP answer has no response to the request in it")

// send posts a message and reads what comes back until the response is there.
func (h *streamable) send(ctx context.Context, m outgoing) error {
	if m.method == "" {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(h.life, closeTimeout)
		defer cancel()
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, h.target.URL, bytes.NewReader(m.text))
	if err != nil {
		return err
	}
	h.dress(r)
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json, text/event-stream")
	if m.method == "initialize" {
		r.Header.Del("MCP-Protocol-Version")
	}
	if m.modern {
		r.Header.Set("Mcp-Method", m.method)
		if m.tool != "" {
			r.Header.Set("Mcp-Name", headerValue(m.tool))
		}
	}
	response, err := h.client.Do(r)
	if err != nil {
		return Plain(err)
	}
	defer response.Body.Close()
	if id := response.Header.Get("Mcp-Session-Id"); id != "" && m.method == "initialize" {
		h.mu.Lock()
		h.session = id
		h.mu.Unlock()
	}
	if m.id == 0 {
		return h.accepted(response, m)
	}
	if err := h.read(response, m.id); err != nil {
		return err
	}
	if m.method == "initialize" && h.s.isResolved(m.id) && response.StatusCode < 300 {
		h.workers.Go(h.listen)
	}
	return nil
}

// dress adds the headers that all requests carry.
func (h *streamable) dress(r *http.Request) {
	for name, values := range h.target.Header {
		r.Header[name] = values
	}
	h.mu.Lock()
	session := h.session
	h.mu.Unlock()
	h.s.mu.Lock()
	version := h.s.Version
	h.s.mu.Unlock()
	if session != "" && version != Modern {
		r.Header.Set("Mcp-Session-Id", session)
	}
	if version != "" {
		r.Header.Set("MCP-Protocol-Version", version)
	}
}

// accepted looks at the answer to a message that has no response.
func (h *streamable) accepted(response *http.Response, m outgoing) error {
	_, _ = io.Copy(io.Discard, io.LimitReader(response.Body, 64<<10))
	if m.method != "" && (response.StatusCode < 200 || response.StatusCode > 299) {
		h.s.find("notification-status", "%s is answered with HTTP %d, want 202", m.method, response.StatusCode)
	}
	return nil
}

// read takes the body of an answer to the request with an id.
func (h *streamable) read(response *http.Response, id int) error {
	if response.StatusCode == http.StatusUnauthorized || response.StatusCode == http.StatusForbidden {
		return &AuthError{response.StatusCode, h.peek(response.Body)}
	}
	kind, _, _ := mime.ParseMediaType(response.Header.Get("Content-Type"))
	if kind == "text/event-stream" && response.StatusCode < 300 {
		err := readEvents(response.Body, func(e event) bool {
			h.s.receive(e.data, 0)
			return !h.s.isResolved(id)
		})
		if err == nil && !h.s.isResolved(id) {
			err = errNoReply
		}
		return err
	}
	body, err := io.ReadAll(io.LimitReader(response.Body, MaxMessage+1))
	if err != nil {
		return err
	}
	if len(body) > MaxMessage {
		return &StatusError{response.StatusCode, "the body is longer than 16 MiB"}
	}
	if m, err := readMessage(bytes.TrimSpace(body)); err == nil && m.isResponse() && m.fault != nil && response.StatusCode > 299 {
		m.fault.Status = response.StatusCode
		m.id = nil // on HTTP the answer belongs to the request, whatever its id
		h.s.resolve(m, id)
		return nil
	}
	if response.StatusCode > 299 {
		return &StatusError{response.StatusCode, h.s.cut(string(body), 160)}
	}
	if kind != "application/json" {
		h.s.find("content-type", "an answer has the content type %q", h.s.cut(kind, 60))
	}
	h.s.receive(body, id)
	if !h.s.isResolved(id) {
		return errNoReply
	}
	return nil
}

// listen opens the stream on which a legacy server may speak unasked. Few have it.
func (h *streamable) listen() {
	r, err := http.NewRequestWithContext(h.life, http.MethodGet, h.target.URL, nil)
	if err != nil {
		return
	}
	h.dress(r)
	r.Header.Set("Accept", "text/event-stream")
	response, err := h.client.Do(r)
	if err != nil {
		return
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK || !strings.HasPrefix(response.Header.Get("Content-Type"), "text/event-stream") {
		return
	}
	_ = readEvents(response.Body, func(e event) bool {
		h.s.receive(e.data, 0)
		return true
	})
}

// closeTimeout bounds the end of a session, whose outcome matters to nobody.
const closeTimeout = 4 * time.Second

func (h *streamable) close(ctx context.Context) {
	h.end()
	h.workers.Wait()
	h.mu.Lock()
	session := h.session
	h.mu.Unlock()
	if session != "" {
		ctx, cancel := context.WithTimeout(ctx, closeTimeout)
		defer cancel()
		if r, err := http.NewRequestWithContext(ctx, http.MethodDelete, h.target.URL, nil); err == nil {
			h.dress(r)
			if response, err := h.client.Do(r); err == nil {
				response.Body.Close()
			}
		}
	}
	h.client.CloseIdleConnections()
}

// Plain returns an error of the HTTP client without the address, which may hold secrets.
func Plain(err error) error {
	if e, ok := errors.AsType[*url.Error](err); ok {
		return e.Err
	}
	return err
}

// isResolved reports whether a response has come for an id.
func (s *Session) isResolved(id int) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.answered[id]
}

// peek returns the beginning of a body as text.
func (h *streamable) peek(r io.Reader) string {
	body, _ := io.ReadAll(io.LimitReader(r, 4<<10))
	return h.s.cut(string(body), 160)
}
