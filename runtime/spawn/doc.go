// Package spawn finds programs and starts processes that end with this one. It knows nothing
// of what they do; how they are ended otherwise is left to those who start them.
package spawn

import (
	"errors"
	"path/filepath"
	"strings"
)

// ErrNotFound is the error for a program that is in no folder of the path.
var ErrNotFound = errors.New("executable file not found in PATH")

// LookPath finds a program as the shell does, in the folders of a list as PATH is, but never
// in the working directory. A name that has a slash is a path already.
func LookPath(name, list string) (path string, err error) {
	if strings.ContainsRune(name, '/') || strings.ContainsRune(name, filepath.Separator) {
		return name, nil
	}
	for len(list) > 0 && name != "" {
		dir := list
		if i := strings.IndexByte(list, filepath.ListSeparator); i >= 0 {
			dir, list = list[:i], list[i+1:]
		} else {
			list = ""
		}
		if !filepath.IsAbs(dir) {
			continue
		}
		if file, ok := isProgram(filepath.Join(dir, name)); ok {
			return file, nil
		}
	}
	return "", ErrNotFound
}
