// Package client is the client side of the Model Context Protocol, made for looking at
// servers rather than for using them: it takes whatever a server sends, goes on wherever
// that is possible, and remembers what was wrong as [Finding].
//
// A [Session] holds one conversation. It speaks through a link, of which there are three:
// lines on a pair of pipes ([Pipes]), Streamable HTTP ([HTTP]), and the older HTTP+SSE,
// which HTTP falls back to by itself.
//
//	Session ── call, notify ──> link ── bytes ──> server
//	   ^                          │
//	   └────── receive(message) ──┘   from the link's reader
//
// Memory is bounded: a message may have 16 MiB, findings and answers to requests of the
// server are counted and capped. Time is bounded by the contexts of the caller.
package client

// Revisions of the protocol, oldest first. Only the last has no handshake.
var Revisions = []string{"2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28"}

// Revisions by era.
const (
	Modern       = "2026-07-28"
	LatestLegacy = "2025-11-25"
)

// Name and version under which this client introduces itself.
const (
	clientName    = "mcpgen-verify"
	clientVersion = "1"
)

// Limits on what a server may make this client keep or do.
const (
	MaxMessage  = 16 << 20 // bytes of one message
	maxPages    = 100      // of one tools/list
	maxTools    = 20_000   // of one tools/list
	maxFindings = 50       // per session
	maxAnswers  = 1_000    // to requests of the server
)
