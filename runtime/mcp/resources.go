package mcp

import (
	"encoding/base64"
	"unicode/utf8"

	"github.com/mcpgen/mcpgen/runtime/jsonx"
	"github.com/mcpgen/mcpgen/runtime/rpc"
)

// A Resource is an entry of resources/list and what resources/read gives for its URI
// (cli-schema.md 9).
type Resource struct {
	URI         string // unique among the resources of a server
	Name        string
	Description string // "" is none
	MIME        string
	Text        string // the body, if Load is nil

	// Load begins to read a body that is not fixed. The reader of the connection calls it,
	// for each request: it must not wait but detach the call, whose arguments mean nothing,
	// and return nil. The call is answered by [Reply.Contents] or [Reply.Unreadable]. An
	// error says at once why there is no body.
	Load func(c *Call) error

	// JoinedURI is the URI in a server of several programs; "" is URI.
	JoinedURI string
}

const (
	textNoURI    = "Invalid params: uri required"
	textNoEntry  = "Unknown resource: "
	textLoad     = "Resource load failed: "
	resourcesCap = `,"resources":{}`
)

// entry returns the entry of a resource in the list.
func (r *Resource) entry(dst []byte) []byte {
	dst = jsonx.AppendString(append(dst, `{"uri":`...), r.URI)
	dst = jsonx.AppendString(append(dst, `,"name":`...), r.Name)
	if r.Description != "" {
		dst = jsonx.AppendString(append(dst, `,"description":`...), r.Description)
	}
	dst = jsonx.AppendString(append(dst, `,"mimeType":`...), r.MIME)
	return append(dst, '}')
}

// resourceList returns the resources of a server as they are listed.
func resourceList(resources []Resource) string {
	list := []byte{'['}
	for i := range resources {
		if i > 0 {
			list = append(list, ',')
		}
		list = resources[i].entry(list)
	}
	return string(append(list, ']'))
}

// servesResources answers a method of resources, if the server has any, and reports whether
// it has and there is such a method. Nothing is answered to any other method.
func (c *Conn) servesResources(id, method []byte) bool {
	if !c.endpoint.hasResources() {
		return false
	}
	switch string(method) {
	case "resources/list":
		c.listResources(id, `"resources":`, c.endpoint.resources)
	case "resources/templates/list":
		c.listResources(id, `"resourceTemplates":`, "[]")
	case "resources/read":
		if !c.tooEarly(id, "resources/read") {
			c.readResource(id)
		}
	default:
		return false
	}
	return true
}

func (e *Endpoint) hasResources() bool { return len(e.server.Resources) > 0 }

// listResources answers a list that is always one page: what a cursor names is not there.
func (c *Conn) listResources(id []byte, member, list string) {
	method, _ := c.msg.Text(rpc.Method)
	if c.tooEarly(id, string(method)) {
		return
	}
	if cursor := c.cursor(); cursor != nil {
		c.fail(id, rpc.CodeInvalidParams, textCursor)
		return
	}
	c.reply(id, member, list, c.caching())
}

// readResource answers resources/read.
func (c *Conn) readResource(id []byte) {
	uri, ok := c.msg.Text(rpc.ParamURI)
	if !ok {
		c.fail(id, rpc.CodeInvalidParams, textNoURI)
		return
	}
	r := c.endpoint.server.resource(uri)
	if r == nil {
		data := jsonx.AppendString([]byte(`{"uri":`), string(uri))
		c.failWith(id, c.revision.codeNoResource(), textNoEntry+string(uri), append(data, '}'))
		return
	}
	if r.Load == nil {
		c.out = appendContents(c.out, c.frame, id, r, []byte(r.Text), c.caching())
		return
	}
	c.call.id, c.call.resource = id, r
	c.call.Arguments.Reset(nil)
	if err := r.Load(&c.call); err != nil {
		c.fail(id, rpc.CodeInternal, textLoad+err.Error())
	}
}

// resource returns the resource of that URI, nil if there is none.
func (s *Server) resource(uri []byte) *Resource {
	for i := range s.Resources {
		if s.Resources[i].URI == string(uri) {
			return &s.Resources[i]
		}
	}
	return nil
}

// Contents answers the read of a resource with its body: text if it is UTF-8.
func (r *Reply) Contents(body []byte) {
	fresh := ""
	if r.revision == Revision20260728 {
		fresh = r.conn.endpoint.fresh
	}
	r.send(appendContents(r.buffer(), r.frame, r.id, r.resource, body, fresh))
}

// Unreadable answers the read of a resource whose body cannot be had; reason tells why.
func (r *Reply) Unreadable(reason string) {
	r.send(appendError(r.buffer(), r.revision, r.id, rpc.CodeInternal, textLoad+reason, nil))
}

// appendContents appends the reply to the read of a resource; last are members that follow
// the contents.
func appendContents(dst []byte, f *frame, id []byte, r *Resource, body []byte, last string) []byte {
	dst = append(append(append(dst, replyHead...), id...), f.open...)
	dst = jsonx.AppendString(append(dst, `"contents":[{"uri":`...), r.URI)
	dst = jsonx.AppendString(append(dst, `,"mimeType":`...), r.MIME)
	if utf8.Valid(body) {
		dst = append(dst, `,"text":"`...)
		dst = jsonx.AppendEscaped(dst, body)
	} else {
		dst = append(dst, `,"blob":"`...)
		dst = base64.StdEncoding.AppendEncode(dst, body)
	}
	return append(append(append(dst, `"}]`...), last...), f.end...)
}
