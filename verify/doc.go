// Package verify holds MCP servers against what is declared of them: it launches a server,
// or connects to one, speaks the protocol to it, compares the tools that it lists with
// those that it should have, makes one harmless call, and says in a score what came of it
// and whose fault it is (spec/qa.md).
//
//	Run ── queue, jobs, retries, watchdog
//	 └─ attempt   one app: environment, scratch folder, image, backing service
//	     └─ look  one launch: handshake, tools, probe, end
//	         └─ judge   what was seen ──> score, kind, class, notes
//
// Sub-packages: catalog (entries of a store), process (children that misbehave), client
// (the protocol), check (schemas of tools), report (results in all their forms).
//
// Two invariants: a score never blames a server for what is not its fault, and nothing
// that was started is left behind, whether a run ends well, badly, or by a signal.
package verify
