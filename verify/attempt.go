package verify

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"github.com/mcpgen/mcpgen/verify/catalog"
	"github.com/mcpgen/mcpgen/verify/report"
)

// An attempt is one try at one app.
type attempt struct {
	*run
	entry   *catalog.Entry
	backing *catalog.Backing // nil if there is none to start
	backed  bool             // it is up

	scratch string // on this machine
	inside  string // the same folder as the server sees it
	network string // of the container
	values  catalog.Values
	redact  *redactor
	notes   []string // beside those of the verdict

	looks int // launches so far
}

// attempt checks an app once, from its entry to a redacted result.
func (r *run) attempt(ctx context.Context, e *catalog.Entry) report.Result {
	a := &attempt{run: r, entry: e}
	a.redact = newRedactor(a.secrets(nil))
	result := a.guarded(ctx)
	a.redact.result(&result)
	result.Notes = shorten(oneLine(result.Notes), maxNotes)
	result.StderrTail = lastBytes(result.StderrTail, tailShown)
	return result
}

// guarded turns a panic of ours into a result, and remembers it for the end of the run.
func (a *attempt) guarded(ctx context.Context) (result report.Result) {
	defer func() {
		if p := recover(); p != nil {
			err := &failure{kind: "exception", reason: fmt.Sprintf("mcpgen: internal: %s: %v", a.entry.ID, p)}
			a.tell(func() { a.faults = append(a.faults, fmt.Errorf("%w\n%s", err, debug.Stack())) })
			result = a.failed(err)
		}
	}()
	return a.verdict(ctx)
}

// secrets returns the values that nobody should read.
func (a *attempt) secrets(resolved []string) []string {
	list := slices.Clone(resolved)
	for _, value := range a.Secrets {
		list = append(list, value)
	}
	for _, values := range a.Header {
		for _, value := range values {
			list = append(list, value)
			if i := strings.LastIndexByte(value, ' '); i >= 0 { // the token of a scheme
				list = append(list, value[i+1:])
			}
		}
	}
	if a.entry.Auth != nil {
		list = append(list, a.token())
	}
	if u, err := url.Parse(a.entry.URL); err == nil {
		if password, ok := u.User.Password(); ok {
			list = append(list, password)
		}
		for name, values := range u.Query() {
			if isSecretName(name) {
				list = append(list, values...)
			}
		}
	}
	return list
}

func isSecretName(name string) bool {
	name = strings.ToLower(name)
	return slices.ContainsFunc([]string{"key", "token", "secret", "password", "auth", "sig"}, func(word string) bool {
		return strings.Contains(name, word)
	})
}

// verdict goes through what is needed before a server can be looked at, and looks at it.
func (a *attempt) verdict(ctx context.Context) report.Result {
	e := a.entry
	switch {
	case !e.HasMCP:
		return a.skip("not-mcp", "no mcp block")
	case e.Transport != "stdio" && e.Transport != "http":
		return a.broken(fmt.Errorf("unknown transport %q", e.Transport))
	case e.Transport == "http" && e.URL == "":
		return a.skip("remote", "transport http without url")
	case e.Transport == "http" && !a.Remote && !isLoopback(e.URL):
		return a.skip("remote", hostOf(e.URL)+" is not this machine: not contacted without --remote")
	}
	if err := a.makeScratch(ctx); err != nil {
		return a.broken(err)
	}
	defer a.removeScratch()
	if err := a.prepare(); err != nil {
		return a.broken(err)
	}
	if a.engine != nil && e.Transport == "stdio" {
		remove, err := a.provide(ctx)
		defer remove()
		if err != nil {
			return a.failed(err)
		}
	}
	if a.Protocol == AllRevisions {
		return a.everyRevision(ctx)
	}
	return a.judge(a.lookTwice(ctx, a.Protocol))
}

func (a *attempt) skip(class, note string) report.Result {
	result := blank(a.entry)
	result.Score, result.Class, result.Notes = report.Skip, class, class+": "+note
	return result
}

func (a *attempt) broken(err error) report.Result {
	return a.failed(&failure{kind: "config", reason: err.Error()})
}

func (a *attempt) failed(err error) report.Result {
	result := blank(a.entry)
	result.Score, result.Class, result.FailKind = report.Error, "infra", "run"
	if f, ok := errors.AsType[*failure](err); ok {
		result.FailKind = f.kind
	}
	result.Notes = err.Error()
	return result
}

// prepare works out the environment and looks at the arguments.
func (a *attempt) prepare() error {
	backing, err := a.entry.Backing()
	if err != nil {
		return err
	}
	if a.engine != nil && !a.NoBacking {
		a.backing = backing
	}
	a.resolve()
	for _, args := range [][]string{a.entry.Args, a.entry.Service.Command} {
		if _, err := a.entry.Substitute(args, a.values.Of); err != nil {
			return err
		}
	}
	return nil
}

func (a *attempt) resolve() {
	from := catalog.Sources{Secrets: a.Secrets, Process: a.getenv, Scratch: a.inside}
	if a.backed {
		from.Rewrite = a.backing.Rewrite
	}
	a.values = a.entry.Resolve(from)
	a.redact = newRedactor(a.secrets(a.values.Real))
}

// provide pulls the image and starts the backing service. What it started is removed by
// the function returned, which is never nil.
func (a *attempt) provide(ctx context.Context) (remove func(), err error) {
	remove = func() {}
	a.phase("pulling", a.image())
	if image := a.image(); image != "" {
		if err := a.engine.pull(ctx, image, a.times.pull); err != nil {
			return remove, err
		}
	}
	if a.backing == nil {
		return remove, nil
	}
	a.phase("backing", a.backing.Image)
	network, remove, err := a.startBacking(ctx)
	if err != nil {
		a.notes = append(a.notes, "checked without its backing service: "+err.Error())
		return remove, nil
	}
	a.network, a.backed = network, true
	a.resolve()
	return remove, nil
}

func (a *attempt) image() string {
	if a.entry.Command == "docker" {
		args, _ := a.entry.Substitute((box{}).dockerArgs(a.entry.Args), a.values.Of) // prepare has told what is wrong
		return imageIn(args)
	}
	return imageOf(a.entry)
}

// phase tells how far an app is.
func (a *attempt) phase(name, message string) {
	a.tell(func() {
		a.Sink.AppPhase(a.entry.ID, name, a.redact.text(message), time.Now().UnixMilli())
	})
}

// makeScratch makes the folder that the server may use, and what must be in it.
func (a *attempt) makeScratch(ctx context.Context) error {
	dir, err := os.MkdirTemp("", "qa-mcp-"+safeName(a.entry.ID)+"-"+a.id+"-")
	if err != nil {
		return err
	}
	if resolved, err := filepath.EvalSymlinks(dir); err == nil {
		dir = resolved
	}
	a.scratch, a.inside = dir, dir
	if a.engine != nil && a.entry.Transport == "stdio" {
		a.inside = scratchInside
	}
	if err := os.Chmod(dir, 0o777); err != nil { // a container may run as anybody
		return err
	}
	if a.entry.Seed() == "git" {
		git := exec.CommandContext(ctx, "git", "init", "-q", dir)
		git.Env = a.Env
		if out, err := git.CombinedOutput(); err != nil {
			return fmt.Errorf("git init of the scratch folder: %w %s", err, oneLine(string(out)))
		}
	}
	return nil
}

// removeScratch removes the folder; what belongs to another user, by way of a container.
func (a *attempt) removeScratch() {
	a.phase("teardown", "")
	if os.RemoveAll(a.scratch) == nil || a.engine == nil {
		return
	}
	_, _ = a.engine.command(context.Background(), removeTimeout, "run", "--rm", "-v", a.scratch+":/scratch", "alpine",
		"find", "/scratch", "-mindepth", "1", "-delete")
	_ = os.RemoveAll(a.scratch)
}

// safeName makes an id fit for names of files and containers.
func safeName(id string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '-' || r == '_' || r == '.' {
			return r
		}
		return '_'
	}, id)
}

func hostOf(address string) string {
	if u, err := url.Parse(address); err == nil && u.Host != "" {
		return u.Host
	}
	return address
}

// isLoopback reports whether an address is this machine's.
func isLoopback(address string) bool {
	u, err := url.Parse(address)
	if err != nil {
		return false
	}
	ip := net.ParseIP(u.Hostname())
	return u.Hostname() == "localhost" || ip != nil && ip.IsLoopback()
}

// readSome reads all there is and returns the first n bytes of it.
func readSome(r io.Reader, n int64) string {
	text, _ := io.ReadAll(io.LimitReader(r, n))
	_, _ = io.Copy(io.Discard, r)
	return string(text)
}

// mark is what every process that is started for an app carries in its environment.
func (r *run) mark(id string) string { return "MCPGEN_VERIFY=" + r.id + "/" + id }
