package main

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"
)

// release is set at link time for builds that are not made by go install.
var release string

// version returns the version of mcpgen, "" if it was built from a working copy.
func version() string {
	if release != "" {
		return release
	}
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "(devel)" {
		return info.Main.Version
	}
	return ""
}

func (a *app) versionCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the version of mcpgen",
		Args:  noArgs,
		RunE: work(func(*cobra.Command, []string) error {
			v := version()
			if v == "" {
				v = "(working copy)"
			}
			_, err := fmt.Fprintf(a.stdout, "mcpgen %s %s %s/%s\n", v, runtime.Version(), runtime.GOOS, runtime.GOARCH)
			return err
		}),
	}
}
