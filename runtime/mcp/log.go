package mcp

import "runtime/debug"

// logPanic logs what made us panic while doing something; peers are told nothing of it.
func (e *Endpoint) logPanic(doing string, fault any) {
	text := "panic"
	switch v := fault.(type) {
	case error:
		text = v.Error()
	case string:
		text = v
	}
	line := e.server.Name + ": mcpgen: internal: " + doing + ": " + text + "\n"
	_, _ = e.options.Stderr.Write(append([]byte(line), debug.Stack()...))
}

// LogPanic logs what made the goroutine panic that should have answered the call.
func (r *Reply) LogPanic(fault any) { r.conn.endpoint.logPanic("tools/call", fault) }
