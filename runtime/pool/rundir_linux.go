package pool

import (
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
)

const (
	runRoot    = "/tmp" // whatever TMPDIR says: socket paths must be short
	runPrefix  = "morloc."
	maxSocket  = 107 // bytes of a socket's path
	tagLetters = "abcdefghijklmnopqrstuvwxyz0123456789"
	tagSize    = 6
)

// A runDir is the folder of a set's sockets. It is locked as long as the set lives, so that
// others can tell, also those who do not see our process.
type runDir struct {
	path  string
	lock  *os.File
	rules dirRules
}

// numberedDir returns a name with our process: morloc.<pid>-<tag>.
func numberedDir() string { return runPrefix + strconv.Itoa(os.Getpid()) + "-" + newTag() }

func newRunDir(rules dirRules) (*runDir, error) {
	for {
		d := &runDir{path: filepath.Join(runRoot, rules.name()), rules: rules}
		err := d.make()
		if err == nil {
			return d, nil
		}
		if !errors.Is(err, os.ErrExist) {
			return nil, &Error{"pools could not be started: no run directory", ": " + err.Error()}
		}
	}
}

func newTag() string {
	var tag [tagSize]byte
	for i := range tag {
		tag[i] = tagLetters[rand.IntN(len(tagLetters))]
	}
	return string(tag[:])
}

// make makes the folder. Nothing is left of one that cannot be made ours.
func (d *runDir) make() error {
	if err := os.Mkdir(d.path, 0o700); err != nil {
		return err
	}
	err := d.take()
	if err != nil {
		d.remove()
	}
	return err
}

// take locks the folder and says whose it is.
func (d *runDir) take() (err error) {
	if d.lock, err = os.Open(d.path); err != nil {
		return err
	}
	_ = syscall.Flock(int(d.lock.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	if d.rules.own != nil {
		return d.rules.own(d.path)
	}
	return nil
}

// note writes down that a pool was started.
func (d *runDir) note(p *process) error {
	if d.rules.note == nil {
		return nil
	}
	return d.rules.note(d.path, p)
}

// renew makes the folder ready for pools to start: there, and without the sockets of pools
// that are gone.
func (d *runDir) renew(pools []Spec) error {
	if _, err := os.Lstat(d.path); errors.Is(err, os.ErrNotExist) { // somebody has cleaned up
		_ = d.lock.Close()
		if err := d.make(); err != nil {
			return &Error{"pools could not be started: no run directory", ": " + err.Error()}
		}
	}
	for _, p := range pools {
		socket := filepath.Join(d.path, p.Socket)
		if len(socket) > maxSocket {
			return startError(p.Lang, "path of its socket has more than 107 bytes", ": "+socket)
		}
		_ = os.Remove(socket)
	}
	return nil
}

// remove removes the folder and what is in it. There may be none; it may have no lock.
func (d *runDir) remove() {
	if d == nil {
		return
	}
	_ = os.RemoveAll(d.path)
	_ = d.lock.Close()
}

// parseRunDir returns the process that a run directory belongs to.
func parseRunDir(name string) (pid int, ok bool) {
	rest, ok := strings.CutPrefix(name, runPrefix)
	digits, tag, _ := strings.Cut(rest, "-")
	if !ok || len(tag) != tagSize || strings.Trim(tag, tagLetters) != "" {
		return 0, false
	}
	return parsePid(digits)
}

// parsePid reads the id of a process, which has no sign.
func parsePid(digits string) (pid int, ok bool) {
	pid, err := strconv.Atoi(digits)
	return pid, err == nil && pid > 0 && digits[0] != '+'
}
