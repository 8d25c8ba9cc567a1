package soak

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// A poster is a client over HTTP that has one request under way at a time.
type poster struct {
	server  *server
	mix     *mix
	client  *http.Client
	modern  bool
	session string // of the handshake's revisions
}

// modernMeta is what _meta of 2026-07-28 must have.
const modernMeta = `"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}`

// handshake begins a session, if there is one in the poster's revision.
func (p *poster) handshake() error {
	if p.modern {
		return nil
	}
	res, err := p.post(context.Background(), "", `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25",`+
		`"capabilities":{},"clientInfo":{"name":"soak","version":"0"}}}`)
	if err != nil {
		return err
	}
	p.session = res.Header.Get("Mcp-Session-Id")
	_ = res.Body.Close()
	if p.session == "" {
		return errors.New("initialize was answered " + res.Status)
	}
	return p.notify(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
}

// post sends a message; tool is the name of what it calls, or "".
func (p *poster) post(ctx context.Context, tool, message string) (*http.Response, error) {
	r, err := http.NewRequestWithContext(ctx, "POST", p.server.url, strings.NewReader(message))
	if err != nil {
		return nil, err
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json, text/event-stream")
	switch {
	case p.modern:
		r.Header.Set("MCP-Protocol-Version", "2026-07-28")
		r.Header.Set("Mcp-Method", "tools/call")
		r.Header.Set("Mcp-Name", tool)
	case p.session != "":
		r.Header.Set("MCP-Protocol-Version", "2025-11-25")
		r.Header.Set("Mcp-Session-Id", p.session)
	}
	return p.client.Do(r)
}

// notify sends a notification.
func (p *poster) notify(message string) error {
	res, err := p.post(context.Background(), "", message)
	if err == nil {
		err = res.Body.Close()
	}
	return err
}

// load makes calls, one after the other, until done is closed.
func (p *poster) load(done <-chan struct{}) {
	for {
		select {
		case <-done:
			return
		default:
			p.call(p.mix.next())
		}
	}
}

// call makes a call and takes its answer. It is cancelled by hanging up, or with a session
// by saying so, since hanging up means nothing there.
func (p *poster) call(c call) {
	l := p.mix.ledger
	ctx, hangUp := context.WithCancel(context.Background())
	defer hangUp()
	meta := ""
	if p.modern {
		meta = modernMeta
	}
	if c.cancel > 0 {
		timer := time.AfterFunc(c.cancel, func() {
			if !l.cancel(c.id) {
				return
			}
			if p.modern {
				hangUp()
			} else if err := p.notify(c.cancellation()); err != nil {
				l.fault("cancelling: %v", err)
			}
		})
		defer timer.Stop()
	}
	body, err := p.answer(ctx, c, meta)
	switch {
	case ctx.Err() != nil: // hung up
	case err != nil:
		l.fault("%s: %v", c.kind.tool, err)
	default:
		p.take(c, body)
	}
}

// answer returns the body of the answer to a call.
func (p *poster) answer(ctx context.Context, c call, meta string) ([]byte, error) {
	res, err := p.post(ctx, c.kind.tool, c.request(meta))
	if err != nil {
		return nil, err
	}
	defer res.Body.Close()
	if p.mix.random.IntN(50) == 0 { // a slow reader
		select {
		case <-time.After(upTo(p.mix.random, patience)):
		case <-ctx.Done():
		}
	}
	body, err := io.ReadAll(res.Body)
	if res.StatusCode/100 != 2 {
		p.mix.ledger.fault("%s: status %s: %.200s", c.kind.tool, res.Status, body)
	}
	return body, err
}

// take settles what came back. A call that was cancelled by a message comes back empty.
func (p *poster) take(c call, body []byte) {
	lines := bufio.NewScanner(bytes.NewReader(body))
	lines.Buffer(nil, 2*largeText)
	for lines.Scan() {
		line := bytes.TrimPrefix(lines.Bytes(), []byte("data: "))
		if bytes.HasPrefix(line, []byte("{")) {
			if id, _ := p.mix.ledger.settle(line); id != 0 && id != c.id {
				p.mix.ledger.fault("%s: the answer to request %d came back for %d", c.kind.tool, id, c.id)
			}
		}
	}
	if err := lines.Err(); err != nil {
		p.mix.ledger.fault("%s: %v", c.kind.tool, err)
	}
}

// vanish is a client that connects, sends a part of a request and hangs up, again and again.
func vanish(s *server, m *mix, done <-chan struct{}) {
	u, err := url.Parse(s.url)
	if err != nil {
		m.ledger.fault("%v", err)
		return
	}
	const whole = "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{\"jsonrpc\":"
	for {
		conn, err := net.Dial("tcp", u.Host)
		if err != nil {
			m.ledger.fault("%v", err)
			return
		}
		_, _ = io.WriteString(conn, whole[:m.random.IntN(len(whole))])
		select {
		case <-time.After(upTo(m.random, patience)):
			_ = conn.Close()
		case <-done:
			_ = conn.Close()
			return
		}
	}
}
