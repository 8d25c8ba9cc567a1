package verify

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/mcpgen/mcpgen/verify/check"
	"github.com/mcpgen/mcpgen/verify/client"
)

// A probing is a call to make; with auto set, the tool is looked for in the list.
type probing struct {
	tool string
	args json.RawMessage
	auto bool
}

// A probed is what became of a probe.
type probed struct {
	tool   string
	status string // "" if there was none
	detail string
}

// Statuses of probes.
const (
	probeOK            = "ok"
	probeSkipped       = "skipped"
	probeInvalidParams = "invalid-params"
	probeMethodError   = "method-error"
	probeInternalError = "internal-error"
	probeToolError     = "tool-error"
	probeBadResult     = "bad-result"
	probeCrashed       = "crashed"
	probeTimeout       = "timeout"
)

// isBroken reports whether a status says that an advertised tool does not work.
func isBroken(status string) bool {
	return slices.Contains([]string{probeMethodError, probeInternalError, probeBadResult, probeCrashed}, status)
}

// probe returns the call to make to the app, nil if there is none.
func (a *attempt) probe() *probing {
	own := a.adHoc() && a.Options.Probe != nil
	if a.Probing == ProbeOff && !own {
		return nil
	}
	p := a.entry.Probe()
	switch {
	case p != nil && (!p.Net || a.ProbeNet || own) && (!p.Backed || a.backed):
		return &probing{tool: p.Tool, args: p.Arguments(a.inside)}
	case p == nil && !a.entry.Verify.Probe.Present && a.Probing == ProbeAuto:
		return &probing{args: json.RawMessage("{}"), auto: true}
	}
	return nil
}

// sendProbe makes the call. Whatever comes of it, the handshake stands.
func (a *attempt) sendProbe(ctx context.Context, s *server, l *look, p *probing) probed {
	if p == nil {
		return probed{}
	}
	tool, why := pick(l.tools, p)
	if tool == nil {
		if p.auto {
			return probed{}
		}
		return probed{p.tool, probeSkipped, why}
	}
	ctx, cancel := context.WithTimeout(ctx, a.probeTimeoutOf(a.entry))
	defer cancel()
	result, err := s.session.Call(ctx, tool.Name, p.args)
	if err != nil {
		status, detail := a.failedProbe(s, err)
		return probed{tool.Name, status, detail}
	}
	status, detail := judgeResult(*tool, result, l.version)
	return probed{tool.Name, status, shorten(oneLine(a.redact.text(detail)), 200)}
}

// pick finds the tool of a probe in the list, or says why it is not called.
func pick(tools []client.Tool, p *probing) (*client.Tool, string) {
	for i := range tools {
		t := &tools[i]
		if p.auto && isHarmless(*t) && lacks(*t, p.args) == "" && !needsTask(*t) {
			return t, ""
		}
		if p.auto || t.Name != p.tool {
			continue
		}
		if name := lacks(*t, p.args); name != "" {
			return nil, "it requires the argument " + name
		}
		if needsTask(*t) {
			return nil, "it runs as a task alone"
		}
		return t, ""
	}
	return nil, "it is not listed"
}

// isHarmless reports whether a tool says of itself that calling it changes nothing.
func isHarmless(t client.Tool) bool {
	var hints struct {
		ReadOnly    *bool `json:"readOnlyHint"`
		OpenWorld   *bool `json:"openWorldHint"`
		Destructive *bool `json:"destructiveHint"`
	}
	if json.Unmarshal(t.Members["annotations"], &hints) != nil {
		return false
	}
	is := func(hint *bool, want bool) bool { return hint != nil && *hint == want }
	return is(hints.ReadOnly, true) && is(hints.OpenWorld, false) && !is(hints.Destructive, true)
}

// lacks returns a required argument that args do not have, "" if there is none.
func lacks(t client.Tool, args json.RawMessage) string {
	var schema struct {
		Required []string `json:"required"`
	}
	var have map[string]json.RawMessage
	_ = json.Unmarshal(t.Members["inputSchema"], &schema)
	_ = json.Unmarshal(args, &have)
	for _, name := range schema.Required {
		if _, ok := have[name]; !ok {
			return name
		}
	}
	return ""
}

func needsTask(t client.Tool) bool {
	var execution struct {
		TaskSupport string `json:"taskSupport"`
	}
	_ = json.Unmarshal(t.Members["execution"], &execution)
	return execution.TaskSupport == "required"
}

// failedProbe returns the status of a probe that has no result.
func (a *attempt) failedProbe(s *server, err error) (status, detail string) {
	detail = shorten(oneLine(a.redact.text(err.Error())), 200)
	fault, isFault := errors.AsType[*client.Error](err)
	switch {
	case isFault && fault.Code == client.CodeInvalidParams:
		return probeInvalidParams, detail
	case isFault && fault.Code == client.CodeMethodNotFound:
		return probeMethodError, detail
	case isFault && fault.Code == client.CodeInternal:
		return probeInternalError, detail
	case errors.Is(err, client.ErrEnded) && s.process != nil:
		return probeCrashed, crashDetail(s)
	case errors.Is(err, client.ErrEnded):
		return probeCrashed, detail
	case errors.Is(err, context.DeadlineExceeded):
		return probeTimeout, ""
	}
	return probeToolError, detail
}

func crashDetail(s *server) string {
	select {
	case <-s.process.Done():
		return status(s.process.Exit())
	case <-time.After(500 * time.Millisecond):
		return "closed its output"
	}
}

// judgeResult returns the status of a probe that has a result.
func judgeResult(t client.Tool, result json.RawMessage, revision string) (status, detail string) {
	if err := check.Result(t, result, revision); err != nil {
		return probeBadResult, err.Error()
	}
	var r struct {
		IsError bool `json:"isError"`
		Content []struct {
			Text string `json:"text"`
		} `json:"content"`
	}
	_ = json.Unmarshal(result, &r)
	if !r.IsError {
		return probeOK, ""
	}
	text := ""
	if len(r.Content) > 0 {
		text = r.Content[0].Text
	}
	// The TypeScript SDK answers these with results; they are errors of the protocol.
	const prefix = "MCP error -32602: "
	switch {
	case strings.HasPrefix(text, prefix+"Tool "+t.Name+" not found"), strings.HasPrefix(text, "MCP error -32601"):
		return probeMethodError, text
	case strings.HasPrefix(text, prefix+"Input validation error"):
		return probeInvalidParams, text
	}
	return probeToolError, text
}
