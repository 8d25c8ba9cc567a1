package httpx

import (
	"encoding/base64"
	"strings"
	"testing"

	rt "github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/mcp"
)

// library is the demo with resources: one that is fixed, and one that is read elsewhere.
func library() *rt.Program {
	p := newDemo().program()
	p.Server.Resources = []mcp.Resource{
		{URI: "x://é", Name: "fixed", MIME: "text/plain", Text: "fixed"},
		{URI: "x://later", Name: "later", MIME: "text/plain", Load: func(c *mcp.Call) error {
			r := new(mcp.Reply)
			c.Detach(r)
			go r.Contents([]byte("later"))
			return nil
		}},
	}
	return p
}

// TestResources are the cases of resources over HTTP: what the headers of 2026-07-28 must
// repeat, and that a body which comes later is answered as any other.
func TestResources(t *testing.T) {
	t.Parallel()
	service, err := open(library(), "--http-port", "0")
	if err != nil {
		t.Fatal(err)
	}
	s := serveOpened(t, service)
	ready, early := s.session("2025-06-18"), s.begin("2025-06-18")
	read := func(uri, meta string) string {
		return `{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"` + uri + `"` + meta + `}}`
	}
	const meta, method, kept, fresh = "," + modernMeta, "Mcp-Method: resources/read", `"ttlMs":3600000`, `"ttlMs":0`
	contents := func(uri, text, caching string) string {
		result := `"contents":[{"uri":"` + uri + `","mimeType":"text/plain","text":"` + text + `"}]`
		if caching != "" {
			result = `"resultType":"complete",` + result + `,` + caching + `,"cacheScope":"public",` + modernInfo
		}
		return `{"jsonrpc":"2.0","id":1,"result":{` + result + `}}`
	}
	fault := func(code, text string) string {
		return `{"jsonrpc":"2.0","id":1,"error":{"code":` + code + `,"message":"` + text + `"}}`
	}
	encoded := "=?base64?" + base64.StdEncoding.EncodeToString([]byte("x://é")) + "?="
	for _, tt := range []struct {
		name   string
		r      request
		status int
		body   string
	}{
		{"legacy", post(read("x://é", ""), ready), 200, contents("x://é", "fixed", "")},
		{"legacy, later", post(read("x://later", ""), ready), 200, contents("x://later", "later", "")},
		{"legacy, too early", post(read("x://é", ""), early), 200, fault("-32600", "received resources/read before initialization completed")},
		{"legacy, unknown", post(read("y", ""), ready), 200,
			`{"jsonrpc":"2.0","id":1,"error":{"code":-32002,"message":"Unknown resource: y","data":{"uri":"y"}}}`},
		{"legacy, header ignored", post(read("x://é", ""), ready, "Mcp-Name: other"), 200, contents("x://é", "fixed", "")},
		{"modern", post(read("x://é", meta), modernH, method, "Mcp-Name: "+encoded), 200, contents("x://é", "fixed", kept)},
		{"modern, as it is", post(read("x://é", meta), modernH, method, "Mcp-Name: x://é"), 200, contents("x://é", "fixed", kept)},
		{"modern, later", post(read("x://later", meta), modernH, method, "Mcp-Name: x://later"), 200, contents("x://later", "later", fresh)},
		{"modern, no header", post(read("x://later", meta), modernH, method), 400, fault("-32020", "Header mismatch: Mcp-Name is missing")},
		{"modern, other header", post(read("x://later", meta), modernH, method, "Mcp-Name: x://Later"), 400,
			fault("-32020", "Header mismatch: Mcp-Name 'x://Later' is not the body's 'x://later'")},
		{"modern, two headers", post(read("x://later", meta), modernH, method, "Mcp-Name: x://later", "mcp-name: x://later"), 400,
			fault("-32020", "Header mismatch: Mcp-Name 'x://later, x://later' is not the body's 'x://later'")},
		{"modern, unknown", post(read("y", meta), modernH, method, "Mcp-Name: y"), 200,
			`{"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"Unknown resource: y","data":{"uri":"y"}}}`},
		{"modern, no uri", post(`{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{`+modernMeta+`}}`, modernH, method), 200,
			fault("-32602", "Invalid params: uri required")},
		{"modern list needs no name", post(`{"jsonrpc":"2.0","id":1,"method":"resources/templates/list","params":{`+modernMeta+`}}`,
			modernH, "Mcp-Method: resources/templates/list"), 200,
			`{"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","resourceTemplates":[],"ttlMs":3600000,"cacheScope":"public",` + modernInfo + `}}`},
		{"modern, no such method", post(`{"jsonrpc":"2.0","id":1,"method":"resources/subscribe","params":{"uri":"x",`+modernMeta+`}}`,
			modernH, "Mcp-Method: resources/subscribe"), 404, fault("-32601", "unknown method 'resources/subscribe'")},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s := *s
			s.t = t
			if a := s.do(tt.r); a.status != tt.status || !sameJSON(a.body, tt.body) {
				t.Errorf("status %d, want %d\n got %s\nwant %s", a.status, tt.status, a.body, tt.body)
			}
		})
	}
}

// TestResourcesNone holds that a server without resources does not look at their header: the
// method is unknown, whatever it says.
func TestResourcesNone(t *testing.T) {
	t.Parallel()
	s := serve(t, newDemo())
	a := s.do(post(`{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"x",`+modernMeta+`}}`,
		modernH, "Mcp-Method: resources/read", "Mcp-Name: y"))
	if a.status != 404 || !strings.Contains(a.body, "unknown method 'resources/read'") {
		t.Errorf("status %d: %s", a.status, a.body)
	}
}
