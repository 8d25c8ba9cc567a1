package sessions

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"
	"testing"
)

// An outcome is what a golden call comes to. Texts are kept as they are written in the
// file, string literals, because that is how they must be written in the answer.
type outcome struct {
	Result     json.RawMessage // text block
	Structured bool            // the value is sent as structuredContent too
	Content    json.RawMessage // block of another kind
	Error      json.RawMessage // text of an isError result, or, with Code, of an error
	Code       int
	Loose      bool // the end of the error's text is free
}

// A goldenCall is an entry of pure.json or a step of files.json.
type goldenCall struct {
	Program, Command string
	Args             json.RawMessage
	outcome
	Mcpgen *outcome
}

// ours returns what our server answers.
func (c *goldenCall) ours() outcome {
	if c.Mcpgen != nil {
		return *c.Mcpgen
	}
	return c.outcome
}

func textBlock(literal json.RawMessage) string {
	return `{"type":"text","text":` + string(literal) + `}`
}

// answer returns the line that answers request id.
func (o *outcome) answer(t *testing.T, id int) string {
	t.Helper()
	switch {
	case o.Code != 0:
		return `{"jsonrpc":"2.0","id":` + strconv.Itoa(id) + `,"error":{"code":` + strconv.Itoa(o.Code) + `,"message":` + string(o.Error) + `}}`
	case o.Error != nil:
		return result(id, `{"content":[`+textBlock(o.Error)+`],"isError":true}`)
	case o.Content != nil:
		var block bytes.Buffer
		if err := json.Compact(&block, o.Content); err != nil {
			t.Fatal(err)
		}
		return result(id, `{"content":[`+block.String()+`],"isError":false}`)
	case o.Structured:
		var value string
		if err := json.Unmarshal(o.Result, &value); err != nil {
			t.Fatal(err)
		}
		return result(id, `{"content":[`+textBlock(o.Result)+`],"structuredContent":`+value+`,"isError":false}`)
	}
	return result(id, `{"content":[`+textBlock(o.Result)+`],"isError":false}`)
}

// check compares an answer to request id.
func (o *outcome) check(t *testing.T, c *goldenCall, id int, got string) {
	t.Helper()
	want := o.answer(t, id)
	fine := got == want
	head, tail := `{"content":[{"type":"text","text":"`, `"}],"isError":true}`
	switch {
	case string(o.Error) == `"*"`: // any text
		fine = strings.HasPrefix(got, cutLast(result(id, head))) && strings.HasSuffix(got, tail+"}")
	case o.Loose: // a contract up to the parser's wording, behind the second colon
		kind := strings.SplitAfterN(string(o.Error), ": ", 3)
		want = cutLast(result(id, head)) + strings.TrimPrefix(kind[0]+kind[1], `"`)
		fine = strings.HasPrefix(got, want) && strings.HasSuffix(got, tail+"}")
	}
	if !fine {
		t.Errorf("%s %s\n got %.2000s\nwant %.2000s", c.Command, c.Args, got, want)
	}
}

func cutLast(s string) string { return s[:len(s)-1] }
