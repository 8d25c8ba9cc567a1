package mcp

import (
	"strings"

	"github.com/mcpgen/mcpgen/runtime/jsonx"
	"github.com/mcpgen/mcpgen/runtime/rpc"
)

// What a tool may demand of a request of 2026-07-28 before it runs. Revisions with a
// handshake have no such things, and pass.

// A refusal is the error for a request that is not as a tool demands.
type refusal struct{ code, text, data string }

// Error implements error.
func (r *refusal) Error() string { return r.text }

// Needs returns the error for a client that has not declared a capability, nil if it has.
func (c *Call) Needs(capability string) error {
	if c.conn.revision != Revision20260728 || hasMember(c.conn.msg.Raw(rpc.MetaCapabilities), capability) {
		return nil
	}
	name := string(jsonx.AppendString(nil, capability))
	return &refusal{rpc.CodeCapability, textCapability + capability, `{"requiredCapabilities":{` + name + `:{}}}`}
}

// hasMember reports whether checked JSON text is an object with a member called name.
func hasMember(text []byte, name string) bool {
	l := jsonx.Lexer{Src: text}
	if l.Peek() != '{' {
		return false
	}
	for more, _ := l.Open('}', 1); more; more, _ = l.Next('}') {
		if key, _ := l.Key(); string(key) == name {
			return true
		}
		_ = l.Value(1)
	}
	return false
}

// Mirrored returns the error for a request over HTTP whose header Mcp-Param-NAME is not the
// argument that it mirrors (mcp-protocol.md 11.4), nil if it is. An argument that is not
// given, nil, has no header.
func (c *Call) Mirrored(name string, argument []byte) error {
	if c.conn.headers == nil {
		return nil
	}
	name = "Mcp-Param-" + name
	var header []string
	for key, values := range c.conn.headers.Params {
		if strings.EqualFold(key, name) {
			header = values
		}
	}
	switch {
	case header == nil && argument == nil, argument != nil && equalsEncoded(header, argument):
		return nil
	case header == nil:
		return &refusal{rpc.CodeHeaders, textHeader + name + " is missing", ""}
	}
	return &refusal{rpc.CodeHeaders, textHeader + name + " is not the argument", ""}
}
