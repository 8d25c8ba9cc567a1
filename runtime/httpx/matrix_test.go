package httpx

import (
	"io"
	"strings"
	"testing"

	"github.com/mcpgen/mcpgen/runtime/stdio"
)

// columns are those of the matrix in mcp-protocol.md 1.
var columns = [...]string{"2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28"}

const modernColumn = 4

// A cell is what a revision makes of a row: texts that the answer holds, with "&&" between
// them, those after a "!" that it does not; "none" is no answer, "-" is no such thing.
type cell = string

// A row is a row of the matrix: a message, and what comes of it.
type row struct {
	name    string
	message string // $ASKED is the revision
	cells   [5]cell
	status  [5]int // over HTTP; 0 is 200, or 202 if there is no answer
}

// same is a row in which all revisions agree.
func same(c cell) [5]cell { return [5]cell{c, c, c, c, c} }

// eras is a row in which the revisions with a handshake do.
func eras(legacy, modern cell) [5]cell { return [5]cell{legacy, legacy, legacy, legacy, modern} }

const (
	asParams  = `"error":{"code":-32602`
	asTool    = `"isError":true&&!"error"`
	noMethod  = `"error":{"code":-32601`
	nullID    = `"id":null&&-32700`
	withoutID = `!"id"&&-32700`
	asAudio   = `{"type":"audio","data":"UklGRg==","mimeType":"audio/wav"}`
	asBlob    = `{"type":"resource"&&"blob":"UklGRg=="&&!"audio"`
)

var matrix = []row{
	{"initialize", initialize("$ASKED"), eras(`"protocolVersion":"$ASKED"&&"serverInfo":{"name":"demo","version":"1"}`, noMethod), modernStatus(404)},
	{"initialized is not answered", initialized, same("none"), [5]int{}},
	{"server discover", `{"jsonrpc":"2.0","id":1,"method":"server/discover"}`, eras("-",
		`"supportedVersions":["2026-07-28","2025-11-25","2025-06-18","2025-03-26","2024-11-05"]&&!"protocolVersion"`), [5]int{}},
	{"unknown version asked for", initialize("1999-01-01"), eras(`"protocolVersion":"2025-11-25"`, "-"), [5]int{}},
	{"the modern version asked for", initialize("2026-07-28"), eras(`"protocolVersion":"2025-11-25"`, "-"), [5]int{}},
	{"ping", ping, eras(`"id":1,"result":{}`, noMethod), modernStatus(404)},
	{"batch received", `[` + ping + `,` + initialized + `,{"jsonrpc":"2.0","id":"b","method":"nope"}]`, [5]cell{
		`[{&&"id":1,"result":{}&&"id":"b"`, `[{&&"id":1,"result":{}&&"id":"b"`, `"id":null&&-32600`, `!"id"&&-32600`, "-"}, [5]int{2: 400, 3: 400}},
	{"batch with initialize", `[` + initialize("$ASKED") + `]`, [5]cell{`initialize must not be in a batch`, `initialize must not be in a batch`, `-32600`, `-32600`, "-"}, [5]int{2: 400, 3: 400}},
	{"batch of notifications", `[` + initialized + `]`, [5]cell{"none", "none", "-32600", "-32600", "-"}, [5]int{2: 400, 3: 400}},
	{"empty batch", `[]`, [5]cell{`{"jsonrpc":"2.0","id":null&&-32600`, `{"jsonrpc":"2.0","id":null&&-32600`, `-32600`, `-32600`, "-"}, [5]int{400, 400, 400, 400}},
	{"batch sent", list, same(`{"jsonrpc":"2.0","id":1`), [5]int{}},
	{"tools capability", initialize("$ASKED"), eras(`"capabilities":{"tools":{"listChanged":false}}`, "-"), [5]int{}},
	{"tools capability discovered", `{"jsonrpc":"2.0","id":1,"method":"server/discover"}`, eras("-", `"capabilities":{"tools":{}}`), [5]int{}},
	{"tools list", list, same(`"tools":[{"name":"&&boom&&pair&&!nextCursor`), [5]int{}},
	{"tools list ignores a cursor without paging", `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"cursor":"x"}}`, same(`"tools":[`), [5]int{}},
	{"tool members newer than the revision", list, same(`!"title"&&!"annotations"&&!"icons"&&!"execution"&&!"x-mcp-header"`), [5]int{}},
	{"tool outputSchema", list, same(`"outputSchema":{"type":"object"`), [5]int{}},
	{"inputSchema root", list, same(`"inputSchema":{"type":"object"`), [5]int{}},
	{"schema dialect", list, same(`!$schema`), [5]int{}},
	{"result content", tool("1", "echo", `{"_1":"x"}`), same(`"content":[{"type":"text","text":"\"x\""}],"isError":false`), [5]int{}},
	{"content audio", tool("1", "sound", `{}`), [5]cell{asBlob, asAudio, asAudio, asAudio, asAudio}, [5]int{}},
	{"structuredContent and its text", tool("1", "pair", `{"_1":7}`), same(`"text":"{\"a\":7}"&&"structuredContent":{"a":7}`), [5]int{}},
	{"tool failure", tool("1", "boom", `{"_1":7}`), same(`"text":"bad"}],"isError":true`), [5]int{}},
	{"bad arguments", tool("1", "echo", `{"_1":7}`), [5]cell{asParams, asParams, asParams, asTool, asTool}, [5]int{}},
	{"missing arguments", tool("1", "echo", `{}`), [5]cell{asParams, asParams, asParams, asTool, asTool}, [5]int{}},
	{"arguments that are no object", tool("1", "echo", `[]`), same(asParams), [5]int{}},
	{"unknown tool", tool("1", "nope", `{}`), same(asParams + `&&unknown tool 'nope'`), [5]int{}},
	{"resultType of a call", tool("1", "echo", `{"_1":"x"}`), eras(`!resultType`, `"result":{"resultType":"complete","content"`), [5]int{}},
	{"resultType of a failure", tool("1", "boom", `{"_1":7}`), eras(`!resultType`, `"resultType":"complete"`), [5]int{}},
	{"resultType of a list", list, eras(`!resultType`, `"result":{"resultType":"complete","tools"`), [5]int{}},
	{"ttlMs and cacheScope of a list", list, eras(`!ttlMs&&!cacheScope`, `],"ttlMs":3600000,"cacheScope":"public"`), [5]int{}},
	{"ttlMs and cacheScope of discover", `{"jsonrpc":"2.0","id":1,"method":"server/discover"}`, eras("-", `"ttlMs":3600000,"cacheScope":"public"`), [5]int{}},
	{"ttlMs and cacheScope of a call", tool("1", "echo", `{"_1":"x"}`), same(`!ttlMs&&!cacheScope`), [5]int{}},
	{"serverInfo of a result", tool("1", "echo", `{"_1":"x"}`), eras(`!serverInfo`, modernInfo), [5]int{}},
	{"serverInfo of a list", list, eras(`!serverInfo`, modernInfo), [5]int{}},
	{"serverInfo of an error", tool("1", "nope", `{}`), same(`!serverInfo`), [5]int{}},
	{"progress", strings.Replace(tool("1", "report", `{}`), `"arguments":{}`, `"arguments":{},"_meta":{"progressToken":0}`, 1), [5]cell{
		`"notifications/progress"&&"progressToken":0,"progress":1,"total":2}&&"progress":2&&reported&&!half`,
		`"progressToken":0,"progress":1,"total":2,"message":"half"}&&"progress":2&&reported`,
		`"progressToken":0,"progress":1,"total":2,"message":"half"}&&"progress":2&&reported`,
		`"progressToken":0,"progress":1,"total":2,"message":"half"}&&"progress":2&&reported`,
		`"progressToken":0,"progress":1,"total":2,"message":"half"}&&"progress":2&&reported&&resultType`}, [5]int{}},
	{"no progress without a token", tool("1", "report", `{}`), same(`!notifications&&reported`), [5]int{}},
	{"logging undeclared", `{"jsonrpc":"2.0","id":1,"method":"logging/setLevel","params":{"level":"info"}}`, same(noMethod), modernStatus(404)},
	{"prompts undeclared", `{"jsonrpc":"2.0","id":1,"method":"prompts/list"}`, same(noMethod), modernStatus(404)},
	{"resources undeclared", `{"jsonrpc":"2.0","id":1,"method":"resources/list"}`, same(noMethod), modernStatus(404)},
	{"completion undeclared", `{"jsonrpc":"2.0","id":1,"method":"completion/complete"}`, same(noMethod), modernStatus(404)},
	{"tasks undeclared", `{"jsonrpc":"2.0","id":1,"method":"tasks/get"}`, same(noMethod), modernStatus(404)},
	{"task asked for in a call", strings.Replace(tool("1", "echo", `{"_1":"x"}`), `"params":{`, `"params":{"task":{"ttl":1},`, 1), same(`"isError":false`), [5]int{}},
	{"answers nobody asked for in a call", strings.Replace(tool("1", "echo", `{"_1":"x"}`), `"params":{`, `"params":{"inputResponses":{},"requestState":"x",`, 1), same(`"isError":false&&!input_required`), [5]int{}},
	{"server-initiated requests", tool("1", "echo", `{"_1":"x"}`), same(`!"method"`), [5]int{}},
	{"subscriptions listen", `{"jsonrpc":"2.0","id":1,"method":"subscriptions/listen"}`, same(noMethod), modernStatus(404)},
	{"unknown method", `{"jsonrpc":"2.0","id":1,"method":"nope"}`, same(noMethod), modernStatus(404)},
	{"unknown notification", `{"jsonrpc":"2.0","method":"notifications/nope"}`, same("none"), [5]int{}},
	{"cancelled that nobody knows", `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":7}}`, same("none"), [5]int{}},
	{"id as it came", `{"jsonrpc":"2.0","id":12345678901234567890123,"method":"nope"}`, same(`"id":12345678901234567890123,`), modernStatus(404)},
	{"id null", `{"jsonrpc":"2.0","id":null,"method":"tools/list"}`, [5]cell{`"id":null&&-32600`, `"id":null&&-32600`, `"id":null&&-32600`, `!"id"&&-32600`, "-"}, [5]int{400, 400, 400, 400}},
	{"error without readable id", `{`, [5]cell{nullID, nullID, nullID, withoutID, "-"}, [5]int{400, 400, 400, 400}},
}

// inColumn makes a message one of a revision.
func inColumn(message string, column int) string {
	message = strings.ReplaceAll(message, "$ASKED", columns[column])
	if column != modernColumn {
		return message
	}
	inner := strings.TrimSuffix(strings.TrimPrefix(modernMeta, `"_meta":{`), `}`)
	switch {
	case strings.Contains(message, `"_meta":{`):
		return strings.Replace(message, `"_meta":{`, `"_meta":{`+inner+`,`, 1)
	case strings.Contains(message, `"params":{`):
		return strings.Replace(message, `"params":{`, `"params":{`+modernMeta+`,`, 1)
	}
	return strings.TrimSuffix(message, "}") + `,"params":{` + modernMeta + `}}`
}

// check reports what is wrong with an answer.
func check(t *testing.T, got string, want cell, column int) {
	t.Helper()
	want = strings.ReplaceAll(want, "$ASKED", columns[column])
	if want == "none" {
		if got != "" {
			t.Errorf("answered: %s", got)
		}
		return
	}
	for part := range strings.SplitSeq(want, "&&") {
		text, not := strings.CutPrefix(part, "!")
		if strings.Contains(got, text) == not || got == "" {
			t.Errorf("got  %s\nwant %s", got, part)
		}
	}
}

// TestMatrixStdio holds standard input and output against the matrix.
func TestMatrixStdio(t *testing.T) {
	t.Parallel()
	for _, r := range matrix {
		for column, want := range r.cells {
			if want == "-" {
				continue
			}
			t.Run(r.name+"/"+columns[column], func(t *testing.T) {
				t.Parallel()
				check(t, converse(t, column, inColumn(r.message, column), newDemo()), want, column)
			})
		}
	}
}

// converse returns what a message is answered on standard input and output, after the
// handshake if there is one. Tools that are patient wait for the end of input.
func converse(t *testing.T, column int, message string, d *demo) string {
	t.Helper()
	before := ""
	if column != modernColumn {
		before = initialize(columns[column]) + "\n" + initialized + "\n"
	}
	var out strings.Builder
	in := io.MultiReader(strings.NewReader(before+message+"\n"), atEnd(func() { close(d.until) }))
	if err := d.program().Serve(stdio.Serve, in, &out); err != nil {
		t.Fatal(err)
	}
	got := out.String()
	if before != "" { // the answer to initialize, which need not come first
		start := strings.Index(got, `{"jsonrpc":"2.0","id":1,"result":{"protocolVersion"`)
		end := start + strings.IndexByte(got[start:], '\n') + 1
		got = got[:start] + got[end:]
	}
	if !strings.HasSuffix(got, "\n") && got != "" || strings.Contains(got, "\n\n") {
		t.Errorf("not a message a line: %q", got)
	}
	return got
}

// atEnd is a reader that is at its end, and calls f then.
type atEnd func()

func (f atEnd) Read([]byte) (int, error) {
	f()
	return 0, io.EOF
}
