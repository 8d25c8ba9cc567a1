package verify

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/mcpgen/mcpgen/verify/catalog"
	"github.com/mcpgen/mcpgen/verify/process"
)

// label marks containers and networks of this harness; its value is the id of the run.
const label = "mcpgen.verify"

// Bounds of the engine's own commands.
const (
	removeTimeout = 30 * time.Second
	sweepTimeout  = 10 * time.Second
	askTimeout    = 30 * time.Second
)

// An engine is the command line of a container engine.
type engine struct {
	run  *run
	name string
}

// An engineError is a command of the engine that failed.
type engineError struct {
	code   int // of the engine; -1 if it could not be run or did not end
	text   string
	launch bool // it could not be started at all
}

func (e *engineError) Error() string { return e.text }

// command runs a command of the engine and returns what it printed.
func (g *engine) command(ctx context.Context, limit time.Duration, args ...string) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	p, err := process.Start(process.Command{Args: append([]string{g.name}, args...), Env: g.run.Env, Mark: g.run.mark("engine")})
	if err != nil {
		return "", &engineError{-1, err.Error(), true}
	}
	defer p.Close()
	out := make(chan string, 1)
	go func() { out <- readSome(p.Output, 1<<20) }()
	select {
	case <-p.Done():
	case <-ctx.Done():
		p.Stop(0)
		return <-out, &engineError{-1, fmt.Sprintf("%s %s did not end in time", g.name, args[0]), false}
	}
	text := <-out
	p.Settle(0)
	exit := p.Stop(0)
	if exit.Code != 0 {
		return text, &engineError{exit.Code, oneLine(lastBytes(p.Stderr(), 800)), false}
	}
	return text, nil
}

// isDown reports whether a text of the engine says that it does not run.
func isDown(text string) bool {
	text = strings.ToLower(text)
	return strings.Contains(text, "cannot connect to the docker daemon") || strings.Contains(text, "is the docker daemon running") ||
		strings.Contains(text, "cannot connect to podman") || strings.Contains(text, "permission denied while trying to connect")
}

// pull makes sure that an image is there. Errors are failures of the engine if the engine
// does not run, and otherwise of the pull.
func (g *engine) pull(ctx context.Context, image string, limit time.Duration) error {
	_, err := g.command(ctx, limit, "image", "inspect", image)
	if err == nil {
		return nil
	}
	if e, ok := errors.AsType[*engineError](err); ok && (e.launch || isDown(e.text)) {
		return &failure{kind: "run", reason: g.name + ": " + e.text}
	}
	if _, err = g.command(ctx, limit, "pull", image); err != nil {
		e, _ := errors.AsType[*engineError](err)
		if isDown(e.text) {
			return &failure{kind: "run", reason: g.name + ": " + e.text}
		}
		return &failure{kind: "pull", reason: image + ": " + e.text}
	}
	return nil
}

// remove removes a container and its anonymous volumes, if it is there. It works when the
// run has been ended, too.
func (g *engine) remove(name string) {
	_, _ = g.command(context.Background(), removeTimeout, "rm", "-f", "-v", name)
}

// sweep removes what runs left behind whose process is gone.
func (g *engine) sweep(ctx context.Context) {
	for _, kind := range []struct{ list, remove []string }{
		{[]string{"ps", "-a"}, []string{"rm", "-f", "-v"}},
		{[]string{"network", "ls"}, []string{"network", "rm"}},
	} {
		out, err := g.command(ctx, sweepTimeout, append(kind.list, "--filter", "label="+label, "--format", `{{.ID}} {{.Label "`+label+`"}}`)...)
		if err != nil {
			return // an engine that does not answer is told of with the first app
		}
		for line := range strings.Lines(out) {
			id, owner, _ := strings.Cut(strings.TrimSpace(line), " ")
			if isStale(owner) {
				_, _ = g.command(ctx, removeTimeout, append(kind.remove, id)...)
			}
		}
	}
}

// isStale reports whether a run of this machine is over.
func isStale(runID string) bool {
	parts := strings.Split(runID, "-")
	if len(parts) != 3 || parts[0] != machine() {
		return false
	}
	pid, err := strconv.Atoi(parts[1])
	return err == nil && pid != os.Getpid() && !process.Alive(pid)
}

// start starts the service that an app needs beside it, on a network of its own, and waits
// until it is up. What was made is removed by the function returned, in any case.
func (a *attempt) startBacking(ctx context.Context) (network string, remove func(), err error) {
	g := a.engine
	network = "mcpgen-" + a.id + "-" + a.entry.ID
	sidecar := "mcpgen-" + a.entry.ID + "-backing-" + a.id
	remove = func() {
		g.remove(sidecar)
		_, _ = g.command(context.Background(), removeTimeout, "network", "rm", network)
	}
	b := a.backing
	if err := g.pull(ctx, b.Image, a.times.pull); err != nil {
		return "", remove, err
	}
	if _, err := g.command(ctx, askTimeout, "network", "create", "--label", label+"="+a.id, network); err != nil {
		return "", remove, err
	}
	args := []string{"run", "-d", "--name", sidecar, "--label", label + "=" + a.id, "--network", network}
	if b.Alias != "" {
		args = append(args, "--network-alias", b.Alias)
	}
	for _, entry := range catalog.Environ(b.Env) { // no secrets: they come with the catalogue
		args = append(args, "-e", entry)
	}
	if _, err := g.command(ctx, askTimeout, append(args, b.Image)...); err != nil {
		return "", remove, err
	}
	return network, remove, a.awaitBacking(ctx, sidecar)
}

// awaitBacking waits for two successes in a row: databases answer once before they restart.
func (a *attempt) awaitBacking(ctx context.Context, sidecar string) error {
	if len(a.backing.Ready) == 0 {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, a.times.ready)
	defer cancel()
	tick := time.NewTicker(a.times.poll)
	defer tick.Stop()
	for ready := 0; ready < 2; {
		if _, err := a.engine.command(ctx, a.times.ready, append([]string{"exec", sidecar}, a.backing.Ready...)...); err == nil {
			ready++
			continue
		}
		ready = 0
		select {
		case <-ctx.Done():
			return fmt.Errorf("%s is not ready after %s", a.backing.Image, a.times.ready)
		case <-tick.C:
		}
	}
	return nil
}
