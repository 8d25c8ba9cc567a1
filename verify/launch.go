package verify

import (
	"encoding/base64"
	"errors"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"

	"github.com/mcpgen/mcpgen/verify/catalog"
	"github.com/mcpgen/mcpgen/verify/client"
	"github.com/mcpgen/mcpgen/verify/process"
)

// hostEnvironment are the variables that a server of a catalogue sees of this machine.
var hostEnvironment = []string{"PATH", "HOME", "LANG", "TMPDIR"}

// open starts the server, or prepares to connect to it. Errors are of type *failure.
func (a *attempt) open(cfg client.Config) (*server, error) {
	if a.entry.Transport == "http" {
		target, err := a.target()
		if err != nil {
			return nil, &failure{kind: "config", reason: err.Error()}
		}
		return &server{session: client.HTTP(cfg, target)}, nil
	}
	c, container, err := a.command()
	if err != nil {
		return nil, &failure{kind: "config", reason: err.Error()}
	}
	p, err := process.Start(c)
	if err != nil {
		if container != "" {
			a.engine.remove(container)
		}
		return nil, &failure{kind: "run", reason: startReason(err)}
	}
	out := &counter{r: p.Output}
	return &server{session: client.Pipes(cfg, p.Input, out), process: p, output: out, container: container}, nil
}

func startReason(err error) string {
	if errors.Is(err, process.ErrNotFound) {
		return "executable not found: " + strings.TrimSuffix(err.Error(), ": "+process.ErrNotFound.Error())
	}
	return err.Error()
}

// command returns what to run and the name of the container that comes of it.
func (a *attempt) command() (c process.Command, container string, err error) {
	c.Mark = a.mark(a.entry.ID + "/" + strconv.Itoa(a.looks))
	if len(a.Command) > 0 {
		c.Args, c.Env = a.Command, a.Env
		return c, "", nil
	}
	args, err := a.entry.Substitute(a.entry.Args, a.values.Of)
	if err != nil {
		return c, "", err
	}
	if a.engine == nil {
		c.Args = append([]string{a.entry.Command}, args...)
		c.Dir = a.scratch
		for _, key := range hostEnvironment {
			if value := a.getenv(key); value != "" {
				c.Env = append(c.Env, key+"="+value)
			}
		}
		c.Env = append(c.Env, a.passed()...)
		return c, "", nil
	}
	c.Env = append(slices.Clone(a.Env), a.passed()...)
	container = "mcpgen-" + safeName(a.entry.ID) + "-" + a.id + "-" + strconv.Itoa(a.looks)
	b := a.box(container)
	if a.entry.Command == "docker" {
		// What values stand for stays off the command line where that is possible.
		args, err = a.entry.Substitute(b.dockerArgs(a.entry.Args), a.values.Of)
		c.Args = append([]string{a.engine.name}, args...)
		return c, container, err
	}
	service, err := a.entry.Substitute(a.entry.Service.Command, a.values.Of)
	if a.entry.Service.Command == nil {
		service = nil
	}
	c.Args = append([]string{a.engine.name}, b.imageArgs(a.entry, args, service)...)
	return c, container, err
}

func (a *attempt) box(container string) box {
	b := box{name: container, runID: a.id, network: a.network}
	if a.values.UsesFolder {
		b.scratch = a.scratch
	}
	if a.entry.Command == "docker" {
		return b // it names its variables itself
	}
	b.memory, b.cpus = a.Memory, a.CPUs
	for _, entry := range a.passed() {
		key, _, _ := strings.Cut(entry, "=")
		b.keys = append(b.keys, key)
	}
	return b
}

// passed returns the values that a server gets. Variables that decide where programs, or
// the engine, are found keep their meaning, whatever an entry declares.
func (a *attempt) passed() []string {
	return slices.DeleteFunc(catalog.Environ(a.values.Of), func(entry string) bool {
		key, _, _ := strings.Cut(entry, "=")
		return slices.Contains(hostEnvironment, key) || strings.HasPrefix(key, "DOCKER_") && a.engine != nil
	})
}

// target returns the endpoint with what proves who asks.
func (a *attempt) target() (client.Target, error) {
	u, err := url.Parse(a.entry.URL)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return client.Target{}, errors.New("url: want http:// or https:// and a host")
	}
	t := client.Target{URL: a.entry.URL, Header: a.Header.Clone()}
	auth := a.entry.Auth
	if auth == nil || auth.Type == "none" {
		return t, nil
	}
	token := a.token()
	if token == "" {
		return t, nil // the server will say what it thinks of that
	}
	if t.Header == nil {
		t.Header = http.Header{}
	}
	switch auth.Type {
	case "", "bearer":
		t.Header.Set(or(auth.Header, "Authorization"), "Bearer "+token)
	case "basic":
		if strings.Contains(token, ":") {
			token = base64.StdEncoding.EncodeToString([]byte(token))
		}
		t.Header.Set(or(auth.Header, "Authorization"), "Basic "+token)
	case "api_key":
		if auth.APIKeyIn == "query" {
			q := u.Query()
			q.Set(or(auth.APIKeyName, "api_key"), token)
			u.RawQuery = q.Encode()
			t.URL = u.String()
			break
		}
		t.Header.Set(or(auth.Header, or(auth.APIKeyName, "X-API-Key")), token)
	default:
		return t, errors.New("auth.type " + strconv.Quote(auth.Type) + ": want bearer, basic, api_key or none")
	}
	return t, nil
}

// token returns the credential for a URL.
func (a *attempt) token() string {
	key := a.entry.Auth.TokenEnv
	if value := a.values.Of[key]; value != "" {
		return value
	}
	return or(a.Secrets[key], a.getenv(key))
}

func or(text, otherwise string) string {
	if text != "" {
		return text
	}
	return otherwise
}

// A counter counts the bytes that are read through it.
type counter struct {
	r io.Reader
	n atomic.Int64
}

func (c *counter) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	c.n.Add(int64(n))
	return n, err
}

func (c *counter) count() int64 { return c.n.Load() }
