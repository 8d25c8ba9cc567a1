package sessions

import (
	"io"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// limits is the transcript that describes its input, which would be too long or too odd
// to be shown.
const limits = "pure-limits"

const ping = `{"jsonrpc":"2.0","id":1,"method":"ping"}`

const longest = 1 << 26 // bytes of a line

func nested(levels int) string {
	return strings.Replace(ping, `"ping"`, `"ping","params":`+strings.Repeat("[", levels)+strings.Repeat("]", levels), 1) + "\n"
}

func padded(size int) string { return ping + strings.Repeat(" ", size-len(ping)) }

var longName = strings.Repeat("x", 1_000_000)

// longAnswer is the answer that the transcript shows the beginning of.
var longAnswer = result(2, `{"content":[{"type":"text","text":"\"Hello, `+longName+`!\""}],"isError":false}`)

// limitInputs are the bytes that the remarks of the transcript describe.
var limitInputs = map[string]func() string{
	"end of input at once":                                    func() string { return "" },
	"a ping line ending CR LF":                                func() string { return ping + "\r\n" },
	"a ping without a final newline, then end of input":       func() string { return ping },
	"a ping padded with spaces to 67,108,864 bytes":           func() string { return padded(longest) + "\n" },
	"a ping padded to 67,108,865 bytes, then a normal ping":   func() string { return padded(longest+1) + "\n" + ping + "\n" },
	"67,108,865 bytes without a newline, then end of input":   func() string { return strings.Repeat("x", longest+1) },
	"id is the bytes 22 FF 22":                                func() string { return strings.Replace(ping, "1,", "\"\xff\",", 1) + "\n" },
	"EF BB BF before the ping":                                func() string { return "\xef\xbb\xbf" + ping + "\n" },
	"params is 126 nested arrays":                             func() string { return nested(126) },
	"params is 127 nested arrays (our limit is 1,000 levels)": func() string { return nested(127) },
	"a NUL byte inside the line":                              func() string { return strings.Replace(ping, ",", "\x00,", 1) + "\n" },
	"vertical tab and form feed around the ping":              func() string { return "\v\f" + ping + "\f\v\n" },
	"a lone CR between two pings on one line":                 func() string { return ping + "\r" + ping + "\n" },
	"a 1,000,000 character string argument": func() string {
		return initialized + "\n" + call(2, "hello", `{"name":"`+longName+`"}`) + "\n"
	},
}

// A limitCase is some input, the answers to it and the exit status.
type limitCase struct {
	name    string
	answers []string
	status  int
}

// limitCases reads the transcript, and adds what it does not say of our own limit on depth
// (cases F9 and F10 of tools.md 16).
func limitCases(t *testing.T) []limitCase {
	t.Helper()
	var cases []limitCase
	lines := strings.Split(strings.TrimSpace(readFile(t, filepath.Join(golden, "transcripts", limits+".transcript"))), "\n")
	for _, line := range lines[1:] { // the first is about all
		n := len(cases) - 1
		text, remark := strings.CutPrefix(line, "# ")
		switch status := exitStatus.FindStringSubmatch(text); {
		case !remark:
			answer := strings.TrimPrefix(line, "<-- ")
			if !strings.HasSuffix(answer, "}") && strings.HasPrefix(longAnswer, answer) {
				answer = longAnswer
			}
			cases[n].answers = append(cases[n].answers, answer)
		case status != nil:
			cases[n].status = int(status[1][0] - '0')
		case strings.HasPrefix(text, "mcpgen: "):
			cases[n].answers[len(cases[n].answers)-1] = strings.TrimPrefix(text, "mcpgen: ")
		default:
			cases = append(cases, limitCase{name: text, status: -1})
		}
	}
	if len(cases) != len(limitInputs) {
		t.Errorf("%d cases, want %d", len(cases), len(limitInputs))
	}
	return cases
}

var oddInName = regexp.MustCompile(`[^a-zA-Z0-9]+`)

func TestLimits(t *testing.T) {
	t.Parallel()
	for _, c := range limitCases(t) {
		t.Run(oddInName.ReplaceAllString(c.name, "_"), func(t *testing.T) {
			t.Parallel()
			input := limitInputs[c.name]
			if input == nil || c.status < 0 {
				t.Fatalf("what is %q?", c.name)
			}
			checkInput(t, input(), c.answers, c.status)
		})
	}
}

// TestDepth is about cases F9 and F10 of tools.md 16: our own limit, 1,000 levels with the
// message itself.
func TestDepth(t *testing.T) {
	t.Parallel()
	checkInput(t, nested(999), []string{`{"jsonrpc":"2.0","id":1,"result":{}}`}, 0)
	checkInput(t, nested(1000), []string{`{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"invalid JSON"}}`}, 0)
}

// checkInput gives a fresh server some input, which then ends.
func checkInput(t *testing.T, input string, answers []string, status int) {
	t.Helper()
	s := start(t, serverOf(t, "pure").binary, t.TempDir())
	if _, err := io.WriteString(s.in, input); err != nil {
		t.Fatal(err)
	}
	if err := s.in.Close(); err != nil {
		t.Error(err)
	}
	s.expect(answers...)
	s.wait(status)
}
