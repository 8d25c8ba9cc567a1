package httpx

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	rt "github.com/mcpgen/mcpgen/runtime"
)

// TestAuth are cases 49 to 53 of http.md 12, and what goldens say beside them.
func TestAuth(t *testing.T) {
	t.Parallel()
	s := serve(t, newDemo(), "--auth-token", "s3cret")
	for _, tt := range []struct {
		name   string
		r      request
		status int
	}{
		{"49 none", post(initialize("2025-06-18")), 401},
		{"50 wrong", post(initialize("2025-06-18"), "Authorization: Bearer nope"), 401},
		{"50 another scheme", post(initialize("2025-06-18"), "Authorization: Basic s3cret"), 401},
		{"50 shorter", post(initialize("2025-06-18"), "Authorization: Bearer s3cre"), 401},
		{"50 longer", post(initialize("2025-06-18"), "Authorization: Bearer s3cret2"), 401},
		{"50 no scheme", post(initialize("2025-06-18"), "Authorization: s3cret"), 401},
		{"50 empty", post(initialize("2025-06-18"), "Authorization: Bearer "), 401},
		{"50 two", post(initialize("2025-06-18"), "Authorization: Bearer s3cret", "authorization: Bearer s3cret"), 401},
		{"50 in the query", request{path: "/mcp?access_token=s3cret&token=s3cret", body: initialize("2025-06-18")}, 401},
		{"51 lower case", post(initialize("2025-06-18"), "Authorization: bearer   s3cret"), 200},
		{"51 upper case", post(initialize("2025-06-18"), "Authorization: BEARER s3cret  "), 200},
		{"52 health", request{method: "GET", path: "/health"}, 200},
		{"52 readyz", request{method: "HEAD", path: "/readyz"}, 200},
		{"52 OPTIONS", request{method: "OPTIONS"}, 204},
		{"53 nowhere", request{method: "GET", path: "/nowhere"}, 401},
		{"53 well-known", request{method: "GET", path: "/.well-known/oauth-protected-resource"}, 404},
		{"GET", request{method: "GET"}, 401},
		{"DELETE", request{method: "DELETE"}, 401},
		{"DELETE with the token", request{method: "DELETE", header: []string{"Authorization: Bearer s3cret"}}, 400},
		{"in a session", post(ping, "Mcp-Session-Id: x"), 401},
		{"modern", post(`{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{`+modernMeta+`}}`, modernH, "Mcp-Method: tools/list"), 401},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s := *s
			s.t = t
			a := s.do(tt.r)
			if a.status != tt.status {
				t.Errorf("status %d, want %d", a.status, tt.status)
			}
			if a.status == 401 && (a.header.Get("Www-Authenticate") != "Bearer" || a.body != `{"error":"unauthorized"}`) {
				t.Errorf("%+v", a)
			}
		})
	}
	t.Run("list is private", func(t *testing.T) {
		a := s.do(post(`{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{`+modernMeta+`}}`, modernH, "Mcp-Method: tools/list", "Authorization: Bearer s3cret"))
		if !strings.Contains(a.body, `"cacheScope":"private"`) {
			t.Errorf("%+v", a)
		}
	})
}

// TestReload replaces the tokens of a server that runs.
func TestReload(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "tokens")
	write := func(text string) {
		t.Helper()
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("one\n\n two \n")
	s := serve(t, newDemo(), "--auth-token-file", file)
	try := func(token string) int {
		return s.do(post(initialize("2025-06-18"), "Authorization: Bearer "+token)).status
	}
	check := func(want string) {
		t.Helper()
		var good []string
		for _, token := range []string{"one", "two", "three"} {
			if try(token) == 200 {
				good = append(good, token)
			}
		}
		if got := strings.Join(good, " "); got != want {
			t.Errorf("tokens %q, want %q", got, want)
		}
	}
	check("one two")
	write("two\nthree")
	check("one two") // not before it is told
	s.service.Reload()
	check("two three")
	write("with space\n")
	s.service.Reload()
	check("two three")
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
	s.service.Reload()
	check("two three")
}

// TestFlags are command lines that are refused.
func TestFlags(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{"empty": "\n", "short": "secret\n", "cert": "x", "key": "y"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, tt := range []struct{ args, want string }{ // DIR is the folder of the files
		{"--http-host 0.0.0.0", "--http-host is for HTTP: it needs --http-port"},
		{"--auth-token x", "--auth-token is for HTTP: it needs --http-port"},
		{"--allow-file-io", "--allow-file-io is for HTTP: it needs --http-port"},
		{"--http-port x", `invalid value "x" for flag -http-port: want a number from 0 to 65535`},
		{"--http-port 70000", "want a number from 0 to 65535"},
		{"--http-port -1", "want a number from 0 to 65535"},
		{"--http-port 0 --auth-token=", "want visible characters"},
		{"--http-port 0 --auth-token=ä", "want visible characters"},
		{"--http-port 0 --auth-token x --auth-token-file y", "want one of them"},
		{"--http-port 0 --tls-cert x", "--tls-cert and --tls-key: want both or none"},
		{"--http-port 0 --tool-names short", `--tool-names "short": want prefixed or bare`},
		{"--http-port 0 --session-lifetime 1h", "needs --session-key"},
		{"--http-port 0 --session-key x --session-lifetime 0s", "want more than 0"},
		{"--http-port 0 --allow-origin evil.example", "want one like https://example.com:8443, or *"},
		{"--http-port 0 --allow-origin http://x/y", "want one like"},
		{"--http-port 0 --allow-origin http://::1", "want one like"}, // an address needs its brackets
		{"--http-port 0 --allow-origin http://[fe80::1%25eth0]", "want one like"},
		{"--http-port 0 --allow-host http://x/", "want the name of a host"},
		{"--http-port 0 --http-host=", "want an address or a name"},

		{"--http-port 0 --http-host 0.0.0.0", "refusing to serve on 0.0.0.0:0 with no auth token (bind is not loopback). " +
			"Set --auth-token / MORLOC_MCP_TOKEN, or pass --allow-no-auth to override."},
		{"--http-port 7 --http-host 10.1.2.3", "refusing to serve on 10.1.2.3:7 "},
		{"--http-port 7 --http-host ::", "refusing to serve on [::]:7 "},
		{"--http-port 7 --http-host localhost.example", "refusing to serve on localhost.example:7 "},
		{"--http-port 0 --auth-token-file DIR/none", "--auth-token-file: no such file or directory"},
		{"--http-port 0 --auth-token-file DIR/empty", "--auth-token-file: holds no token"},
		{"--http-port 0 --session-key DIR/none", "--session-key: no such file or directory"},
		{"--http-port 0 --session-key DIR/short", "--session-key: want at least 16 bytes in the file"},
		{"--http-port 0 --tls-cert DIR/none --tls-key y", "--tls-cert and --tls-key: no such file or directory"},
		{"--http-port 0 --tls-cert DIR/cert --tls-key DIR/key", "--tls-cert and --tls-key: tls: failed to find any PEM data"},
		{"--http-port 0 --http-host no-such-host.invalid --allow-no-auth", "failed to bind no-such-host.invalid:0: "},
	} {
		args := strings.Split(tt.args, " ")
		for i := range args {
			args[i] = strings.Replace(args[i], "DIR", dir, 1)
		}
		s, err := open(newDemo().program(), args...)
		if err == nil {
			_ = s.door.Close()
			t.Errorf("%s: accepted", tt.args)
			continue
		}
		if !strings.Contains(err.Error(), tt.want) || strings.Contains(err.Error(), dir) {
			t.Errorf("%s: %q, want %q", tt.args, err, tt.want)
		}
	}
}

// TestHosts are addresses that are served without a token, and what the log says of them.
func TestHosts(t *testing.T) {
	for _, tt := range []struct{ host, want string }{
		{"127.0.0.1", "127.0.0.1:"},
		{"localhost", "127.0.0.1:"},
		{"127.0.0.2", "127.0.0.2:"},
		{"::1", "[::1]:"},
		{"[::1]", "[::1]:"},
	} {
		s, err := open(newDemo().program(), "--http-port", "0", "--http-host", tt.host)
		if err != nil {
			if strings.Contains(tt.want, "::1") && strings.Contains(err.Error(), "assign requested address") {
				continue // no IPv6 here
			}
			t.Errorf("%s: %v", tt.host, err)
			continue
		}
		if got := s.door.Addr().String(); !strings.HasPrefix(got, tt.want) {
			t.Errorf("%s: bound to %s", tt.host, got)
		}
		_ = s.door.Close()
	}
	taken := serve(t, newDemo())
	_, port, _ := strings.Cut(taken.addr, ":")
	if _, err := open(newDemo().program(), "--http-port", port); err == nil || err.Error() != "failed to bind "+taken.addr+": address already in use" {
		t.Errorf("a port that is taken: %v", err)
	}
}

// TestAllowed are hosts and origins that are allowed by flags.
func TestAllowed(t *testing.T) {
	t.Parallel()
	s := serve(t, newDemo(), "--allow-host", "MCP.example", "--allow-origin", "https://App.example:443", "--allow-origin", "vscode-webview://abc")
	any := serve(t, newDemo(), "--allow-origin", "*")
	for _, tt := range []struct {
		s      *server
		header string
		status int
	}{
		{s, "Host: mcp.example:8080", 400}, // 400 is past the checks: there is no session
		{s, "Host: other.example", 403},
		{s, "Host: localhost", 400},
		{s, "Host: [::1]:80", 400},
		{s, "Host: [::1].evil.example", 403},
		{s, "Host: [::1]mcp.example", 403},
		{s, "Host: [::1", 403},
		{s, "Origin: https://app.example", 400},
		{s, "Origin: https://app.example:8443", 403},
		{s, "Origin: http://app.example", 403},
		{s, "Origin: vscode-webview://abc", 400},
		{s, "Origin: vscode-webview://abd", 403},
		{s, "Origin: http://localhost:99", 400},
		{any, "Origin: https://anything.example", 400},
		{any, "Origin: null", 400},
		{any, "Host: evil.example", 403},
	} {
		if a := tt.s.do(post(ping, tt.header)); a.status != tt.status {
			t.Errorf("%s: %d, want %d", tt.header, a.status, tt.status)
		}
	}
}

// TestHealth follows the readiness of a program.
func TestHealth(t *testing.T) {
	t.Parallel()
	d := newDemo()
	ready := make(chan bool, 1)
	d.ready = func() bool { return <-ready }
	s := serve(t, d)
	for _, want := range []int{200, 503} {
		ready <- want == 200
		a := s.do(request{method: "GET", path: "/readyz"})
		if a.status != want || a.body != map[int]string{200: `{"status":"ok"}`, 503: `{"status":"unavailable"}`}[want] {
			t.Errorf("%+v", a)
		}
	}
	s.service.handler.stopping.Store(true)
	if a := s.do(request{method: "GET", path: "/readyz"}); a.status != 503 {
		t.Errorf("while stopping: %+v", a)
	}
	if a := s.do(request{method: "GET", path: "/livez"}); a.status != 200 {
		t.Errorf("/livez: %+v", a)
	}
}

// TestLog asserts that a storm of refused requests makes few lines, and none that holds what
// a client sent.
func TestLog(t *testing.T) {
	t.Parallel()
	s := serve(t, newDemo(), "--auth-token", "s3cret")
	for range 50 {
		s.do(post("B0DY", "Authorization: Bearer GUESS"))
		s.do(post("B0DY", "Origin: http://EVIL.example"))
		s.do(post("B0DY", "Host: EVIL.example"))
		s.do(request{path: "/PATH", body: "B0DY", header: []string{"Authorization: Bearer s3cret"}})
		s.do(post(ping, "Authorization: Bearer s3cret", "Mcp-Session-Id: SESSION"))
	}
	s.raw("GARBAGE\r\n\r\n", "")
	want := "refused a request: unauthorized\nrefused a request: origin not allowed\nrefused a request: host not allowed\n"
	if got := s.log.String(); got != want {
		t.Errorf("log:\n%s", got)
	}
}

// TestEntry are the entries of clients for a server over HTTP.
func TestEntry(t *testing.T) {
	t.Setenv("MORLOC_MCP_TOKEN", "")
	for _, tt := range []struct{ dialect, args, want string }{
		{rt.DialectClaude, "--http-port 9000", `{"type":"http","url":"http://127.0.0.1:9000/mcp"}`},
		{rt.DialectVSCode, "--http-port 9000 --http-host ::1 --auth-token s3cret", `{"type":"http","url":"http://[::1]:9000/mcp","headers":{"Authorization":"Bearer <token>"}}`},
		{rt.DialectCursor, "--http-port 9000 --http-host mcp.example --auth-token-file x --tls-cert a --tls-key b", `{"url":"https://mcp.example:9000/mcp","headers":{"Authorization":"Bearer <token>"}}`},
	} {
		s := New()
		set := newFlagSet(s)
		if err := set.Parse(strings.Split(tt.args, " ")); err != nil {
			t.Fatal(err)
		}
		if wanted, err := s.Wanted(); !wanted || err != nil {
			t.Fatal(wanted, err)
		}
		if got, err := s.Entry(tt.dialect); err != nil || got != tt.want {
			t.Errorf("%s: %s, %v", tt.args, got, err)
		}
	}
	s := New()
	_ = newFlagSet(s).Parse([]string{"--http-port", "0"})
	if _, err := s.Entry(rt.DialectClaude); err == nil {
		t.Error("an entry without a port")
	}
}
