// Package httpx serves MCP over Streamable HTTP, with net/http: one endpoint, /mcp, for
// clients of every revision (http.md 11). It is safe where it is put, by default: it binds
// to loopback, checks the hosts and origins of requests, and refuses to serve others
// without a token.
//
// A request takes this way through [handler.ServeHTTP], which is the table of http.md 11.4
// row by row:
//
//	host, origin, token, path, method, media types     answered from the headers alone
//	an exchange from the pool ── its mcp.Conn, buffers    one for each request in flight
//	the body ── mcp.Conn.Read                              what kind of message it is
//	mcp.Conn.Judge                                      of which era
//	session, for the revisions that have them           the only thing clients' requests share
//	mcp.Conn.Serve ── the tool, here or in its pool        the handler waits for the latter
//	reply                                               JSON, or an event stream
//
// An exchange is nobody else's until its calls are answered, even if its client has left.
// What a pool's goroutine brings is handed over in memory; only handlers write to clients,
// so a client that reads slowly holds up nobody but itself.
package httpx
