package verify

import (
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strings"

	"github.com/mcpgen/mcpgen/verify/catalog"
	"github.com/mcpgen/mcpgen/verify/client"
	"github.com/mcpgen/mcpgen/verify/report"
)

// Lengths of texts in results.
const (
	maxNotes   = 600  // characters
	tailShown  = 800  // bytes of standard error in a result
	tailJudged = 4096 // and that a verdict looks at
)

// judge turns a look into a result (spec/qa.md 4.9).
func (a *attempt) judge(l *look) report.Result {
	result := blank(a.entry)
	a.describe(&result, l)
	var v verdict
	if l.listed() {
		v = a.judgeTools(&result, l)
	} else {
		v = a.judgeFailure(l)
	}
	result.Score, result.FailKind, result.Class = v.score, v.kind, v.class
	result.Notes = strings.Join(append(v.notes, a.notes...), "; ")
	return result
}

// A verdict is a score with its reasons.
type verdict struct {
	score report.Score
	kind  report.Kind
	class string
	notes []string
}

// describe copies what was seen.
func (a *attempt) describe(result *report.Result, l *look) {
	for _, t := range l.tools {
		result.Tools = append(result.Tools, t.Name)
	}
	result.Unresolved = a.values.Unresolved
	result.Transport, result.ProtocolVersion, result.ServerInfo = l.transport, l.version, l.serverInfo
	result.HandshakeMS = l.handshake.Milliseconds()
	result.StderrTail = a.redact.text(l.stderr)
	if l.listed() {
		result.Eras = []string{l.version}
		result.Listing = listing(l.tools)
	}
	if l.exit != nil {
		result.Exit = &report.Exit{Code: l.exit.Code, Shutdown: string(l.exit.Shutdown)}
		if l.exit.Signal != "" {
			result.Exit.Signal = &l.exit.Signal
		}
	}
	for _, f := range l.findings {
		result.Findings = append(result.Findings, report.Finding{Rule: f.Rule, Message: f.Message})
	}
}

func listing(tools []client.Tool) json.RawMessage {
	members := make([]map[string]json.RawMessage, len(tools))
	for i, t := range tools {
		members[i] = t.Members
	}
	text, err := json.Marshal(members)
	if err != nil {
		return nil
	}
	return text
}

// judgeFailure says why there is no list of tools: the first rule that applies.
func (a *attempt) judgeFailure(l *look) verdict {
	if l.launch != nil {
		return verdict{report.Error, l.launch.kind, "infra", []string{l.launch.reason}}
	}
	stderr := lastBytes(a.redact.text(l.stderr), tailJudged)
	reason := a.redact.text(l.reason)
	text := strings.ToLower(reason + "\n" + stderr)
	unresolved := a.values.Unresolved
	full := reason
	if s := oneLine(stderr); s != "" {
		full += " | " + shorten(s, 200)
	}
	_, unauthorized := errors.AsType[*client.AuthError](l.cause)
	unmet := a.entry.Unmet()
	switch {
	case a.engine != nil && a.isEngineFault(l):
		return a.engineFault(l, full)
	case registryLine(text, offline):
		return verdict{report.Error, "network", "infra", []string{"package registry not reached: " + full}}
	case missingPackage.MatchString(text):
		return verdict{report.Fail, "package", "mcp-fail", []string{"package not found: " + full}}
	case unauthorized, !l.deadline && len(unresolved) > 0 && namesCredential(text, unresolved):
		return verdict{report.Skip, "", "needs-secret", []string{"needs-secret: " + secretNames(unresolved) + reason}}
	case len(unmet) > 0:
		return verdict{report.Skip, "", "needs-host-software", []string{"needs host software: " + strings.Join(unmet, ", ") + " — " + reason}}
	case connectionWords.MatchString(text) && (a.entry.HasURL() || a.hasBacking()):
		return verdict{report.Skip, "", "needs-connection", []string{"needs-connection: " + full}}
	case l.deadline:
		return verdict{report.Timeout, "timeout", "timeout", []string{full}}
	case l.ended && l.answered:
		return verdict{report.Fail, "exit", "mcp-fail", []string{full}}
	}
	return verdict{report.Fail, "handshake", "mcp-fail", []string{full}}
}

func secretNames(keys []string) string {
	if len(keys) == 0 {
		return ""
	}
	return strings.Join(keys, ", ") + " required to boot — "
}

func (a *attempt) hasBacking() bool {
	b, err := a.entry.Backing()
	return b != nil && err == nil
}

// isEngineFault reports whether the engine, and not the server, is what failed: its own
// failures have status 125, those of the command in the container 126 and 127.
func (a *attempt) isEngineFault(l *look) bool {
	code := l.exitCode()
	return l.ended && l.silent && code >= 125 && code <= 127
}

func (l *look) exitCode() int {
	if l.exit == nil {
		return -1
	}
	return l.exit.Code
}

var pullFault = regexp.MustCompile(`no such image|manifest unknown|manifest for .* not found|pull access denied|repository does not exist|failed to pull|error pulling`)

func (a *attempt) engineFault(l *look, full string) verdict {
	kind := report.Kind("run")
	if l.exitCode() == 125 && pullFault.MatchString(strings.ToLower(l.stderr)) {
		kind = "pull"
	}
	return verdict{report.Error, kind, "infra", []string{full}}
}

var (
	packageRunner  = regexp.MustCompile(`npm err(or|!)|\buv\b|\buvx\b|\bpip\b`)
	offline        = regexp.MustCompile(`enotfound|eai_again|etimedout|network|name resolution|dns error`)
	missingPackage = regexp.MustCompile(`\be404\b|\betarget\b|no matching version found|not found in the package registry|no matching distribution`)
)

// registryLine reports whether a package runner says something on one line. A package that
// was run from npx's folder and says so itself is none.
func registryLine(text string, what *regexp.Regexp) bool {
	for line := range strings.Lines(text) {
		if packageRunner.MatchString(line) && what.MatchString(line) && !strings.Contains(line, "/_npx/") {
			return true
		}
	}
	return false
}

var (
	credential = regexp.MustCompile(`unauthori[sz]ed|\b40[13]\b|api[ _-]?key|access[ _-]?token|credential`)
	lacking    = `\b(missing|invalid|required|no|not set)\b`
	secretWord = `(\b|_)(token|key|secret|password)s?\b`
	lacksIt    = regexp.MustCompile(lacking + `[^\n]{0,40}?` + secretWord + `|` + secretWord + `[^\n]{0,40}?` + lacking)

	connectionWords = regexp.MustCompile(`econnrefused|connection refused|could not connect|connection terminated|getaddrinfo|enotfound|:5432|:3306|:27017|:6379`)
)

// namesCredential reports whether a text, in lower case, says that a secret is wrong.
func namesCredential(text string, unresolved []string) bool {
	text = strings.ReplaceAll(text, "unexpected token", "")
	if strings.Contains(text, catalog.Placeholder) || credential.MatchString(text) || lacksIt.MatchString(text) {
		return true
	}
	for _, key := range unresolved {
		if regexp.MustCompile(`(^|\W)` + regexp.QuoteMeta(strings.ToLower(key)) + `($|\W)`).MatchString(text) {
			return true
		}
	}
	return false
}

// judgeTools holds a list of tools against what is declared, and moves the score from
// pass to warn at most, unless an exact list was asked for and is not met.
func (a *attempt) judgeTools(result *report.Result, l *look) verdict {
	if unmet := a.entry.Unmet(); len(unmet) > 0 && len(l.tools) == 0 {
		return verdict{report.Skip, "", "needs-host-software", []string{"needs host software: " + strings.Join(unmet, ", ") + " — no tools"}}
	}
	if a.Expect != nil {
		if difference := a.Expect.compare(l.tools, l.version, l.transport != "stdio"); difference != "" {
			return verdict{report.Fail, "expect", "mcp-fail", []string{"not as expected: " + difference}}
		}
	}
	v := verdict{score: report.Pass, class: "ok"}
	if len(l.tools) == 0 {
		v.warn("mcp-empty", "EMPTY: the server lists no tools")
	} else {
		a.judgeDrift(result, l, &v)
	}
	a.judgeSchemas(result, l, &v)
	judgeProbe(result, l, &v)
	if a.Strict && len(l.findings) > 0 {
		v.warn("mcp-protocol", fmt.Sprintf("%d protocol findings: %s", len(l.findings), l.findings[0].Message))
	}
	if v.score == report.Pass {
		v.notes = append([]string{a.inNumbers(l)}, v.notes...)
	}
	return v
}

// warn lowers the score; the first class given is the one that stays.
func (v *verdict) warn(class, note string) {
	if v.score == report.Pass {
		v.score, v.class = report.Warn, class
	}
	v.notes = append(v.notes, note)
}

func (a *attempt) inNumbers(l *look) string {
	text := fmt.Sprintf("%d tools", len(l.tools))
	if len(l.tools) == 1 {
		text = "1 tool"
	}
	if n := len(a.entry.Declared); n > 0 {
		text += fmt.Sprintf(", %d declared", n)
	}
	return text
}

// judgeDrift compares names.
func (a *attempt) judgeDrift(result *report.Result, l *look, v *verdict) {
	declared := a.entry.Declared
	result.Missing = a.missing(l)
	if n := len(declared); n > 0 {
		for _, t := range l.tools {
			if !a.isDeclared(t) {
				result.Extra = append(result.Extra, t.Name)
			}
		}
		if k := len(result.Missing); k > 0 {
			v.warn("mcp-drift", fmt.Sprintf("tool drift: %d/%d declared tools missing from live list (%s)", k, n, firstNames(result.Missing)))
		}
		if k := len(result.Extra); k > 0 && (a.Exact || a.entry.Verify.Exact) {
			v.warn("mcp-drift", fmt.Sprintf("tool drift: %d live tools are not declared (%s)", k, firstNames(result.Extra)))
		}
	}
	if k := len(l.withCapabilities); k > 0 {
		v.notes = append(v.notes, fmt.Sprintf("%d declared tools need client capabilities", k))
	}
}

func (a *attempt) isDeclared(t client.Tool) bool {
	for _, d := range a.entry.Declared {
		if a.isNamed(t, d) {
			return true
		}
	}
	return false
}

// firstNames joins six names at most.
func firstNames(names []string) string {
	if len(names) > 6 {
		return strings.Join(names[:6], ", ") + ", …"
	}
	return strings.Join(names, ", ")
}

// judgeSchemas adds what is wrong with the tools themselves.
func (a *attempt) judgeSchemas(result *report.Result, l *look, v *verdict) {
	faults := 0
	first := ""
	for _, f := range l.checkTools() {
		result.Findings = append(result.Findings, report.Finding{Rule: f.Rule, Tool: f.Tool, Message: f.Message})
		if f.Note {
			continue
		}
		if faults++; faults == 1 {
			first = f.Rule + " " + f.Tool + ": " + f.Message
		}
	}
	switch {
	case faults == 1:
		v.warn("mcp-schema", "tool check: "+first)
	case faults > 1:
		v.warn("mcp-schema", fmt.Sprintf("%d tool checks, first: %s", faults, first))
	}
}

// judgeProbe adds what came of the probe.
func judgeProbe(result *report.Result, l *look, v *verdict) {
	p := l.probe
	if p.status == "" {
		return
	}
	result.Probe, result.ProbeTool, result.ProbeDetail = p.status, p.tool, p.detail
	note := fmt.Sprintf("probe %s→%s", p.tool, p.status)
	if p.detail != "" && p.status != probeOK {
		note += " (" + p.detail + ")"
	}
	if isBroken(p.status) {
		v.warn("mcp-probe", strings.Replace(note, "probe ", "probe FAILED: ", 1))
		return
	}
	v.notes = append(v.notes, note)
}
