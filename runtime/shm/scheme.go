package shm

import (
	"strconv"
	"strings"
)

// A Scheme is how the releases of a stage name and lay out their shared memory
// (pool-protocol-next.md 0.4 and 5). Schemes are never changed.
type Scheme struct {
	// NewBasename returns a name for the shared memory of a set that process pid starts, as
	// pools are told it.
	NewBasename func(pid int) string
	// Generation returns the name that the n-th restart of a set uses; the 0-th is base.
	Generation func(base string, n int) string

	slash    string                          // in front of names inside of volumes
	first    int                             // index of the first volume
	volume   func(name string) []byte        // content of the first one; nil leaves it to the pools
	suffix   func(index int) string          // behind the basename, of a volume we make
	suffixes func(index int) []string        // of a volume that pools may have made
	isSuffix func(s string) bool             // of any file of a set
	data     func(file []byte) []byte        // the data region of a volume; nil if the file is none
	mark     func(folder, file string) error // notes a file before it is made, or a basename; may be nil
}

// Precreates reports whether the first volume is made before any pool starts. If not, pools
// must be started one after the other: they race for it.
func (s *Scheme) Precreates() bool { return s.volume != nil }

// fileName returns the base name of files for a basename: without the slash that some begin
// with.
func fileName(basename string) string { return strings.TrimPrefix(basename, "/") }

// Numbered is the scheme of releases before 0.100: morloc-<pid>-<hash>_<index>.
var Numbered = Scheme{
	NewBasename: NewBasename,
	Generation:  Generation,
	volume:      firstVolume,
	suffix:      numberSuffix,
	suffixes:    func(index int) []string { return []string{numberSuffix(index)} },
	isSuffix:    isSuffix,
	data:        dataRegion,
}

func numberSuffix(index int) string { return string(volumeMark) + strconv.Itoa(index) }
