package httpx

import (
	"encoding/json"
	"reflect"
	"regexp"
	"strings"
	"testing"
)

// sameJSON reports whether two texts are the same JSON, numbers with all their digits.
func sameJSON(a, b string) bool {
	read := func(s string) (v any, ok bool) {
		d := json.NewDecoder(strings.NewReader(s))
		d.UseNumber()
		return v, d.Decode(&v) == nil
	}
	x, ok := read(a)
	y, fine := read(b)
	return ok && fine && reflect.DeepEqual(x, y)
}

const (
	modernMeta = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}`
	modernInfo = `"_meta":{"io.modelcontextprotocol/serverInfo":{"name":"demo","version":"1"}}`
	modernH    = "MCP-Protocol-Version: 2026-07-28"
)

// TestCases are the cases of http.md 12 that are one request to a server without a token. In
// a header, S is a session after the handshake and S0 one before its end.
func TestCases(t *testing.T) {
	t.Parallel()
	s := serve(t, newDemo())
	ready, early := s.session("2025-06-18"), s.begin("2025-06-18")
	const (
		v       = "MCP-Protocol-Version: 2025-06-18"
		badJSON = `{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"invalid JSON"}}`
	)
	invalid := func(id, text string) string {
		return `{"jsonrpc":"2.0","id":` + id + `,"error":{"code":-32600,"message":"` + text + `"}}`
	}
	said := func(id, text string) string {
		return `{"jsonrpc":"2.0","id":` + id + `,"result":{"content":[{"type":"text","text":` + text + `}],"isError":false}}`
	}
	params := func(id, text string) string {
		return `{"jsonrpc":"2.0","id":` + id + `,"error":{"code":-32602,"message":"` + text + `"}}`
	}
	for _, tt := range []struct {
		name   string
		r      request
		status int
		header string // "Name: regexp", "!Name" for none
		body   string // JSON to equal; "" for none; with a leading ~ a text it contains
	}{
		{"1 initialize", post(initialize("2025-06-18")), 200, "Mcp-Session-Id: ^[0-9a-f]{32}$",
			`{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-06-18","capabilities":{"tools":{"listChanged":false}},"serverInfo":{"name":"demo","version":"1"}}}`},
		{"1 content type", post(initialize("2025-06-18")), 200, "Content-Type: ^application/json$", `~"name":"demo"`},
		{"1 not to be stored", post(initialize("2025-06-18")), 200, "Cache-Control: ^no-store$", `~"name":"demo"`},
		{"2 initialize 2025-11-25", post(initialize("2025-11-25")), 200, "Mcp-Session-Id: .", `~"protocolVersion":"2025-11-25"`},
		{"3 initialize 1999-01-01", post(initialize("1999-01-01")), 200, "Mcp-Session-Id: .", `~"protocolVersion":"2025-11-25"`},
		{"5 initialize with a session", post(initialize("2025-06-18"), "Mcp-Session-Id: bogus"), 200, "Mcp-Session-Id: ^[0-9a-f]{32}$", `~2025-06-18`},
		{"6 initialize without id", post(strings.Replace(initialize("2025-06-18"), `"id":1,`, ``, 1)), 400, "!Mcp-Session-Id", invalid("null", "initialize must have an id")},
		{"8 list too early", post(`{"jsonrpc":"2.0","id":2,"method":"tools/list"}`, "S0"), 200, "", invalid("2", "received tools/list before initialization completed")},
		{"8 call too early", post(tool("2", "echo", `{}`), "S0"), 200, "", invalid("2", "received tools/call before initialization completed")},
		{"9 ping early", post(`{"jsonrpc":"2.0","id":3,"method":"ping"}`, "S0"), 200, "", `{"jsonrpc":"2.0","id":3,"result":{}}`},
		{"10 list", post(list, "S", v), 200, "!Mcp-Session-Id", `{"jsonrpc":"2.0","id":1,"result":{"tools":` + strings.ReplaceAll(demoTools, `{"name":"`, `{"name":"demo__`) + `}}`},
		{"11 echo", post(tool("4", "demo__echo", `{"_1":"a\"b\\n"}`), "S", v), 200, "", said("4", `"\"a\\\"b\\\\n\""`)},
		{"12 pair", post(tool("4", "demo__pair", `{"_1":18446744073709551616}`), "S", v), 200, "",
			`{"jsonrpc":"2.0","id":4,"result":{"content":[{"type":"text","text":"{\"a\":18446744073709551616}"}],"structuredContent":{"a":18446744073709551616},"isError":false}}`},
		{"13 boom", post(tool("4", "demo__boom", `{"_1":1}`), "S", v), 200, "", `{"jsonrpc":"2.0","id":4,"result":{"content":[{"type":"text","text":"bad"}],"isError":true}}`},
		{"14 bare name", post(tool("4", "echo", `{"_1":"x"}`), "S", v), 200, "", said("4", `"\"x\""`)},
		{"14 unknown name", post(tool("4", "demo__nope", `{"_1":"x"}`), "S", v), 200, "", params("4", "unknown tool 'demo__nope'")},
		{"15 missing argument", post(tool("4", "demo__echo", `{}`), "S", v), 200, "", params("4", "missing required argument '_1'")},
		{"16 unknown argument", post(tool("4", "demo__echo", `{"_1":"x","z":1}`), "S", v), 200, "", params("4", "unknown argument 'z'")},
		{"17 wrong type", post(tool("4", "demo__echo", `{"_1":5}`), "S", v), 200, "", params("4", "argument '_1' must be a string")},
		{"18 unknown method", post(`{"jsonrpc":"2.0","id":"abc","method":"nope"}`, "S", v), 200, "", `{"jsonrpc":"2.0","id":"abc","error":{"code":-32601,"message":"unknown method 'nope'"}}`},
		{"19 unknown notification", post(`{"jsonrpc":"2.0","method":"notifications/unknown"}`, "S", v), 202, "!Content-Type", ``},
		{"20 response", post(`{"jsonrpc":"2.0","id":9,"result":{}}`, "S", v), 202, "", ``},
		{"20 error response", post(`{"jsonrpc":"2.0","id":9,"error":{"code":1,"message":"x"}}`, "S", v), 202, "", ``},
		{"20 initialized with an id", post(`{"jsonrpc":"2.0","id":9,"method":"notifications/initialized"}`, "S", v), 202, "", ``},
		{"22 not JSON", post(`{oops`, "S", v), 400, "", badJSON},
		{"22 not JSON, no session", post(`{oops`), 400, "", badJSON},
		{"22 not UTF-8", post("{\"id\":\"\xff\",\"method\":\"ping\"}", "S", v), 400, "", badJSON},
		{"22 two values", post(ping+ping, "S", v), 400, "", badJSON},
		{"22 1,001 levels", post(`{"id":1,"method":"ping","params":`+strings.Repeat("[", 1000)+strings.Repeat("]", 1000)+"}", "S", v), 400, "", badJSON},
		{"22 1,000 levels", post(`{"id":1,"method":"ping","params":`+strings.Repeat("[", 999)+strings.Repeat("]", 999)+"}", "S", v), 200, "", pong},
		{"23 empty", post(``, "S", v), 400, "", badJSON},
		{"24 batch", post(`[`+ping+`]`, "S", v), 400, "", invalid("null", "message must be a JSON object")},
		{"24 batch, no session", post(`[` + ping + `]`), 400, "", invalid("null", "message must be a JSON object")},
		{"24 number", post(`1`, "S", v), 400, "", invalid("null", "message must be a JSON object")},
		{"25 id null", post(`{"jsonrpc":"2.0","id":null,"method":"ping"}`, "S", v), 400, "", invalid("null", "id must be a string or a number")},
		{"25 id true", post(`{"jsonrpc":"2.0","id":true,"method":"ping"}`, "S", v), 400, "", invalid("null", "id must be a string or a number")},
		{"26 no jsonrpc", post(`{"id":1,"method":"ping"}`, "S", v), 200, "", pong},
		{"26 wrong jsonrpc", post(`{"jsonrpc":"1.0","id":1,"method":"ping"}`, "S", v), 400, "", invalid("1", `jsonrpc must be \"2.0\"`)},
		{"13 no method", post(`{"jsonrpc":"2.0","id":1}`, "S", v), 400, "", invalid("1", "missing 'method'")},
		{"13 nothing", post(`{}`, "S", v), 400, "", invalid("null", "missing 'method'")},
		{"13 method is a number", post(`{"id":1,"method":7}`, "S", v), 400, "", invalid("1", "missing 'method'")},
		{"13 large id", post(`{"id":12345678901234567890123,"method":7}`, "S", v), 400, "", invalid("12345678901234567890123", "missing 'method'")},
		{"12a duplicate", post(`{"id":1,"id":2,"method":"ping"}`, "S", v), 400, "", invalid("null", "duplicate member 'id'")},
		{"27 no session", post(list), 400, "", `{"error":"missing Mcp-Session-Id header"}`},
		{"27 notification without session", post(initialized), 400, "", `{"error":"missing Mcp-Session-Id header"}`},
		{"28 unknown session", post(ping, "Mcp-Session-Id: 00000000000000000000000000000000"), 404, "", `{"error":"unknown or expired session; re-initialize"}`},
		{"28 empty session", post(ping, "Mcp-Session-Id: "), 404, "", `{"error":"unknown or expired session; re-initialize"}`},
		{"28 two sessions", post(ping, "S", "mcp-session-id: x"), 404, "", `{"error":"unknown or expired session; re-initialize"}`},
		{"29 unknown revision", post(ping, "S", "MCP-Protocol-Version: 1.0"), 400, "",
			`{"jsonrpc":"2.0","id":1,"error":{"code":-32022,"message":"Unsupported protocol version","data":{"supported":["2026-07-28","2025-11-25","2025-06-18","2025-03-26","2024-11-05"],"requested":"1.0"}}}`},
		{"29 unknown revision, initialize", post(initialize("2025-06-18"), "MCP-Protocol-Version: 2099-01-01"), 200, "Mcp-Session-Id: .", `~"protocolVersion":"2025-06-18"`},
		{"30 no revision", post(ping, "S"), 200, "", pong},
		{"30 another revision", post(ping, "S", "MCP-Protocol-Version: 2025-11-25"), 200, "", pong},
		{"32 DELETE without session", request{method: "DELETE"}, 400, "", `{"error":"missing Mcp-Session-Id header"}`},
		{"33 DELETE of an unknown session", request{method: "DELETE", header: []string{"Mcp-Session-Id: 0"}}, 404, "", `{"error":"unknown or expired session; re-initialize"}`},
		{"34 GET", request{method: "GET", header: []string{"Accept: text/event-stream", "S"}}, 405, "Allow: ^POST, DELETE$", `{"error":"method not allowed"}`},
		{"34 GET with Last-Event-ID", request{method: "GET", header: []string{"Last-Event-ID: 7", "S"}}, 405, "Allow: ^POST, DELETE$", `{"error":"method not allowed"}`},
		{"35 PUT", request{method: "PUT"}, 405, "Allow: ^POST, DELETE$", `{"error":"method not allowed"}`},
		{"37 query", request{path: "/mcp?x=1", body: ping, header: []string{"S", v}}, 200, "", pong},
		{"38 path below", request{path: "/mcp/x", body: ping, header: []string{"S", v}}, 404, "", `{"error":"not found"}`},
		{"38 root", request{method: "GET", path: "/"}, 404, "", `{"error":"not found"}`},
		{"38 slash", request{path: "/mcp/", body: ping, header: []string{"S", v}}, 200, "", pong},
		{"39 health", request{method: "GET", path: "/health"}, 200, "Content-Type: ^application/json$", `{"status":"ok"}`},
		{"39 livez", request{method: "GET", path: "/livez"}, 200, "", `{"status":"ok"}`},
		{"39 readyz", request{method: "GET", path: "/readyz?verbose"}, 200, "", `{"status":"ok"}`},
		{"39 health by POST", request{path: "/health"}, 404, "", `{"error":"not found"}`},
		{"40 text", post(ping, "S", v, "Content-Type: text/plain"), 415, "", `{"error":"content type must be application/json"}`},
		{"40 no type", post(ping, "S", v, "Content-Type"), 415, "", `{"error":"content type must be application/json"}`},
		{"40 JSON of a kind", post(ping, "S", v, "Content-Type: application/json-rpc"), 415, "", `{"error":"content type must be application/json"}`},
		{"41 charset", post(ping, "S", v, "Content-Type: application/json; charset=utf-8"), 200, "", pong},
		{"41 upper case", post(ping, "S", v, "Content-Type: Application/JSON ;charset=utf-8"), 200, "", pong},
		{"42 no Accept", post(ping, "S", v, "Accept"), 200, "", pong},
		{"42 anything", post(ping, "S", v, "Accept: */*"), 200, "", pong},
		{"42 the other order", post(ping, "S", v, "Accept: text/event-stream;q=1, application/json;q=0.2"), 200, "Content-Type: json", pong},
		{"43 HTML", post(ping, "S", v, "Accept: text/html"), 406, "", `{"error":"not acceptable"}`},
		{"43 not JSON", post(ping, "S", v, "Accept: application/json;q=0"), 406, "", `{"error":"not acceptable"}`},
		{"44 another host", post(initialize("2025-06-18"), "Host: evil.example.com", "Origin: http://evil.example.com"), 403, "!Mcp-Session-Id", invalid("null", "host not allowed")},
		{"44 another origin", post(initialize("2025-06-18"), "Origin: http://evil.example.com"), 403, "!Access-Control-Allow-Origin", invalid("null", "origin not allowed")},
		{"44 every path", request{method: "GET", path: "/health", header: []string{"Origin: http://evil.example.com"}}, 403, "", invalid("null", "origin not allowed")},
		{"44 in a request of 2025-11-25", post(ping, "MCP-Protocol-Version: 2025-11-25", "Host: evil.example.com"), 403, "", `{"jsonrpc":"2.0","error":{"code":-32600,"message":"host not allowed"}}`},
		{"44 localhost.evil", post(ping, "S", "Host: localhost.evil.example"), 403, "", invalid("null", "host not allowed")},
		{"44 localhost", post(ping, "S", "Host: LOCALHOST:1"), 200, "", pong},
		{"44 ::1", post(ping, "S", "Host: [::1]:80"), 200, "", pong},
		{"44 127.0.0.2", post(ping, "S", "Host: 127.0.0.2"), 200, "", pong},
		{"45 local page", post(initialize("2025-06-18"), "Origin: http://localhost:5173"), 200, "Access-Control-Allow-Origin: ^http://localhost:5173$", `~2025-06-18`},
		{"45 session exposed", post(initialize("2025-06-18"), "Origin: http://localhost:5173"), 200, "Access-Control-Expose-Headers: Mcp-Session-Id", `~2025-06-18`},
		{"45 also in errors", post(``, "Origin: https://[::1]:5173"), 400, "Access-Control-Allow-Origin: ^https://\\[::1\\]:5173$", badJSON},
		{"46 null", post(initialize("2025-06-18"), "Origin: null"), 403, "!Mcp-Session-Id", invalid("null", "origin not allowed")},
		{"46 prefix", post(ping, "S", "Origin: http://localhost.evil.example"), 403, "", invalid("null", "origin not allowed")},
		{"46 user", post(ping, "S", "Origin: http://localhost:1@evil.example"), 403, "", invalid("null", "origin not allowed")},
		{"46 two", post(ping, "S", "Origin: http://localhost", "oRigin: http://localhost"), 403, "", invalid("null", "origin not allowed")},
		{"46 bad port", post(ping, "S", "Origin: http://localhost:bad"), 403, "", invalid("null", "origin not allowed")},
		{"46 path", post(ping, "S", "Origin: http://localhost/x"), 403, "", invalid("null", "origin not allowed")},
		{"46 scheme", post(ping, "S", "Origin: ftp://localhost"), 403, "", invalid("null", "origin not allowed")},
		{"46 empty", post(ping, "S", "Origin: "), 403, "", invalid("null", "origin not allowed")},
		{"47 no origin", post(initialize("2025-06-18")), 200, "!Access-Control-Allow-Origin", `~2025-06-18`},
		{"48 preflight", request{method: "OPTIONS", header: []string{"Origin: http://localhost:1", "Access-Control-Request-Method: POST"}}, 204, "Access-Control-Allow-Methods: ^POST, DELETE, OPTIONS$", ``},
		{"48 preflight headers", request{method: "OPTIONS", header: []string{"Origin: http://localhost:1"}}, 204,
			"Access-Control-Allow-Headers: ^Authorization, Content-Type, Accept, Mcp-Session-Id, MCP-Protocol-Version, Mcp-Method, Mcp-Name, Last-Event-ID$", ``},
		{"48 preflight of nobody", request{method: "OPTIONS"}, 204, "!Access-Control-Allow-Methods", ``},
		{"53 well-known", request{method: "GET", path: "/.well-known/oauth-protected-resource/mcp"}, 404, "!WWW-Authenticate", `{"error":"not found"}`},
		{"60 close", post(ping, "S", v, "Connection: close"), 200, "Connection: close", pong},
		{"60 close among others", post(ping, "S", v, "Connection: keep-alive, close"), 200, "Connection: close", pong},
		{"67 modern without _meta", post(list, modernH), 400, "", `{"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"Missing _meta field io.modelcontextprotocol/protocolVersion"}}`},
		{"67 in a session", post(list, "S", modernH), 400, "", `{"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"Missing _meta field io.modelcontextprotocol/protocolVersion"}}`},
		{"68 modern list", post(`{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{`+modernMeta+`}}`, modernH, "Mcp-Method: tools/list"), 200, "!Mcp-Session-Id",
			`{"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","tools":` + strings.ReplaceAll(demoTools, `{"name":"`, `{"name":"demo__`) + `,"ttlMs":3600000,"cacheScope":"public",` + modernInfo + `}}`},
		{"69 modern, another method", post(`{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{`+modernMeta+`}}`, modernH, "Mcp-Method: tools/call"), 400, "",
			`{"jsonrpc":"2.0","id":1,"error":{"code":-32020,"message":"Header mismatch: Mcp-Method 'tools/call' is not the body's 'tools/list'"}}`},
		{"header that is not UTF-8", post(`{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{`+modernMeta+`}}`, modernH, "Mcp-Method: caf\xe9"), 400, "",
			"~Mcp-Method 'caf\uFFFD' is not the body's"},
		{"version that is not UTF-8", post(`{"jsonrpc":"2.0","id":1,"method":"tools/list"}`, "MCP-Protocol-Version: 2026\xff"), 400, "",
			"~\"requested\":\"2026\uFFFD\""},
		{"70 modern, unknown version", post(`{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{`+strings.Replace(modernMeta, "2026-07-28", "v999.0.0", 1)+`}}`, "MCP-Protocol-Version: v999.0.0", "Mcp-Method: tools/list"), 400, "", `~"requested":"v999.0.0"`},
		{"71 no capabilities", post(`{"jsonrpc":"2.0","id":1,"method":"server/discover","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}}`, modernH, "Mcp-Method: server/discover"), 400, "",
			`{"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"Missing _meta field io.modelcontextprotocol/clientCapabilities"}}`},
		{"72 modern ping", post(`{"jsonrpc":"2.0","id":1,"method":"ping","params":{`+modernMeta+`}}`, modernH, "Mcp-Method: ping"), 404, "", `{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"unknown method 'ping'"}}`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			for i, line := range tt.r.header {
				tt.r.header[i] = map[string]string{"S": ready, "S0": early}[line]
				if tt.r.header[i] == "" {
					tt.r.header[i] = line
				}
			}
			s := *s
			s.t = t
			a := s.do(tt.r)
			if a.status != tt.status {
				t.Errorf("status %d, want %d: %s", a.status, tt.status, a.body)
			}
			name, pattern, _ := strings.Cut(tt.header, ": ")
			if none, ok := strings.CutPrefix(name, "!"); ok && len(a.header.Values(none)) > 0 ||
				!ok && !regexp.MustCompile(pattern).MatchString(strings.Join(a.header.Values(name), ", ")) {
				t.Errorf("header %s: %v", tt.header, a.header)
			}
			text, part := strings.CutPrefix(tt.body, "~")
			if part && !strings.Contains(a.body, text) || !part && (text == "" && a.body != "" || text != "" && !sameJSON(a.body, text)) {
				t.Errorf("body %s\nwant %s", a.body, tt.body)
			}
		})
	}
}
