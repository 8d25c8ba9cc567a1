package remote

import (
	"strings"
	"testing"

	"github.com/mcpgen/mcpgen/runtime/mcp"
	"github.com/mcpgen/mcpgen/runtime/packet"
	"github.com/mcpgen/mcpgen/runtime/pool"
)

// failing is a set whose exchanges fail.
type failing struct {
	running
	err error
}

func (f failing) Do(x *pool.Exchange) { x.Finisher.Finish(nil, f.err) }

// TestDistant asserts that callers from elsewhere are told the fault, and neither paths nor
// output (design decision 9); what a pool itself reports is theirs.
func TestDistant(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name          string
		pools         *Pools
		here, distant string
	}{
		{"no start", &Pools{set: failing{err: &pool.Error{Text: "pool 'py' could not be started: exit status 1", Detail: "\nNo module named x"}}},
			`exit status 1\nNo module named x"`, `exit status 1"`},
		{"no files", &Pools{missing: textMissing + "; looked in: /secret"}, `not found; looked in: /secret"`, `not found"`},
		{"the pool's own", &Pools{set: failing{err: packet.Failure("boom\n  at f [py]")}}, `boom\n  at f [py]"`, `boom\n  at f [py]"`},
	} {
		for _, distant := range []bool{false, true} {
			var out strings.Builder
			tt.pools.Table = []Pool{{Lang: "py"}}
			s := &mcp.Server{Name: "memory", Info: "{}", Tools: "[]", New: func() mcp.Tools { return &tools{pools: tt.pools} }}
			c := mcp.NewEndpoint(s, mcp.Options{Distant: distant}).NewConn(mcp.NewWriter(&out))
			c.Handle([]byte(`{"jsonrpc":"2.0","method":"notifications/initialized"}`))
			c.Handle(call("text", `"x"`))
			_, _ = c.Flush()
			want := tt.here
			if distant {
				want = tt.distant
			}
			if got := out.String(); !strings.Contains(got, want+`}],"isError":true`) {
				t.Errorf("%s, distant %v: %s", tt.name, distant, got)
			}
		}
	}
}
