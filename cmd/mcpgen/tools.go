package main

import (
	"github.com/spf13/cobra"

	"github.com/mcpgen/mcpgen/gen"
)

func (a *app) toolsCommand() *cobra.Command {
	var o gen.Options
	cmd := &cobra.Command{
		Use:   "tools [flags] MANIFEST...",
		Short: "Print the tools that the server would list",
		Long: `Print the payload of tools/list, and on standard error each command that is left out,
with the reason.`,
		Args: manifests,
		RunE: work(func(_ *cobra.Command, args []string) error {
			o.Manifests = args
			p, err := gen.Load(o)
			if err != nil {
				return err
			}
			text, err := gen.Listing(p)
			if err != nil {
				return err
			}
			a.sayNotes(p)
			_, err = a.stdout.Write(text)
			return err
		}),
	}
	readFlags(cmd.Flags(), &o)
	return cmd
}
