package shm

import "strings"

// create makes an area of the oldest scheme somewhere else than in /dev/shm.
func create(dir, basename, fallback string) (*Area, error) {
	return Numbered.create(dir, basename, fallback)
}

// belongs reports whether a file of that name is part of the shared memory of basename.
func belongs(file, basename string) bool {
	rest, ok := strings.CutPrefix(file, basename)
	return ok && isSuffix(rest)
}
