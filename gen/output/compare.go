package output

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
)

// A Change is a file that differs between a folder and what is wanted there.
type Change struct {
	Path string
	Old  []byte // nil: the file is missing
	New  []byte // nil: the file is no longer wanted

	edited bool // a file of ours whose contents are not those that were written
}

// written are the folders that generated packages write to. In a folder without a record,
// files of ours are looked for only there.
var written = [...]string{".", "testdata", "internal/rt"}

// compare returns how the folder differs from files, which are sorted by path and end with
// the record. Files that are not ours and stand in the way are one error.
func compare(d disk, files []File) ([]Change, error) {
	owned, err := readOwned(d)
	if err != nil {
		return nil, err
	}
	var (
		changes []Change
		foreign []string
		wanted  = map[string]bool{}
	)
	for _, f := range files {
		wanted[f.Path] = true
		old, err := readOld(d, f.Path)
		if err != nil {
			return nil, err
		}
		sum, ours := owned[f.Path]
		switch {
		case old != nil && bytes.Equal(old, f.Data):
			continue
		case old != nil && !ours && !isMarked(old):
			foreign = append(foreign, f.Path)
			continue
		}
		changes = append(changes, Change{
			Path: f.Path, Old: old, New: f.Data,
			edited: old != nil && ours && sum != hash(old),
		})
	}
	if len(foreign) > 0 {
		return nil, fmt.Errorf("it holds files that mcpgen did not write and would replace: %s; "+
			"move them away or choose another folder with -o", list(foreign))
	}
	stale, err := unwanted(d, owned, wanted)
	if err != nil {
		return nil, err
	}
	// The record comes last, so that a folder which has the new one has all of the files.
	n := len(changes)
	if n > 0 && changes[n-1].Path == recordName {
		n--
	}
	return slices.Insert(changes, n, stale...), nil
}

// readOwned returns the hashes of the files of ours by path.
func readOwned(d disk) (map[string]string, error) {
	text, err := d.ReadFile(recordName)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return markedFiles(d)
	case err != nil:
		return nil, err
	}
	owned, err := parseRecord(text)
	if err == nil {
		owned[recordName] = hash(text)
	}
	return owned, err
}

// markedFiles finds files of ours in a folder without a record.
func markedFiles(d disk) (map[string]string, error) {
	owned := map[string]string{}
	for _, root := range written {
		dirs := []string{root}
		for len(dirs) > 0 {
			dir := dirs[0]
			dirs = dirs[1:]
			entries, err := d.ReadDir(dir)
			if errors.Is(err, fs.ErrNotExist) {
				continue
			} else if err != nil {
				return nil, err
			}
			for _, e := range entries {
				name := path.Join(dir, e.Name())
				if e.IsDir() && root != "." {
					dirs = append(dirs, name)
				}
				if !e.Type().IsRegular() {
					continue
				}
				if data, err := d.ReadFile(name); err == nil && isMarked(data) {
					owned[name] = hash(data)
				}
			}
		}
	}
	return owned, nil
}

// unwanted returns the removals of owned files that are there and not wanted.
func unwanted(d disk, owned map[string]string, wanted map[string]bool) ([]Change, error) {
	var stale []Change
	for name, sum := range owned {
		if wanted[name] {
			continue
		}
		old, err := readOld(d, name)
		if errors.Is(err, errNotRegular) {
			continue // the name has become something else, which is not ours
		}
		if err != nil {
			return nil, err
		}
		if old != nil {
			stale = append(stale, Change{Path: name, Old: old, edited: sum != hash(old)})
		}
	}
	slices.SortFunc(stale, func(a, b Change) int { return strings.Compare(a.Path, b.Path) })
	return stale, nil
}

// errNotRegular says that a folder, a link or the like bears the name of a file.
var errNotRegular = errors.New("stands where mcpgen writes a file, and is none")

// readOld returns the contents of a file, not nil, or nil if there is none.
func readOld(d disk, name string) ([]byte, error) {
	info, err := d.Lstat(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s %w; move it away", name, errNotRegular)
	}
	data, err := d.ReadFile(name)
	if err == nil && data == nil {
		data = []byte{}
	}
	return data, err
}

// list joins up to ten names.
func list(names []string) string {
	if n := len(names) - 10; n > 0 {
		return fmt.Sprintf("%s and %d more", strings.Join(names[:10], ", "), n)
	}
	return strings.Join(names, ", ")
}
