package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// root is the tree of all commands.
var root *command

func init() { // the tree has commands that print it
	asJSON := &option{Name: "json", Description: "Print JSON.", Kind: "presence"}
	root = &command{
		Key: "tracker", Description: "Issue tracker.", Notes: "Run {argsbarg:program} --help for more.",
		Options: []*option{
			{Name: "profile", Description: "Who makes changes.", Kind: "string", ShortName: "p", Default: "me"},
			{Name: "trace", Description: "Say on standard error what is done.", Kind: "presence"},
		},
		hidden: builtins(),
		Commands: []*command{
			{Key: "status", Description: "Count the issues of each repository.", Options: []*option{asJSON}, run: status},
			{Key: "issue", Description: "Issues of a repository.",
				Options: []*option{
					{Name: "repo", Description: "Repository, as in web/shop.", Kind: "string", ShortName: "r", Required: true},
				},
				Commands: []*command{
					{Key: "get", Description: "Get an issue.", Options: []*option{asJSON}, Positionals: []*positional{number}, OutputSchema: issueSchema, run: get},
					{Key: "label-set", Description: "Set the labels of an issue.",
						Options: []*option{
							asJSON,
							{Name: "mode", Description: "What becomes of the labels that it has.", Kind: "enum", Choices: []string{"add", "replace"}, Default: "add"},
						},
						Positionals:  []*positional{number, {Name: "labels", Description: "Labels.", Kind: "string", ArgMin: new(1), ArgMax: new(0)}},
						OutputSchema: issueSchema, run: labelSet},
					{Key: "purge", Description: "Delete all issues of the repository.",
						Notes:   "Asks for confirmation.",
						Options: []*option{{Name: "yes", Description: "Do not ask.", Kind: "presence", ShortName: "y"}}, run: purge},
				}},
			{Key: "export", Description: "Print issues of all repositories.",
				Options: []*option{
					{Name: "since", Description: "Leave out those opened before this day.", Kind: "string", Format: "date"},
					{Name: "labels", Description: "Only those with one of these labels.", Kind: "string", Format: "comma-list"},
				}, run: export},
		},
	}
}

var number = &positional{Name: "number", Description: "Number of the issue.", Kind: "number"}

// issueSchema is the JSON Schema of an issue.
var issueSchema = json.RawMessage(`{"type":"object","properties":{"repo":{"type":"string"},"number":{"type":"integer"},` +
	`"title":{"type":"string"},"day":{"type":"string"},"labels":{"type":"array","items":{"type":"string"}},"by":{"type":"string"}},` +
	`"required":["repo","number","title","day","labels"]}`)

func printVersion(c *call) error {
	_, err := fmt.Fprintln(c.stdout, "1.0.0")
	return err
}

func printPlace(c *call) error {
	place := c.getenv("TRACKER_FILE")
	if place == "" {
		place = "nowhere: set TRACKER_FILE"
	}
	_, err := fmt.Fprintln(c.stdout, place)
	return err
}

// print prints a value as JSON, or a text for people.
func (c *call) print(v any, text string) error {
	if c.options["json"] == "" {
		_, err := fmt.Fprintln(c.stdout, text)
		return err
	}
	e := json.NewEncoder(c.stdout)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(v)
}

func status(c *call) error {
	issues, err := c.load()
	if err != nil {
		return err
	}
	counts := map[string]int{}
	for _, i := range issues {
		counts[i.Repo]++
	}
	return c.print(counts, fmt.Sprintf("%d issues in %d repositories", len(issues), len(counts)))
}

// find returns the issue that the command line names.
func (c *call) find(issues []*issue) (*issue, error) {
	word := c.words[0][0]
	n, err := strconv.Atoi(word)
	if err != nil {
		return nil, fmt.Errorf("%q is no number of an issue", word)
	}
	for _, i := range issues {
		if i.Repo == c.options["repo"] && i.Number == n {
			return i, nil
		}
	}
	return nil, fmt.Errorf("no issue %d in %s", n, c.options["repo"])
}

func (i *issue) text() string {
	return fmt.Sprintf("%s#%d %s [%s]", i.Repo, i.Number, i.Title, strings.Join(i.Labels, ", "))
}

func get(c *call) error {
	issues, err := c.load()
	if err != nil {
		return err
	}
	i, err := c.find(issues)
	if err != nil {
		return err
	}
	return c.print(i, i.text())
}

func labelSet(c *call) error {
	issues, err := c.load()
	if err != nil {
		return err
	}
	i, err := c.find(issues)
	if err != nil {
		return err
	}
	if c.options["mode"] == "replace" {
		i.Labels = nil
	}
	for _, label := range c.words[1] {
		if !slices.Contains(i.Labels, label) {
			i.Labels = append(i.Labels, label)
		}
	}
	i.By = c.options["profile"]
	if err := c.save(issues); err != nil {
		return err
	}
	return c.print(i, i.text())
}

func purge(c *call) error {
	repo := c.options["repo"]
	if c.options["yes"] == "" {
		fmt.Fprintf(c.stderr, "Delete all issues of %s? Type yes: ", repo)
		answer, _ := bufio.NewReader(c.stdin).ReadString('\n') // no answer is no consent
		if strings.TrimSpace(answer) != "yes" {
			return errors.New("nothing was deleted")
		}
	}
	issues, err := c.load()
	if err != nil {
		return err
	}
	before := len(issues)
	issues = slices.DeleteFunc(issues, func(i *issue) bool { return i.Repo == repo })
	if err := c.save(issues); err != nil {
		return err
	}
	_, err = fmt.Fprintf(c.stdout, "%d issues of %s deleted\n", before-len(issues), repo)
	return err
}

func export(c *call) error {
	issues, err := c.load()
	if err != nil {
		return err
	}
	labels := strings.Split(c.options["labels"], ",")
	isWanted := func(label string) bool { return slices.Contains(labels, label) }
	issues = slices.DeleteFunc(issues, func(i *issue) bool {
		return i.Day < c.options["since"] || c.options["labels"] != "" && !slices.ContainsFunc(i.Labels, isWanted)
	})
	c.options["json"] = "1" // that is what it is for
	return c.print(issues, "")
}
