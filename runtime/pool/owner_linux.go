package pool

import (
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/mcpgen/mcpgen/runtime/shm"
)

// From 0.109 on, a run directory says whose it is, so that every server, upstream's too, can
// tell those that were left behind (pool-protocol-next.md 1.4).

const (
	ownerFile   = ".owner"
	groupPrefix = ".group-"
	nameLetters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
)

// taggedDir returns a name as mktemp makes them: morloc.XXXXXX.
func taggedDir() string {
	var tag [tagSize]byte
	for i := range tag {
		tag[i] = nameLetters[rand.IntN(len(nameLetters))]
	}
	return runPrefix + string(tag[:])
}

func isTaggedDir(name string) bool {
	tag, ok := strings.CutPrefix(name, runPrefix)
	return ok && len(tag) == tagSize && strings.Trim(tag, nameLetters) == ""
}

// An owner is the process that a run directory belongs to.
type owner struct {
	pid                    int
	start, boot, namespace string
}

// self is this process as an owner.
func self() (o owner, err error) {
	o.pid = os.Getpid()
	if o.start, err = startTime(o.pid); err != nil {
		return o, err
	}
	if o.boot, err = bootID(); err != nil {
		return o, err
	}
	o.namespace, err = os.Readlink("/proc/self/ns/pid")
	return o, err
}

func bootID() (string, error) {
	id, err := os.ReadFile("/proc/sys/kernel/random/boot_id")
	return strings.TrimSpace(string(id)), err
}

// writeOwner says in a run directory that it is ours.
func writeOwner(folder string) error {
	o, err := self()
	if err != nil {
		return err
	}
	path := filepath.Join(folder, ownerFile)
	text := strings.Join([]string{strconv.Itoa(o.pid), o.start, o.boot, o.namespace}, " ") + "\n"
	if err := os.WriteFile(path+".tmp", []byte(text), 0o600); err != nil {
		return err
	}
	return os.Rename(path+".tmp", path)
}

// noteGroup writes down the process group of a pool.
func noteGroup(folder string, p *process) error {
	return os.WriteFile(filepath.Join(folder, groupPrefix+strconv.Itoa(p.pid)), nil, 0o600)
}

// readOwner reads whose a run directory is.
func readOwner(folder string) (o owner, ok bool) {
	f, _, err := openRegular(filepath.Join(folder, ownerFile)) // anybody may have put it there
	if err != nil {
		return o, false
	}
	defer f.Close()
	text, err := io.ReadAll(f)
	fields := strings.Fields(string(text))
	if err != nil || len(fields) != 4 {
		return o, false
	}
	o.pid, ok = parsePid(fields[0])
	o.start, o.boot, o.namespace = fields[1], fields[2], fields[3]
	return o, ok
}

// isGone reports whether a process has certainly ended, as seen by us: it ran before the
// machine was started, or another or none has its id. What another container runs cannot be
// seen.
func (o owner) isGone(us owner) bool {
	switch {
	case o.boot != us.boot:
		return true
	case o.namespace != us.namespace:
		return false
	}
	start, err := startTime(o.pid)
	return !isAlive(o.pid) || err == nil && start != o.start
}

// sweepOwned removes what servers left behind that were killed: pools that did not end with
// them, shared memory, run directories.
func sweepOwned() {
	us, err := self()
	if err != nil {
		return
	}
	for _, name := range readNames(runRoot) {
		path := filepath.Join(runRoot, name)
		if !isTaggedDir(name) || !isPrivate(path) {
			continue
		}
		// The lock comes last: trying it would take it from a server that is starting.
		if o, ok := readOwner(path); ok && o.isGone(us) && isAbandoned(path) {
			killOrphans(path)
			shm.SweepMarked(path)
			_ = os.RemoveAll(path)
		}
	}
}

// isPrivate reports whether a folder has the mode that run directories are made with.
func isPrivate(path string) bool {
	info, err := os.Lstat(path)
	return err == nil && info.IsDir() && info.Mode().Perm() == 0o700
}
