//go:build !linux

package command

import "os"

// newFile returns an empty file of which nothing is left after [dropFile].
func newFile() (*os.File, error) { return tempFile() }

// retire makes a file empty, which others may hold.
func retire(f *os.File) { _ = f.Truncate(0) }
