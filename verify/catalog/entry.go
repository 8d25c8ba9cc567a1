package catalog

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
)

// An Entry is an app of a store, or a server named on the command line.
type Entry struct {
	ID   string
	Name string // to show; the id if it has none

	HasMCP    bool // false: a web app, nothing to check
	Transport string
	Command   string
	Args      []string
	HasArgs   bool
	Env       []Variable
	URL       string
	Auth      *Auth
	Software  []string // that the host must have
	Declared  []string // names of tools
	Verify    Verify
	Service   Service // main service of docker-compose.json
}

// A Variable is one that an app declares.
type Variable struct {
	Key      string
	Required bool
	Secret   bool
}

// Auth says how the token in a variable is sent to a URL.
type Auth struct {
	Type       string `json:"type"` // bearer, basic, api_key, none
	TokenEnv   string `json:"token_env"`
	Header     string `json:"header"`
	APIKeyName string `json:"api_key_name"`
	APIKeyIn   string `json:"api_key_in"` // header or query
}

// Verify holds what an entry says to this harness alone.
type Verify struct {
	Probe          Optional[Probe]   `json:"probe"`
	Backing        json.RawMessage   `json:"backing"` // an id or a [Backing]
	Env            map[string]string `json:"env"`
	Capabilities   json.RawMessage   `json:"capabilities"`
	TimeoutMS      int               `json:"timeoutMs"`
	ProbeTimeoutMS int               `json:"probeTimeoutMs"`
	Seed           string            `json:"seed"`  // "git": git init in the scratch folder first
	Exact          bool              `json:"exact"` // tools that are not declared are drift
}

// Optional tells a member that is null from one that is missing.
type Optional[T any] struct {
	Present bool
	Value   *T
}

// UnmarshalJSON implements [json.Unmarshaler].
func (o *Optional[T]) UnmarshalJSON(text []byte) error {
	o.Present = true
	if string(text) == "null" {
		return nil
	}
	o.Value = new(T)
	return json.Unmarshal(text, o.Value)
}

// A Probe is one harmless call.
type Probe struct {
	Tool string          `json:"tool"`
	Args json.RawMessage `json:"args"`
	Net  bool            `json:"net"` // it needs the network
	// Backed says that the probe makes sense only with the app's backing service.
	Backed bool `json:"-"`
}

// A Service is a service of docker-compose.json.
type Service struct {
	Image      string
	Command    []string // nil if there is none
	Entrypoint []string
}

// errNoConfig is an app without a config.json.
var errNoConfig = errors.New("no config.json")

// Load reads an entry. Errors are about its files; that a transport is unknown is for the
// caller to tell.
func Load(store, id string) (*Entry, error) {
	if id == "" || id != filepath.Base(id) || id == "." || id == ".." {
		return nil, fmt.Errorf("app id %q: want the name of a folder", id)
	}
	text, err := os.ReadFile(filepath.Join(store, id, "config.json"))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, errNoConfig
	}
	if err != nil {
		return nil, err
	}
	e, err := parse(text)
	if err != nil {
		return nil, fmt.Errorf("config.json: %w", err)
	}
	e.ID = id
	if e.Name == "" {
		e.Name = id
	}
	if err := e.loadService(filepath.Join(store, id, "docker-compose.json")); err != nil {
		return nil, fmt.Errorf("docker-compose.json: %w", err)
	}
	return e, nil
}

// config is config.json as far as it matters.
type config struct {
	Name string          `json:"name"`
	MCP  json.RawMessage `json:"mcp"`
}

type block struct {
	Transport *string  `json:"transport"`
	Command   string   `json:"command"`
	Args      []string `json:"args"`
	Env       []struct {
		Key      string `json:"key"`
		Required bool   `json:"required"`
		Secret   bool   `json:"secret"`
	} `json:"env"`
	URL      string `json:"url"`
	Auth     *Auth  `json:"auth"`
	Requires struct {
		HostSoftware []string `json:"host_software"`
	} `json:"requires"`
	Manifest struct {
		Tools []struct {
			Name string `json:"name"`
		} `json:"tools"`
	} `json:"manifest"`
	Verify Verify `json:"verify"`
}

func parse(text []byte) (*Entry, error) {
	var c config
	if err := json.Unmarshal(text, &c); err != nil {
		return nil, err
	}
	e := &Entry{Name: c.Name, HasMCP: truthy(c.MCP)}
	if !e.HasMCP {
		return e, nil
	}
	var b block
	if err := json.Unmarshal(c.MCP, &b); err != nil {
		return nil, fmt.Errorf("mcp: %w", err)
	}
	e.Transport = "stdio"
	if b.Transport != nil {
		e.Transport = *b.Transport
	}
	e.Command, e.Args, e.HasArgs, e.URL, e.Auth = b.Command, b.Args, b.Args != nil, b.URL, b.Auth
	e.Software, e.Verify = b.Requires.HostSoftware, b.Verify
	for _, v := range b.Env {
		if v.Key != "" {
			e.Env = append(e.Env, Variable{v.Key, v.Required, v.Secret})
		}
	}
	for _, t := range b.Manifest.Tools {
		if t.Name != "" {
			e.Declared = append(e.Declared, t.Name)
		}
	}
	return e, nil
}

// truthy reports what the web application takes for true.
func truthy(raw json.RawMessage) bool {
	switch string(raw) {
	case "", "null", "false", "0", `""`:
		return false
	}
	return true
}

// loadService reads the main service; a file that is not there is none.
func (e *Entry) loadService(path string) error {
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	var file struct {
		Services []service `json:"services"`
	}
	if err := json.Unmarshal(text, &file); err != nil {
		return err
	}
	if len(file.Services) == 0 {
		return nil
	}
	isMain := func(s service) bool { return s.IsMain }
	main := file.Services[max(0, slices.IndexFunc(file.Services, isMain))]
	e.Service = Service{Image: main.Image, Command: main.Command, Entrypoint: main.Entrypoint}
	return nil
}

type service struct {
	Image      string `json:"image"`
	Command    words  `json:"command"`
	Entrypoint words  `json:"entrypoint"`
	IsMain     bool   `json:"isMain"`
}

// words is a list of words, or a text for a shell.
type words []string

// UnmarshalJSON implements [json.Unmarshaler].
func (w *words) UnmarshalJSON(text []byte) error {
	var line string
	if json.Unmarshal(text, &line) == nil {
		if line != "" {
			*w = words{"sh", "-c", line}
		}
		return nil
	}
	return json.Unmarshal(text, (*[]string)(w))
}

// Discover returns the ids of the apps of a store that have MCP servers, sorted, and the
// problems of those whose config.json cannot be read. An unreadable store is an empty one.
func Discover(store string) (ids []string, problems []error) {
	folders, _ := os.ReadDir(store)
	for _, f := range folders {
		info, err := os.Stat(filepath.Join(store, f.Name())) // through links
		if err != nil || !info.IsDir() {
			continue
		}
		text, err := os.ReadFile(filepath.Join(store, f.Name(), "config.json"))
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		var c config
		if err == nil {
			err = json.Unmarshal(text, &c)
		}
		if err != nil {
			problems = append(problems, fmt.Errorf("%s: config.json: %w", f.Name(), err))
			continue
		}
		if truthy(c.MCP) {
			ids = append(ids, f.Name())
		}
	}
	return ids, problems
}
