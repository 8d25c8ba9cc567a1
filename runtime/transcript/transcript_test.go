package transcript

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	rt "github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/mcp"
)

// none is a program without tools.
type none struct{}

func (none) Call(_ *mcp.Call, name []byte) error { return mcp.UnknownTool(name) }

var program = rt.Program{
	Name: "none",
	Server: &mcp.Server{
		Name: "none", Info: `{"name":"none","version":"0"}`, Tools: "[]",
		New: func() mcp.Tools { return none{} },
	},
}

func ping(id string) string { return `--> {"id":` + id + `,"method":"ping"}` + "\n" }
func pong(id string) string { return `<-- {"jsonrpc":"2.0","id":` + id + `,"result":{}}` + "\n" }

func TestReplay(t *testing.T) {
	t.Parallel()
	const remark = "# a remark\n\n"
	for _, tt := range []struct{ name, text, got, problem string }{
		{"as expected", remark + ping("1") + pong("1"), remark + ping("1") + pong("1"), ""},
		{"anything", ping("1") + "<-- {...}\n", ping("1") + "<-- {...}\n", ""},
		{"both before the answers", ping("1") + ping("2") + pong("1") + pong("2"), ping("1") + ping("2") + pong("1") + pong("2"), ""},
		{"other answer", ping("1") + pong("2"), ping("1") + pong("1"), "answer "},
		{"answers without lines", ping("1") + ping("2") + ping("3"), ping("1") + ping("2") + ping("3") + pong("1") + pong("2") + pong("3"), "one more answer at the end: "},
		{"some of them", ping("1") + ping("2") + pong("1"), ping("1") + ping("2") + pong("1") + pong("2"), "one more answer at the end: "},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got, problems := Replay(&program, tt.text)
			if diff := cmp.Diff(tt.got, got); diff != "" {
				t.Errorf("transcript (-want +got):\n%s", diff)
			}
			switch {
			case tt.problem == "" && len(problems) > 0:
				t.Errorf("problems: %q", problems)
			case tt.problem != "" && (len(problems) == 0 || !strings.HasPrefix(problems[0], tt.problem)):
				t.Errorf("problems: %q, want one that begins with %q", problems, tt.problem)
			}
		})
	}
}
