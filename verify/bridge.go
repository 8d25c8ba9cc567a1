package verify

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/mcpgen/mcpgen/verify/client"
	"github.com/mcpgen/mcpgen/verify/report"
)

// BridgeOptions say how to check the endpoint of a hub, which shows the tools of many apps
// as one server (spec/qa.md 7).
type BridgeOptions struct {
	Hub      string // address of the hub, without /api/mcp
	Key      string // bearer key
	Timeout  time.Duration
	Protocol string   // [AllRevisions] asks for 2026-07-28 too
	Legacy   bool     // the older HTTP+SSE endpoint
	Apps     []string // urns of apps that must be among the tools
	Sink     report.Sink
}

// DefaultHub is where a hub listens if nothing else is said.
const DefaultHub = "http://localhost:5002"

const (
	bridgeID     = "hub-mcp-bridge"
	bridgeName   = "Hub MCP Bridge"
	reachTimeout = 4 * time.Second
	eventTimeout = 8 * time.Second
)

// RunBridge checks the endpoint of a hub. There is always exactly one result.
func RunBridge(ctx context.Context, o BridgeOptions) ([]report.Result, error) {
	began := time.Now()
	o.Hub = strings.TrimSuffix(o.Hub, "/")
	o.Sink.BatchStart(report.BatchStart{Apps: []string{bridgeID}, Kind: "mcp-bridge", Mode: "argv", TS: began.UnixMilli()})
	o.Sink.AppStart(bridgeID, began.UnixMilli())
	b := &bridge{BridgeOptions: o, redact: newRedactor([]string{o.Key})}
	b.result = report.Result{AppID: bridgeID, Name: bridgeName, MCP: true, Tools: []string{}, Attempts: 1}
	b.check(ctx)
	if ctx.Err() != nil {
		o.Sink.BatchDone(nil, time.Now().UnixMilli())
		return nil, ctx.Err()
	}
	b.redact.result(&b.result)
	b.result.Notes = shorten(oneLine(b.result.Notes), maxNotes)
	b.result.TS, b.result.DurationMS = time.Now().UnixMilli(), time.Since(began).Milliseconds()
	o.Sink.AppResult(b.result)
	results := []report.Result{b.result}
	o.Sink.BatchDone(results, time.Now().UnixMilli())
	return results, nil
}

type bridge struct {
	BridgeOptions
	redact *redactor
	result report.Result
}

func (b *bridge) set(score report.Score, kind report.Kind, class, format string, args ...any) {
	b.result.Score, b.result.FailKind, b.result.Class = score, kind, class
	b.result.Notes = fmt.Sprintf(format, args...)
}

func (b *bridge) check(ctx context.Context) {
	endpoint := b.Hub + "/api/mcp"
	if err := b.reach(ctx, endpoint); err != nil {
		b.set(report.Skip, "", "needs-connection", "no Hub reachable at %s (%v)", endpoint, err)
		return
	}
	if b.Key == "" {
		b.set(report.Skip, "", "needs-secret", "MCP_API_KEY is not set")
		return
	}
	target := client.Target{URL: endpoint, Header: http.Header{"Authorization": {"Bearer " + b.Key}}}
	if b.Legacy {
		b.checkLegacy(ctx, target)
		return
	}
	revisions := []string{client.LatestLegacy}
	if b.Protocol == AllRevisions {
		revisions = append(revisions, client.Modern)
	}
	for _, revision := range revisions {
		s := client.HTTP(client.Config{Protocol: revision, OneTransport: true, Redact: b.redact.text}, target)
		b.converse(ctx, s)
		if b.result.Score != report.Pass {
			return
		}
	}
}

// reach asks whether anything listens. Every answer of HTTP will do.
func (b *bridge) reach(ctx context.Context, endpoint string) error {
	ctx, cancel := context.WithTimeout(ctx, reachTimeout)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, http.MethodOptions, endpoint, nil)
	if err != nil {
		return err
	}
	response, err := (&http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}).Do(r)
	if err != nil {
		return client.Plain(err)
	}
	return response.Body.Close()
}

// checkLegacy checks the endpoint of the older variant.
func (b *bridge) checkLegacy(ctx context.Context, target client.Target) {
	target.URL += "/sse"
	within, cancel := context.WithTimeout(ctx, eventTimeout)
	defer cancel()
	s, post, err := client.Events(within, client.Config{Protocol: "2024-11-05", Redact: b.redact.text}, target)
	switch {
	case err == nil:
		b.result.SSEEndpoint = post
		b.converse(ctx, s)
	case isAuth(err):
		b.set(report.Skip, "", "needs-secret", "the key is not accepted: %v", err)
	case errors.Is(err, client.ErrNoEndpoint) || within.Err() != nil:
		b.set(report.Warn, "", "mcp-protocol", "no endpoint event from %s", target.URL)
	default:
		b.fault("the event stream", err)
	}
}

func isAuth(err error) bool {
	_, is := errors.AsType[*client.AuthError](err)
	return is
}

// converse shakes hands, lists, and judges the names.
func (b *bridge) converse(ctx context.Context, s *client.Session) {
	defer func() { s.Close(context.WithoutCancel(ctx)) }()
	step := func(f func(context.Context) error) error {
		within, cancel := context.WithTimeout(ctx, b.Timeout)
		defer cancel()
		return f(within)
	}
	if err := step(s.Handshake); err != nil {
		b.fault("initialize", err)
		return
	}
	var tools []client.Tool
	err := step(func(ctx context.Context) (err error) {
		tools, err = s.Tools(ctx)
		return err
	})
	if err != nil {
		b.fault("tools/list", err)
		return
	}
	b.result.Transport, b.result.ProtocolVersion, b.result.ServerInfo = s.Transport(), s.Version, s.ServerInfo
	b.result.Eras = append(b.result.Eras, s.Version)
	b.judge(tools)
}

// fault says what an error of a step means.
func (b *bridge) fault(step string, err error) {
	_, isFault := errors.AsType[*client.Error](err)
	_, isMalformed := errors.AsType[*client.Malformed](err)
	_, isStatus := errors.AsType[*client.StatusError](err)
	switch {
	case isAuth(err):
		b.set(report.Skip, "", "needs-secret", "%s: the key is not accepted: %v", step, err)
	case isMalformed:
		b.set(report.Fail, "handshake", "mcp-fail", "%v", err)
	case isFault, isStatus:
		b.set(report.Fail, "handshake", "mcp-fail", "%s %v", step, err)
	default:
		b.set(report.Error, "transport", "infra", "%s: %v", step, err)
	}
}

var bridgedName = regexp.MustCompile(`(?i)^[a-z0-9-]+_[a-z0-9-]+__.+$`)

func (b *bridge) judge(tools []client.Tool) {
	names := make([]string, len(tools))
	var malformed []string
	for i, t := range tools {
		names[i] = t.Name
		if strings.Contains(t.Name, "__") && !bridgedName.MatchString(t.Name) {
			malformed = append(malformed, t.Name)
		}
	}
	count := len(names)
	b.result.Tools, b.result.ToolCount = names, &count
	var absent []string
	for _, urn := range b.Apps {
		prefix := strings.ReplaceAll(urn, ":", "_") + "__"
		if !slices.ContainsFunc(names, func(n string) bool { return strings.HasPrefix(n, prefix) }) {
			absent = append(absent, urn)
		}
	}
	switch {
	case count == 0:
		b.set(report.Warn, "", "mcp-empty", "EMPTY: the bridge lists no tools")
	case len(malformed) > 0:
		b.set(report.Warn, "", "mcp-schema", "%d malformed bridged names: %s", len(malformed), strings.Join(malformed[:min(4, len(malformed))], ", "))
	case len(absent) > 0:
		b.set(report.Warn, "", "mcp-drift", "no tools of %s", strings.Join(absent, ", "))
	default:
		b.set(report.Pass, "", "ok", "%d tools", count)
	}
}
