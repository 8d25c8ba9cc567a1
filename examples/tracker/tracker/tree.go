package main

import (
	"encoding/json"
	"slices"
	"strings"
)

// A command is a node of the tree of commands, in the form that is exported. It has commands
// below it, or runs.
type command struct {
	Key          string          `json:"key"`
	Description  string          `json:"description"`
	Notes        string          `json:"notes,omitempty"`
	Options      []*option       `json:"options,omitempty"`
	Positionals  []*positional   `json:"positionals,omitempty"`
	OutputSchema json.RawMessage `json:"outputSchema,omitempty"`
	Commands     []*command      `json:"commands,omitempty"`

	run    func(*call) error
	hidden []*command // commands that are not exported: those that every program has
}

// An option is a flag, or has a value.
type option struct {
	Name        string   `json:"name"`
	Description string   `json:"description"`
	Kind        string   `json:"kind"`
	ShortName   string   `json:"shortName,omitempty"`
	Required    bool     `json:"required,omitempty"`
	Choices     []string `json:"choices,omitempty"`
	Format      string   `json:"format,omitempty"`
	Pattern     string   `json:"pattern,omitempty"`
	Default     string   `json:"default,omitempty"`
}

// A positional is a word behind the options, or several. Missing bounds are 1.
type positional struct {
	Name        string `json:"name"`
	Description string `json:"description"`
	Kind        string `json:"kind"`
	ArgMin      *int   `json:"argMin,omitempty"`
	ArgMax      *int   `json:"argMax,omitempty"` // 0 is any number
}

func (p *positional) least() int {
	if p.ArgMin != nil {
		return *p.ArgMin
	}
	return 1
}

func (p *positional) most() int {
	if p.ArgMax != nil {
		return *p.ArgMax
	}
	return 1
}

// below returns the commands below c.
func (c *command) below() []*command { return slices.Concat(c.Commands, c.hidden) }

// option returns the option of c that is called by a word such as --repo or -r.
func (c *command) option(word string) *option {
	for _, o := range c.Options {
		if word == "--"+o.Name || o.ShortName != "" && word == "-"+o.ShortName {
			return o
		}
	}
	return nil
}

// builtins returns the commands that every program of the library has.
func builtins() []*command {
	return []*command{
		{Key: "version", Description: "Print the version.", run: printVersion},
		{Key: "configure", Description: "Say where the issues are kept.", run: printPlace},
		{Key: "docs", Description: "Documents about this program.", Commands: []*command{
			{Key: "cli-schema", Description: "Print the commands as JSON.", run: printSchema},
		}},
	}
}

// printSchema exports the tree. As the library does, it lists the commands that every program
// has below each command that runs.
func printSchema(c *call) error {
	e := json.NewEncoder(c.stdout)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(exported(root))
}

func exported(c *command) *command {
	e := *c
	e.Commands = nil
	if c.run != nil {
		e.Commands = builtins()
	}
	for _, sub := range c.Commands {
		e.Commands = append(e.Commands, exported(sub))
	}
	e.Notes = c.notes()
	return &e
}

// notes returns the notes on c, with the name of the program in them.
func (c *command) notes() string { return strings.ReplaceAll(c.Notes, "{argsbarg:program}", root.Key) }
