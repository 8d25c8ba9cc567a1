package verify

import (
	"io"
	"net/http"
	"time"

	"github.com/mcpgen/mcpgen/verify/catalog"
	"github.com/mcpgen/mcpgen/verify/client"
	"github.com/mcpgen/mcpgen/verify/report"
)

// A Runner says where servers of a catalogue run.
type Runner string

// Runners: container engines by the name of their command line, or this machine.
const (
	Docker Runner = "docker"
	Podman Runner = "podman"
	Host   Runner = "host"
)

// Probing says which probes are sent.
type Probing string

// Ways to probe: never, where a harmless call is known, or also where a tool describes
// itself as harmless.
const (
	ProbeOff     Probing = "off"
	ProbeCurated Probing = "curated"
	ProbeAuto    Probing = "auto"
)

// AllRevisions as Options.Protocol has a server asked once for each revision.
const AllRevisions = "all"

// Options say what to check and how. Fields that are durations or numbers have the
// defaults of [Defaults], not zero.
type Options struct {
	// What to check: apps of a store (or, with Stdin, those named there, one a line), or
	// one server that is not in any.
	Store   string
	Apps    []string
	Stdin   io.Reader
	Command []string    // of a server on standard input and output
	URL     string      // of a server on HTTP
	Header  http.Header // for URL

	// What is declared of a server that is in no store.
	Declared []string
	Expect   *Expect

	Protocol string // revision to speak; "" finds out; or [AllRevisions]
	Exact    bool   // tools that are not declared are drift
	Strict   bool   // findings about the protocol make a warning

	Probing   Probing
	Probe     *catalog.Probe // for a server that is in no store
	ProbeNet  bool           // probes may use the network
	Secrets   map[string]string
	NoBacking bool
	Runner    Runner
	Remote    bool // addresses that are not this machine's may be contacted

	Jobs         int
	Retries      int
	Timeout      time.Duration // from the start of a server to its complete list
	ProbeTimeout time.Duration
	Watchdog     time.Duration // of an app; 0 works it out
	Memory, CPUs string        // limits of containers, as the engine spells them

	Env  []string              // of this process
	Sink report.Sink           // told what happens, from one goroutine at a time
	Each func([]report.Result) // told all results so far after each one

	times times
	runID string // "" makes one
}

// times are waits that tests make shorter, or longer.
type times struct {
	grace  time.Duration // between the steps of ending a server
	settle time.Duration // for a change of tools to be announced
	output time.Duration // for the end of a server whose output has ended
	pull   time.Duration
	ready  time.Duration // of a backing service
	poll   time.Duration // between looks at a backing service
	exit   time.Duration // for teardowns when a run is over
}

// Defaults returns the options of a run that nothing was said about.
func Defaults() Options {
	return Options{
		Probing: ProbeCurated, Runner: Docker, Jobs: 2, Retries: 1,
		Timeout: 90 * time.Second, ProbeTimeout: 15 * time.Second,
		Sink: report.Discard{},
		times: times{
			grace: 2 * time.Second, settle: time.Second, output: 500 * time.Millisecond, pull: 300 * time.Second,
			ready: 60 * time.Second, poll: 500 * time.Millisecond, exit: 15 * time.Second,
		},
	}
}

// getenv returns a variable of this process.
func (o *Options) getenv(key string) string {
	for i := len(o.Env) - 1; i >= 0; i-- {
		if e := o.Env[i]; len(e) > len(key) && e[len(key)] == '=' && e[:len(key)] == key {
			return e[len(key)+1:]
		}
	}
	return ""
}

// adHoc reports whether the server is in no store.
func (o *Options) adHoc() bool { return len(o.Command) > 0 || o.URL != "" }

// watchdog returns how long one app may take, everything included.
func (o *Options) watchdog(e *catalog.Entry) time.Duration {
	if o.Watchdog > 0 {
		return o.Watchdog
	}
	const backing, teardown, slack = 60 * time.Second, 45 * time.Second, 60 * time.Second
	looks := time.Duration(1)
	if o.Protocol == AllRevisions {
		looks += time.Duration(len(client.Revisions))
	}
	one := o.times.pull + looks*(o.timeoutOf(e)+o.probeTimeoutOf(e)) + backing + teardown
	return time.Duration(o.Retries+1)*one + slack
}

func (o *Options) timeoutOf(e *catalog.Entry) time.Duration {
	if e.Verify.TimeoutMS > 0 {
		return time.Duration(e.Verify.TimeoutMS) * time.Millisecond
	}
	return o.Timeout
}

func (o *Options) probeTimeoutOf(e *catalog.Entry) time.Duration {
	if e.Verify.ProbeTimeoutMS > 0 {
		return time.Duration(e.Verify.ProbeTimeoutMS) * time.Millisecond
	}
	return o.ProbeTimeout
}
