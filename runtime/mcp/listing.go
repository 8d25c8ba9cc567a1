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

// partTools prepares tools/list for all revisions. Those that list the same share it.
func (e *Endpoint) partTools() {
	made := map[string][]page{}
	for r := Revision20241105; r <= Revision20260728; r++ {
		tools := e.server.listed(r)
		if made[tools] == nil {
			made[tools] = pagesOf(tools, e.prefix, e.options.PageBytes)
		}
		e.pages[r] = made[tools]
	}
	e.pages[0] = e.pages[Revision20250618] // nothing is agreed yet
}

// pagesOf parts tools, a JSON array, and puts a prefix in front of their names.
func pagesOf(tools, prefix string, budget int) []page {
	if prefix == "" && budget <= 0 {
		return []page{{tools: tools}}
	}
	var parts []string // of a page each
	var part strings.Builder
	rpc.EachElement([]byte(tools), func(tool []byte) {
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

// cursor returns what the message at hand says of a page, nil if it asks for the first one.
// Without paging a cursor is ignored: there has never been one (mcp-protocol.md 6.3).
func (c *Conn) cursor() []byte {
	cursor := c.msg.Raw(rpc.ParamCursor)
	if c.endpoint.options.PageBytes <= 0 || string(cursor) == "null" {
		return nil
	}
	return cursor
}

// page returns the page of tools that the message at hand asks for.
func (c *Conn) page() (p *page, ok bool) {
	pages := c.endpoint.pages[c.revision]
	cursor := c.cursor()
	if cursor == nil {
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
	if !ok {
		c.fail(id, rpc.CodeInvalidParams, textCursor)
		return
	}
	c.reply(id, `"tools":`, p.tools, p.next, c.caching())
}

// caching returns the members that say how long the result at hand may be kept; nothing
// before there are such.
func (c *Conn) caching() string {
	if c.revision == Revision20260728 {
		return c.endpoint.caching
	}
	return ""
}
