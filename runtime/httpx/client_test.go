package httpx

import (
	"net/http"
	"testing"
)

// TestClient asserts whose turn a request takes.
func TestClient(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		remote, session string
		live            bool
		want            string
	}{
		{"192.0.2.1:1000", "", false, "192.0.2.1"},
		{"[2001:db8::1]:1000", "", false, "[2001:db8::1]"},
		{"192.0.2.1:1000", "abc", true, "abc"},
		{"192.0.2.1:2000", "gone", false, "192.0.2.1"}, // a name that anyone can make up
		{"odd", "", false, "odd"},
	} {
		r := &http.Request{RemoteAddr: tt.remote, Header: http.Header{"Mcp-Session-Id": {tt.session}}}
		if got := client(r, tt.live); got != tt.want {
			t.Errorf("%+v: %q", tt, got)
		}
	}
}
