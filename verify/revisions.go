package verify

import (
	"context"
	"errors"
	"strings"

	"github.com/mcpgen/mcpgen/verify/client"
	"github.com/mcpgen/mcpgen/verify/report"
)

// everyRevision looks at a server once for each revision. The worst of what it serves
// counts; what it declines costs nothing, except of a server of our own.
func (a *attempt) everyRevision(ctx context.Context) report.Result {
	var worst *report.Result
	var served, declined []string
	for _, revision := range client.Revisions {
		if ctx.Err() != nil {
			break
		}
		l := a.lookTwice(ctx, revision)
		if declines(l) {
			declined = append(declined, revision)
			continue
		}
		result := a.judge(l)
		if l.listed() {
			served = append(served, revision)
		}
		if worst == nil || result.Score.Rank() > worst.Score.Rank() {
			if result.Score != report.Pass {
				result.Notes = revision + ": " + result.Notes
			}
			worst = &result
		}
	}
	if worst == nil {
		result := a.judge(a.lookTwice(ctx, ""))
		worst = &result
	} else {
		worst.Eras = served
	}
	if len(declined) > 0 && a.Expect != nil && a.Expect.own && worst.Score != report.Fail {
		worst.Score, worst.FailKind, worst.Class = report.Fail, "expect", "mcp-fail"
		worst.Notes = "not as expected: the server declines " + strings.Join(declined, ", ") + "; " + worst.Notes
	}
	return *worst
}

// declines reports whether a server was reached and does not speak the revision that it
// was asked for.
func declines(l *look) bool {
	if l.listed() {
		return l.version != l.revision
	}
	_, refused := errors.AsType[*client.Error](l.cause)
	_, strange := errors.AsType[*client.StatusError](l.cause)
	return !l.answered && (refused || strange && l.revision == client.Modern)
}
