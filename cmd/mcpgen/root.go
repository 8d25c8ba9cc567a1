package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/mcpgen/mcpgen/gen/names"
)

// An app is one run of mcpgen.
type app struct {
	env            []string
	stdout, stderr io.Writer
	terminal       bool // stderr is one
}

// rootCommand returns the command mcpgen with all of its subcommands. Without the name of
// one it is gen.
func (a *app) rootCommand() *cobra.Command {
	root := a.genCommand()
	root.Use = "mcpgen [gen] [flags] MANIFEST..."
	root.Short = "Write a native MCP server for a compiled Morloc program, or a command line"
	root.Long = root.Short + `.

MANIFEST is the manifest.json of a compiled program, the program's launcher, or the schema
that a command-line program exports. Of several of them mcpgen makes one server, with tools
that are called PROGRAM__TOOL. The server is a Go package that builds without a network: mcpgen ./calc && cd calc-mcp && go build`
	root.SilenceErrors = true
	root.SilenceUsage = true
	root.SetFlagErrorFunc(flagError)
	root.SetHelpCommand(a.helpCommand())
	root.AddCommand(a.genCommand(), a.buildCommand(), a.toolsCommand(), a.checkCommand(), a.diffCommand(),
		a.verifyCommand(), a.versionCommand())
	addCompletion(root)
	for _, c := range append(root.Commands(), root) {
		c.DisableFlagsInUseLine = true // Use says where they go
	}
	args := root.Args
	root.Args = func(cmd *cobra.Command, words []string) error {
		if err := misspelled(root, words); err != nil {
			return err
		}
		return args(cmd, words)
	}
	return root
}

// A failure is an error of the work itself. Whatever else a command returns is about the
// way it was called.
type failure struct{ error }

func (f failure) Unwrap() error { return f.error }

// work makes a function what cobra runs: its errors are failures, unless they are usage.
func work(f func(cmd *cobra.Command, args []string) error) func(*cobra.Command, []string) error {
	return func(cmd *cobra.Command, args []string) error {
		err := f(cmd, args)
		if u, ok := errors.AsType[usage](err); ok {
			return u
		}
		if err != nil {
			return failure{err}
		}
		return nil
	}
}

// usage is an error of how mcpgen was called.
type usage string

func (u usage) Error() string { return string(u) }

// manifests takes one manifest or several.
func manifests(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return usage("name the manifest.json of a compiled program, its launcher, or the schema of a command line; see " + cmd.CommandPath() + " --help")
	}
	return nil
}

// noArgs takes no argument.
func noArgs(cmd *cobra.Command, args []string) error {
	if len(args) > 0 {
		return usage(fmt.Sprintf("%s takes no argument: got %q", cmd.CommandPath(), args[0]))
	}
	return nil
}

// misspelled tells when the first word looks like a command rather than a file.
func misspelled(root *cobra.Command, words []string) error {
	if len(words) == 0 || strings.ContainsAny(words[0], `/\.`) {
		return nil
	}
	if _, err := os.Lstat(words[0]); err == nil {
		return nil
	}
	var commands []string
	for _, c := range root.Commands() {
		commands = append(commands, c.Name())
	}
	if name := names.Nearest(words[0], commands); name != "" {
		return usage(fmt.Sprintf("unknown command %q; did you mean %q?", words[0], name))
	}
	return nil
}

// addCompletion adds cobra's completion command. On its own that would take an unknown
// shell for a call for help.
func addCompletion(root *cobra.Command) {
	root.InitDefaultCompletionCmd("completion")
	for _, c := range root.Commands() {
		if c.Name() != "completion" {
			continue
		}
		c.Short = "Print a script that lets a shell complete commands and flags"
		c.Use = "completion bash|fish|powershell|zsh"
		c.Args = cobra.ArbitraryArgs
		c.RunE = func(*cobra.Command, []string) error {
			return usage("completion: name a shell: bash, fish, powershell or zsh")
		}
	}
}

// helpCommand shows the help of another command.
func (a *app) helpCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "help [COMMAND]",
		Short: "Show what a command does and its flags",
		RunE: func(cmd *cobra.Command, args []string) error {
			about, rest, err := cmd.Root().Find(args)
			if err != nil || len(rest) > 0 {
				if err := misspelled(cmd.Root(), rest); err != nil {
					return err
				}
				return usage(fmt.Sprintf("unknown command %q; see mcpgen help", strings.Join(args, " ")))
			}
			about.InitDefaultHelpFlag()
			return about.Help()
		},
	}
}
