// Package mcp speaks the Model Context Protocol for a server of tools: the handshake and
// its revisions, what is served when, calls and the forms of their results. It knows no
// transport and no tool: a transport hands it messages and a [Writer], the generated
// package supplies a [Server].
//
// One message takes this way:
//
//	Conn.Handle ── rpc.Message.Scan   the only check of JSON syntax, once, all of it
//	            ── Conn.request       method, by a switch on bytes
//	            ── Tools.Call         tool, by a generated switch on bytes
//	pure tool:     Call.Reply         into the buffer of replies, written once a read
//	remote tool:   Call.Detach        a Reply, completed by the pools' goroutine later
//
// Memory belongs to the connection (one reading goroutine) or to a [Reply] and is reused;
// a warm call allocates nothing.
//
// Where later parts go: revision 2026-07-28 is told apart in Conn.request by the member
// _meta (rpc.ParamMeta), with a second Server.Tools frame; HTTP serves a Conn a request
// and shares Session between them.
package mcp
