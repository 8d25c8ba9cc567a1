package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/mcpgen/mcpgen/verify"
	"github.com/mcpgen/mcpgen/verify/report"
)

// verifyFlags are the flags of verify as they are written.
type verifyFlags struct {
	all, stdio, bridge, bridgeLegacy, stdin bool
	url, triage                             string
	headers, declare, apps                  []string

	store, expect, protocol, runner, probe, probeTool, probeArgs, secrets string
	timeout, probeTimeout                                                 time.Duration
	probeNet, backing, noBacking, remote, exact, strict                   bool
	jobs, retries                                                         int

	format, failOn, json, junit, tap, html, results string
}

func (a *app) verifyCommand() *cobra.Command {
	var f verifyFlags
	cmd := &cobra.Command{
		Use: `verify [flags] APP...
  mcpgen verify [flags] --all
  mcpgen verify [flags] --stdio -- COMMAND [ARG...]
  mcpgen verify [flags] --url URL
  mcpgen verify [flags] --bridge
  mcpgen verify --triage FILE`,
		Short: "Check MCP servers against what they declare",
		Long: `Start MCP servers, or connect to them, and tell of each whether it speaks the protocol,
lists the tools that it declares, and answers one harmless call; and if not, whose fault
that is.

APP is a folder of a store of apps. With --stdio the one server is a command, with --url
an address, with --bridge the endpoint of a hub.

Scores are pass, warn, fail, error and timeout (the harness or its surroundings) and skip.
The exit status is 1 if a score is one that --fail-on names or a worse one, and 2 if there
was nothing to do.

Flags come before the variables named with them. Variables without a flag: $QA_MEM_LIMIT
and $QA_CPU_LIMIT limit each container, $QA_APP_WATCHDOG_MS the time for an app,
$QA_BRIDGE_TIMEOUT_MS that for a request to the hub; $QA_BATCH names the run in the summary.`,
		Args: cobra.ArbitraryArgs,
	}
	f.register(cmd.Flags())
	cmd.RunE = work(func(cmd *cobra.Command, args []string) error {
		return a.verify(cmd.Context(), cmd.Flags(), &f, cmd.InOrStdin(), args)
	})
	return cmd
}

func (f *verifyFlags) register(set *pflag.FlagSet) {
	d := verify.Defaults()
	set.BoolVar(&f.all, "all", false, "check every app of the store that has an MCP server")
	set.BoolVar(&f.stdio, "stdio", false, "check the server that the command after -- starts")
	set.StringVar(&f.url, "url", "", "check the server at `URL`, over HTTP")
	set.StringArrayVar(&f.headers, "header", nil, "send `'NAME: VALUE'` to the URL; may be repeated")
	set.BoolVar(&f.bridge, "bridge", false, "check the bridge of the hub at $HUB_URL, with the key $MCP_API_KEY")
	set.BoolVar(&f.bridgeLegacy, "bridge-legacy", false, "check its older HTTP+SSE endpoint")
	set.StringArrayVar(&f.apps, "expect-app", nil, "`URN` of an app that the bridge must show tools of; may be repeated")
	set.StringVar(&f.triage, "triage", "", "sort the results in `FILE` into what is to be done; check nothing")

	set.StringVar(&f.store, "store", "../CI-Marketplace/apps", "`DIR` with a folder for each app ($APP_STORE_DIR)")
	set.BoolVar(&f.stdin, "stdin", false, "read the names of apps from standard input, one a line ($QA_STDIN)")
	set.StringVar(&f.runner, "runner", string(verify.Docker), "`WHERE` apps run: docker, podman, or on this host")
	set.BoolVar(&f.remote, "remote", false, "contact addresses that are not this machine's")
	set.StringVar(&f.secrets, "secrets", "", "JSON `FILE` with an object of secrets by variable ($QA_MCP_SECRETS_JSON holds its text)")
	set.BoolVar(&f.backing, "backing", true, "start the service that an app needs beside it ($QA_MCP_BACKING)")
	set.BoolVar(&f.noBacking, "no-backing", false, "start no such service")

	set.StringVar(&f.expect, "expect", "", "`FILE` with the exact tools: a tools/list result, or a manifest")
	set.StringArrayVar(&f.declare, "declare", nil, "`NAME` of a tool that the server must list; may be repeated")
	set.BoolVar(&f.exact, "exact", false, "tools that are not declared are drift")
	set.BoolVar(&f.strict, "strict", false, "findings about the protocol are a warning")
	set.StringVar(&f.protocol, "protocol", "auto", "`REVISION` of the protocol to speak, auto, or all")

	set.StringVar(&f.probe, "probe", string(d.Probing), "`WHICH` harmless calls to make: off, curated (of apps that are known), or auto (also of tools that say they are harmless; $QA_MCP_PROBE=0 is off)")
	set.StringVar(&f.probeTool, "probe-tool", "", "`NAME` of the tool to call")
	set.StringVar(&f.probeArgs, "probe-args", "{}", "its arguments, a `JSON` object")
	set.BoolVar(&f.probeNet, "probe-net", false, "make calls that need the network, too ($QA_MCP_PROBE_NET)")

	set.DurationVar(&f.timeout, "timeout", d.Timeout, "from the start of a server to its list of tools ($QA_MCP_TIMEOUT_MS)")
	set.DurationVar(&f.probeTimeout, "probe-timeout", d.ProbeTimeout, "of a call ($QA_MCP_PROBE_TIMEOUT_MS)")
	set.IntVar(&f.jobs, "jobs", d.Jobs, "`N` apps at once ($QA_CONCURRENCY)")
	set.IntVar(&f.retries, "retries", d.Retries, "try `N` times more after a timeout, or a fault of a registry")

	set.StringVar(&f.format, "format", "", "`FORM` of standard output: text, ndjson, or none (default: text on a terminal, else ndjson)")
	set.StringVar(&f.failOn, "fail-on", "", "lowest `SCORE` of status 1: fail, error, warn, or skip (default: fail; error with --stdio and --url)")
	set.StringVar(&f.json, "json", "", "write the results to `FILE`")
	set.StringVar(&f.junit, "junit", "", "write a JUnit report to `FILE`")
	set.StringVar(&f.tap, "tap", "", "write a TAP 14 report to `FILE`")
	set.StringVar(&f.html, "html", "", "write a page to `FILE`")
	set.StringVar(&f.results, "results", "", "write results.json and a summary into `DIR` ($RESULTS_DIR)")
	set.SortFlags = false
}

// verify runs what the flags ask for.
func (a *app) verify(ctx context.Context, set *pflag.FlagSet, f *verifyFlags, stdin io.Reader, args []string) error {
	if err := f.checkModes(set, args); err != nil {
		return err
	}
	if f.triage != "" {
		return a.triageFile(f)
	}
	on, err := f.failsOn()
	if err != nil {
		return err
	}
	sink, stop, err := a.sink(f.format)
	if err != nil {
		return err
	}
	defer stop()
	began := time.Now()
	var results []report.Result
	layer := report.Servers
	if f.bridge || f.bridgeLegacy {
		layer = report.Bridge
		o, optionsErr := f.bridgeOptions(a, sink)
		if optionsErr != nil {
			return optionsErr
		}
		results, err = verify.RunBridge(ctx, o)
	} else {
		o, optionsErr := f.options(a, set, stdin, args)
		if u, ok := errors.AsType[unreadable](optionsErr); ok {
			return usage(u.Error())
		}
		if optionsErr != nil {
			return optionsErr
		}
		o.Sink, o.Each = sink, f.folder(a, began)
		results, err = verify.Run(ctx, o)
	}
	if writeErr := f.writeReports(layer, results, on); writeErr != nil {
		return writeErr
	}
	return verdict(ctx, err, results, on)
}

// checkModes finds ways to use verify that exclude each other.
func (f *verifyFlags) checkModes(set *pflag.FlagSet, args []string) error {
	if f.triage != "" {
		var others []string
		set.Visit(func(flag *pflag.Flag) {
			if flag.Name != "triage" && flag.Name != "json" {
				others = append(others, "--"+flag.Name)
			}
		})
		if len(others) > 0 || len(args) > 0 {
			return usage("cannot use --triage with " + strings.Join(append(others, args...), " "))
		}
	}
	isBridge := f.bridge || f.bridgeLegacy
	if isBridge && (f.all || f.stdio || f.stdin || f.url != "" || len(args) > 0) {
		return usage("cannot use --bridge with servers to check")
	}
	if len(f.apps) > 0 && !isBridge {
		return usage("--expect-app needs --bridge")
	}
	return nil
}

// failsOn returns the lowest score of status 1.
func (f *verifyFlags) failsOn() (report.FailOn, error) {
	switch on := report.FailOn(f.failOn); {
	case on == "" && (f.stdio || f.url != ""):
		return report.OnError, nil
	case on == "":
		return report.OnFail, nil
	case slices.Contains(report.FailOns, on):
		return on, nil
	}
	return "", usage(fmt.Sprintf("--fail-on %q: want fail, error, warn or skip", f.failOn))
}

// interrupted is a run that a signal ended.
type interrupted struct{ signal syscall.Signal }

func (i interrupted) Error() string { return "" }

// errScore is a run with a result that makes it fail; the result says it all.
var errScore = errors.New("")

// verdict returns the error that makes the exit status.
func verdict(ctx context.Context, err error, results []report.Result, on report.FailOn) error {
	if ctx.Err() != nil {
		if cause := context.Cause(ctx); strings.HasPrefix(cause.Error(), syscall.SIGTERM.String()) {
			return interrupted{syscall.SIGTERM}
		}
		return interrupted{syscall.SIGINT}
	}
	if err != nil {
		return err
	}
	if slices.ContainsFunc(results, func(r report.Result) bool { return on.Includes(r.Score) }) {
		return errScore
	}
	return nil
}
