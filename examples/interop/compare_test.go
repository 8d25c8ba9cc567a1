package main

import (
	"encoding/json"
	"strings"
	"testing"
)

// decode reads JSON as reports and cases are read.
func decode[T any](t *testing.T, text string) *T {
	t.Helper()
	v := new(T)
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	if err := d.Decode(v); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return v
}

// TestJudge has answers that pass and answers that must not.
func TestJudge(t *testing.T) {
	t.Parallel()
	const text = `{"tool":"t","text":"7"}`
	for _, tt := range []struct {
		name, wanted, got string
		era, transport    string
		passes            bool
	}{
		{"text", text, `{"content":[{"type":"text","text":"7"}],"isError":false}`, legacy, stdio, true},
		{"other text", text, `{"content":[{"type":"text","text":"7.0"}],"isError":false}`, legacy, stdio, false},
		{"two blocks", text, `{"content":[{"type":"text","text":"7"},{"type":"text","text":""}]}`, legacy, stdio, false},
		{"failure", text, `{"content":[{"type":"text","text":"7"}],"isError":true}`, legacy, stdio, false},
		{"structured", text, `{"content":[{"type":"text","text":"7"}],"structured":7}`, legacy, stdio, false},
		{"error", text, `{"code":-32602,"message":"7"}`, legacy, stdio, false},
		{"thrown", text, `{"thrown":"7"}`, legacy, stdio, false},
		{"large integer as a double", `{"tool":"t","text":"7","structured":{"n":81129638414606663681390495662081}}`,
			`{"content":[{"type":"text","text":"7"}],"structured":{"n":8.112963841460666e+31}}`, legacy, stdio, true},
		{"another large integer", `{"tool":"t","text":"7","structured":{"n":81129638414606663681390495662081}}`,
			`{"content":[{"type":"text","text":"7"}],"structured":{"n":8.112963841460665e+31}}`, legacy, stdio, false},
		{"refused", `{"tool":"t","refused":"no"}`, `{"content":[{"type":"text","text":"no"}],"isError":true}`, modern, stdio, true},
		{"refused by an error", `{"tool":"t","refused":"no"}`, `{"code":-32602,"message":"no"}`, modern, stdio, false},
		{"unknown", `{"tool":"t","unknown":true}`, `{"code":-32602,"message":"unknown tool 't'"}`, modern, stdio, true},
		{"unknown over HTTP", `{"tool":"t","unknown":true}`, `{"code":-32602,"message":"unknown tool 'p__t'"}`, modern, http, true},
		{"media", `{"tool":"t","content":[{"type":"image","data":"AA==","mimeType":"image/png"}]}`,
			`{"content":[{"mimeType":"image/png","type":"image","data":"AA=="}],"isError":false}`, modern, http, true},
		{"other media", `{"tool":"t","content":[{"type":"image","data":"AA==","mimeType":"image/png"}]}`,
			`{"content":[{"mimeType":"image/gif","type":"image","data":"AA=="}],"isError":false}`, modern, http, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			x := &run{program: &program{Name: "p"}, era: tt.era, transport: tt.transport, revision: "2025-06-18"}
			problem := x.judge(decode[testCase](t, tt.wanted), decode[answer](t, tt.got))
			if passes := problem == ""; passes != tt.passes {
				t.Errorf("passes = %v, want %v; %s", passes, tt.passes, problem)
			}
		})
	}
}

func TestJudgeNotices(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name    string
		least   int
		notices []float64
		passes  bool
	}{
		{"none", 0, nil, true},
		{"too few", 2, []float64{1}, false},
		{"growing", 2, []float64{2, 7}, true},
		{"standing", 0, []float64{2, 2}, false},
	} {
		p := &program{Notices: tt.least}
		if problem := p.judgeNotices(tt.notices); (problem == "") != tt.passes {
			t.Errorf("%s: problem %q", tt.name, problem)
		}
	}
}
