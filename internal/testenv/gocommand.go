package testenv

import (
	"fmt"
	"os"
	"os/exec"
)

// Go runs the go command in a folder that is a module of its own, as generated packages are:
// without any network, and whatever flags and workspaces there are around it. The error holds
// what it printed.
func Go(dir string, args ...string) error {
	cmd := exec.Command("go", args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "PWD="+dir, "GOFLAGS=-mod=mod -trimpath -buildvcs=false", "GOPROXY=off", "GOWORK=off")
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("go %s: %w\n%.10000s", args[0], err, out)
	}
	return nil
}
