package stdio

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/mcpgen/mcpgen/runtime/jsonx"
	"github.com/mcpgen/mcpgen/runtime/mcp"
	"github.com/mcpgen/mcpgen/runtime/rpc"
)

// pieces reads a text in pieces of the given sizes, again and again; a size of 0 is a read
// that brings nothing.
type pieces struct {
	text, sizes []byte
	n           int
}

func (p *pieces) Read(b []byte) (int, error) {
	if len(p.text) == 0 {
		return 0, io.EOF
	}
	size := 1
	if len(p.sizes) > 0 {
		size = int(p.sizes[p.n%len(p.sizes)])
		p.n++
		if p.n > 1<<16 {
			size = max(size, 1)
		}
	}
	n := copy(b[:min(size, len(b))], p.text)
	p.text = p.text[n:]
	return n, nil
}

// FuzzLines holds the reader of lines, which gets them in pieces, against a split of the
// whole: the same lines come, and those that are too long are told.
func FuzzLines(f *testing.F) {
	f.Add([]byte("a\nbc\n\nd"), []byte{1}, byte(2))
	f.Add([]byte("0123456789\n01234567890\n0123456789"), []byte{3, 0, 100}, byte(10))
	f.Add(bytes.Repeat([]byte("0123456789\n"), 50), []byte{250}, byte(9))
	f.Add([]byte("a\r\n\xff\x00\n"), []byte{}, byte(0))
	f.Fuzz(func(t *testing.T, text, sizes []byte, most byte) {
		var got, want [][]byte
		in := lineReader{r: &pieces{text: text, sizes: sizes}, max: int(most), buf: make([]byte, 0, 1+int(most)/4)}
		for more := true; more; {
			if line, ok := in.next(); ok {
				got = append(got, bytes.Clone(line))
			} else {
				more = in.fill()
			}
		}
		got = append(got, bytes.Clone(in.rest()))
		for line := range bytes.SplitSeq(text, []byte{'\n'}) {
			if len(line) > int(most) {
				line = nil
			}
			want = append(want, bytes.Clone(line))
		}
		if g, w := fmt.Sprintf("%#v", got), fmt.Sprintf("%#v", want); g != w {
			t.Fatalf("%q in pieces of %v, at most %d: got %q, want %q", text, sizes, most, got, want)
		}
	})
}

// A dialogue gives a server one line a read and notes what it has written when it reads
// the next one.
type dialogue struct {
	lines   [][]byte
	out     bytes.Buffer
	answers [][]byte // to each line
	started bool
}

func (d *dialogue) Read(b []byte) (int, error) {
	if d.started {
		d.answers = append(d.answers, bytes.Clone(d.out.Bytes()))
		d.out.Reset()
	}
	if d.started = true; len(d.lines) == 0 {
		return 0, io.EOF
	}
	n := copy(b, d.lines[0])
	b[n] = '\n'
	d.lines = d.lines[1:]
	return n + 1, nil
}

// An answer is a reply as encoding/json reads it.
type answer struct {
	Version string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id"`
	Result  map[string]any  `json:"result"`
	Error   *struct {
		Code    int    `json:"code"`
		Message string `json:"message"`
	} `json:"error"`
}

// isOne reports whether the answer is one that JSON-RPC admits.
func (a *answer) isOne() bool {
	return a.Version == "2.0" && (a.Result == nil) != (a.Error == nil) &&
		(a.Error == nil || a.Error.Code != 0 && a.Error.Message != "")
}

// expectation is what JSON-RPC demands of the answer to a line, by encoding/json: which id
// it has if there is one, and whether there is one.
func expectation(line []byte) (id string, answered bool) {
	if line = bytes.Trim(line, padding); len(line) == 0 {
		return "", false
	}
	line = bytes.ToValidUTF8(line, []byte("\uFFFD"))
	var members map[string]json.RawMessage
	if json.Unmarshal(line, &members) != nil || members == nil {
		return "", true // an error
	}
	id = string(members["id"])
	var method *string
	_ = json.Unmarshal(members["method"], &method)
	switch {
	case id == "" || members["method"] == nil && (members["result"] != nil || members["error"] != nil):
		return "", false // a notification or a reply
	case method != nil && *method == "notifications/initialized":
		return id, false
	case id[0] != '"' && id[0] != '-' && (id[0] < '0' || id[0] > '9'):
		return "", true
	}
	return id, true
}

// halves finds escapes of surrogates.
var halves = regexp.MustCompile(`(?i)\\ud[89a-f]`)

// isOdd reports whether encoding/json takes for a message what was refused with an error:
// one that has a member twice, half of a surrogate pair, or very many levels.
func isOdd(line []byte, text string) bool {
	return strings.HasPrefix(text, rpc.TextDuplicate) || text == rpc.TextSyntax &&
		(halves.Match(line) || bytes.Count(line, []byte("["))+bytes.Count(line, []byte("{")) >= jsonx.MaxDepth)
}

// padding may be around a message.
const padding = " \t\n\r\v\f"

// checkAnswers compares the answers to a line that is no batch with what is demanded.
func checkAnswers(t *testing.T, line, answers []byte) {
	t.Helper()
	id, answered := expectation(line)
	text, _, _ := bytes.Cut(answers, []byte{'\n'})
	var a answer
	switch {
	case len(answers) > 0 && (!utf8.Valid(answers) || answers[len(answers)-1] != '\n'):
		t.Fatalf("%q is answered by %q", line, answers)
	case len(answers) > 0 && len(text) != len(answers)-1:
		t.Fatalf("%q is answered more than once: %q", line, answers)
	case len(answers) > 0 && (json.Unmarshal(text, &a) != nil || !a.isOne()):
		t.Fatalf("%q is answered by %q", line, answers)
	case len(answers) > 0 && a.Error != nil && isOdd(line, a.Error.Message):
	case answered != (len(answers) > 0):
		t.Fatalf("%q is answered by %q", line, answers)
	case answered && id != strings.TrimPrefix(string(a.ID), "null"):
		t.Fatalf("%q is answered by %q, want id %s", line, answers, id)
	}
}

// FuzzServe converses with a server. Each line that demands an answer gets one, which has
// its id, and others none; answers, taken for lines again, are answered by nothing.
func FuzzServe(f *testing.F) {
	const hello = `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-03-26"}}` + "\n" +
		`{"jsonrpc":"2.0","method":"notifications/initialized"}` + "\n"
	const meta = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}`
	for _, seed := range []string{
		ping, "{oops", "[" + ping + "]", `{"id":1,"error":{}}`, "\n\n", `{"method":"initialize","id":{}}`, hello + "[" + ping + "," + ping + ",3]",
		hello + `{"id":"x","method":"tools/list"}` + "\n" + `{"id":-1,"method":"tools/call","params":{"name":"x"}}`,
		`{"id":1,"method":"tools/list","params":{` + meta + `}}` + "\n" + `{"id":2,"method":"server/discover","params":{` + meta + `}}`,
		`{"id":1,"method":"x","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"1"}}}`, `{"id":1,"id":2,"method":"ping"}`,
		`{"id":1,"method":"notifications/initialized"}`, `{"method":"notifications/cancelled","params":{"requestId":1}}`,
		"{\"id\":\"\xff\",\"method\":\"ping\"}", `{"id":1,"method":7}`, `{"jsonrpc":"1.0","id":1,"method":"ping"}`, "\v{}\f", `{"id":1,"method":"\ud800"}`,
	} {
		f.Add([]byte(seed))
	}
	text, err := os.ReadFile("../../testdata/golden/morloc/transcripts/pure-protocol.transcript")
	if err != nil {
		f.Fatal(err)
	}
	for line := range bytes.SplitSeq(text, []byte{'\n'}) {
		if message, ok := bytes.CutPrefix(line, []byte("--> ")); ok {
			f.Add(slices.Concat([]byte(hello), message))
		}
	}
	f.Fuzz(func(t *testing.T, in []byte) {
		if len(in) > firstBuffer/2 {
			return // a line must fit into a read
		}
		d := dialogue{lines: bytes.Split(in, []byte{'\n'})}
		lines := d.lines
		if err := Serve(mcp.NewConn(&server, mcp.NewWriter(&d.out)), &d); err != nil {
			t.Fatal(err)
		}
		for i, line := range lines {
			if trimmed := bytes.Trim(line, padding); len(trimmed) == 0 || trimmed[0] != '[' {
				checkAnswers(t, line, d.answers[i])
			} else if n := len(d.answers[i]); n > 0 && (!json.Valid(d.answers[i]) || bytes.Count(d.answers[i], []byte{'\n'}) != 1) {
				t.Fatalf("%q is answered by %q", line, d.answers[i])
			}
		}
		in = bytes.Join(d.answers, nil)
		for range 2 { // the second time there may be one that refuses a batch of answers
			var out bytes.Buffer
			if err := Serve(mcp.NewConn(&server, mcp.NewWriter(&out)), bytes.NewReader(in)); err != nil {
				t.Fatal(err)
			}
			in = out.Bytes()
		}
		if len(in) > 0 {
			t.Fatalf("answers are answered by answers: %q", in)
		}
	})
}
