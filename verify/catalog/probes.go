package catalog

import (
	"encoding/json"
	"fmt"
	"strings"
)

// curated are harmless calls of known servers, by app id (spec/qa.md 4.7).
var curated = map[string]Probe{
	"filesystem-mcp":          {Tool: "list_directory", Args: json.RawMessage(`{"path":"${SCRATCH}"}`)},
	"chess-mcp":               {Tool: "new_game"},
	"brewers-almanack-mcp":    {Tool: "search_styles", Args: json.RawMessage(`{"query":"IPA"}`)},
	"git-mcp":                 {Tool: "git_status", Args: json.RawMessage(`{"repo_path":"${SCRATCH}"}`)},
	"sqlite-mcp":              {Tool: "list_tables"},
	"n8n-mcp":                 {Tool: "tools_documentation"},
	"memory-mcp":              {Tool: "read_graph"},
	"sequential-thinking-mcp": {Tool: "sequentialthinking", Args: json.RawMessage(`{"thought":"probe","nextThoughtNeeded":false,"thoughtNumber":1,"totalThoughts":1}`)},
	"everything-mcp":          {Tool: "echo", Args: json.RawMessage(`{"message":"mcpgen"}`)},
	"time-mcp":                {Tool: "get_current_time", Args: json.RawMessage(`{"timezone":"UTC"}`)},
	"smartest-tv-mcp":         {Tool: "list_devices"},
	"fetch-mcp":               {Tool: "fetch", Args: json.RawMessage(`{"url":"https://example.com/"}`), Net: true},
	"youtube-transcript-mcp":  {Tool: "get_video_info", Args: json.RawMessage(`{"url":"https://www.youtube.com/watch?v=dQw4w9WgXcQ"}`), Net: true},
	"lego-oracle-mcp":         {Tool: "browse_themes", Net: true},
	"brave-search-mcp":        {Tool: "brave_web_search", Args: json.RawMessage(`{"query":"mcp"}`), Net: true},
}

// Probe returns the call that proves that tools of the app run; nil if none is known. That
// of a backing service is meant for when it is up.
func (e *Entry) Probe() *Probe {
	if e.Verify.Probe.Present {
		return e.Verify.Probe.Value
	}
	if p, ok := curated[e.ID]; ok {
		return &p
	}
	if b, err := e.Backing(); err == nil && b != nil && b.Probe != nil {
		p := *b.Probe
		p.Backed = true
		return &p
	}
	return nil
}

// Seed says what the scratch folder must hold before the app starts: "git" or "".
func (e *Entry) Seed() string {
	if e.Verify.Seed == "" && e.ID == "git-mcp" {
		return "git"
	}
	return e.Verify.Seed
}

// Arguments returns the arguments of a probe for a server that sees the scratch folder at
// a path.
func (p *Probe) Arguments(scratch string) json.RawMessage {
	if len(p.Args) == 0 {
		return json.RawMessage("{}")
	}
	quoted, _ := json.Marshal(scratch) // a string always can be
	return json.RawMessage(strings.ReplaceAll(string(p.Args), "${SCRATCH}", string(quoted[1:len(quoted)-1])))
}

// A Backing is a service beside the app that turns a dummy address into a real one.
type Backing struct {
	Image   string            `json:"image"`
	Env     map[string]string `json:"env"`
	Alias   string            `json:"alias"` // its host name for the app
	Ready   []string          `json:"ready"` // command that succeeds inside it once it is up
	Rewrite map[string]string `json:"rewrite"`
	Probe   *Probe            `json:"probe"`
}

// backings are the services of known apps, by app id (spec/qa.md 4.8).
var backings = map[string]Backing{
	"postgres-mcp": {
		Image:   "postgres:16-alpine",
		Env:     map[string]string{"POSTGRES_USER": "qa", "POSTGRES_PASSWORD": "qa", "POSTGRES_DB": "qa"},
		Alias:   "qa-db",
		Ready:   []string{"pg_isready", "-U", "qa"},
		Rewrite: map[string]string{"POSTGRES_URL": "postgres://qa:qa@qa-db:5432/qa"},
		Probe:   &Probe{Tool: "query", Args: json.RawMessage(`{"sql":"SELECT 1"}`)},
	},
}

// Backing returns the service that the app needs beside it; nil if none is known.
func (e *Entry) Backing() (*Backing, error) {
	raw := e.Verify.Backing
	id := e.ID
	if len(raw) > 0 && string(raw) != "null" {
		if raw[0] != '"' {
			b := new(Backing)
			if err := json.Unmarshal(raw, b); err != nil {
				return nil, fmt.Errorf("verify.backing: %w", err)
			}
			return b, nil
		}
		_ = json.Unmarshal(raw, &id)
		if _, ok := backings[id]; !ok {
			return nil, fmt.Errorf("verify.backing: unknown backing service %q", id)
		}
	}
	b, ok := backings[id]
	if !ok || string(raw) == "null" {
		return nil, nil
	}
	return &b, nil
}
