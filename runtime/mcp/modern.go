package mcp

import (
	"encoding/base64"
	"strings"

	"github.com/mcpgen/mcpgen/runtime/jsonx"
	"github.com/mcpgen/mcpgen/runtime/rpc"
)

// metaServerInfo is the member of _meta that says who answers.
const metaServerInfo = "io.modelcontextprotocol/serverInfo"

// Headers are the headers of a request that repeat what its body says (mcp-protocol.md
// 11.4). A header is missing if it is nil; one that was given twice has both values, which
// then equal nothing.
type Headers struct {
	Version, Method, Name []string
	Params                map[string][]string // all headers of the request
}

// one returns the value of a header as text that a reply can hold: headers need not be UTF-8.
func one(header []string) string {
	return strings.ToValidUTF8(strings.Join(header, ", "), "\uFFFD")
}

// isModern reports whether the message at hand says that it is of a revision without a
// handshake: by a version in _meta that no handshake agrees on.
func (c *Conn) isModern() bool {
	raw := c.msg.Raw(rpc.MetaVersion)
	if raw == nil {
		return false
	}
	version, ok := c.msg.Text(rpc.MetaVersion)
	return !ok || !ParseRevision(version).isLegacy()
}

// checkMeta refuses a modern request that does not say all it must, or names a revision
// that is not spoken.
func (c *Conn) checkMeta(id []byte) bool {
	m := &c.msg
	version, ok := m.Text(rpc.MetaVersion)
	switch capabilities := m.Raw(rpc.MetaCapabilities); {
	case m.Raw(rpc.MetaVersion) == nil:
		c.fail(id, rpc.CodeInvalidParams, textNoMeta+rpc.NameMetaVersion)
	case !ok:
		c.fail(id, rpc.CodeInvalidParams, textBadMeta+rpc.NameMetaVersion)
	case ParseRevision(version) != Revision20260728:
		c.failRevision(id, version)
	case capabilities == nil:
		c.fail(id, rpc.CodeInvalidParams, textNoMeta+rpc.NameMetaCapabilities)
	case capabilities[0] != '{':
		c.fail(id, rpc.CodeInvalidParams, textBadMeta+rpc.NameMetaCapabilities)
	default:
		return true
	}
	return false
}

// failRevision answers that a revision is not spoken, and which are.
func (c *Conn) failRevision(id, version []byte) {
	data := jsonx.AppendString([]byte(`{"supported":`+supported+`,"requested":`), string(version))
	c.failWith(id, rpc.CodeRevision, textRevision, append(data, '}'))
}

// methodModern runs a request of 2026-07-28, and reports whether there is such a method.
func (c *Conn) methodModern(id, method []byte) bool {
	switch string(method) {
	case "tools/call":
		c.callTool(id)
	case "tools/list":
		c.list(id)
	case "server/discover":
		e := c.endpoint
		c.reply(id, `"supportedVersions":`+supported+`,"capabilities":{`, e.logging, `"tools":{}`,
			e.capability, `}`, e.caching, e.instructions)
	default:
		if c.servesResources(id, method) {
			return true
		}
		c.fail(id, rpc.CodeNoMethod, rpc.TextUnknown+"'"+string(method)+"'")
		return false
	}
	return true
}

// mismatch answers that a header is not what the body says.
func (c *Conn) mismatch(id []byte, name string, header []string, body []byte) {
	text := textHeader + name + " is missing"
	if header != nil {
		text = textHeader + name + " '" + one(header) + "' is not the body's '" + string(body) + "'"
	}
	c.fail(id, rpc.CodeHeaders, text)
}

// equals reports whether a header was given once and is what the body says.
func equals(header []string, body []byte) bool {
	return len(header) == 1 && header[0] == string(body)
}

// Marks of a header whose value is in base64.
const (
	base64Head = "=?base64?"
	base64Tail = "?="
)

// equalsEncoded is equals for headers that may be in base64, as names are that hold what
// headers cannot.
func equalsEncoded(header []string, body []byte) bool {
	if len(header) != 1 {
		return false
	}
	inner, ok := strings.CutPrefix(header[0], base64Head)
	if ok {
		inner, ok = strings.CutSuffix(inner, base64Tail)
	}
	if !ok {
		return header[0] == string(body)
	}
	text, err := base64.StdEncoding.Strict().DecodeString(inner)
	return err == nil && !strings.ContainsAny(inner, "\r\n") && string(text) == string(body)
}
