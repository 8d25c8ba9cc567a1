package sessions

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// TestPrinted asserts that callers get what their calls print, before the answer, if the
// server was started so; and standard error gets it in any case.
func TestPrinted(t *testing.T) {
	t.Parallel()
	needPools(t)
	for _, logging := range []bool{false, true} {
		t.Run("logging="+strconv.FormatBool(logging), func(t *testing.T) {
			t.Parallel()
			var calls []stubCall
			for i := range 20 {
				calls = append(calls, stubCall{command: "mw", Args: json.RawMessage(`["C"]`),
					Result: json.RawMessage("16.043"), Print: `"line" ` + strconv.Itoa(i)})
			}
			s := newKitchen(t, calls).start(t, "--logging="+strconv.FormatBool(logging))
			s.handshake("2025-06-18")
			for i := range calls {
				s.send(call(i, "mw", freeArgs))
			}
			for i := range calls {
				want := `{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","logger":"py","data":"\"line\" ` +
					strconv.Itoa(i) + `"}}`
				if logging {
					s.expect(want)
				}
				s.expect(result(i, freeValue))
			}
			s.end()
			if n := strings.Count(s.stderr.String(), `: py: "line" `); n != len(calls) {
				t.Errorf("%d lines on stderr, want %d", n, len(calls))
			}
		})
	}
}

// TestHeartbeats has one call run and one wait, and no answer before both are told of.
func TestHeartbeats(t *testing.T) {
	t.Parallel()
	needPools(t)
	g := newGate(t)
	s := heldKitchen(t, g).start(t)
	s.handshake("2025-06-18")
	s.send(withToken(call(1, "mw", heldArgs), `"one"`))
	held := g.hold()
	s.send(withToken(call(2, "mw", freeArgs), `2`))
	got := []string{s.receive(), s.receive()}
	held.release()
	want := []string{beat(`"one"`, "running"), beat(`2`, "waiting, 1 call ahead")}
	if slices.Sort(got); !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	s.expect(result(1, heldValue), result(2, freeValue))
	s.end()
}

func withToken(line, token string) string {
	return strings.Replace(line, `"params":{`, `"params":{"_meta":{"progressToken":`+token+`},`, 1)
}

// beat is the first that a caller is told of its call.
func beat(token, message string) string {
	return `{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":` + token +
		`,"progress":2,"message":"` + message + `"}}`
}
