package output

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strconv"
	"strings"

	"golang.org/x/sync/errgroup"
)

// Names in the output folder while a run is under way; see the package comment.
const (
	stageName   = ".mcpgen-stage"
	journalName = stageName + "/commit"
)

// syncsAtOnce bounds the files that are written at a time: waiting for the disk is what
// takes long, and a disk takes several at once.
const syncsAtOnce = 8

// staged returns the name under which the i-th change waits.
func staged(i int) string { return stageName + "/" + strconv.Itoa(i) }

// A step is a line of the journal. Steps can be repeated.
type step struct {
	from string // staged file; empty: the file at path is removed
	path string
}

// replace carries out changes: all of them, or none.
func replace(ctx context.Context, d disk, changes []Change) error {
	steps, err := stage(ctx, d, changes)
	if err == nil {
		err = ctx.Err()
	}
	if err == nil {
		err = commit(d, steps)
	}
	if err != nil {
		d.RemoveAll(stageName)
		return err
	}
	for i, s := range steps {
		if err := apply(d, s); err != nil {
			undo(d, changes[:i+1])
			d.Remove(journalName)
			d.RemoveAll(stageName)
			return err
		}
	}
	clean(d, steps)
	return nil
}

// stage writes the new contents of changes and returns the steps that remain.
func stage(ctx context.Context, d disk, changes []Change) ([]step, error) {
	if err := d.MkdirAll(stageName, 0o755); err != nil {
		return nil, err
	}
	steps := make([]step, len(changes))
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(syncsAtOnce)
	for i, c := range changes {
		steps[i].path = c.Path
		if c.New == nil {
			continue
		}
		steps[i].from = staged(i)
		group.Go(func() error {
			if err := ctx.Err(); err != nil {
				return err
			}
			return d.Write(staged(i), c.New)
		})
	}
	return steps, group.Wait()
}

// commit writes the journal. When it is in place the new contents are decided.
func commit(d disk, steps []step) error {
	var b bytes.Buffer
	for _, s := range steps {
		fmt.Fprintf(&b, "%s\t%s\n", s.from, s.path)
	}
	if err := d.Write(journalName+".new", b.Bytes()); err != nil {
		return err
	}
	d.Sync(stageName)
	if err := d.Rename(journalName+".new", journalName); err != nil {
		return err
	}
	d.Sync(stageName)
	return nil
}

// apply carries out a step. A staged file that is gone has reached its place before.
func apply(d disk, s step) error {
	if s.from == "" {
		if err := d.Remove(s.path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		prune(d, path.Dir(s.path))
		return nil
	}
	if _, err := d.Lstat(s.from); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err := d.MkdirAll(path.Dir(s.path), 0o755); err != nil {
		return err
	}
	return d.Rename(s.from, s.path)
}

// undo brings back the old contents of changes, the last of which may not have been made.
// It does what it can: what fails here failed for the reason that is reported already.
func undo(d disk, changes []Change) {
	const old = stageName + "/old"
	for i := len(changes) - 1; i >= 0; i-- {
		c := changes[i]
		if c.Old == nil {
			d.Remove(c.Path)
			prune(d, path.Dir(c.Path))
			continue
		}
		if d.MkdirAll(path.Dir(c.Path), 0o755) == nil && d.Write(old, c.Old) == nil {
			d.Rename(old, c.Path)
		}
	}
}

// clean ends a run whose steps are done: first the names reach the disk, then the journal
// goes, then the rest of the stage. What it cannot remove, the next run does.
func clean(d disk, steps []step) {
	synced := map[string]bool{}
	for _, s := range steps {
		if dir := path.Dir(s.path); !synced[dir] {
			synced[dir] = true
			d.Sync(dir)
		}
	}
	if d.Remove(journalName) == nil {
		d.Sync(stageName)
		d.RemoveAll(stageName)
	}
}

// recoverStage completes a run that was interrupted after commit and drops one that was
// interrupted before.
func recoverStage(d disk) error {
	text, err := d.ReadFile(journalName)
	if errors.Is(err, fs.ErrNotExist) {
		return d.RemoveAll(stageName)
	}
	if err != nil {
		return err
	}
	var steps []step
	for line := range strings.Lines(string(text)) {
		from, to, found := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		if !found {
			return fmt.Errorf("%s: %q: want two names; remove the folder %s", journalName, line, stageName)
		}
		steps = append(steps, step{from: from, path: to})
	}
	for _, s := range steps {
		if err := apply(d, s); err != nil {
			return err
		}
	}
	clean(d, steps)
	return nil
}

// prune removes dir and the folders above it as long as they are empty; never the output
// folder itself.
func prune(d disk, dir string) {
	for dir != "." && d.Remove(dir) == nil {
		dir = path.Dir(dir)
	}
}
