package mcp

import (
	"io"
	"os"
	"strconv"
	"strings"

	"github.com/mcpgen/mcpgen/runtime/jsonx"
)

// Options say how a server is offered on a transport. The zero value is for a pair of
// streams between two processes of one user.
type Options struct {
	// Prefix lists tools as NAME__TOOL, NAME being that of the server. The bare name is
	// accepted too. Names of a joined server are prefixed already.
	Prefix bool
	// PageBytes parts tools/list into pages of about that many bytes; 0: one page.
	PageBytes int
	// Private says that what is listed is for those who hold a token.
	Private bool
	// Distant callers are not told of paths and lines of output, and touch no file
	// unless Files is set.
	Distant bool
	Files   bool
	// Logging forwards log messages to clients that want them.
	Logging bool
	// Stderr takes what is logged of faults of ours, from any goroutine; nil is [os.Stderr].
	// Calls wait for its Write.
	Stderr io.Writer
}

// An Endpoint is a server as it is offered on a transport, with all that can be computed
// before the first request. It is not changed; any number of connections share it.
type Endpoint struct {
	server  *Server
	options Options
	prefix  string                       // of the names of tools, up to and with the underscores
	pages   [Revision20260728 + 1][]page // of tools/list
	modern  frame                        // of results of 2026-07-28; the handshake's revisions have one of their own
	logging string                       // member of capabilities; "" if there is none
	caching string                       // members that say how long a modern result may be kept
	fresh   string                       // the same for one that may not be

	resources    string // of resources/list: a JSON array
	capability   string // member of capabilities for resources; "" if there is none
	instructions string // member of the handshake's result; "" if there are none
}

// A frame is what surrounds the results of an era, in pieces as large as can be.
type frame struct {
	open  string // from the id to the first member of the result
	text  string // the same, up to the text of a text block
	end   string // after the last member
	ok    string // after the last member but isError
	bad   string // the same, of a failure
	said  string // after the text of a text block
	wrong string // after the text of a failure
}

func newFrame(first, last string) frame {
	open, end := `,"result":{`+first, last+"}}\n"
	return frame{
		open:  open,
		text:  open + contentTextHead,
		end:   end,
		ok:    `,"isError":false` + end,
		bad:   `,"isError":true` + end,
		said:  `"}],"isError":false` + end,
		wrong: `"}],"isError":true` + end,
	}
}

// legacyFrame is that of the revisions with a handshake.
var legacyFrame = newFrame("", "")

// listTTL is how long a list may be kept, in milliseconds: it never changes while the
// server runs.
const listTTL = 3600000

// NewEndpoint prepares a server for a transport.
func NewEndpoint(s *Server, o Options) *Endpoint {
	e := &Endpoint{server: s, options: o}
	if o.Stderr == nil {
		e.options.Stderr = os.Stderr
	}
	if o.Prefix && !s.Joined {
		e.prefix = s.Name + "__"
	}
	if o.Logging {
		e.logging = `"logging":{},`
	}
	scope := "public"
	if o.Private {
		scope = "private"
	}
	e.partTools()
	e.caching = `,"ttlMs":` + strconv.Itoa(listTTL) + `,"cacheScope":"` + scope + `"`
	e.fresh = `,"ttlMs":0,"cacheScope":"` + scope + `"`
	if e.hasResources() {
		e.resources, e.capability = resourceList(s.Resources), resourcesCap
	}
	if s.Instructions != "" {
		e.instructions = `,"instructions":` + string(jsonx.AppendString(nil, s.Instructions))
	}
	e.modern = newFrame(`"resultType":"complete",`, `,"_meta":{"`+metaServerInfo+`":`+s.Info+`}`)
	return e
}

// Listing returns the tools as clients with a handshake see them at best, all pages of them:
// a JSON array.
func (e *Endpoint) Listing() string {
	pages := e.pages[latestLegacy]
	if len(pages) == 1 {
		return pages[0].tools
	}
	var inner []string
	for _, p := range pages {
		inner = append(inner, p.tools[1:len(p.tools)-1])
	}
	return "[" + strings.Join(inner, ",") + "]"
}
