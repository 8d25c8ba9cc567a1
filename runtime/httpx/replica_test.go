package httpx

import (
	"io"
	"net"
	"net/http"
	"net/http/httputil"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
)

// TestReplicas runs clients of all revisions through a proxy in front of three processes that
// share nothing but a key: no request fails, whichever process it comes to.
func TestReplicas(t *testing.T) {
	t.Parallel()
	key := filepath.Join(t.TempDir(), "key")
	if err := os.WriteFile(key, []byte("what the three of them know"), 0o600); err != nil {
		t.Fatal(err)
	}
	var hits [3]atomic.Int64
	var backends [len(hits)]*httputil.ReverseProxy
	for i := range backends {
		p := start(t, "--session-key", key, "--auth-token", "s3cret")
		backends[i] = &httputil.ReverseProxy{Rewrite: func(r *httputil.ProxyRequest) {
			r.SetURL(&url.URL{Scheme: "http", Host: p.addr}) // with that host, too
		}}
	}
	var turn atomic.Int64
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	proxy := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		i := turn.Add(1) % int64(len(hits))
		hits[i].Add(1)
		backends[i].ServeHTTP(w, r)
	})}
	go func() { _ = proxy.Serve(l) }()
	t.Cleanup(func() { _ = proxy.Close() })

	do := func(message string, headers map[string]string) (int, string, http.Header) {
		r, err := http.NewRequest("POST", "http://"+l.Addr().String()+"/mcp", strings.NewReader(message))
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("Authorization", "Bearer s3cret")
		for name, value := range headers {
			r.Header.Set(name, value)
		}
		res, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Error(err)
			return 0, "", nil
		}
		defer res.Body.Close()
		body, _ := io.ReadAll(res.Body)
		return res.StatusCode, string(body), res.Header
	}
	var clients sync.WaitGroup
	for column, revision := range columns {
		for n := range 4 {
			clients.Go(func() {
				headers := map[string]string{"MCP-Protocol-Version": revision}
				if column != modernColumn {
					status, body, h := do(initialize(revision), nil)
					if status != 200 {
						t.Errorf("initialize: %d %s", status, body)
						return
					}
					headers["Mcp-Session-Id"] = h.Get("Mcp-Session-Id")
					if status, body, _ := do(initialized, headers); status != 202 {
						t.Errorf("initialized: %d %s", status, body)
					}
				}
				for i := range 30 {
					name, message, want := "demo__echo", tool(strconv.Itoa(i), "demo__echo", `{"_1":"`+revision+strconv.Itoa(n*1000+i)+`"}`), revision+strconv.Itoa(n*1000+i)
					if i%3 == 0 {
						name, message, want = "", list, `"name":"demo__pair"`
					}
					if column == modernColumn {
						headers["Mcp-Method"], headers["Mcp-Name"] = "tools/list", name
						if name != "" {
							headers["Mcp-Method"] = "tools/call"
						}
					}
					status, body, _ := do(inColumn(message, column), headers)
					if status != 200 || !strings.Contains(body, want) {
						t.Errorf("%s: %d %s", message, status, body)
					}
				}
			})
		}
	}
	clients.Wait()
	for i := range hits {
		if hits[i].Load() == 0 {
			t.Errorf("process %d was never asked", i)
		}
	}
}
