// Package mcp speaks the Model Context Protocol for a server of tools and resources: the
// handshake and its revisions, what is served when, calls and the forms of their results. It
// knows no transport and no tool: a transport hands it messages and a [Writer], the generated
// package supplies a [Server].
//
// One message takes this way:
//
//	Conn.Handle ── rpc.Message.Scan   the only check of JSON syntax, once, all of it
//	            ── Conn.dispatch      which era: does its _meta name a revision without
//	                                  a handshake (mcp-protocol.md 5)
//	            ── Conn.request       method, by a switch on bytes; or Conn.methodModern
//	            ── Tools.Call         tool, by a generated switch on bytes
//	pure tool:     Call.Reply         into the buffer of replies, written once a read
//	remote tool:   Call.Detach        a Reply, completed by the pools' goroutine later
//	resource:      as a tool: at once if it is fixed, else by its Load, which detaches
//
// Memory belongs to the connection (one reading goroutine) or to a [Reply] and is reused;
// a warm call allocates nothing.
//
// The eras differ in what is checked before a method, and in the frame around a result
// (type frame); the list of tools and the content of results are the same bytes. All that
// can be put together before the first message is, in an [Endpoint].
//
// A transport whose messages come each by itself, as HTTP's do, takes the parts of
// Conn.Handle one by one (post.go), since it looks at sessions and headers in between.
package mcp
