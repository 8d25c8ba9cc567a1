package sessions

import (
	"bytes"
	"cmp"
	"encoding/json"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
)

// A commandCall is a case of calls.json, whose README tells what the members mean.
type commandCall struct {
	ID              int
	Manifest        string
	ProtocolVersion string
	Tool            string
	Arguments       json.RawMessage
	ArgumentsRaw    string
	Env             map[string]string
	Argv            []string
	Stdin           string
	Exec            *effect
	Result          json.RawMessage
}

// TestCommandCalls has all calls of command-line programs that were recorded: how the program
// is started, and what becomes of what it does.
func TestCommandCalls(t *testing.T) {
	t.Parallel()
	var calls []commandCall
	if err := readJSON(filepath.Join(commandLines, "calls.json"), &calls); err != nil || len(calls) != 74 {
		t.Fatalf("%d cases, want 74; %v", len(calls), err)
	}
	for _, program := range commandPrograms {
		t.Run(program, func(t *testing.T) {
			t.Parallel()
			s := commandServer(t, program)
			for i := range calls {
				if c := &calls[i]; c.Manifest == program {
					c.run(t, s)
				}
			}
		})
	}
}

// run makes the call in a session of its own.
func (c *commandCall) run(t *testing.T, s server) {
	b := newBin(t)
	var env []string
	for _, name := range slices.Sorted(maps.Keys(c.Env)) {
		env = append(env, name+"="+c.Env[name])
	}
	client := startWith(t, b.env(t, env...), s.binary, t.TempDir())
	var arguments bytes.Buffer
	if err := json.Compact(&arguments, []byte(cmp.Or(c.ArgumentsRaw, string(c.Arguments)))); err != nil {
		t.Fatal(err)
	}
	client.begin(c.ProtocolVersion)
	client.send(callFor(c.ProtocolVersion, 7, c.Tool, arguments.String()))
	got := client.receive()
	client.end()

	var reply struct{ Result, Error json.RawMessage }
	decode(t, got, &reply)
	if diff := gocmp.Diff(members(t, c.Result), withoutMeta(members(t, reply.Result))); diff != "" || reply.Error != nil {
		t.Errorf("case %d: %s %s was answered %s\n%s", c.ID, c.Tool, &arguments, got, diff)
	}
	var want []run
	if c.Argv != nil {
		want = []run{{commandOf(c.Manifest), c.Argv, c.Stdin}}
	}
	if diff := gocmp.Diff(want, b.runs(t)); diff != "" {
		t.Errorf("case %d: %s %s: runs of the program:\n%s", c.ID, c.Tool, &arguments, diff)
	}
}

const modern = "2026-07-28"

// begin negotiates a revision, if it has a handshake.
func (s *session) begin(revision string) {
	s.t.Helper()
	if revision != modern {
		s.handshake(revision)
	}
}

// callFor is call for a revision of the protocol.
func callFor(revision string, id int, tool, arguments string) string {
	line := call(id, tool, arguments)
	if revision == modern {
		const meta = `"_meta":{"io.modelcontextprotocol/protocolVersion":"` + modern + `","io.modelcontextprotocol/clientCapabilities":{}},`
		line = strings.Replace(line, `"params":{`, `"params":{`+meta, 1)
	}
	return line
}

// decode reads JSON; numbers keep their digits.
func decode(t *testing.T, text string, v any) {
	t.Helper()
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	if err := d.Decode(v); err != nil {
		t.Fatalf("%v in %s", err, text)
	}
}

func members(t *testing.T, object []byte) map[string]any {
	t.Helper()
	if object == nil {
		return nil
	}
	var m map[string]any
	decode(t, string(bytes.TrimSpace(object)), &m)
	return m
}

func withoutMeta(result map[string]any) map[string]any {
	delete(result, "_meta")
	return result
}

// TestCommandRefusals has calls of section 13.4 of cli-schema.md that are answered before
// anything runs, and those that calls.json does not have.
func TestCommandRefusals(t *testing.T) {
	t.Parallel()
	const token, noURL = "TRACKER_TOKEN=t", "TRACKER_URL="
	text := func(text string) string {
		return `"result":{"content":[{"type":"text","text":"` + text + `"}],"isError":true}`
	}
	invalid := func(text string) string { return `"error":{"code":-32602,"message":"` + text + `"}` }
	for _, tt := range []struct {
		name, revision, tool, arguments, want string
		env                                   []string
	}{
		{"17 not a tool", "2025-11-25", "issue_purge", `{}`, invalid(`unknown tool 'issue_purge'`), nil},
		{"46 no object", "2025-11-25", "status", `[1]`, invalid(`'arguments' must be an object`), nil},
		{"no object, variables missing", "2025-11-25", "export", `"x"`, invalid(`'arguments' must be an object`), nil},
		{"null for nothing", "2025-11-25", "issue_get", `null`, text(`Missing required option: --repo\nMissing argument: number`), nil},
		{"48 older revision", "2025-06-18", "issue_get", `{}`, invalid(`Missing required option: --repo\nMissing argument: number`), nil},
		{"49 twice", "2025-11-25", "status", `{"trace":true,"trace":true}`, text(`duplicate argument 'trace'`), nil},
		{"50 variables, old revision", "2024-11-05", "issue_label_set", `{"x":1}`, text(`Missing required env: TRACKER_URL`), []string{token, noURL}},
		{"all variables", "2025-11-25", "issue_label_set", `{}`, text(`Missing required env: TRACKER_TOKEN, TRACKER_URL`), []string{"TRACKER_TOKEN=", noURL}},
		{"47 not installed", "2025-11-25", "status", `{}`, text(`Cannot run tracker: executable file not found in PATH`), []string{"PATH=/nonexistent"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			b := newBin(t)
			client := startWith(t, b.env(t, tt.env...), commandServer(t, "tracker").binary, t.TempDir())
			client.begin(tt.revision)
			client.ask(call(7, tt.tool, tt.arguments), `{"jsonrpc":"2.0","id":7,`+tt.want+`}`)
			client.end()
			if runs := b.runs(t); len(runs) > 0 {
				t.Errorf("the program was run: %v", runs)
			}
		})
	}
}
