package runtime_test

import (
	"slices"
	"sync"
	"testing"

	rt "github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/jsonx"
	"github.com/mcpgen/mcpgen/runtime/mcp"
	"github.com/mcpgen/mcpgen/runtime/transcript"
)

// echo is a program whose tools answer with their own names.
type echo struct{ program string }

func (e echo) Call(c *mcp.Call, name []byte) error {
	if string(name) == "gone" {
		return mcp.UnknownTool(name)
	}
	return c.Reply(jsonx.AppendString(c.Buffer(), e.program+" "+string(name)))
}

// backend records what it is told.
type backend struct {
	mu    sync.Mutex
	calls []string
	ready bool
}

func (b *backend) note(call string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.calls = append(b.calls, call)
}

func (b *backend) Start(o rt.Options) { b.note("start " + o.Program + " " + o.Folders[0]) }
func (b *backend) Warm()              { b.note("warm") }
func (b *backend) Stop()              { b.note("stop") }
func (b *backend) Ready() bool        { return b.ready }

func program(name, version string) *rt.Program {
	return &rt.Program{Name: name, Version: version, Server: &mcp.Server{
		Name: name, Tools: `[]`, New: func() mcp.Tools { return echo{name} },
	}}
}

// find knows the tools of calc and of draw; both have one called list.
func find(name []byte) (program int, tool []byte) {
	switch string(name) {
	case "calc__add", "calc__list", "calc__gone":
		return 0, name[len("calc__"):]
	case "draw__list":
		return 1, name[len("draw__"):]
	case "add":
		return 0, name
	}
	return -1, nil
}

func TestJoin(t *testing.T) {
	t.Parallel()
	const tools = `[{"name":"calc__add"}]`
	p := rt.Join("morloc", tools, nil, find, program("calc", "0.98.2"), program("draw", "0.98.2"))
	call := func(name, want string) string {
		return `--> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"` + name + `"}}` + "\n<-- " +
			`{"jsonrpc":"2.0","id":1,` + want + "}\n"
	}
	said := func(text string) string {
		return `"result":{"content":[{"type":"text","text":"\"` + text + `\""}],"isError":false}`
	}
	unknown := func(name string) string { return `"error":{"code":-32602,"message":"unknown tool '` + name + `'"}` }
	_, problems := transcript.Replay(p, `--> {"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18"}}
<-- {"jsonrpc":"2.0","id":0,"result":{...,"serverInfo":{"name":"morloc","version":"0.98.2"}}}
--> {"jsonrpc":"2.0","method":"notifications/initialized"}
--> {"jsonrpc":"2.0","id":1,"method":"tools/list"}
<-- {"jsonrpc":"2.0","id":1,"result":{"tools":`+tools+`}}
`+call("calc__add", said("calc add"))+
		call("calc__list", said("calc list"))+
		call("draw__list", said("draw list"))+
		call("add", said("calc add"))+ // only one has it
		call("list", unknown("list"))+ // both have it
		call("draw__add", unknown("draw__add"))+
		call("calc__", unknown("calc__"))+
		call("", unknown("")))
	for _, problem := range problems {
		t.Error(problem)
	}
}

// TestJoinVersion holds what the version is when programs were compiled by different ones.
func TestJoinVersion(t *testing.T) {
	t.Parallel()
	p := rt.Join(`a"b`, `[]`, nil, find, program("x", "0.98.2"), program("y", "0.109.0"), program("z", "0.98.2"))
	if want := `{"name":"a\"b","version":"0.98.2, 0.109.0"}`; p.Server.Info != want || p.Version != "0.98.2, 0.109.0" {
		t.Errorf("version %q, serverInfo %s, want %s", p.Version, p.Server.Info, want)
	}
}

// TestJoinNames checks that a joined server is not given another prefix.
func TestJoinNames(t *testing.T) {
	t.Parallel()
	p := rt.Join("morloc", `[{"name":"calc__add"}]`, nil, find, program("calc", "1"), program("draw", "1"))
	if got := mcp.NewEndpoint(p.Server, mcp.Options{Prefix: true}).Listing(); got != p.Server.Tools {
		t.Errorf("listed with prefixes: %s, want %s", got, p.Server.Tools)
	}
}

// TestJoinResources checks how the resources of programs are listed and read when they are
// joined, and that those of each alone stay as they are.
func TestJoinResources(t *testing.T) {
	t.Parallel()
	calc, plain, draw := program("calc", "1"), program("plain", "1"), program("draw", "1")
	calc.Server.Instructions, draw.Server.Instructions = "Calculate.", "Draw."
	calc.Server.Resources = []mcp.Resource{
		{URI: "argsbarg://schema", JoinedURI: "calc://schema", Name: "cli-schema", MIME: "application/json", Text: "1"},
		{URI: "calc://help", Name: "help", MIME: "text/plain", Text: "2"},
	}
	draw.Server.Resources = []mcp.Resource{{URI: "draw://schema", Name: "cli-schema", MIME: "application/json", Text: "3"}}
	older := []mcp.Listing{{Until: mcp.Revision20250618, Tools: `[{"name":"calc__old"}]`}}
	p := rt.Join("both", `[{"name":"calc__add"}]`, older, find, calc, plain, draw)
	read := func(uri, want string) string {
		return `--> {"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"` + uri + `"}}` + "\n<-- " +
			`{"jsonrpc":"2.0","id":1,` + want + "}\n"
	}
	body := func(uri, text string) string {
		return read(uri, `"result":{"contents":[{"uri":"`+uri+`","mimeType":...,"text":"`+text+`"}]}`)
	}
	_, problems := transcript.Replay(p, `--> {"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18"}}
<-- {"jsonrpc":"2.0","id":0,"result":{...,"capabilities":{"tools":{"listChanged":false},"resources":{}},...,"instructions":"Calculate.\n\nDraw."}}
--> {"jsonrpc":"2.0","method":"notifications/initialized"}
--> {"jsonrpc":"2.0","id":1,"method":"tools/list"}
<-- {"jsonrpc":"2.0","id":1,"result":{"tools":[{"name":"calc__old"}]}}
--> {"jsonrpc":"2.0","id":1,"method":"resources/list"}
<-- {"jsonrpc":"2.0","id":1,"result":{"resources":[{"uri":"calc://schema","name":"calc__cli-schema","mimeType":"application/json"},{"uri":"calc://help","name":"calc__help","mimeType":"text/plain"},{"uri":"draw://schema","name":"draw__cli-schema","mimeType":"application/json"}]}}
`+body("calc://schema", "1")+body("calc://help", "2")+body("draw://schema", "3")+
		read("argsbarg://schema", `"error":{"code":-32002,"message":"Unknown resource: argsbarg://schema","data":{"uri":"argsbarg://schema"}}`))
	for _, problem := range problems {
		t.Error(problem)
	}
	if r := calc.Server.Resources[0]; r.URI != "argsbarg://schema" || r.Name != "cli-schema" {
		t.Errorf("a program was changed: %+v", r)
	}
}

// TestJoinBackends checks that every program keeps its own backend.
func TestJoinBackends(t *testing.T) {
	t.Parallel()
	calc, draw, pure := program("calc", "1"), program("draw", "1"), program("pure", "1")
	one, two := &backend{ready: true}, &backend{}
	calc.Backend, calc.Folder = one, "../calc-build"
	draw.Backend, draw.Folder = two, "../draw-build"
	p := rt.Join("morloc", `[]`, nil, find, calc, pure, draw)
	if p.Ready() {
		t.Error("ready though one program is not")
	}
	two.ready = true
	if !p.Ready() {
		t.Error("not ready though all programs are")
	}
	p.Prepare("/server")()
	for b, name := range map[*backend]string{one: "calc", two: "draw"} {
		if want := []string{"start " + name + " /" + name + "-build", "stop"}; !slices.Equal(b.calls, want) {
			t.Errorf("%s was told %q, want %q", name, b.calls, want)
		}
	}
}
