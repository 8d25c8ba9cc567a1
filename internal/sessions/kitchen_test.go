package sessions

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var (
	callShort  = regexp.MustCompile(`^CALL (\w+) (.+)$`)
	errorShort = regexp.MustCompile(`^ERR (-\d+) (.+)$`)
	poolCall   = regexp.MustCompile(`(?m)^# call (\w+) (\[.*\]) -> (.*)$`)
	caseHead   = regexp.MustCompile(`(?m)^# case (\d+) ([NH])$`)
)

// expand writes out what stands for a line in the cases of tools.md 16.
func expand(line string) string {
	if line == "INIT" {
		return initialize
	}
	if m := callShort.FindStringSubmatch(line); m != nil {
		return call(1, m[1], m[2])
	}
	if m := errorShort.FindStringSubmatch(line); m != nil {
		return `{"jsonrpc":"2.0","id":1,"error":{"code":` + m[1] + `,"message":"` + m[2] + `"}}`
	}
	if text, ok := strings.CutPrefix(line, "TEXT "); ok {
		return result(1, `{"content":[{"type":"text","text":`+text+`}],"isError":false}`)
	}
	if body, ok := strings.CutPrefix(line, "OK "); ok {
		return result(1, body)
	}
	return line
}

// TestKitchen runs the cases of tools.md 16, with pools that check what they are called
// with, and answer as the case says.
func TestKitchen(t *testing.T) {
	t.Parallel()
	needPools(t)
	text := readFile(t, filepath.Join(testdata, "golden", "kitchen-cases.txt"))
	heads := caseHead.FindAllStringSubmatchIndex(text, -1)
	if len(heads) != 82 {
		t.Fatalf("%d cases, want 82", len(heads))
	}
	for i, h := range heads {
		end := len(text)
		if i+1 < len(heads) {
			end = heads[i+1][0]
		}
		t.Run(text[h[2]:h[3]], func(t *testing.T) {
			t.Parallel()
			runKitchen(t, text[h[4]:h[5]] == "H", text[h[1]:end])
		})
	}
}

func runKitchen(t *testing.T, handshake bool, text string) {
	calls := poolCalls(t, text)
	k := newKitchen(t, calls)
	s := k.start(t, "--lazy-pools")
	if handshake {
		s.handshake("2025-06-18")
	}
	c := parseScript(t, text)
	for _, step := range c.steps {
		s.send(expand(step.send))
		for _, a := range step.answers {
			if got, want := s.receive(), expand(a); got != want {
				t.Errorf("%s\n got %s\nwant %s", step.send, got, want)
			}
		}
	}
	s.end()
	var want []string
	for _, c := range calls {
		want = append(want, c.command)
	}
	if got := k.called(t); strings.Join(got, " ") != strings.Join(want, " ") {
		t.Errorf("calls of %q reached pools, want %q", got, want)
	}
}

// A stubCall is a call that a pool must get, and what it does with it.
type stubCall struct {
	command string
	Args    json.RawMessage `json:"args"`
	Result  json.RawMessage `json:"result,omitempty"`
	Bytes   string          `json:"bytes,omitempty"`
	Fail    *string         `json:"fail,omitempty"`
	Gate    string          `json:"gate,omitempty"` // path of the socket to wait at before answering
	Print   string          `json:"print,omitempty"`
}

// poolCalls reads the calls that a case is about.
func poolCalls(t *testing.T, text string) []stubCall {
	t.Helper()
	var calls []stubCall
	for _, m := range poolCall.FindAllStringSubmatch(text, -1) {
		c := stubCall{command: m[1], Args: json.RawMessage(m[2])}
		if data, ok := strings.CutPrefix(m[3], "bytes: "); ok {
			c.Bytes = data
		} else if failure, ok := strings.CutPrefix(m[3], "fail: "); ok {
			if err := json.Unmarshal([]byte(failure), &c.Fail); err != nil {
				t.Fatal(err)
			}
		} else {
			c.Result = json.RawMessage(m[3])
		}
		calls = append(calls, c)
	}
	return calls
}

// A stubKitchen is a folder of the program kitchen whose pools answer as they are told.
type stubKitchen struct{ dir string }

func newKitchen(t *testing.T, calls []stubCall) *stubKitchen {
	t.Helper()
	cases := map[string][]stubCall{}
	for _, c := range calls {
		cases[c.command] = append(cases[c.command], c)
	}
	text, err := json.Marshal(cases)
	if err != nil {
		t.Fatal(err)
	}
	k := &stubKitchen{t.TempDir()}
	if _, err := placeProgram(k.dir, kitchen, map[string][]byte{"cases.json": text}); err != nil {
		t.Fatal(err)
	}
	return k
}

// start starts a server for the program.
func (k *stubKitchen) start(t *testing.T, args ...string) *session {
	t.Helper()
	return start(t, serverOf(t, "kitchen").binary, t.TempDir(), append(args, "--program-dir", k.dir)...)
}

// called returns the commands of the calls that the pools got, in order.
func (k *stubKitchen) called(t *testing.T) []string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(k.dir, "pools", "calls.txt"))
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	var commands []string
	for line := range strings.Lines(string(text)) {
		command, _, _ := strings.Cut(line, " ")
		commands = append(commands, command)
	}
	return commands
}
