package client

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"sync"
)

// events is the link of HTTP+SSE, of 2024-11-05: messages of the server come on one
// stream, ours are POSTs to the address that its first event gives.
type events struct {
	h       *streamable // the endpoint, its headers and its client
	post    string
	done    chan struct{}
	cancel  context.CancelFunc
	workers sync.WaitGroup
}

func (e *events) name() string           { return "sse" }
func (e *events) ended() <-chan struct{} { return e.done }

// Events starts a session with an endpoint that is known to speak HTTP+SSE, and returns the
// address that the server gives for messages.
func Events(ctx context.Context, cfg Config, t Target) (*Session, string, error) {
	s := HTTP(cfg, t)
	e, err := openEvents(ctx, s.link.(*streamable))
	if err != nil {
		s.Close(ctx)
		return nil, "", err
	}
	s.link = e
	return s, e.post, nil
}

// ErrNoEndpoint is a stream that does not begin as HTTP+SSE wants.
var ErrNoEndpoint = errors.New("the stream does not begin with an endpoint event")

// openEvents opens the stream and waits for its first event.
func openEvents(ctx context.Context, h *streamable) (*events, error) {
	life, cancel := context.WithCancel(context.Background())
	e := &events{h: h, done: make(chan struct{}), cancel: cancel}
	endpoint := make(chan string, 1)
	failed := make(chan error, 1)
	e.workers.Go(func() {
		defer close(e.done)
		failed <- e.read(life, endpoint)
	})
	var err error
	select {
	case address := <-endpoint:
		if e.post, err = h.resolve(address); err == nil {
			return e, nil
		}
	case err = <-failed:
	case <-ctx.Done():
		err = ctx.Err()
	}
	e.stop()
	return nil, err
}

// resolve returns an address that a server gives, if it is on the same host: others
// should not get the credentials.
func (h *streamable) resolve(address string) (string, error) {
	base, err := url.Parse(h.target.URL)
	if err != nil {
		return "", err
	}
	u, err := base.Parse(strings.TrimSpace(address))
	if err != nil {
		return "", err
	}
	if u.Host != base.Host || u.Scheme != base.Scheme {
		return "", fmt.Errorf("the endpoint event names another host: %s", h.s.cut(u.Host, 60))
	}
	return u.String(), nil
}

func (e *events) read(ctx context.Context, endpoint chan<- string) error {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, e.h.target.URL, nil)
	if err != nil {
		return err
	}
	e.h.dress(r)
	r.Header.Set("Accept", "text/event-stream")
	response, err := e.h.client.Do(r)
	if err != nil {
		return Plain(err)
	}
	defer response.Body.Close()
	switch {
	case response.StatusCode == http.StatusUnauthorized || response.StatusCode == http.StatusForbidden:
		return &AuthError{response.StatusCode, e.h.peek(response.Body)}
	case response.StatusCode != http.StatusOK || !strings.HasPrefix(response.Header.Get("Content-Type"), "text/event-stream"):
		return &StatusError{response.StatusCode, e.h.peek(response.Body)}
	}
	first := true
	err = readEvents(response.Body, func(ev event) bool {
		if first {
			first = false
			if ev.kind != "endpoint" {
				return false
			}
			endpoint <- string(ev.data)
			return true
		}
		if ev.kind == "" || ev.kind == "message" {
			e.h.s.receive(ev.data, 0)
		}
		return true
	})
	if err == nil {
		err = ErrNoEndpoint // or the end of the stream, after it
	}
	return err
}

func (e *events) send(ctx context.Context, m outgoing) error {
	if m.method == "" {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, closeTimeout)
		defer cancel()
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, e.post, bytes.NewReader(m.text))
	if err != nil {
		return err
	}
	e.h.dress(r)
	r.Header.Set("Content-Type", "application/json")
	response, err := e.h.client.Do(r)
	if err != nil {
		return Plain(err)
	}
	defer response.Body.Close()
	_, _ = io.Copy(io.Discard, io.LimitReader(response.Body, 64<<10))
	switch status := response.StatusCode; {
	case status == http.StatusUnauthorized || status == http.StatusForbidden:
		return &AuthError{status, ""}
	case status > 299 && m.id != 0:
		return &StatusError{status, ""}
	}
	return nil
}

func (e *events) close(context.Context) {
	e.stop()
	e.h.end()
	e.h.workers.Wait()
	e.h.client.CloseIdleConnections()
}

func (e *events) stop() {
	e.cancel()
	e.workers.Wait()
}
