package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// An issue is something to do in a repository.
type issue struct {
	Repo   string   `json:"repo"`
	Number int      `json:"number"`
	Title  string   `json:"title"`
	Day    string   `json:"day"` // it was opened, as 2026-06-22
	Labels []string `json:"labels"`
	By     string   `json:"by,omitempty"` // who changed it last
}

// samples returns what there is without a file.
func samples() []*issue {
	return []*issue{
		{Repo: "web/shop", Number: 1, Title: "Basket forgets its contents", Day: "2026-05-02", Labels: []string{"bug"}},
		{Repo: "web/shop", Number: 2, Title: "Show prices with tax", Day: "2026-06-11", Labels: []string{}},
		{Repo: "ops/alerts", Number: 1, Title: "Too many of them", Day: "2026-06-20", Labels: []string{"urgent", "night"}},
	}
}

// load reads the issues.
func (c *call) load() ([]*issue, error) {
	path := c.getenv("TRACKER_FILE")
	if path == "" {
		c.trace("no TRACKER_FILE: these are samples")
		return samples(), nil
	}
	c.trace("reading %s", path)
	data, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return samples(), nil
	}
	if err != nil {
		return nil, err
	}
	var issues []*issue
	if err := json.Unmarshal(data, &issues); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return issues, nil
}

// save writes the issues, all or none.
func (c *call) save(issues []*issue) error {
	path := c.getenv("TRACKER_FILE")
	if path == "" {
		return nil
	}
	c.trace("writing %s", path)
	data, err := json.MarshalIndent(issues, "", "  ")
	if err != nil {
		return err
	}
	f, err := os.CreateTemp(filepath.Dir(path), ".tracker-")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name())
	_, err = f.Write(append(data, '\n'))
	if err := errors.Join(err, f.Close()); err != nil {
		return err
	}
	return os.Rename(f.Name(), path)
}
