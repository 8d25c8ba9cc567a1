package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"

	"github.com/mcpgen/mcpgen/examples/internal/launch"
)

// Eras: revisions with a handshake, and the one without.
const (
	legacy = "legacy"
	modern = "modern"

	modernRevision = "2026-07-28"
)

// A client is a project in the folder of its name.
type client struct {
	name    string
	pin     string // file that pins the library
	library string // as it is called there
	eras    []string
	install func(ctx context.Context, dir, temp string) (argv []string, err error)

	version string   // of the library
	argv    []string // to run it
}

var clients = []client{
	{name: "typescript-v1", pin: "package.json", library: "@modelcontextprotocol/sdk",
		eras: []string{legacy}, install: installNode},
	{name: "typescript-v2", pin: "package.json", library: "@modelcontextprotocol/client",
		eras: []string{legacy, modern}, install: installNode},
	{name: "python", pin: "requirements.txt", library: "mcp",
		eras: []string{legacy, modern}, install: installPython},
	{name: "go-sdk", pin: "go.mod", library: "github.com/modelcontextprotocol/go-sdk",
		eras: []string{legacy, modern}, install: installGo},
	{name: "mcp-go", pin: "go.mod", library: "github.com/mark3labs/mcp-go",
		eras: []string{legacy, modern}, install: installGo},
}

// prepare installs a client from its registry, unless that has been done.
func (c *client) prepare(ctx context.Context, temp string) error {
	dir, err := filepath.Abs(filepath.Join(folder, c.name))
	if err != nil {
		return err
	}
	text, err := os.ReadFile(filepath.Join(dir, c.pin))
	if err != nil {
		return err
	}
	pin := regexp.MustCompile(`(?m)^\W*(?:require )?` + regexp.QuoteMeta(c.library) + `[":= ]+v?([0-9][^"\s]*)`)
	found := pin.FindSubmatch(text)
	if found == nil {
		return fmt.Errorf("%s: %s does not pin %s", c.name, c.pin, c.library)
	}
	c.version = string(found[1])
	if c.argv, err = c.install(ctx, dir, temp); err != nil {
		return fmt.Errorf("%s could not be installed; its registry has to answer, and nothing is skipped: %w", c.name, err)
	}
	return nil
}

// installNode installs a project of npm as its lock file says.
func installNode(ctx context.Context, dir, _ string) ([]string, error) {
	return []string{"node", filepath.Join(dir, "client.mjs")}, launch.Node(ctx, dir)
}

// installPython installs the pinned packages into a virtual environment.
func installPython(ctx context.Context, dir, _ string) ([]string, error) {
	python := filepath.Join(dir, "venv", "bin", "python")
	argv := []string{python, filepath.Join(dir, "client.py")}
	pins, done := filepath.Join(dir, "requirements.txt"), filepath.Join(dir, "venv", "done")
	if launch.Newer(done, pins) {
		return argv, nil
	}
	if err := launch.Command(ctx, dir, "python3", "-m", "venv", "--clear", "venv"); err != nil {
		return nil, err
	}
	if err := launch.Command(ctx, dir, python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check",
		"--no-deps", "-r", pins); err != nil {
		return nil, err
	}
	return argv, os.WriteFile(done, nil, 0o666)
}

// installGo builds a project of Go, which has modules downloaded.
func installGo(ctx context.Context, dir, temp string) ([]string, error) {
	binary := filepath.Join(temp, filepath.Base(dir))
	return []string{binary}, launch.Command(ctx, dir, "go", "build", "-o", binary, ".")
}
