package command

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/mcpgen/mcpgen/runtime/spawn"
)

// execute runs the program for a job.
func (r *runner) execute(j *Job) {
	o := order{
		words:   j.words,
		env:     r.env.vars,
		stdin:   j.stdin,
		piped:   j.piped,
		timeout: j.timeout,
		max:     r.cli.MaxOutput,
		pipe:    r.cli.Pipe,
	}
	if r.cli.Cwd != "" {
		o.dir = r.path(r.cli.Cwd)
	}
	j.out.reset()
	var err error
	list, _ := r.env.get("PATH")
	if o.path, err = r.find(o.words[0], list); err == nil {
		err = j.process.run(r.thread, &o, &j.out)
	}
	if err != nil && isMissing(o.dir) {
		err = errNoFolder
	}
	j.out.err = err
}

// find returns the path of a program, which is looked for in the folders of a list if its
// name has none.
func (r *runner) find(name, list string) (string, error) {
	if filepath.IsAbs(name) {
		return name, nil
	}
	if strings.ContainsRune(name, '/') || strings.ContainsRune(name, filepath.Separator) {
		return filepath.Join(r.folder, name), nil
	}
	return spawn.LookPath(name, list)
}

var errNoFolder = errors.New("working directory not found")

// isMissing reports whether a folder is not there; "" is.
func isMissing(dir string) bool {
	if dir == "" {
		return false
	}
	info, err := os.Stat(dir)
	return err != nil && (errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR)) ||
		err == nil && !info.IsDir()
}

// reason returns the text of an error without the call and the path.
func reason(err error) string {
	var path *fs.PathError
	var call *os.SyscallError
	switch {
	case errors.As(err, &path):
		err = path.Err
	case errors.As(err, &call):
		err = call.Err
	}
	return err.Error()
}
