//go:build unix

package verify

import (
	"context"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/mcpgen/mcpgen/verify/report"
)

// atHub checks a bridge and returns the one result.
func atHub(t *testing.T, set func(o *BridgeOptions)) report.Result {
	t.Helper()
	o := BridgeOptions{Hub: "http://127.0.0.1:1/", Key: "hub-key", Timeout: 10 * time.Second, Sink: report.Discard{}}
	set(&o)
	results, err := RunBridge(context.Background(), o)
	if err != nil || len(results) != 1 {
		t.Fatalf("RunBridge = %d results, %v, want 1", len(results), err)
	}
	return results[0]
}

// hub returns the answers of a hub with tools of these names.
func hub(names ...string) map[string]string {
	return map[string]string{"initialize": initialized, "tools/list": tools(names...)}
}

// TestBridge holds the cases of layer 2: 61 to 65, and what else a hub may do.
func TestBridge(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name  string
		e     endpoint
		set   func(o *BridgeOptions)
		score report.Score
		class string
		notes string
	}{
		{"case 61", endpoint{token: "other", session: "s", answers: hub("a")}, nil, skip, "needs-secret", "401"},
		{"no key", endpoint{answers: hub("a")}, func(o *BridgeOptions) { o.Key = "" }, skip, "needs-secret", "MCP_API_KEY"},
		{"case 62", endpoint{session: "s", events: true, token: "hub-key", answers: hub("hub_list_apps", "nextcloud_ci-marketplace__search")}, nil, pass, "ok", "2 tools"},
		{"case 63", endpoint{session: "s", answers: hub("Bad Name__x")}, nil, warnS, "mcp-schema", "malformed"},
		{"case 64", endpoint{answers: hub("hub_list_apps")}, nil, pass, "ok", ""},
		{"session demanded", endpoint{status: map[string]int{"tools/list": 400}, answers: map[string]string{"initialize": initialized, "tools/list": ""}}, nil, failS, "mcp-fail", "tools/list HTTP 400"},
		{"case 65", endpoint{session: "s", status: map[string]int{"tools/list": 500}, answers: map[string]string{"initialize": initialized, "tools/list": ""}}, nil, failS, "mcp-fail", "tools/list HTTP 500"},
		{"error", endpoint{answers: map[string]string{"initialize": `!{"code":-32603,"message":"broken"}`}}, nil, failS, "mcp-fail", "broken"},
		{"no serverInfo", endpoint{answers: map[string]string{"initialize": `{"protocolVersion":"2025-11-25"}`}}, nil, failS, "mcp-fail", "serverInfo"},
		{"empty", endpoint{answers: hub()}, nil, warnS, "mcp-empty", "EMPTY"},
		{"expected app", endpoint{answers: hub("nextcloud_store__x")}, func(o *BridgeOptions) { o.Apps = []string{"nextcloud:store"} }, pass, "ok", ""},
		{"absent app", endpoint{answers: hub("nextcloud_store__x")}, func(o *BridgeOptions) { o.Apps = []string{"wiki:store"} }, warnS, "mcp-drift", "wiki:store"},
		{"no legacy stream", endpoint{answers: hub("a")}, func(o *BridgeOptions) { o.Legacy = true }, failS, "mcp-fail", "405"},
		{"all", endpoint{answers: map[string]string{
			"initialize": initialized, "tools/list": tools("a"),
			"server/discover": `{"resultType":"complete","ttlMs":0,"cacheScope":"public","supportedVersions":["2026-07-28"],"capabilities":{}}`,
		}}, func(o *BridgeOptions) { o.Protocol = AllRevisions }, pass, "ok", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			tt.e.t = t
			mux := http.NewServeMux()
			mux.Handle("/api/mcp", &tt.e)
			mux.Handle("/api/mcp/sse", &tt.e)
			s := httptest.NewServer(mux)
			defer s.Close()
			r := atHub(t, func(o *BridgeOptions) {
				o.Hub = s.URL + "/"
				if tt.set != nil {
					tt.set(o)
				}
			})
			if r.Score != tt.score || r.Class != tt.class || !strings.Contains(r.Notes, tt.notes) {
				t.Errorf("%s/%s %q, want %s/%s with %q", r.Score, r.Class, r.Notes, tt.score, tt.class, tt.notes)
			}
			if r.AppID != "hub-mcp-bridge" || r.Name != "Hub MCP Bridge" || !r.MCP {
				t.Errorf("the result is of %q %q", r.AppID, r.Name)
			}
		})
	}
}

// TestNoHub is case 60.
func TestNoHub(t *testing.T) {
	t.Parallel()
	r := atHub(t, func(*BridgeOptions) {})
	if r.Score != skip || !strings.HasPrefix(r.Notes, "no Hub reachable at http://127.0.0.1:1/api/mcp (") {
		t.Errorf("%s %q, want skip", r.Score, r.Notes)
	}
}

// TestBridgeTransportFault is a hub that hangs up.
func TestBridgeTransportFault(t *testing.T) {
	t.Parallel()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodPost {
			conn, _, err := w.(http.Hijacker).Hijack()
			if err == nil {
				var _ net.Conn = conn
				conn.Close()
			}
		}
	}))
	defer s.Close()
	r := atHub(t, func(o *BridgeOptions) { o.Hub = s.URL })
	if r.Score != errorS || r.FailKind != "transport" {
		t.Errorf("%s/%s %q, want error/transport", r.Score, r.FailKind, r.Notes)
	}
}
