package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/mcpgen/mcpgen/gen"
	"github.com/mcpgen/mcpgen/gen/output"
)

// compare returns how a folder differs from what gen would write there.
func (a *app) compare(ctx context.Context, o gen.Options, paths []string) (out string, _ []output.Change, err error) {
	r, err := a.generate(ctx, o, paths)
	if err != nil {
		return "", nil, err
	}
	changes, err := output.Compare(r.Out, r.Files)
	return r.Out, changes, err
}

func (a *app) checkCommand() *cobra.Command {
	var o gen.Options
	cmd := &cobra.Command{
		Use:   "check [flags] MANIFEST...",
		Short: "Tell whether a package is what gen would write",
		Long: `Tell whether a package is what gen would write, with the same flags: exit with
status 1 and name the files that differ if it is not. Nothing is written.`,
		Args: manifests,
		RunE: work(func(cmd *cobra.Command, args []string) error {
			out, changes, err := a.compare(cmd.Context(), o, args)
			if err != nil || len(changes) == 0 {
				return err
			}
			for _, c := range changes {
				a.say(fmt.Sprintf("%s: %s is %s", out, c.Path, state(c)))
			}
			return fmt.Errorf("%s is stale: run mcpgen gen", out)
		}),
	}
	packageFlags(cmd.Flags(), &o)
	return cmd
}

// state says how a file differs from what is wanted.
func state(c output.Change) string {
	switch {
	case c.Old == nil:
		return "missing"
	case c.New == nil:
		return "no longer wanted"
	}
	return "not what gen would write"
}

func (a *app) diffCommand() *cobra.Command {
	var o gen.Options
	cmd := &cobra.Command{
		Use:   "diff [flags] MANIFEST...",
		Short: "Show what gen would change in a package",
		Long: `Show, as a unified diff, what gen would change in a package, with the same flags:
exit with status 1 if there is anything. Nothing is written.`,
		Args: manifests,
		RunE: work(func(cmd *cobra.Command, args []string) error {
			_, changes, err := a.compare(cmd.Context(), o, args)
			if err != nil || len(changes) == 0 {
				return err
			}
			if _, err := a.stdout.Write(output.Diff(changes)); err != nil {
				return err
			}
			return errDiffers
		}),
	}
	packageFlags(cmd.Flags(), &o)
	return cmd
}

// errDiffers ends diff with status 1; the diff says it all.
var errDiffers = errors.New("")
