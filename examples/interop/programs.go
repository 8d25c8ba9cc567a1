package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"

	"github.com/mcpgen/mcpgen/examples/internal/launch"
)

// A program is what a server is generated from, and the calls to make.
type program struct {
	Name     string
	Manifest string   // path of it
	Pool     []string // files that make its pool; none if those are beside the manifest
	Tools    []string // as declared
	Calls    []testCase

	Progress    *testCase // a call that takes so long that progress is told
	Notices     int       // how many notices of that there must be
	Cancel      *testCase // a call that is canceled
	CancelAfter float64   // seconds until then
	After       *testCase // a call after that

	server string // binary
}

// A testCase is a call and what must come of it: one of Text, Content, Failed, Refused and
// Unknown.
type testCase struct {
	Tool      string
	Arguments json.RawMessage

	Text       *string         // the text of the only block of content
	Content    json.RawMessage // all of the content
	Structured any             // what comes besides, with numbers as json.Number
	Failed     *string         // the tool fails with this text
	Refused    *string         // the arguments are wrong, for this reason
	Unknown    bool            // there is no such tool
}

func readPrograms(file string) ([]*program, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	var programs []*program
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	d.UseNumber()
	if err := d.Decode(&programs); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return programs, nil
}

// buildPrograms builds mcpgen, and with it the servers.
func buildPrograms(ctx context.Context, programs []*program, temp string) error {
	mcpgen := filepath.Join(temp, "mcpgen")
	if err := launch.Command(ctx, "", "go", "build", "-o", mcpgen, "./cmd/mcpgen"); err != nil {
		return err
	}
	for _, p := range programs {
		manifest, err := p.assemble(temp)
		if err != nil {
			return err
		}
		p.server = filepath.Join(temp, p.Name+"-mcp")
		if err := launch.Command(ctx, "", mcpgen, "build", "-o", p.server, manifest); err != nil {
			return err
		}
	}
	return nil
}

// assemble puts the files of a program's pool where the manifest has them, and returns the
// path of the manifest.
func (p *program) assemble(temp string) (manifest string, err error) {
	if p.Pool == nil {
		return p.Manifest, nil
	}
	dir := filepath.Join(temp, p.Name+"-build")
	if err := os.MkdirAll(filepath.Join(dir, "pools", "py"), 0o777); err != nil {
		return "", err
	}
	for _, file := range p.Pool {
		if err := copyFile(filepath.Join(dir, "pools", "py", filepath.Base(file)), file); err != nil {
			return "", err
		}
	}
	manifest = filepath.Join(dir, "manifest.json")
	return manifest, copyFile(manifest, p.Manifest)
}

func copyFile(to, from string) error {
	text, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	return os.WriteFile(to, text, 0o666)
}
