package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/mcpgen/mcpgen/gen"
	"github.com/mcpgen/mcpgen/gen/output"
)

func (a *app) buildCommand() *cobra.Command {
	var (
		o    gen.Options
		file string
	)
	cmd := &cobra.Command{
		Use:   "build [flags] MANIFEST...",
		Short: "Build the server, and leave the binary alone",
		Long: `Build the server of a program, or of several, and leave the binary alone. The binary
knows where the programs lie and finds them from everywhere, as long as they stay there.`,
		Args: manifests,
		RunE: work(func(cmd *cobra.Command, args []string) error {
			o.Runtime, o.Linked = gen.RuntimeCopy, true
			o.Out = strings.TrimSuffix(file, exeSuffix())
			r, err := a.generate(cmd.Context(), o, args)
			if err != nil {
				return err
			}
			if file == "" {
				file = r.Binary + exeSuffix()
			}
			if err := checkBinary(file); err != nil {
				return err
			}
			if err := a.build(cmd.Context(), r, file); err != nil {
				return err
			}
			a.sayNotes(r.Loaded)
			a.say(fmt.Sprintf("%s: %s", file, count(r.Tools(), "tool")))
			return nil
		}),
	}
	cmd.Flags().StringVarP(&file, "out", "o", "", "`FILE` to write the binary to (default: PROGRAM-mcp)")
	cmd.Flags().BoolVar(&o.NoVersion, "no-version", false, "leave mcpgen's version out of the binary")
	transportFlag(cmd.Flags(), &o)
	timeoutFlag(cmd.Flags(), &o)
	readFlags(cmd.Flags(), &o)
	return cmd
}

func exeSuffix() string {
	if runtime.GOOS == "windows" {
		return ".exe"
	}
	return ""
}

// checkBinary refuses to replace what is no binary.
func checkBinary(file string) error {
	info, err := os.Stat(file)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return err
	case info.IsDir():
		return fmt.Errorf("%s is a folder; name the binary with -o", file)
	}
	f, err := os.Open(file)
	if err != nil {
		return err
	}
	defer f.Close()
	head := make([]byte, 4)
	n, _ := io.ReadFull(f, head)
	for _, magic := range []string{"\x7fELF", "MZ", "\xcf\xfa\xed\xfe", "\xca\xfe\xba\xbe"} {
		if bytes.HasPrefix(head[:n], []byte(magic)) {
			return nil
		}
	}
	return fmt.Errorf("%s is there and is no binary; choose another name with -o", file)
}

// build compiles r and puts the binary at file, all at once.
func (a *app) build(ctx context.Context, r *gen.Result, file string) error {
	dir, err := buildFolder()
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	if _, err := output.Write(ctx, dir, r.Files); err != nil {
		return err
	}
	abs, err := filepath.Abs(file)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(abs), 0o755); err != nil {
		return err
	}
	// Beside its final place, so that it can be renamed.
	temp, err := os.MkdirTemp(filepath.Dir(abs), ".mcpgen-build-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(temp)
	folders, err := linkedFolders(r.Sources)
	if err != nil {
		return err
	}
	setting, err := quoteSetting(r.Module + "/internal/rt.programDir=" + folders)
	if err != nil {
		return err
	}
	binary := filepath.Join(temp, filepath.Base(abs))
	cmd := exec.CommandContext(ctx, "go", "build", "-trimpath", "-buildvcs=false", "-ldflags=-s -w -X "+setting, "-o", binary)
	cmd.Dir = dir
	// Without cgo, which package net would use, nothing of the machine is needed to build or
	// to run the server, and it starts in two thirds of the time.
	cmd.Env = append(gen.GoEnv(a.env), "PWD="+dir, "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); ctx.Err() != nil {
		return ctx.Err()
	} else if err != nil {
		return fmt.Errorf("go build: %w\n%s", err, out)
	}
	return os.Rename(binary, abs)
}

// linkedFolders returns the folders of programs as the binary is told of them: NAME=DIR, in a
// list as PATH is one, if there are several. Command lines are not found by their folders.
func linkedFolders(sources []*gen.Source) (string, error) {
	if s := sources[0]; len(sources) == 1 && s.Program.CLI == nil {
		return s.Folder, nil
	}
	var list []string
	for _, s := range sources {
		if s.Program.CLI != nil {
			continue
		}
		entry := s.Program.Module + "=" + s.Folder
		if strings.ContainsRune(entry, filepath.ListSeparator) {
			return "", fmt.Errorf("the program's folder cannot be linked in, for the %q in its name: %s; use mcpgen gen",
				filepath.ListSeparator, s.Folder)
		}
		list = append(list, entry)
	}
	return strings.Join(list, string(filepath.ListSeparator)), nil
}

// quoteSetting quotes an argument for -ldflags, which knows quotes but no escapes.
func quoteSetting(s string) (string, error) {
	for _, quote := range []string{"'", `"`} {
		if !strings.Contains(s, quote) {
			return quote + s + quote, nil
		}
	}
	return "", fmt.Errorf("the program's folder cannot be linked in, for the quotes in its name: %s; use mcpgen gen", s)
}

// staleAfter is the age from which a folder that a build left behind is nobody's.
const staleAfter = 24 * time.Hour

// buildFolder makes a folder to build in, and removes those of builds that were killed.
func buildFolder() (string, error) {
	cache, err := os.UserCacheDir()
	if err != nil {
		cache = os.TempDir()
	}
	cache = filepath.Join(cache, "mcpgen")
	if err := os.MkdirAll(cache, 0o755); err != nil {
		return "", err
	}
	left, _ := filepath.Glob(filepath.Join(cache, "build-*"))
	for _, dir := range left {
		if info, err := os.Stat(dir); err == nil && time.Since(info.ModTime()) > staleAfter {
			os.RemoveAll(dir)
		}
	}
	return os.MkdirTemp(cache, "build-")
}
