// Command tracker keeps issues, in a file or for the length of a command. It is a program to
// make an MCP server of: it knows nothing of MCP, but exports its commands in the format of
// the library argsbarg, and takes its command line as programs of that library do:
//
//	tracker issue --repo web/shop get 1
//	tracker docs cli-schema > tracker.schema.json
//
// Issues lie in the file that TRACKER_FILE names. Without it there are a few to look at, and
// changes are gone when the command ends.
package main

import (
	"errors"
	"fmt"
	"io"
	"os"
)

func main() {
	os.Exit(run(os.Args[1:], os.Getenv, os.Stdin, os.Stdout, os.Stderr))
}

// run runs one command line and returns the exit status: 1 if it is wrong or fails.
func run(words []string, getenv func(string) string, stdin io.Reader, stdout, stderr io.Writer) int {
	c := &call{getenv: getenv, stdin: stdin, stdout: stdout, stderr: stderr, options: map[string]string{}}
	err := c.parse(words)
	if err == nil {
		err = c.command.run(c)
	}
	var usage *usageError
	switch {
	case err == nil:
		return 0
	case errors.As(err, &usage) && usage.text == "":
		fmt.Fprint(stdout, help(usage.command))
		return 0
	case errors.As(err, &usage):
		fmt.Fprintf(stderr, "%s\n\n%s", usage.text, help(usage.command))
	default:
		fmt.Fprintln(stderr, err)
	}
	return 1
}

// A call is a command line that was understood.
type call struct {
	getenv         func(string) string
	stdin          io.Reader
	stdout, stderr io.Writer

	command *command
	options map[string]string // by name; "1" for a flag
	words   [][]string        // by positional
}

// trace says what is done, if that is wanted.
func (c *call) trace(format string, args ...any) {
	if c.options["trace"] != "" {
		fmt.Fprintf(c.stderr, "tracker: "+format+"\n", args...)
	}
}
