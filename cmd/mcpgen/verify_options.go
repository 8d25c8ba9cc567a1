package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"github.com/mcpgen/mcpgen/verify"
	"github.com/mcpgen/mcpgen/verify/catalog"
)

// getenv returns a variable of the environment that mcpgen was given.
func (a *app) getenv(key string) string {
	value := ""
	for _, entry := range a.env {
		if v, ok := strings.CutPrefix(entry, key+"="); ok {
			value = v
		}
	}
	return value
}

// options makes the options of a run from flags and, where those are absent, variables.
func (f *verifyFlags) options(a *app, set *pflag.FlagSet, stdin io.Reader, args []string) (verify.Options, error) {
	o := verify.Defaults()
	o.Env = a.env
	o.Exact, o.Strict, o.ProbeNet, o.Remote = f.exact, f.strict, f.probeNet, f.remote || f.url != ""
	o.Declared, o.Retries, o.URL = f.declare, f.retries, f.url
	o.NoBacking = f.noBacking || !f.backing
	o.Memory, o.CPUs = a.getenv("QA_MEM_LIMIT"), a.getenv("QA_CPU_LIMIT")
	steps := []func() error{
		func() error { return f.setNumbers(&o, a, set) },
		func() error { return f.setChoices(&o, a, set) },
		func() error { return f.setTargets(&o, a, set, stdin, args) },
		func() error { return f.setProbe(&o) },
		func() error { return f.setSecrets(&o, a, set) },
	}
	for _, step := range steps {
		if err := step(); err != nil {
			return o, err
		}
	}
	return o, nil
}

// setNumbers sets what has a variable with a number.
func (f *verifyFlags) setNumbers(o *verify.Options, a *app, set *pflag.FlagSet) error {
	o.Timeout, o.ProbeTimeout, o.Jobs = f.timeout, f.probeTimeout, f.jobs
	for _, n := range []struct {
		flag, variable string
		put            func(int)
	}{
		{"timeout", "QA_MCP_TIMEOUT_MS", func(n int) { o.Timeout = time.Duration(n) * time.Millisecond }},
		{"probe-timeout", "QA_MCP_PROBE_TIMEOUT_MS", func(n int) { o.ProbeTimeout = time.Duration(n) * time.Millisecond }},
		{"jobs", "QA_CONCURRENCY", func(n int) { o.Jobs = n }},
		{"", "QA_APP_WATCHDOG_MS", func(n int) { o.Watchdog = max(10*time.Second, time.Duration(n)*time.Millisecond) }},
	} {
		text := a.getenv(n.variable)
		if text == "" || n.flag != "" && set.Changed(n.flag) {
			continue
		}
		value, err := strconv.Atoi(text)
		if err != nil || value < 1 {
			return usage(fmt.Sprintf("$%s %q: want a positive number", n.variable, text))
		}
		n.put(value)
	}
	switch {
	case o.Jobs < 1:
		return usage(fmt.Sprintf("--jobs %d: want at least 1", o.Jobs))
	case o.Retries < 0:
		return usage(fmt.Sprintf("--retries %d: want 0 or more", o.Retries))
	case o.Timeout <= 0 || o.ProbeTimeout <= 0:
		return usage("--timeout and --probe-timeout: want a positive duration, as in 30s")
	}
	return nil
}

// setChoices sets what is one of a few words.
func (f *verifyFlags) setChoices(o *verify.Options, a *app, set *pflag.FlagSet) error {
	o.Probing, o.Runner = verify.Probing(f.probe), verify.Runner(f.runner)
	if !set.Changed("probe") && a.getenv("QA_MCP_PROBE") == "0" {
		o.Probing = verify.ProbeOff
	}
	if !set.Changed("probe-net") && a.getenv("QA_MCP_PROBE_NET") == "1" {
		o.ProbeNet = true
	}
	if !set.Changed("backing") && a.getenv("QA_MCP_BACKING") == "0" {
		o.NoBacking = true
	}
	if f.protocol != "auto" {
		o.Protocol = f.protocol
	}
	if f.stdio && !set.Changed("runner") {
		o.Runner = verify.Host
	}
	switch {
	case f.protocol == "":
		return usage("--protocol: want a revision, auto or all")
	case !slices.Contains([]verify.Probing{verify.ProbeOff, verify.ProbeCurated, verify.ProbeAuto}, o.Probing):
		return usage(fmt.Sprintf("--probe %q: want off, curated or auto", f.probe))
	case !slices.Contains([]verify.Runner{verify.Docker, verify.Podman, verify.Host}, o.Runner):
		return usage(fmt.Sprintf("--runner %q: want docker, podman or host", f.runner))
	}
	return nil
}

// setTargets sets what is checked and what is declared of it.
func (f *verifyFlags) setTargets(o *verify.Options, a *app, set *pflag.FlagSet, stdin io.Reader, args []string) error {
	o.Store = f.store
	if store := a.getenv("APP_STORE_DIR"); store != "" && !set.Changed("store") {
		o.Store = store
	}
	if f.stdin || a.getenv("QA_STDIN") == "1" && !f.stdio && f.url == "" && !f.all && len(args) == 0 {
		o.Stdin = stdin
	}
	o.Header = http.Header{}
	for _, line := range f.headers {
		name, value, ok := strings.Cut(line, ":")
		if !ok || strings.TrimSpace(name) == "" {
			return usage("--header: want 'NAME: VALUE'") // not what was given: it may be a secret
		}
		o.Header.Add(strings.TrimSpace(name), strings.TrimSpace(value))
	}
	if err := f.checkTargets(o, args); err != nil {
		return err
	}
	switch {
	case f.stdio:
		o.Command = args
	case f.all:
		ids, problems := catalog.Discover(o.Store)
		for _, p := range problems {
			a.say(p.Error())
		}
		o.Apps = ids
	default:
		o.Apps = args
	}
	if f.expect != "" {
		e, err := verify.ReadExpect(f.expect)
		if err != nil {
			return unreadable{err}
		}
		o.Expect = e
	}
	if len(o.Apps) == 0 && o.Stdin == nil && f.url == "" && !f.stdio {
		if f.all {
			return usage("no app with an MCP server in " + o.Store)
		}
		return usage("name apps of a store, or give --all, --stdio or --url; see mcpgen verify --help")
	}
	return nil
}

// unreadable is a file named on the command line that cannot be used.
type unreadable struct{ error }

func (u unreadable) Unwrap() error { return u.error }

// checkTargets finds flags that contradict each other.
func (f *verifyFlags) checkTargets(o *verify.Options, args []string) error {
	var given []string
	for _, way := range []struct {
		set  bool
		name string
	}{
		{f.all, "--all"}, {f.stdio, "--stdio"}, {f.url != "", "--url"}, {f.stdin, "--stdin"},
		{len(args) > 0 && !f.stdio, "the name of an app"},
	} {
		if way.set {
			given = append(given, way.name)
		}
	}
	alone := f.stdio || f.url != ""
	switch {
	case len(given) > 1:
		return usage("cannot use " + given[0] + " with " + given[1])
	case f.stdio && len(args) == 0:
		return usage("--stdio: want a command after --, as in mcpgen verify --stdio -- npx -y SERVER")
	case f.stdio && o.Runner != verify.Host:
		return usage("cannot use --stdio with --runner " + f.runner)
	case !alone && (f.expect != "" || len(f.declare) > 0 || f.probeTool != ""):
		return usage("--expect, --declare and --probe-tool need --stdio or --url: an app of a store declares its own")
	case f.expect != "" && len(f.declare) > 0:
		return usage("cannot use --expect with --declare")
	case len(f.headers) > 0 && f.url == "":
		return usage("--header needs --url")
	}
	return nil
}

func (f *verifyFlags) setProbe(o *verify.Options) error {
	var object map[string]any
	if json.Unmarshal([]byte(f.probeArgs), &object) != nil || object == nil {
		return usage(fmt.Sprintf("--probe-args %q: want a JSON object", f.probeArgs))
	}
	if f.probeTool != "" {
		o.Probe = &catalog.Probe{Tool: f.probeTool, Args: json.RawMessage(f.probeArgs)}
	}
	return nil
}

// setSecrets reads secrets. What is wrong with them is told without a word of them.
func (f *verifyFlags) setSecrets(o *verify.Options, a *app, set *pflag.FlagSet) error {
	text, from := []byte(a.getenv("QA_MCP_SECRETS_JSON")), "$QA_MCP_SECRETS_JSON"
	if set.Changed("secrets") {
		from = f.secrets
		var err error
		if text, err = os.ReadFile(f.secrets); err != nil {
			return unreadable{err}
		}
	}
	if len(text) == 0 {
		return nil
	}
	if err := json.Unmarshal(text, &o.Secrets); err != nil {
		return unreadable{errors.New(from + ": want a JSON object of strings")}
	}
	return nil
}
