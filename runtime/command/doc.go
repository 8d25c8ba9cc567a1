// Package command runs the command-line program behind the tools of a server: a process for
// each call, whose output becomes the result (cli-schema.md 7 and 8).
//
//	generated tool ──> [Job] ──> queue ──> process ──> capture ──> result ──> mcp.Reply
//	                   argv      so many   own group   files or
//	                             at a time             pipes
//
// A [CLI] is the program, and the [rt.Backend] of its server. A call is detached from its
// connection, waits until one of the places for processes is free, and is run and answered
// by the goroutine that has the place. Whatever ends a process early, a timeout, too much
// output, a caller that is gone or the end of the server, asks [process.end] for it; the
// first reason counts.
//
// The invariants to know: a call is over when its process is, not when its output is, as
// others may hold that; and of the group of the process nothing is left when the call is
// answered. On Linux nothing is left either when the server is killed. Elsewhere, what it
// has started then goes on, and on systems without process groups, as Windows, only the
// process itself is ended, not those that it has started.
package command
