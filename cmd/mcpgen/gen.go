package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/mcpgen/mcpgen/gen"
	"github.com/mcpgen/mcpgen/gen/output"
)

// readFlags adds the flags that say how a program is read.
func readFlags(f *pflag.FlagSet, o *gen.Options) {
	f.StringVar(&o.Name, "name", "", "`NAME` of the server (default: the program's; "+gen.DefaultName+" for several)")
	f.BoolVar(&o.AnyVersion, "any-version", false, "read manifests of every compiler release, tested or not")
}

// packageFlags adds the flags that say what a package is like.
func packageFlags(f *pflag.FlagSet, o *gen.Options) {
	f.StringVarP(&o.Out, "out", "o", "", "`DIR` to write to (default: PROGRAM-mcp)")
	f.StringVar((*string)(&o.Runtime), "runtime", string(gen.RuntimeCopy),
		"`MODE` of the runtime: copy it into the package, or require it as a Go module")
	transportFlag(f, o)
	timeoutFlag(f, o)
	f.StringVar(&o.Module, "module", "", "`PATH` of the package's Go module (default: PROGRAM-mcp)")
	f.BoolVar(&o.NoVersion, "no-version", false, "leave mcpgen's version out of the files")
	readFlags(f, o)
}

// transportFlag adds the flag that says how the server can be reached.
func transportFlag(f *pflag.FlagSet, o *gen.Options) {
	f.StringVar((*string)(&o.Transports), "transports", string(gen.TransportsAll),
		"`LIST` of what the server can be reached by: stdio,http or stdio, which makes it smaller")
}

// timeoutFlag adds the flag that limits single tools.
func timeoutFlag(f *pflag.FlagSet, o *gen.Options) {
	f.Var(timeouts{&o.Timeouts}, "timeout", "`TOOL=DURATION` after which calls of the tool that wait, or run, are given up; may be repeated")
}

// timeouts reads limits of tools.
type timeouts struct{ list *[]gen.Timeout }

func (timeouts) String() string { return "" }
func (timeouts) Type() string   { return "" }

// Set adds one.
func (t timeouts) Set(text string) error {
	tool, value, _ := strings.Cut(text, "=")
	limit, err := time.ParseDuration(value)
	if tool == "" || err != nil || limit < time.Millisecond {
		return errors.New("want TOOL=DURATION, as in add=30s")
	}
	*t.list = append(*t.list, gen.Timeout{Tool: tool, Limit: limit})
	return nil
}

// generate makes the package that the flags ask for.
func (a *app) generate(ctx context.Context, o gen.Options, paths []string) (*gen.Result, error) {
	if o.Runtime != gen.RuntimeCopy && o.Runtime != gen.RuntimeModule {
		return nil, usage(fmt.Sprintf("--runtime %q: want copy or module", string(o.Runtime)))
	}
	if o.Transports != gen.TransportsAll && o.Transports != gen.TransportsStdio {
		return nil, usage(fmt.Sprintf("--transports %q: want stdio,http or stdio", string(o.Transports)))
	}
	o.Manifests, o.Version, o.Env = paths, version(), a.env
	r, err := gen.Generate(ctx, o)
	if e, ok := errors.AsType[gen.OptionError](err); ok {
		return nil, usage(e.Error())
	}
	return r, err
}

func (a *app) genCommand() *cobra.Command {
	var o gen.Options
	cmd := &cobra.Command{
		Use:   "gen [flags] MANIFEST...",
		Short: "Write the server as a Go package",
		Long: `Write the server of a program, or of several, as a Go package.

Files of an earlier run are written anew, or removed when no longer wanted; other files
in the folder stay. A run that fails leaves the folder as it was.`,
		Args: manifests,
		RunE: work(func(cmd *cobra.Command, args []string) error {
			r, err := a.generate(cmd.Context(), o, args)
			if err != nil {
				return err
			}
			done, err := output.Write(cmd.Context(), r.Out, r.Files)
			if err != nil {
				return err
			}
			a.sayNotes(r.Loaded)
			for _, path := range done.Edited {
				a.say(path + " had been edited and was replaced")
			}
			a.say(fmt.Sprintf("%s: %s; build it with: cd %s && go build", r.Out, count(r.Tools(), "tool"), shellWord(r.Out)))
			return nil
		}),
	}
	packageFlags(cmd.Flags(), &o)
	return cmd
}

// sayNotes tells of commands that are not served, and of what the author should know.
func (a *app) sayNotes(l *gen.Loaded) {
	for _, note := range l.Notes() {
		a.say(note)
	}
}

// count says how many things there are.
func count[T any](things []T, name string) string {
	if len(things) == 1 {
		return "1 " + name
	}
	return fmt.Sprintf("%d %ss", len(things), name)
}

// shellWord makes a path fit to be an argument in a shell.
func shellWord(path string) string {
	if strings.HasPrefix(path, "-") {
		path = "./" + path // no option
	}
	plain := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("/._-+:@%", r)
	}
	if strings.IndexFunc(path, func(r rune) bool { return !plain(r) }) < 0 {
		return path
	}
	return "'" + strings.ReplaceAll(path, "'", `'\''`) + "'"
}
