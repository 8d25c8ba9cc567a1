package runtime

import (
	"strings"

	"github.com/mcpgen/mcpgen/runtime/jsonx"
	"github.com/mcpgen/mcpgen/runtime/mcp"
)

// A Find returns which program of a joined server has the tool that is listed as name: its
// place in the call of [Join], and the part of name that the tool is called there. The place
// is -1 if there is no such tool. It keeps nothing of name.
type Find func(name []byte) (program int, tool []byte)

// Join makes one server of several programs (design decisions 8, 21 and 30). tools is the array
// of all of their tools as they are listed, under names that tell whose they are, and older the
// same for revisions that list less ([mcp.Server.Older]); find knows these names. Their
// resources are told apart by their names too. Each program keeps its backend, its notes and
// its place on the disk, and writes on stderr under its own name. The programs are not changed.
func Join(name, tools string, older []mcp.Listing, find Find, programs ...*Program) *Program {
	version := joinVersions(programs)
	info := jsonx.AppendString([]byte(`{"name":`), name)
	info = jsonx.AppendString(append(info, `,"version":`...), version)
	return &Program{
		Name:    name,
		Version: version,
		Server: &mcp.Server{
			Name:   name,
			Info:   string(append(info, '}')),
			Tools:  tools,
			Older:  older,
			Joined: true,

			Instructions: joinInstructions(programs),
			Resources:    joinResources(programs),

			New: func() mcp.Tools { return newJoinedTools(find, programs) },
		},
		joined: programs,
	}
}

// joinVersions returns the versions of the compilers of programs, each once, in order.
func joinVersions(programs []*Program) string {
	var versions []string
	seen := map[string]bool{}
	for _, p := range programs {
		if !seen[p.Version] {
			seen[p.Version] = true
			versions = append(versions, p.Version)
		}
	}
	return strings.Join(versions, ", ")
}

// joinInstructions returns the instructions of programs, with a blank line between them.
func joinInstructions(programs []*Program) string {
	var all []string
	for _, p := range programs {
		if text := p.Server.Instructions; text != "" {
			all = append(all, text)
		}
	}
	return strings.Join(all, "\n\n")
}

// joinResources returns the resources of programs under names that tell whose they are.
func joinResources(programs []*Program) []mcp.Resource {
	var all []mcp.Resource
	for _, p := range programs {
		for _, r := range p.Server.Resources {
			r.Name = p.Name + "__" + r.Name
			if r.JoinedURI != "" {
				r.URI = r.JoinedURI
			}
			all = append(all, r)
		}
	}
	return all
}

// joinedTools are the tools of several programs, for one connection.
type joinedTools struct {
	find  Find
	tools []mcp.Tools // by program
}

func newJoinedTools(find Find, programs []*Program) *joinedTools {
	t := &joinedTools{find: find, tools: make([]mcp.Tools, len(programs))}
	for i, p := range programs {
		t.tools[i] = p.Server.New()
	}
	return t
}

// Call implements [mcp.Tools].
func (t *joinedTools) Call(c *mcp.Call, name []byte) error {
	i, tool := t.find(name)
	if i < 0 {
		return mcp.UnknownTool(name)
	}
	return t.tools[i].Call(c, tool)
}

// units returns the programs that p was joined of, or p alone.
func (p *Program) units() []*Program {
	if p.joined != nil {
		return p.joined
	}
	return []*Program{p}
}

// names returns the names of the units, for people to read.
func (p *Program) names() string {
	var names []string
	for _, u := range p.units() {
		names = append(names, u.Name)
	}
	return strings.Join(names, ", ")
}
