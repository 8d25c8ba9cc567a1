// Package launch runs what the examples that need other programs run: the steps of an
// installation or a build, and generated servers over HTTP.
package launch

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"time"
)

// stepLimit is how long a step may take, a download from a registry included.
const stepLimit = 5 * time.Minute

// Command runs a command of two words or more in a folder, the working directory if that is
// "". The error holds what the command has printed.
func Command(ctx context.Context, dir string, argv ...string) error {
	ctx, cancel := context.WithTimeout(ctx, stepLimit)
	defer cancel()
	cmd := exec.CommandContext(ctx, argv[0], argv[1:]...)
	cmd.Dir = dir
	cmd.WaitDelay = time.Second
	out, err := cmd.CombinedOutput()
	if ctx.Err() != nil {
		err = errors.New("took longer than " + stepLimit.String())
	}
	if err != nil {
		return fmt.Errorf("%s %s: %w\n%s", filepath.Base(argv[0]), argv[1], err, bytes.TrimSpace(out))
	}
	return nil
}

// Node installs the project of npm in a folder as its lock file says, unless that has been
// done. No scripts of packages are run.
func Node(ctx context.Context, dir string) error {
	if Newer(filepath.Join(dir, "node_modules", ".package-lock.json"), filepath.Join(dir, "package-lock.json")) {
		return nil
	}
	return Command(ctx, dir, "npm", "ci", "--no-audit", "--no-fund", "--ignore-scripts")
}

// Newer reports whether file a is there and newer than b.
func Newer(a, b string) bool {
	x, err := os.Stat(a)
	if err != nil {
		return false
	}
	y, err := os.Stat(b)
	return err == nil && x.ModTime().After(y.ModTime())
}
