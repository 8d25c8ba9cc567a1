//go:build unix

package runtime

import (
	"io"
	"os"
	"syscall"
	"testing"
	"time"

	"github.com/mcpgen/mcpgen/runtime/mcp"
)

// endless are tools whose calls are never answered.
type endless struct{ reply mcp.Reply }

func (e *endless) Call(c *mcp.Call, _ []byte) error {
	c.Detach(&e.reply)
	return nil
}

// TestDrainSignals ends the wait for a call by a signal: the first one makes the exit status,
// be it this one or one before.
func TestDrainSignals(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name        string
		after, want int
	}{
		{"after the end of input", 0, 128 + int(syscall.SIGINT)},
		{"after another signal", 128 + int(syscall.SIGTERM), 128 + int(syscall.SIGTERM)},
	} {
		s := &mcp.Server{Info: "{}", Tools: "[]", New: func() mcp.Tools { return new(endless) }}
		w := mcp.NewWriter(io.Discard)
		c := mcp.NewConn(s, w)
		c.Handle([]byte(`{"jsonrpc":"2.0","method":"notifications/initialized"}`))
		c.Handle([]byte(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"x"}}`))
		stop := make(chan os.Signal, 1)
		stop <- syscall.SIGINT
		if got := new(Program).drain(c, w, stop, time.Hour, tt.after); got != tt.want {
			t.Errorf("%s: exit status %d, want %d", tt.name, got, tt.want)
		}
	}
}
