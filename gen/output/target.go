package output

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// A target is an output folder that is open for writing by this run alone.
type target struct {
	disk
	root *os.Root
	lock *os.File
	made string // path of the folder if this run made it
}

// openTarget opens dir, making it if there is none.
func openTarget(dir string) (_ *target, err error) {
	made, err := makeFolder(dir)
	if err != nil {
		return nil, err
	}
	t := &target{made: made}
	defer func() {
		if err != nil {
			t.close()
		}
	}()
	if t.root, err = os.OpenRoot(dir); err != nil {
		return nil, fmt.Errorf("output folder %q: %w", dir, plainError(err))
	}
	if t.lock, err = lockFolder(dir); err != nil {
		return nil, fmt.Errorf("output folder %q: %w", dir, plainError(err))
	}
	t.disk = rootDisk{t.root}
	return t, nil
}

// makeFolder checks dir and makes it; made is dir if it was not there.
func makeFolder(dir string) (made string, err error) {
	err = checkFolder(dir)
	if !errors.Is(err, fs.ErrNotExist) {
		return "", err
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", fmt.Errorf("output folder %q cannot be made: %w", dir, plainError(err))
	}
	return dir, nil
}

// checkFolder tells whether dir is a folder to write to; [fs.ErrNotExist] if it can be one.
func checkFolder(dir string) error {
	info, err := os.Lstat(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fs.ErrNotExist
	case err != nil:
		return fmt.Errorf("output folder %q: %w", dir, plainError(err))
	case info.Mode()&fs.ModeSymlink != 0:
		to, err := filepath.EvalSymlinks(dir)
		if err != nil {
			return fmt.Errorf("output folder %q is a symbolic link that leads nowhere", dir)
		}
		return fmt.Errorf("output folder %q is a symbolic link; name the folder itself: -o %s", dir, to)
	case !info.IsDir():
		return fmt.Errorf("output folder %q is a file; choose another name with -o", dir)
	}
	return nil
}

// close ends the run. A folder that it made and left empty goes again.
func (t *target) close() {
	if t.lock != nil {
		unlock(t.lock)
	}
	if t.root != nil {
		t.root.Close()
	}
	if t.made != "" {
		os.Remove(t.made)
	}
}

// plainError strips an error of the system to what a reader wants: the reason, and the
// path if there is one.
func plainError(err error) error {
	if errors.Is(err, fs.ErrPermission) {
		err = errNotWritable{err}
	}
	return err
}

// errNotWritable is a lack of permission, said in words.
type errNotWritable struct{ cause error }

func (e errNotWritable) Error() string {
	if p, ok := errors.AsType[*fs.PathError](e.cause); ok && p.Path != stageName && p.Path != "." {
		return fmt.Sprintf("no permission to use %s", p.Path)
	}
	return "no permission to write there"
}

func (e errNotWritable) Unwrap() error { return e.cause }
