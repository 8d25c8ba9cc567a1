package main

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/mcpgen/mcpgen/bench/internal/line"
	"github.com/mcpgen/mcpgen/bench/internal/position"
)

// behaviour is the environment variable that makes the test binary a server.
const behaviour = "MCPGEN_BENCH_SERVER"

func TestMain(m *testing.M) {
	if how := os.Getenv(behaviour); how != "" {
		os.Exit(behave(how))
	}
	os.Exit(m.Run())
}

// behave is a server on standard input and output that does something wrong, or not.
func behave(how string) (status int) {
	var held [][]byte
	err := line.Serve(func(out, text []byte) []byte {
		id, _, arguments, ok := position.Find(text)
		if !ok {
			if bytes.Contains(text, []byte(`"id":0`)) {
				out = append(out, `{"jsonrpc":"2.0","id":0,"result":{}}`+"\n"...)
			}
			return out
		}
		value := position.Escape(nil, position.Value(arguments))
		reply := fmt.Appendf(nil, `{"jsonrpc":"2.0","id":%s,"result":{"content":[{"type":"text","text":"%s"}]}}`+"\n", id, value)
		fifth := string(id) == "5"
		switch {
		case how == "id last":
			return fmt.Appendf(out, `{"result":{"content":[{"type":"text","text":"%s"}]},"jsonrpc":"2.0","id":%s}`+"\n", value, id)
		case how == "backwards": // in fours
			if held = append(held, reply); len(held) < 4 {
				return out
			}
			slices.Reverse(held)
			out = append(out, bytes.Join(held, nil)...)
			held = nil
			return out
		case how == "twice" && fifth:
			return append(append(out, reply...), reply...)
		case how == "lost" && fifth:
			os.Exit(0)
		case how == "wrong" && fifth:
			return append(out, strings.Replace(string(reply), "hello", "bye", 1)...)
		case how == "error" && fifth:
			return append(out, strings.Replace(string(reply), `}]}`, `}],"isError":true}`, 1)...)
		}
		return append(out, reply...)
	})
	if err != nil {
		return 1
	}
	return 0
}

func TestStdioClient(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		how  string
		good bool
	}{
		{"right", true}, {"id last", true}, {"backwards", true},
		{"twice", false}, {"lost", false}, {"wrong", false}, {"error", false},
	} {
		t.Run(test.how, func(t *testing.T) {
			t.Parallel()
			// env, so that the environment of the test stays as it is
			s, err := launchReady([]string{"env", behaviour + "=" + test.how, os.Args[0]})
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = s.end() }()
			l := taskEcho.load
			err = s.requests(&l, 40, 8)
			if err == nil && test.good {
				err = s.requests(&taskString.load, 4, 4)
			}
			if (err == nil) != test.good {
				t.Errorf("got error %v", err)
			}
		})
	}
}

func TestWebClient(t *testing.T) {
	t.Parallel()
	seen := make(chan http.Header, 100)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		seen <- r.Header
		id, _, arguments, ok := position.Find(body)
		switch {
		case bytes.Contains(body, []byte(`"initialize"`)):
			w.Header().Set("Mcp-Session-Id", "the-session")
			_, _ = io.WriteString(w, `{"jsonrpc":"2.0","id":0,"result":{}}`)
		case !ok:
			w.WriteHeader(http.StatusAccepted)
		default:
			fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":{"content":[{"type":"text","text":"%s"}]}}`, id,
				position.Escape(nil, position.Value(arguments)))
		}
	}))
	defer server.Close()
	u, err := url.Parse(server.URL + "/mcp")
	if err != nil {
		t.Fatal(err)
	}
	s := &webServer{url: u, clients: map[dialect][]*webClient{}}
	for _, test := range []struct {
		name    string
		dialect dialect
		shakes  int // requests of the handshake
		want    map[string]string
	}{
		{"session", session, 2, map[string]string{"Mcp-Session-Id": "the-session", "Mcp-Protocol-Version": "2025-11-25", "Mcp-Method": ""}},
		{"single", single, 0, map[string]string{"Mcp-Session-Id": "", "Mcp-Protocol-Version": "2025-11-25", "Mcp-Method": ""}},
		{"pretense", pretense, 0, map[string]string{"Mcp-Session-Id": noID, "Mcp-Protocol-Version": "2025-11-25", "Mcp-Method": ""}},
		{"modern", modern, 0, map[string]string{"Mcp-Session-Id": "", "Mcp-Protocol-Version": "2026-07-28", "Mcp-Method": "tools/call", "Mcp-Name": "echo"}},
	} {
		t.Run(test.name, func(t *testing.T) { // one after the other, as they look at what was seen
			clients, err := s.connected(test.dialect, 1)
			if err != nil {
				t.Fatal(err)
			}
			for range test.shakes {
				<-seen
			}
			for range 2 {
				if err := clients[0].redial(); err != nil {
					t.Fatal(err)
				}
				if err := atOnce(clients, &taskEcho.load, 3); err != nil {
					t.Fatal(err)
				}
				for range 3 {
					header := <-seen
					for key, value := range test.want {
						if got := header.Get(key); got != value {
							t.Errorf("%s is %q, want %q", key, got, value)
						}
					}
				}
			}
			wrong := taskEcho.load
			wrong.want = "something else"
			if err := atOnce(clients, &wrong, 1); err == nil {
				t.Error("a wrong reply is no error")
			}
			<-seen
		})
	}
}

func TestReplies(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", 5000)
	l := callLoad("echo", "hello", hello)
	for _, test := range []struct {
		reply string
		id    int
		right bool
	}{
		{`{"jsonrpc":"2.0","id":7,"result":{"content":[{"type":"text","text":"hello"}],"isError":false}}` + "\n", 7, true},
		{`{"result":{"content":[{"type":"text","text":"hello"}]},"jsonrpc":"2.0","id":12}`, 12, true},
		{`{"jsonrpc":"2.0","id":7,"result":{"content":[{"type":"text","text":"hello` + long + `"}],"isError":false}}`, 7, true},
		{`{"jsonrpc":"2.0","id":7,"result":{"content":[{"type":"text","text":"hello` + long + `"}],"isError":true}}`, 7, false},
		{`{"jsonrpc":"2.0","id":7,"result":{"isError":true,"content":[{"type":"text","text":"hello"}]}}`, 7, false},
		{`{"jsonrpc":"2.0","id":7,"result":{"content":[{"type":"text","text":"bye"}]}}`, 7, false},
		{`{"jsonrpc":"2.0","id":null,"error":{}}`, -1, false},
		{`{"jsonrpc":"2.0","method":"notifications/progress"}`, -1, false},
		{``, -1, false},
	} {
		if id, right := idOf([]byte(test.reply)), l.right([]byte(test.reply)); id != test.id || right != test.right {
			t.Errorf("%.100s: id %d, right %v, want %d, %v", test.reply, id, right, test.id, test.right)
		}
	}
}
