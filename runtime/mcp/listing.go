package mcp

import (
	"hash/fnv"
	"strconv"
	"strings"

	"github.com/mcpgen/mcpgen/runtime/jsonx"
	"github.com/mcpgen/mcpgen/runtime/rpc"
)

// A page is a part of tools/list.
type page struct {
	cursor string // that asks for it, a JSON string; "" asks for the first
	tools  string // a JSON array
	next   string // the member nextCursor with a comma before it; "" at the last page
}

// pagesOf parts the tools of a server, and puts a prefix in front of their names.
func pagesOf(s *Server, prefix string, budget int) []page {
	if prefix == "" && budget <= 0 {
		return []page{{tools: s.Tools}}
	}
	var parts []string // of a page each
	var part strings.Builder
	rpc.EachElement([]byte(s.Tools), func(tool []byte) {
		text := prefixed(string(tool), prefix)
		if budget > 0 && part.Len() > 0 && part.Len()+len(",")+len(text) > budget {
			parts = append(parts, part.String())
			part.Reset()
		}
		if part.Len() > 0 {
			part.WriteByte(',')
		}
		part.WriteString(text)
	})
	parts = append(parts, part.String())

	// A cursor of another list means nothing here, even if it has the same number of
	// pages: it names the list too. All replicas of a server have the same ones.
	h := fnv.New32a()
	for _, p := range parts {
		_, _ = h.Write([]byte(p))
	}
	name := strconv.FormatUint(uint64(h.Sum32()), 36)
	pages := make([]page, len(parts))
	for i, p := range parts {
		pages[i].tools = "[" + p + "]"
		if i > 0 {
			pages[i].cursor = `"` + strconv.Itoa(i) + "-" + name + `"`
			pages[i-1].next = `,"nextCursor":` + pages[i].cursor
		}
	}
	return pages
}

// prefixed puts a prefix in front of the name of a tool, which is its first member.
func prefixed(tool, prefix string) string {
	const head = `{"name":"`
	if prefix == "" || !strings.HasPrefix(tool, head) {
		return tool
	}
	quoted := jsonx.AppendString(nil, prefix)
	return head + string(quoted[1:len(quoted)-1]) + tool[len(head):]
}

// page returns the page that the message at hand asks for. Without paging, a cursor is
// ignored: there has never been one (mcp-protocol.md 6.3).
func (c *Conn) page() (p *page, ok bool) {
	pages := c.endpoint.pages
	cursor := c.msg.Raw(rpc.ParamCursor)
	if c.endpoint.options.PageBytes <= 0 || cursor == nil || string(cursor) == "null" {
		return &pages[0], true
	}
	for i := range pages[1:] {
		if string(cursor) == pages[i+1].cursor {
			return &pages[i+1], true
		}
	}
	return nil, false
}

// list answers tools/list.
func (c *Conn) list(id []byte) {
	p, ok := c.page()
	switch {
	case !ok:
		c.fail(id, rpc.CodeInvalidParams, textCursor)
	case c.revision == Revision20260728:
		c.reply(id, `"tools":`, p.tools, p.next, c.endpoint.caching)
	default:
		c.reply(id, `"tools":`, p.tools, p.next)
	}
}
