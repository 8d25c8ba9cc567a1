package main

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// A usageError is a command line that is wrong; without a text it asks for help.
type usageError struct {
	command *command
	text    string
}

func (e *usageError) Error() string { return e.text }

// fail returns an error about the command that was reached.
func (c *call) fail(format string, args ...any) error {
	return &usageError{c.command, fmt.Sprintf(format, args...)}
}

// parse reads a command line: words that lead to a command, and behind each of them the
// options that are declared there, then the positionals of the last.
func (c *call) parse(words []string) error {
	c.command = root
	for {
		var err error
		if words, err = c.readOptions(words); err != nil {
			return err
		}
		if c.command.run != nil {
			return c.readWords(words)
		}
		if len(words) == 0 {
			return c.fail("Missing command")
		}
		i := slices.IndexFunc(c.command.below(), func(sub *command) bool { return sub.Key == words[0] })
		if i < 0 {
			return c.fail("Unknown command: %s", words[0])
		}
		c.command, words = c.command.below()[i], words[1:]
	}
}

// readOptions reads the options of the current command and returns the words behind them.
func (c *call) readOptions(words []string) ([]string, error) {
	for len(words) > 0 && strings.HasPrefix(words[0], "-") && words[0] != "--" {
		word := words[0]
		if word == "--help" || word == "-h" {
			return nil, &usageError{command: c.command}
		}
		name, value, joined := strings.Cut(word, "=")
		o := c.command.option(name)
		switch {
		case o == nil:
			return nil, c.fail("Unknown option: %s", word)
		case o.Kind == "presence":
			value = "1"
		case !joined && len(words) == 1:
			return nil, c.fail("Missing value for option --%s", o.Name)
		case !joined:
			words = words[1:]
			value = words[0] // whatever it looks like
		}
		words = words[1:]
		if err := c.setOption(o, value); err != nil {
			return nil, err
		}
	}
	for _, o := range c.command.Options {
		if _, given := c.options[o.Name]; o.Required && !given {
			return nil, c.fail("Missing required option: --%s", o.Name)
		} else if !given && o.Default != "" {
			c.options[o.Name] = o.Default
		}
	}
	return words, nil
}

func (c *call) setOption(o *option, value string) error {
	if o.Kind == "enum" && !slices.Contains(o.Choices, value) {
		return c.fail("Option --%s: '%s' is not one of: %s", o.Name, value, strings.Join(o.Choices, ", "))
	}
	if _, err := strconv.ParseFloat(value, 64); o.Kind == "number" && err != nil {
		return c.fail("Invalid number for option --%s: %s", o.Name, value)
	}
	c.options[o.Name] = value
	return nil
}

// readWords gives the words behind the options to the positionals. Before "--" none of them
// begins with a hyphen.
func (c *call) readWords(words []string) error {
	if end := slices.Index(words, "--"); end >= 0 {
		words = slices.Delete(slices.Clone(words), end, end+1)
		if i := slices.IndexFunc(words[:end], isOption); i >= 0 {
			return c.fail("Unknown option: %s", words[i])
		}
	} else if i := slices.IndexFunc(words, isOption); i >= 0 {
		return c.fail("Unknown option: %s", words[i])
	}
	for _, p := range c.command.Positionals {
		n := len(words)
		if most := p.most(); most > 0 {
			n = min(n, most)
		}
		if n < p.least() {
			return c.fail("Missing positional argument: %s", p.Name)
		}
		c.words = append(c.words, words[:n])
		words = words[n:]
	}
	if len(words) > 0 {
		return c.fail("Unexpected extra arguments")
	}
	return nil
}

func isOption(word string) bool { return strings.HasPrefix(word, "-") }

// help returns the help screen of a command.
func help(c *command) string {
	var b strings.Builder
	b.WriteString(c.Description + "\n")
	if notes := c.notes(); notes != "" {
		b.WriteString(notes + "\n")
	}
	for _, o := range c.Options {
		fmt.Fprintf(&b, "  --%-10s %s\n", o.Name, o.Description)
	}
	for _, p := range c.Positionals {
		fmt.Fprintf(&b, "  %-12s %s\n", strings.ToUpper(p.Name), p.Description)
	}
	for _, sub := range c.below() {
		fmt.Fprintf(&b, "  %-12s %s\n", sub.Key, sub.Description)
	}
	return b.String()
}
