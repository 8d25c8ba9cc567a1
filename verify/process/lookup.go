package process

import (
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// lookUp finds an executable in the PATH of an environment.
func lookUp(name string, env []string) (string, error) {
	if strings.ContainsRune(name, filepath.Separator) {
		return name, nil
	}
	path := ""
	for _, entry := range env {
		if value, ok := strings.CutPrefix(entry, "PATH="); ok {
			path = value
		}
	}
	for _, folder := range filepath.SplitList(path) {
		if !filepath.IsAbs(folder) {
			continue
		}
		// LookPath adds what the system wants to see in the name of an executable.
		if found, err := exec.LookPath(filepath.Join(folder, name)); err == nil {
			return found, nil
		}
	}
	return "", &StartError{name, ErrNotFound}
}

// diagnose turns the error of a start into what is wrong with the executable.
func diagnose(path string, err error) error {
	info, statErr := os.Stat(path)
	switch {
	case errors.Is(statErr, fs.ErrNotExist):
		return &StartError{path, ErrNotFound}
	case statErr == nil && info.IsDir():
		return &StartError{path, errors.New("is a folder")}
	case errors.Is(err, fs.ErrPermission):
		return &StartError{path, errors.New("not executable")}
	case errors.Is(err, fs.ErrNotExist):
		return &StartError{path, errors.New("its interpreter is not found")}
	}
	if inner, ok := errors.AsType[*fs.PathError](err); ok {
		err = inner.Err
	}
	return &StartError{path, err}
}
