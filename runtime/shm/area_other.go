//go:build !linux

package shm

import "errors"

// An Area is the shared memory of one set of pools. There is none on this system.
type Area struct{}

// Create fails: pools share memory on Linux only.
func (*Scheme) Create(basename, fallback string) (*Area, error) {
	return nil, errors.New("shared memory: language pools need Linux")
}

// Volume returns nil.
func (*Area) Volume(int) []byte { return nil }

// Size returns 0.
func (*Area) Size() int64 { return 0 }

// Sweep does nothing.
func (*Area) Sweep() {}

// SweepStale does nothing.
func SweepStale(func(pid int) bool) {}

// Release fails.
func (*Area) Release(int) error { return errors.New("shared memory: language pools need Linux") }

// SweepMarked does nothing.
func SweepMarked(string) {}

func markFile(string, string) error { return nil }
