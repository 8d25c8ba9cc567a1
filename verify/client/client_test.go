package client

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestReadLines(t *testing.T) {
	long := strings.Repeat("x", MaxMessage+1)
	wide := strings.Repeat("y", 200_000)
	for _, tt := range []struct {
		name, text string
		want       []string
		long       int
	}{
		{"empty", "", nil, 0},
		{"lines", "a\nb\r\n\nc", []string{"a\n", "b\r\n", "\n", "c"}, 0},
		{"wide", wide + "\nz\n", []string{wide + "\n", "z\n"}, 0},
		{"wide at the end", wide, []string{wide}, 0},
		{"too long", "a\n" + long + "\nb\n", []string{"a\n", "b\n"}, 1},
		{"too long at the end", long, nil, 1},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var got []string
			told := 0
			readLines(strings.NewReader(tt.text), func(line []byte) { got = append(got, string(line)) }, func() { told++ })
			if !slices.Equal(got, tt.want) || told != tt.long {
				t.Errorf("%d lines, %d too long, want %d and %d", len(got), told, len(tt.want), tt.long)
			}
		})
	}
}

func TestReadEvents(t *testing.T) {
	for _, tt := range []struct {
		name, text string
		want       []string
	}{
		{"one", "data: a\n\n", []string{"|a"}},
		{"CR LF", "event: message\r\ndata: a\r\n\r\n", []string{"message|a"}},
		{"CR", "event: x\rdata: a\r\rdata: b\r\r", []string{"x|a", "|b"}},
		{"several lines", "data: a\ndata:b\ndata:  c\n\n", []string{"|a\nb\n c"}},
		{"empty data", "id: 1\ndata: \n\ndata\n\ndata: x\n\n", []string{"|x"}},
		{"comments", ": hello\n\n:\ndata: x\n\n", []string{"|x"}},
		{"unfinished", "data: x\n", nil},
		{"byte order mark", "\ufeffdata: a\n\n\ufeffdata: b\n\n", []string{"|a"}},
		{"mixed ends", "data: a\n\r\ndata: b\r\n\n", []string{"|a", "|b"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var got []string
			err := readEvents(strings.NewReader(tt.text), func(e event) bool {
				got = append(got, e.kind+"|"+string(e.data))
				return true
			})
			if err != nil || !slices.Equal(got, tt.want) {
				t.Errorf("readEvents(%q) = %q, %v, want %q", tt.text, got, err, tt.want)
			}
		})
	}
}

// TestRecordedEvents reads a body that a real server sent.
func TestRecordedEvents(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("..", "..", "testdata", "golden", "qa", "live", "sse-sample.txt"))
	if err != nil {
		t.Fatal(err)
	}
	var got []event
	if err := readEvents(bytes.NewReader(text), func(e event) bool { got = append(got, e); return true }); err != nil {
		t.Fatal(err)
	}
	if len(got) != 1 || got[0].kind != "message" || !json.Valid(got[0].data) {
		t.Errorf("%d events, want the one message", len(got))
	}
}

func TestLongEvent(t *testing.T) {
	endless := io.MultiReader(strings.NewReader("data: "), neverEnding{})
	if err := readEvents(endless, func(event) bool { return true }); !errors.Is(err, errLongEvent) {
		t.Errorf("readEvents = %v, want %v", err, errLongEvent)
	}
}

type neverEnding struct{}

func (neverEnding) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = 'x'
	}
	return len(p), nil
}

func TestReadMessage(t *testing.T) {
	for _, tt := range []struct {
		text     string
		bad      bool
		response bool
		odd      bool
	}{
		{`{"jsonrpc":"2.0","id":1,"result":{}}`, false, true, false},
		{`{"jsonrpc":"2.0","id":1,"error":{"code":-1,"message":"x"}}`, false, true, false},
		{`{"jsonrpc":"2.0","id":1,"error":"text"}`, false, true, false},
		{`{"jsonrpc":"2.0","id":1,"method":"roots/list"}`, false, false, false},
		{`{"jsonrpc":"2.0","id":1,"method":"roots/list","result":{}}`, false, false, false},
		{`{"id":1,"result":{}}`, false, true, true},
		{`{"jsonrpc":"2.0","id":1}`, true, false, false},
		{`{"jsonrpc":"2.0","id":1,"Result":{}}`, true, false, false},
		{`{"jsonrpc":"2.0","method":7}`, true, false, false},
		{`[]`, true, false, false},
		{`7`, true, false, false},
		{``, true, false, false},
		{strings.Repeat("[", 100_000), true, false, false},
	} {
		m, err := readMessage([]byte(tt.text))
		if (err != nil) != tt.bad {
			t.Errorf("readMessage(%.60q) = %v, want an error: %v", tt.text, err, tt.bad)
		}
		if err == nil && (m.isResponse() != tt.response || (m.odd != "") != tt.odd) {
			t.Errorf("readMessage(%.60q): response %v, odd %q", tt.text, m.isResponse(), m.odd)
		}
	}
}

func TestHeaderValue(t *testing.T) {
	for name, want := range map[string]string{
		"add": "add", "a b": "a b", " a": "=?base64?IGE=?=", "é": "=?base64?w6k=?=", "": "=?base64??=", "=?base64?x?=": "=?base64?PT9iYXNlNjQ/eD89?=",
	} {
		if got := headerValue(name); got != want {
			t.Errorf("headerValue(%q) = %q, want %q", name, got, want)
		}
	}
}

// A scripted server answers each line with lines.
func scripted(t *testing.T, cfg Config, reply func(line string) []string) *Session {
	t.Helper()
	serverIn, input := io.Pipe()
	output, serverOut := io.Pipe()
	s := Pipes(cfg, input, output)
	go func() {
		defer serverOut.Close()
		readLines(serverIn, func(line []byte) {
			for _, l := range reply(string(line)) {
				_, _ = io.WriteString(serverOut, l+"\n")
			}
		}, func() {})
	}()
	t.Cleanup(func() { s.Close(context.Background()); s.Wait() })
	return s
}

// TestServerRequests answers what servers ask, with ids that collide with ours.
func TestServerRequests(t *testing.T) {
	t.Parallel()
	answers := make(chan string, 10)
	s := scripted(t, Config{Capabilities: json.RawMessage(`{"roots":{}}`), Roots: "/tmp/x y"}, func(line string) []string {
		switch {
		case strings.Contains(line, `"initialize"`):
			return []string{`{"method":"roots/list","jsonrpc":"2.0","id":0}`, `{"jsonrpc":"2.0","id":1,"method":"ping"}`, `{"jsonrpc":"2.0","id":"s","method":"sampling/createMessage"}`}
		case strings.Contains(line, `"result"`), strings.Contains(line, `"error"`):
			answers <- strings.TrimSpace(line)
			if strings.Contains(line, `"s"`) {
				return []string{`{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-11-25","capabilities":{},"serverInfo":{"name":"x"}}}`}
			}
		}
		return nil
	})
	if err := s.Handshake(t.Context()); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		`{"jsonrpc":"2.0","id":0,"result":{"roots":[{"name":"qa","uri":"file:///tmp/x%20y"}]}}`,
		`{"jsonrpc":"2.0","id":1,"result":{}}`,
		`{"jsonrpc":"2.0","id":"s","error":{"code":-32601,"message":"Method not found"}}`,
	} {
		if got := <-answers; got != want {
			t.Errorf("answer %s, want %s", got, want)
		}
	}
}

// TestBatches takes batches of any revision, and says where they do not belong.
func TestBatches(t *testing.T) {
	t.Parallel()
	for version, wantFinding := range map[string]bool{"2025-03-26": false, "2025-06-18": true} {
		s := scripted(t, Config{Protocol: version}, func(line string) []string {
			switch {
			case strings.Contains(line, `"initialize"`):
				return []string{`{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"` + version + `","capabilities":{},"serverInfo":{"name":"x"}}}`}
			case strings.Contains(line, "tools/list"):
				return []string{`[{"jsonrpc":"2.0","method":"notifications/message"},{"jsonrpc":"2.0","id":2,"result":{"tools":[]}}]`}
			}
			return nil
		})
		if err := s.Handshake(t.Context()); err != nil {
			t.Fatal(err)
		}
		if _, err := s.Tools(t.Context()); err != nil {
			t.Fatal(err)
		}
		found := slices.ContainsFunc(s.Findings(), func(f Finding) bool { return f.Rule == "batch" })
		if found != wantFinding {
			t.Errorf("%s: findings %v", version, s.Findings())
		}
	}
}
