package mcp

import (
	"os"
	"runtime/debug"
)

// logPanic writes what made us panic on stderr; peers are told nothing of it.
func (s *Server) logPanic(doing string, fault any) {
	text := "panic"
	switch v := fault.(type) {
	case error:
		text = v.Error()
	case string:
		text = v
	}
	line := s.Name + ": mcpgen: internal: " + doing + ": " + text + "\n"
	_, _ = os.Stderr.Write(append([]byte(line), debug.Stack()...))
}

// LogPanic writes what made the goroutine panic that should have answered the call.
func (r *Reply) LogPanic(fault any) { r.conn.endpoint.server.logPanic("tools/call", fault) }
