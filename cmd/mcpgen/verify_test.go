//go:build unix

package main

import (
	"bytes"
	"context"
	"errors"
	"os/signal"
	"strings"
	"syscall"
	"testing"

	"github.com/mcpgen/mcpgen/verify/report"
)

// TestVerifyStatus holds the exit status of runs that end by themselves or by a signal.
func TestVerifyStatus(t *testing.T) {
	live := context.Background()
	ended := func(cause string) context.Context {
		ctx, cancel := context.WithCancelCause(live)
		cancel(errors.New(cause))
		return ctx
	}
	failed := []report.Result{{Score: report.Pass}, {Score: report.Fail}}
	warned := []report.Result{{Score: report.Warn}}
	for _, tt := range []struct {
		name    string
		ctx     context.Context
		err     error
		results []report.Result
		on      report.FailOn
		want    int
	}{
		{"nothing wrong", live, nil, warned, report.OnFail, 0},
		{"a warning counts", live, nil, warned, report.OnWarn, 1},
		{"a failure", live, nil, failed, report.OnFail, 1},
		{"a fault of ours", live, errors.New("mcpgen: internal"), nil, report.OnFail, 1},
		{"interrupt", ended("interrupt signal received"), context.Canceled, failed, report.OnFail, 130},
		{"terminated", ended("terminated signal received"), context.Canceled, failed, report.OnFail, 143},
	} {
		var stderr bytes.Buffer
		a := &app{stderr: &stderr}
		err := verdict(tt.ctx, tt.err, tt.results, tt.on)
		if err != nil {
			err = failure{err}
		}
		if got := a.report(err); got != tt.want {
			t.Errorf("%s: status %d, want %d", tt.name, got, tt.want)
		}
		if said := stderr.Len() > 0; said != (tt.want == 1 && tt.err != nil) {
			t.Errorf("%s: stderr %q", tt.name, stderr.String())
		}
	}
}

// TestSignalCause holds what the package os/signal says of a signal against what verdict
// looks for.
func TestSignalCause(t *testing.T) {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGUSR1)
	defer stop()
	if err := syscall.Kill(syscall.Getpid(), syscall.SIGUSR1); err != nil {
		t.Fatal(err)
	}
	<-ctx.Done()
	if cause := context.Cause(ctx).Error(); !strings.HasPrefix(cause, syscall.SIGUSR1.String()) {
		t.Errorf("cause %q does not begin with %q", cause, syscall.SIGUSR1)
	}
}
