package expr

import "github.com/mcpgen/mcpgen/gen/manifest"

// children are the members of a node that hold nodes or lists of nodes, in the order of
// their evaluation (section 6). A node itself is evaluated after them, but for lambda and
// the branching nodes, where that makes no difference here.
var children = map[string][]string{
	"container": {"elements"},
	"app":       {"args", "func"},
	"lambda":    {"body"},
	"if":        {"cond", "then", "else"},
	"map":       {"list", "func"},
	"show":      {"child"},
	"read":      {"child"},
	"hash":      {"child"},
	"throw":     {"msg"},
	"catch":     {"fallible", "fallback"},
	"save":      {"level", "value", "path"},
	"load":      {"child"},
	"tagtest":   {"subject"},
	"ctormake":  {"fields"},
	"ctorfield": {"subject"},
	"try":       {"body"},
	"call":      {"args"},
	"named":     {"functions", "body"},

	"fschema":      {"path"},
	"open":         {"path"},
	"flen":         {"handle"},
	"ifile_walk":   {"handle", "args"},
	"streamlayout": {"handle"},
	"stream":       {"handle"},
	"next":         {"handle"},
	"open_ostream": {"path"},
	"append":       {"path"},
	"write":        {"handle", "level", "value"},
	"flush":        {"handle"},
	"close":        {"handle"},
	"concat":       {"paths", "dest"},
}

// A streamClass says why a node is not served.
type streamClass uint8

const (
	handleNode  streamClass = iota + 1 // works on stream handles or files of streams
	processNode                        // a stream of the process itself
)

// streamNodes are the nodes of classes H, F/H and X.
var streamNodes = map[string]streamClass{
	"fschema": handleNode, "open": handleNode, "flen": handleNode, "ifile_walk": handleNode,
	"streamlayout": handleNode, "stream": handleNode, "next": handleNode,
	"open_ostream": handleNode, "append": handleNode, "write": handleNode,
	"flush": handleNode, "close": handleNode, "concat": handleNode,
	"stdin": processNode, "stdout": processNode, "stderr": processNode,
}

// excluded returns why the command is left out, or nil. It comes before every check: what
// is not served need not be understood.
func excluded(root *manifest.Node) error {
	var s streamScan
	s.node(root)
	switch {
	case s.process:
		return &Excluded{Reason: "streams to @stdout"}
	case s.handle != "":
		return &Excluded{Reason: "uses stream node '" + s.handle + "'"}
	}
	return nil
}

// A streamScan is what a walk in the order of evaluation has found.
type streamScan struct {
	process bool   // a processNode
	handle  string // tag of the first handleNode
}

func (s *streamScan) node(n *manifest.Node) {
	tag := ""
	if t := n.Get("tag"); t != nil {
		tag = t.Str
	}
	for _, key := range children[tag] {
		child := n.Get(key)
		if child == nil {
			continue
		}
		if child.Kind == manifest.ArrayNode {
			for _, e := range child.Elements {
				if key == "functions" {
					e = e.Get("expr")
				}
				s.node(e)
			}
			continue
		}
		s.node(child)
	}
	switch streamNodes[tag] {
	case processNode:
		s.process = true
	case handleNode:
		if s.handle == "" {
			s.handle = tag
		}
	}
}
