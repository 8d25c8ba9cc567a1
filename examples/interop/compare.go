package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
)

// An answer is what came of a call: a result, an error of the protocol, or one of the
// client's own.
type answer struct {
	Content    []any  `json:"content,omitempty"`
	Structured any    `json:"structured,omitempty"`
	IsError    bool   `json:"isError"`
	Code       int    `json:"code,omitempty"`
	Message    string `json:"message,omitempty"`
	Thrown     string `json:"thrown,omitempty"`
}

// codeInvalidParams is JSON-RPC's.
const codeInvalidParams = -32602

// compare checks what a client has seen.
func (x *run) compare(r *report) {
	p := x.program
	x.revision = r.Revision
	x.check(unequal("server", r.Server.Name, p.Name))
	x.check(unequal("server has a version", r.Server.Version != "", true))
	x.check(unequal("modern revision", r.Revision == modernRevision, x.era == modern))
	var listed []string
	for _, tool := range p.Tools {
		listed = append(listed, x.listed(tool))
	}
	x.check(unequal("tools", r.Tools, listed))
	x.check(unequal("calls", len(r.Calls), len(p.Calls)))
	for i := range min(len(r.Calls), len(p.Calls)) {
		x.check(x.judge(&p.Calls[i], &r.Calls[i]))
	}
	if p.Progress != nil {
		x.check(x.judge(p.Progress, r.Progress))
		x.check(p.judgeNotices(r.Notices))
		x.notices = len(r.Notices)
	}
	if p.Cancel != nil {
		x.check(unequal("canceled", r.Canceled, true))
		x.check(x.judge(p.After, r.After))
	}
}

// judgeNotices returns what is wrong with notices of progress: too few, or not growing.
func (p *program) judgeNotices(notices []float64) (problem string) {
	if len(notices) < p.Notices {
		return fmt.Sprintf("progress: %d notices, want %d or more", len(notices), p.Notices)
	}
	for i := range notices {
		if i > 0 && notices[i] <= notices[i-1] {
			return fmt.Sprintf("progress: %v does not grow", notices)
		}
	}
	return ""
}

// judge returns what is wrong with the answer to a call.
func (x *run) judge(t *testCase, got *answer) (problem string) {
	call := fmt.Sprintf("%s %s", t.Tool, t.Arguments)
	if got == nil {
		return call + ": no answer"
	}
	want := t.answer(x.listed(t.Tool), x.era == modern || x.revision >= "2025-11-25")
	if !reflect.DeepEqual(normal(got), normal(want)) {
		return fmt.Sprintf("%s:\n   got %s\n  want %s", call, plain(got), plain(want))
	}
	return ""
}

// answer is what must come of a call. Bad arguments are told to the model, or are an error
// of the protocol.
func (t *testCase) answer(listed string, toModel bool) *answer {
	switch {
	case t.Text != nil:
		return &answer{Content: textBlock(*t.Text), Structured: t.Structured}
	case t.Failed != nil:
		return &answer{Content: textBlock(*t.Failed), IsError: true}
	case t.Refused != nil && toModel:
		return &answer{Content: textBlock(*t.Refused), IsError: true}
	case t.Refused != nil:
		return &answer{Code: codeInvalidParams, Message: *t.Refused}
	case t.Unknown:
		return &answer{Code: codeInvalidParams, Message: "unknown tool '" + listed + "'"}
	}
	a := new(answer)
	_ = json.Unmarshal(t.Content, &a.Content) // nothing, if there is none
	return a
}

func textBlock(text string) []any {
	return []any{map[string]any{"type": "text", "text": text}}
}

// normal makes a value comparable. Numbers are compared as floating-point ones: that is
// what most clients make of them. All digits are in the text.
func normal(v *answer) any {
	var a any
	if err := json.Unmarshal(plain(v), &a); err != nil {
		return err
	}
	return a
}

// plain returns an answer as JSON, for people.
func plain(v *answer) []byte {
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return []byte(err.Error())
	}
	return bytes.TrimSpace(out.Bytes())
}

// unequal returns that something is not what it should be, if so.
func unequal[T any](what string, got, want T) (problem string) {
	if reflect.DeepEqual(got, want) {
		return ""
	}
	return fmt.Sprintf("%s: got %v, want %v", what, got, want)
}
