package sessions

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"
)

// pureCalls reads pure.json, line by line: what an entry holds as args is sent as it is
// written there.
func pureCalls(t *testing.T) map[string][]*goldenCall {
	t.Helper()
	calls := map[string][]*goldenCall{}
	n := 0
	for line := range strings.Lines(readFile(t, filepath.Join(golden, "pure.json"))) {
		line = strings.TrimSuffix(strings.TrimSpace(line), ",")
		if line == "[" || line == "]" {
			continue
		}
		c := new(goldenCall)
		if err := json.Unmarshal([]byte(line), c); err != nil {
			t.Fatalf("%v in %s", err, line)
		}
		calls[c.Program] = append(calls[c.Program], c)
		n++
	}
	if n != 495 {
		t.Errorf("%d calls in pure.json, want 495", n)
	}
	return calls
}

// TestPure has a session with each pure program, with all calls that were recorded.
func TestPure(t *testing.T) {
	t.Parallel()
	for program, calls := range pureCalls(t) {
		t.Run(program, func(t *testing.T) {
			t.Parallel()
			s := start(t, serverOf(t, program).binary, t.TempDir())
			s.handshake("2025-06-18")
			for i, c := range calls {
				s.send(call(i, c.Command, string(c.Args)))
				ours := c.ours()
				ours.check(t, c, i, s.receive())
			}
			s.end()
		})
	}
}

// TestPureBadArguments repeats the calls with bad arguments under the revision in which
// they are errors of the tool, not of the protocol (design decision 4).
func TestPureBadArguments(t *testing.T) {
	t.Parallel()
	n := 0
	for program, calls := range pureCalls(t) {
		var bad []*goldenCall
		for _, c := range calls {
			if c.ours().Code != 0 {
				bad = append(bad, c)
			}
		}
		n += len(bad)
		if len(bad) == 0 {
			continue
		}
		t.Run(program, func(t *testing.T) {
			t.Parallel()
			s := start(t, serverOf(t, program).binary, t.TempDir())
			s.handshake("2025-11-25")
			for i, c := range bad {
				ours := c.ours()
				if ours.Code != -32602 {
					t.Errorf("%s %s: code %d", c.Command, c.Args, ours.Code)
				}
				ours.Code = 0
				s.send(call(i, c.Command, string(c.Args)))
				ours.check(t, c, i, s.receive())
			}
			s.end()
		})
	}
	if n < 50 {
		t.Errorf("%d calls with bad arguments, want more", n)
	}
}
