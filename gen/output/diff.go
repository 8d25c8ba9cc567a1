package output

import (
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/rogpeppe/go-internal/diff"
)

// Compare returns what [Write] would change in dir. It writes nothing. A folder that is
// not there lacks all of the files; one that holds an interrupted run lacks what that run
// had still to do.
func Compare(dir string, files []File) ([]Change, error) {
	files, err := sorted(files)
	if err != nil {
		return nil, err
	}
	if err := checkFolder(dir); errors.Is(err, fs.ErrNotExist) {
		changes := make([]Change, len(files))
		for i, f := range files {
			changes[i] = Change{Path: f.Path, New: f.Data}
		}
		return changes, nil
	} else if err != nil {
		return nil, err
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, fmt.Errorf("output folder %q: %w", dir, plainError(err))
	}
	defer root.Close()
	changes, err := compare(rootDisk{root}, files)
	if err != nil {
		return nil, fmt.Errorf("output folder %q: %w", dir, plainError(err))
	}
	return changes, nil
}

// noFile is the name that a diff gives to a file that is not there.
const noFile = "/dev/null"

// Diff returns changes as one unified diff.
func Diff(changes []Change) []byte {
	var out []byte
	for _, c := range changes {
		from, to := "a/"+c.Path, "b/"+c.Path
		if c.Old == nil {
			from = noFile
		}
		if c.New == nil {
			to = noFile
		}
		out = append(out, diff.Diff(from, c.Old, to, c.New)...)
	}
	return out
}
