package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/mcpgen/mcpgen/gen/manifest"
	"github.com/mcpgen/mcpgen/gen/names"
)

const prefix = "mcpgen: "

// report says what went wrong and returns the exit status.
func (a *app) report(err error) int {
	if err == nil {
		return 0
	}
	if errs, ok := errors.AsType[*manifest.Errors](err); ok {
		a.reportProblems(errs)
	} else if text := err.Error(); text != "" {
		a.say(text)
	}
	if i, ok := errors.AsType[interrupted](err); ok {
		return 128 + int(i.signal)
	}
	if _, ok := errors.AsType[failure](err); ok {
		return 1
	}
	return 2
}

// reportProblems lists the problems of a manifest; on a terminal, with the place of each.
func (a *app) reportProblems(errs *manifest.Errors) {
	for _, p := range errs.Problems {
		a.say(p.Error())
		if a.terminal {
			io.WriteString(a.stderr, p.Listing())
		}
	}
	if errs.More > 0 {
		a.say(fmt.Sprintf("... and %d more", errs.More))
	}
}

// say writes lines on standard error.
func (a *app) say(text string) {
	for line := range strings.Lines(text) {
		fmt.Fprintln(a.stderr, prefix+strings.TrimPrefix(strings.TrimRight(line, "\r\n"), prefix))
	}
}

func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	if !ok {
		return false
	}
	info, err := f.Stat()
	return err == nil && info.Mode()&fs.ModeCharDevice != 0 && f.Name() != os.DevNull
}

// flagError says in one sentence what is wrong with a flag.
func flagError(cmd *cobra.Command, err error) error {
	unknown, ok := errors.AsType[*pflag.NotExistError](err)
	if !ok {
		return usage(err.Error())
	}
	name := unknown.GetSpecifiedName()
	if len(name) == 1 {
		return usage(fmt.Sprintf("unknown flag -%s; see %s --help", name, cmd.CommandPath()))
	}
	var flags []string
	cmd.Flags().VisitAll(func(f *pflag.Flag) { flags = append(flags, f.Name) })
	if n := names.Nearest(name, flags); n != "" {
		return usage(fmt.Sprintf("unknown flag --%s; did you mean --%s?", name, n))
	}
	return usage(fmt.Sprintf("unknown flag --%s; see %s --help", name, cmd.CommandPath()))
}
