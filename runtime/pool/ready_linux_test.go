package pool

import (
	"testing"

	"github.com/mcpgen/mcpgen/internal/testpool"
)

// TestReady follows a set from before its start to after its end.
func TestReady(t *testing.T) {
	t.Parallel()
	gate := fifo(t)
	s := testSet(t, program(t, 1, testpool.Options{Gate: gate}))
	if !s.Ready() {
		t.Error("not ready though nothing was to be started")
	}
	s.Start()
	if s.Ready() {
		t.Error("ready as soon as it is started")
	}
	c := begin(s, 0, testpool.Echo, "x")
	release := arrive(t, gate)
	if s.Ready() {
		t.Error("ready before the pool answers")
	}
	release()
	if _, err := c.wait(t); err != nil {
		t.Fatal(err)
	}
	if !s.Ready() {
		t.Error("not ready though the pool answers")
	}
	stop(t, s)
	if s.Ready() {
		t.Error("ready after the end")
	}
}
